//! Servers of other people that the daemon sends to: the games to Lichess, and summons to a service
//! that wakes tablets.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use witness::Message;

use super::{Config, Feed, say};
use crate::net::post::{Target, Token};
use crate::tls::trust;

/// The letters that Lichess gives to a round.
const ROUND_LETTERS: usize = 8;

/// A broadcast on Lichess.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lichess {
    /// The round on Lichess for every round here; empty: none.
    pub round: String,
    /// The rounds on Lichess, by the names of the rounds here.
    pub rounds: BTreeMap<String, String>,
    /// The file with the token.
    pub token_file: PathBuf,
    /// The server.
    pub url: String,
    /// The authorities to trust, in PEM; empty: those of this machine.
    pub ca_file: PathBuf,
    /// The feed that is pushed; none: [what leaves the hall](Config::feed).
    pub feed: Option<Feed>,
}

impl Default for Lichess {
    fn default() -> Self {
        Self {
            round: String::new(),
            rounds: BTreeMap::new(),
            token_file: PathBuf::new(),
            url: "https://lichess.org".to_owned(),
            ca_file: PathBuf::new(),
            feed: None,
        }
    }
}

impl Lichess {
    /// Whether games are to be pushed.
    #[must_use]
    pub fn is_on(&self) -> bool {
        !self.round.is_empty() || !self.rounds.is_empty()
    }
}

/// Summons, sent to a service that wakes tablets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Notify {
    /// The address of the topic, as in ntfy; empty: summons are not sent.
    pub url: String,
    /// The file with the token of the service, if it wants one.
    pub token_file: PathBuf,
    /// The authorities to trust, in PEM; empty: those of this machine.
    pub ca_file: PathBuf,
    /// Whether summons name the players.
    pub names: bool,
    /// The address of the arbiters' pages: `https://hall.local:8443`.
    pub pages: String,
}

impl Notify {
    /// Whether summons are to be sent.
    #[must_use]
    pub fn is_on(&self) -> bool {
        !self.url.is_empty()
    }
}

impl Config {
    /// The address of the arbiters' pages, if it is known: the configured one, or else the first
    /// name of the certificate.
    #[must_use]
    pub fn pages_elsewhere(&self) -> Option<String> {
        if !self.notify.pages.is_empty() {
            return Some(self.notify.pages.trim_end_matches('/').to_owned());
        }
        let (name, door) = (self.web.names.first()?, self.web.listen_tls?);
        Some(format!("https://{name}:{}", door.port()))
    }
}

type Problem = (&'static str, Message);

/// Checks `[lichess]`.
///
/// # Errors
/// If a value cannot be used: the key, and what to write there.
pub(super) fn lichess(lichess: &Lichess) -> Result<(), Problem> {
    if !lichess.is_on() {
        return Ok(());
    }
    if !lichess.round.is_empty() && !lichess.rounds.is_empty() {
        return Err(("round", say::conf_rounds_named()));
    }
    let named = lichess.rounds.values().map(|it| ("rounds", it));
    for (key, round) in named.chain([("round", &lichess.round)]).filter(|it| !it.1.is_empty()) {
        let plain = round.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !plain || round.len() != ROUND_LETTERS {
            return Err((key, say::conf_no_round(round)));
        }
    }
    if lichess.rounds.values().any(String::is_empty) {
        return Err(("rounds", say::conf_round_empty()));
    }
    let target = Target::read(&lichess.url).map_err(said("url"))?;
    if lichess.token_file.as_os_str().is_empty() {
        return Err(("token_file", say::conf_token()));
    }
    Token::read(&lichess.token_file).map_err(said("token_file"))?;
    secret_stays_secret(&target)?;
    believed(&target, &lichess.ca_file)
}

/// Checks `[notify]`.
///
/// # Errors
/// If a value cannot be used: the key, and what to write there.
pub(super) fn notify(notify: &Notify) -> Result<(), Problem> {
    if !notify.is_on() {
        return Ok(());
    }
    let target = Target::read(&notify.url).map_err(said("url"))?;
    if !notify.token_file.as_os_str().is_empty() {
        Token::read(&notify.token_file).map_err(said("token_file"))?;
        secret_stays_secret(&target)?;
    }
    if !notify.pages.is_empty() {
        Target::read(&notify.pages).map_err(said("pages"))?;
    }
    believed(&target, &notify.ca_file)
}

fn secret_stays_secret(target: &Target) -> Result<(), Problem> {
    match target.encrypted || target.is_here() {
        true => Ok(()),
        false => Err(("url", say::conf_secret())),
    }
}

fn believed(target: &Target, ca_file: &std::path::Path) -> Result<(), Problem> {
    if !target.encrypted {
        return Ok(());
    }
    trust::client(ca_file).map(|_| ()).map_err(said("ca_file"))
}

/// A problem that was put into words already.
fn said(key: &'static str) -> impl Fn(String) -> Problem {
    move |problem| (key, say::conf_said(&problem))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::read;

    fn token() -> (tempfile::TempDir, String) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("token");
        std::fs::write(&path, "lip_secret\n").unwrap();
        let path = path.display().to_string();
        (place, path)
    }

    fn assert_refused(text: &str, expected: &str) {
        let refusal = read(Path::new("adoubed.toml"), text).unwrap_err().to_string();
        assert!(refusal.starts_with(expected), "{refusal}\nnot\n{expected}");
        assert!(!refusal.contains("lip_secret"), "{refusal}");
    }

    #[test]
    fn nothing_said_is_nothing_sent() {
        let config = read(Path::new("adoubed.toml"), "[lichess]\n[notify]\n").unwrap();
        assert!(!config.lichess.is_on() && !config.notify.is_on());
    }

    #[test]
    fn a_broadcast_that_cannot_be_is_refused_where_it_stands() {
        let (_place, token) = token();
        let token = format!("token_file = \"{token}\"");
        let cases = [
            (format!("round = \"abc\"\n{token}"), "adoubed.toml:2: round: \"abc\" is no round"),
            ("round = \"abcdefgh\"".into(), "adoubed.toml:1: token_file: write the file with a"),
            (
                "round = \"abcdefgh\"\ntoken_file = \"/nowhere\"".into(),
                "adoubed.toml:3: token_file: /nowhere cannot be read: No such file",
            ),
            (
                format!("round = \"abcdefgh\"\n{token}\nurl = \"http://lichess.org\""),
                "adoubed.toml:4: url: anybody on the way could read the token; write https://",
            ),
            (
                format!("{token}\nround = \"abcdefgh\"\nrounds = {{ 3 = \"abcdefgh\" }}"),
                "adoubed.toml:3: round: the rounds are named already; leave this one out",
            ),
            (
                format!("{token}\nrounds = {{ 3 = \"https://\" }}"),
                "adoubed.toml:3: rounds: \"https://\" is no round of Lichess; write the eight",
            ),
        ];
        for (text, expected) in cases {
            assert_refused(&format!("[lichess]\n{text}\n"), expected);
        }
        let here = "url = \"http://127.0.0.1:9\"\nrounds = { 3 = \"abcdefgh\", 4 = \"ABCD1234\" }";
        let good = read(Path::new("a"), &format!("[lichess]\n{token}\n{here}\n")).unwrap();
        assert_eq!(good.lichess.rounds["4"], "ABCD1234");
    }

    #[test]
    fn a_service_that_cannot_be_is_refused_where_it_stands() {
        let (_place, token) = token();
        let cases = [
            ("url = \"hall\"".to_owned(), "adoubed.toml:2: url: \"hall\" is no address of the web"),
            (
                format!("url = \"http://10.0.0.1/hall\"\ntoken_file = \"{token}\""),
                "adoubed.toml:2: url: anybody on the way could read the token",
            ),
            (
                "url = \"http://10.0.0.1/hall\"\npages = \"hall\"".to_owned(),
                "adoubed.toml:3: pages: \"hall\" is no address of the web",
            ),
        ];
        for (text, expected) in cases {
            assert_refused(&format!("[notify]\n{text}\n"), expected);
        }
        let open = "[notify]\nurl = \"http://10.0.0.1/hall\"\n";
        assert!(read(Path::new("a"), open).unwrap().notify.is_on());
    }

    #[test]
    fn the_pages_are_where_it_is_said_or_where_the_certificate_is_for() {
        let at = |text: &str| read(Path::new("a"), text).unwrap().pages_elsewhere();
        assert_eq!(at(""), None);
        let web = "[web]\nlisten_tls = \"0.0.0.0:8443\"\nnames = [\"hall.local\"]\n";
        assert_eq!(at(web).as_deref(), Some("https://hall.local:8443"));
        let said = format!("{web}[notify]\npages = \"https://arbiters.example/\"\n");
        assert_eq!(at(&said).as_deref(), Some("https://arbiters.example"));
    }
}
