//! Why a push failed, in words for the organizer: what was answered, and what to do about it.

use std::time::Duration;

use serde::Deserialize;

use super::answer::{self, Refusal};
use super::plan::Call;
use crate::net::post::{Answer, Token, Trouble, shown};

/// The first wait while no server answers.
const SOON: Duration = Duration::from_secs(2);
/// The first wait if a person has to mend something.
const LATER: Duration = Duration::from_secs(15);
/// The wait that Lichess asks for after "too many requests", if the answer names none.
const SLOWED: Duration = Duration::from_secs(60);

/// A push, or a game, that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault. The log names each kind once.
    pub kind: String,
    /// What was answered.
    pub words: String,
    /// What to do about it.
    pub remedy: &'static str,
    /// The status, if there was an answer.
    pub status: Option<u16>,
    /// How long to wait before the first new attempt.
    pub first_wait: Duration,
    /// How long to wait, if the server has said so.
    pub said_wait: Option<Duration>,
}

const GOES_ON: &str = "it is tried again by itself, and the newest is sent then";

impl Fault {
    fn new(kind: &str, words: String, remedy: &'static str, first_wait: Duration) -> Self {
        Self { kind: kind.to_owned(), words, remedy, status: None, first_wait, said_wait: None }
    }

    /// A fault on this machine.
    #[must_use]
    pub fn here(problem: &str) -> Self {
        let remedy = "mend the file, it is read again by itself";
        Self::new("here", problem.to_owned(), remedy, LATER)
    }

    /// A server that did not answer.
    #[must_use]
    pub fn of_trouble(server: &str, trouble: &Trouble) -> Self {
        let words = format!("{server} {trouble}");
        let (remedy, first_wait) = match trouble {
            Trouble::Untrusted(_) => {
                ("set the time of day of this machine, or write [lichess] ca_file", LATER)
            }
            Trouble::Unreachable(_) | Trouble::Slow | Trouble::Cut(_) => (GOES_ON, SOON),
        };
        Self::new(trouble.kind(), words, remedy, first_wait)
    }

    /// A game that was refused. It delays no other push.
    #[must_use]
    pub fn of_game(refusal: &Refusal) -> Self {
        let Refusal { table, error } = refusal;
        match table {
            Some(table) => Self::new(
                &format!("table {table}"),
                format!("table {table} is refused: {error}"),
                "look at the names and the score of that table; all other games are there",
                SOON,
            ),
            None => Self::new(
                "round",
                format!("the round refuses the games: {error}"),
                "on lichess.org edit the round, and choose no source: the games are pushed",
                SOON,
            ),
        }
    }

    /// A round for which nothing is configured.
    #[must_use]
    pub fn without_a_place(round: &str) -> Self {
        let words = format!("no round of Lichess is named for round \"{round}\"");
        Self::new(&format!("place {round}"), words, "write it under [lichess.rounds]", LATER)
    }
}

/// Reads an answer: its status, and the refused games.
///
/// # Errors
/// If no game was taken.
pub fn judge(call: &Call, answer: &Answer, token: &Token) -> Result<(u16, Vec<Refusal>), Fault> {
    let status = answer.status.as_u16();
    let games = answer::read(call, &answer.body).filter(|_| answer.whole);
    if let (200..=299 | 400, Some(refusals)) = (status, games) {
        let shown = |it: Refusal| Refusal { error: shown(&it.error, Some(token)), ..it };
        return Ok((status, refusals.into_iter().map(shown).collect()));
    }
    let said = said(&answer.body, token);
    let words = format!("{status}: {said}");
    let (remedy, first_wait) = remedy(status);
    let mut fault = Fault::new(&status.to_string(), words, remedy, first_wait);
    fault.status = Some(status);
    fault.said_wait = answer.retry_after.filter(|_| matches!(status, 429 | 503));
    Err(fault)
}

fn remedy(status: u16) -> (&'static str, Duration) {
    match status {
        200..=299 => (
            "that is no answer to a push: look whether [lichess] url is right, and whether the \
             network wants somebody to sign in",
            LATER,
        ),
        300..=399 => (
            "write in [lichess] url where the server is: nothing is sent to where it points",
            LATER,
        ),
        401 => (
            "make a token that may write studies (study:write) at \
             lichess.org/account/oauth/token and put it in the token_file",
            LATER,
        ),
        403 => (
            "make the account of the token a contributor of the broadcast, and let the token \
             write studies (study:write)",
            LATER,
        ),
        404 => (
            "[lichess] wants the eight letters at the end of the address of the round, not of the \
             broadcast",
            LATER,
        ),
        413 => ("half as many games are sent at once from now on", SOON),
        429 => ("it is left alone for as long as it wants", SLOWED),
        400..=499 => ("look at the round on lichess.org", LATER),
        _ => (GOES_ON, SOON),
    }
}

/// The server's explanation, on one line.
fn said(body: &[u8], token: &Token) -> String {
    #[derive(Deserialize)]
    struct Said {
        error: String,
    }
    let said = serde_json::from_slice(body).map(|Said { error }| error);
    let said = said.unwrap_or_else(|_| String::from_utf8_lossy(body).into_owned());
    let said = shown(&said, Some(token));
    if said.is_empty() { "no word of explanation".to_owned() } else { said }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;

    use super::*;

    fn judged(status: u16, body: &str) -> Result<(u16, Vec<Refusal>), Fault> {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("token");
        std::fs::write(&path, "lip_secret").unwrap();
        let token = Token::read(&path).unwrap();
        let call = Call { key: ("abcdefgh".into(), 0), games: vec![std::sync::Arc::default()] };
        let status = StatusCode::from_u16(status).unwrap();
        let retry_after = Some(Duration::from_secs(7));
        let body = body.as_bytes().to_vec();
        judge(&call, &Answer { status, retry_after, body, whole: true }, &token)
    }

    #[test]
    fn each_status_has_its_words_and_its_remedy() {
        let cases = [
            (200, "<html>", "200: <html>", "sign in"),
            (301, "", "301: no word of explanation", "[lichess] url"),
            (400, "{\"error\":\"bad PGN\"}", "400: bad PGN", "the round on lichess.org"),
            (401, "{\"error\":\"No such token\"}", "401: No such token", "study:write"),
            (403, "{\"error\":\"Missing scope\"}", "403: Missing scope", "contributor"),
            (404, "{\"error\":\"Not found\"}", "404: Not found", "eight letters"),
            (413, "", "413: no word of explanation", "half as many"),
            (429, "", "429: no word of explanation", "left alone"),
            (502, "Bad\nGateway", "502: Bad Gateway", "tried again"),
        ];
        for (status, body, words, remedy) in cases {
            let fault = judged(status, body).unwrap_err();
            assert_eq!((fault.status, fault.words.as_str()), (Some(status), words));
            assert!(fault.remedy.contains(remedy), "{status}: {}", fault.remedy);
            let waits = matches!(status, 429).then_some(Duration::from_secs(7));
            assert_eq!(fault.said_wait, waits, "{status}");
        }
    }

    #[test]
    fn a_token_that_a_server_says_back_is_not_shown() {
        let fault = judged(401, "{\"error\":\"No such token: lip_secret\"}").unwrap_err();
        assert_eq!(fault.words, "401: No such token: …");
        assert!(!format!("{fault:?}").contains("lip_secret"));
        let fault = judged(200, "{\"games\":[{\"error\":\"Bearer lip_secret\"}]}").unwrap();
        assert_eq!(fault.1[0].error, "Bearer …");
    }

    #[test]
    fn games_may_be_refused_with_either_status() {
        let body = "{\"games\":[{\"tags\":{},\"error\":\"Cannot play\"}]}";
        for status in [200, 400] {
            assert_eq!(judged(status, body).unwrap().1.len(), 1, "{status}");
        }
    }
}
