//! A broadcast, pass by pass, to a server with given answers.

use witness::{Ending, GameNo, TableNo};

use super::*;
use crate::net::post::tests::{answer, server};
use crate::outlets::games::EventNow;
use crate::pairings::{Player, Players};

/// Two games of the third round.
fn hall() -> Arc<Games> {
    let games = Arc::<Games>::default();
    games.announce(EventNow { round: "3".into(), ..EventNow::default() });
    for (table, white, text) in [(4, "Doe, Jane", "1. e4 *\n"), (7, "Poe, Ann", "1. d4 *\n")] {
        let white = Player { name: white.into(), ..Player::default() };
        let players = Players { white, ..Players::default() };
        let (round, text) = ("3".into(), text.into());
        games.put(Played {
            table: TableNo::new(table),
            number: GameNo::new(1),
            round,
            players,
            text,
            ..Played::default()
        });
    }
    games
}

struct Broadcast {
    pusher: Pusher,
    reports: Arc<Reports>,
    games: Arc<Games>,
    _token: tempfile::TempDir,
}

impl Broadcast {
    async fn to(answers: Vec<Vec<u8>>) -> (Self, tokio::task::JoinHandle<Vec<String>>) {
        let (target, task) = server(answers).await;
        let place = tempfile::tempdir().unwrap();
        let token_file = place.path().join("token");
        std::fs::write(&token_file, "lip_secret\n").unwrap();
        let url = format!("http://{}", target.server());
        let round = "abcdefgh".to_owned();
        let lichess = Lichess { round, token_file, url, ..Lichess::default() };
        let (games, reports) = (hall(), Arc::<Reports>::default());
        let pusher = Pusher::new(lichess, &games, &reports);
        (Self { pusher, reports, games, _token: place }, task)
    }

    /// One pass. Returns the longest wait for a change, in seconds, and the report.
    async fn pass(&mut self) -> (Option<u64>, bool, String) {
        let wait = match self.pusher.pass().await {
            Wait::For(wait) | Wait::Change(Some(wait)) => Some(wait.as_secs()),
            Wait::Change(None) => None,
        };
        let report = self.reports.all(false).remove(NAME).unwrap();
        assert!(!report.last.contains("lip_secret"), "{}", report.last);
        (wait, report.works, report.last)
    }
}

fn taken() -> Vec<u8> {
    answer("200 OK", r#"{"games":[{"tags":{},"moves":1},{"tags":{},"moves":1}]}"#)
}

#[tokio::test]
async fn a_round_is_pushed_when_it_has_changed_and_not_otherwise() {
    let (mut broadcast, task) = Broadcast::to(vec![taken(), taken()]).await;
    let well = (None, true, "games taken: 2".to_owned());
    assert_eq!(broadcast.pass().await, well);
    assert_eq!(broadcast.pass().await, well);
    let mut game = Played::clone(&broadcast.games.all()[1]);
    (game.text, game.ending) = ("1. d4 1-0\n".into(), Ending::entered("1-0"));
    broadcast.games.put(game);
    assert_eq!(broadcast.pass().await, well);
    let heard = task.await.unwrap();
    let first = &heard[0];
    assert!(first.starts_with("POST /api/broadcast/round/abcdefgh/push HTTP/1.1\r\n"), "{first}");
    for line in ["authorization: Bearer lip_secret", "content-type: text/plain; charset=utf-8"] {
        assert!(first.contains(&format!("{line}\r\n")), "{first}");
    }
    assert!(first.ends_with("\r\n\r\n1. e4 *\n\n1. d4 *\n"), "{first}");
    assert!(heard[1].ends_with("\r\n\r\n1. e4 *\n\n1. d4 1-0\n"), "{}", heard[1]);
}

#[tokio::test]
async fn what_is_refused_names_its_table_and_the_rest_is_taken() {
    let refused = r#"{"games":[{"tags":{},"moves":1},{"tags":{},"error":"Cannot play d4"}]}"#;
    let (mut broadcast, _task) = Broadcast::to(vec![answer("200 OK", refused)]).await;
    let words = "games taken: 1; table 7 is refused: Cannot play d4".to_owned();
    assert_eq!(broadcast.pass().await, (Some(59), false, words.clone()));
    // It is not offered again at once.
    assert_eq!(broadcast.pass().await, (Some(59), false, words));
}

#[tokio::test]
async fn whatever_is_answered_the_newest_is_sent_in_the_end() {
    let cut = b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"games\"".to_vec();
    let answers = [
        (answer("500 Oops", "<html>"), 1..=3, "500: <html>"),
        (answer("429 Slow\r\nRetry-After: 77", ""), 77..=77, "429: no word of explanation"),
        (answer("429 Slow", ""), 48..=72, "429: no word of explanation"),
        (
            answer("401 No", r#"{"error":"No such token lip_secret"}"#),
            48..=72,
            "401: No such token …",
        ),
        (answer("400 No", r#"{"error":"Bad PGN"}"#), 48..=72, "400: Bad PGN"),
        (cut, 48..=72, "went away in mid-answer"),
        (answer("200 OK", "<html>sign in"), 48..=72, "200: <html>sign in"),
        (answer("200 OK", &format!("[{}", "1,".repeat(1 << 20))), 48..=72, "200: [1,1,1"),
    ];
    let sent = answers.iter().map(|it| it.0.clone()).chain([taken()]);
    let (mut broadcast, task) = Broadcast::to(sent.collect()).await;
    for (_, waits, words) in &answers {
        let (wait, works, report) = broadcast.pass().await;
        assert!(!works && report.contains(words), "{report} instead of {words}");
        let wait = wait.expect("it is tried again");
        assert!(waits.contains(&wait), "{words}: {wait} s");
    }
    assert_eq!(broadcast.pass().await, (None, true, "games taken: 2".to_owned()));
    assert_eq!(task.await.unwrap().len(), answers.len() + 1);
}

#[tokio::test]
async fn the_token_does_not_follow_a_redirect() {
    let (other, elsewhere) = server(vec![taken()]).await;
    let moved = format!("302 Found\r\nLocation: http://{}/", other.server());
    let (mut broadcast, _task) = Broadcast::to(vec![answer(&moved, "")]).await;
    let (_, works, report) = broadcast.pass().await;
    assert_eq!((works, report.as_str()), (false, "302: no word of explanation"));
    assert!(!elsewhere.is_finished(), "nobody went there");
    elsewhere.abort();
}

#[tokio::test]
async fn a_server_that_never_answers_is_left_in_time() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (mut broadcast, _task) = Broadcast::to(Vec::new()).await;
    let target = Target::read(&format!("http://{}", silent.local_addr().unwrap())).unwrap();
    let client = Client::new(&target, std::path::Path::new(""), Duration::from_millis(50));
    broadcast.pusher.way = client.map(|client| (target, client));
    let (wait, works, report) = broadcast.pass().await;
    assert!(wait.is_some_and(|it| it <= 3) && !works, "{wait:?}");
    assert!(report.ends_with("does not answer in time"), "{report}");
}

#[tokio::test]
async fn a_token_that_is_gone_is_asked_for_and_read_again() {
    let (mut broadcast, _task) = Broadcast::to(vec![taken()]).await;
    let file = broadcast.pusher.lichess.token_file.clone();
    std::fs::remove_file(&file).unwrap();
    let (wait, works, report) = broadcast.pass().await;
    assert!(wait.is_some() && !works && report.contains("cannot be read"), "{report}");
    std::fs::write(&file, "lip_secret").unwrap();
    assert_eq!(broadcast.pass().await, (None, true, "games taken: 2".to_owned()));
}

#[tokio::test]
async fn a_round_that_has_no_place_there_is_said() {
    let (mut broadcast, _task) = Broadcast::to(Vec::new()).await;
    let rounds = [("2".to_owned(), "abcdefgh".to_owned())].into();
    let lichess = broadcast.pusher.lichess.clone();
    broadcast.pusher.lichess = Lichess { round: String::new(), rounds, ..lichess };
    let words = "nothing to push yet; no round of Lichess is named for round \"3\"";
    assert_eq!(broadcast.pass().await, (None, false, words.to_owned()));
}
