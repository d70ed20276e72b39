//! Virtual tables: emulated boards at the far ends of lines, with virtual hands over them.

use std::time::Duration;

use eboard::{Emulator, Moment, Said, Stimulus};
use rehearsal::Stage;

use crate::far_end::FarEnd;
use crate::time::Clock;

/// How long an idle virtual board waits before it looks at itself again.
const IDLE: Duration = Duration::from_secs(3600);

/// One emulated board at the far end of a line.
pub struct VirtualTable {
    end: FarEnd,
    board: Box<dyn Emulator>,
    clock: Clock,
}

impl VirtualTable {
    /// A board at this end.
    #[must_use]
    pub fn new(end: FarEnd, board: Box<dyn Emulator>, clock: Clock) -> Self {
        Self { end, board, clock }
    }

    /// Stages follow one another until there are none; then the board stands still and answers.
    ///
    /// # Errors
    /// When the line is broken.
    pub async fn live(
        mut self,
        mut stages: impl FnMut(Moment) -> Option<Stage>,
    ) -> std::io::Result<()> {
        let mut stage = stages(self.clock.now());
        let mut buffer = vec![0; 512];
        loop {
            if stage.as_ref().is_some_and(Stage::over) {
                stage = stages(self.clock.now());
            }
            let wake = self.wake(stage.as_ref());
            tokio::select! {
                count = self.end.read(&mut buffer) => {
                    let asked = buffer.get(..count?).unwrap_or_default().to_vec();
                    self.feel(Stimulus::Host(&asked))?;
                }
                () = tokio::time::sleep(wake) => {
                    let now = self.clock.now();
                    if self.board.deadline().is_some_and(|(at, _)| at <= now) {
                        self.feel(Stimulus::Due)?;
                    }
                    for happening in stage.as_mut().map(|it| it.due(now)).unwrap_or_default() {
                        self.feel(happening.change().here())?;
                    }
                }
            }
        }
    }

    fn wake(&self, stage: Option<&Stage>) -> Duration {
        let board = self.board.deadline().map(|(at, _)| at);
        let stage = stage.and_then(Stage::next);
        board.into_iter().chain(stage).min().map_or(IDLE, |at| self.clock.until(at))
    }

    fn feel(&mut self, stimulus: Stimulus<'_>) -> std::io::Result<()> {
        let mut said = Said::default();
        self.board.handle(self.clock.now(), stimulus, &mut said);
        self.end.say(said)
    }
}
