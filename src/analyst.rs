//! The analyst: answers questions about mate that would hold up the tables. It takes one after
//! another on a thread of its own, each until a deadline. What it does not find out by then is
//! undetermined.

use std::time::Duration;

use eboard::Moment;
use tokio::sync::mpsc;
use witness::unwinnable::{Analysis, Effort, Mate};
use witness::{Question, TableNo};

use crate::entry::Answer;
use crate::tasks::Tasks;
use crate::time::Clock;

/// The most questions that wait. More than a few at once come only from tables that ask again.
const QUESTIONS: usize = 64;
/// How long an arbiter at a fallen flag can wait for more than "undetermined".
const DEADLINE: Duration = Duration::from_secs(10);
/// The work between two looks at the clock: some milliseconds.
const SLICE: Effort = Effort(20_000);

/// The handle for questions.
#[derive(Clone)]
pub struct Analyst(mpsc::Sender<(TableNo, Question)>);

impl Analyst {
    /// Starts the thread. Answers go to `answers`.
    #[must_use]
    pub fn start(answers: mpsc::Sender<Answer>, tasks: &mut Tasks) -> Self {
        let (questions, asked) = mpsc::channel(QUESTIONS);
        tasks.spawn("the analyst", answer_all(asked, answers));
        Self(questions)
    }

    /// An analyst that never answers, for runs in which nothing waits for one.
    #[cfg(test)]
    pub fn deaf() -> Self {
        Self(mpsc::channel(1).0)
    }

    /// Asks a question. If too many wait, it stays open until the daemon starts again.
    pub fn ask(&self, table: TableNo, question: Question) {
        if self.0.try_send((table, question)).is_err() {
            tracing::warn!("a question of mate at table {table} was one too many");
        }
    }
}

async fn answer_all(
    mut questions: mpsc::Receiver<(TableNo, Question)>,
    answers: mpsc::Sender<Answer>,
) {
    while let Some((table, question)) = questions.recv().await {
        let number = question.number;
        let looked = tokio::task::spawn_blocking(move || look(&question, DEADLINE)).await;
        // A panic counts as undetermined. The next question gets another thread.
        let answer = Answer::new(table, number, looked.unwrap_or(Mate::Undetermined));
        if answers.send(answer).await.is_err() {
            return std::future::pending().await;
        }
    }
    std::future::pending().await
}

/// Whether the side can checkmate, as far as is found out in time.
fn look(question: &Question, patience: Duration) -> Mate {
    let clock = Clock::starting_at(Moment::ZERO);
    let mut analysis = Analysis::new(&question.position, question.winner);
    while clock.now().since(Moment::ZERO) < patience {
        let before = analysis.spent();
        let mate = analysis.advance(SLICE).mate();
        let done = analysis.spent() == before || analysis.spent() >= Effort::FULL.0;
        if mate != Mate::Undetermined || done {
            return mate;
        }
    }
    Mate::Undetermined
}

/// The same without a deadline, for recordings without answers.
#[must_use]
pub fn look_to_the_end(question: &Question) -> Mate {
    witness::unwinnable::analyse(&question.position, question.winner, Effort::FULL).mate()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Color, fen::Fen};

    use super::*;

    fn question(fen: &str) -> Question {
        let position = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        Question { number: 7, position, winner: Color::White }
    }

    #[test]
    fn there_is_no_answer_when_there_is_no_time() {
        let won = question("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        assert_eq!(look(&won, DEADLINE), Mate::Possible);
        assert_eq!(look(&won, Duration::ZERO), Mate::Undetermined);
        assert_eq!(look(&question("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), DEADLINE), Mate::Impossible);
    }

    #[tokio::test]
    async fn every_question_is_answered_under_its_number() {
        let (answers, mut given) = mpsc::channel(4);
        let mut tasks = Tasks::default();
        let analyst = Analyst::start(answers, &mut tasks);
        analyst.ask(TableNo::new(3), question("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"));
        analyst.ask(TableNo::new(4), question("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
        let first = Answer::new(TableNo::new(3), 7, Mate::Possible);
        assert_eq!(given.recv().await, Some(first));
        assert_eq!(
            given.recv().await.map(|it| (it.table, it.mate())),
            Some((TableNo::new(4), Mate::Impossible))
        );
    }
}
