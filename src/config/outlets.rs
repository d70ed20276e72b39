//! The ways out of the hall: what they tell, how much later, and what cannot be meant of them.

use std::time::Duration;

use serde::Deserialize;

use super::{Config, away};

/// What an outlet tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Feed {
    /// What happens, as it happens.
    Live,
    /// The delayed copy.
    Public,
}

/// The delayed copy of the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Public {
    /// So many seconds later than in the hall.
    pub delay_s: u64,
    /// And without its last so many half moves, while a game goes on.
    pub delay_moves: usize,
}

/// What the European Chess Union wants of its championships.
const USUAL_DELAY_S: u64 = 900;

/// Less would be no delay, and the daemon wants some time to be sure that nothing earlier comes;
/// more would be kept in memory (`delayed::backlog`).
const DELAY_S: std::ops::RangeInclusive<u64> = 5..=7200;

/// Every move that is held back is a whole game kept once more, for each table.
const MOVES_MAX: usize = 20;

impl Default for Public {
    fn default() -> Self {
        Self { delay_s: USUAL_DELAY_S, delay_moves: 0 }
    }
}

impl Public {
    /// How much later.
    #[must_use]
    pub const fn delay(&self) -> Duration {
        Duration::from_secs(self.delay_s)
    }
}

impl Config {
    /// What an outlet tells of which this is said: what leaves the hall is delayed where anything
    /// is.
    #[must_use]
    pub fn feed(&self, said: Option<Feed>) -> Feed {
        said.unwrap_or(if self.public.is_some() { Feed::Public } else { Feed::Live })
    }
}

/// What cannot be meant of any of them.
///
/// # Errors
/// Section and key, and what to write there.
pub(super) fn whole(config: &Config) -> Result<(), Problem> {
    public(config)?;
    livechess(config).map_err(|problem| ("livechess", "listen", problem))?;
    away::lichess(&config.lichess).map_err(|(key, problem)| ("lichess", key, problem))?;
    away::notify(&config.notify).map_err(|(key, problem)| ("notify", key, problem))
}

/// Section, key, and what to write there.
type Problem = (&'static str, &'static str, String);

/// What is delayed, and who tells it.
fn public(config: &Config) -> Result<(), Problem> {
    let Some(public) = config.public else {
        let told = [
            ("pgn", config.pgn.feed),
            ("livechess", config.livechess.feed),
            ("lichess", config.lichess.feed),
        ];
        return match told.into_iter().find(|(_, feed)| *feed == Some(Feed::Public)) {
            Some((section, _)) => {
                let remedy = "there is no delay; write [public] with delay_s = 900 too";
                Err((section, "feed", remedy.to_owned()))
            }
            None => Ok(()),
        };
    };
    if !DELAY_S.contains(&public.delay_s) {
        let (least, most) = (DELAY_S.start(), DELAY_S.end());
        let text = format!("write {least} to {most} seconds, or no [public] for no delay");
        return Err(("public", "delay_s", text));
    }
    if public.delay_moves > MOVES_MAX {
        return Err(("public", "delay_moves", format!("write 0 to {MOVES_MAX} half moves")));
    }
    Ok(())
}

/// Where clients of LiveChess connect; in words when it is no address or another door's.
fn livechess(config: &Config) -> Result<(), String> {
    let listen = config.livechess.listen.as_str();
    if listen.is_empty() {
        return Ok(());
    }
    let Some(address) = config.livechess.address() else {
        let example = "write an address and a port, as \"127.0.0.1:1982\"";
        return Err(format!("\"{listen}\" is no address; {example}"));
    };
    let embedded = Some(config.mqtt.listen).filter(|_| config.mqtt.broker == "embedded");
    let others = embedded.into_iter().chain([config.web.listen]).chain(config.web.listen_tls);
    if others.into_iter().any(|it| it == address && it.port() != 0) {
        return Err(format!("{listen} is another door's already; write \"127.0.0.1:1982\""));
    }
    let live = config.feed(config.livechess.feed) == Feed::Live;
    if live && !address.ip().is_loopback() && config.mqtt.hall.as_deref() != Some("open") {
        let remedy = "write [mqtt] hall = \"open\" too, or \"127.0.0.1:1982\" here";
        return Err(format!(
            "whoever reaches {listen} may read the tables without a name; {remedy}"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::read;
    use super::*;

    fn refusal(text: &str) -> String {
        read(Path::new("adoubed.toml"), text).unwrap_err().to_string()
    }

    #[test]
    fn an_address_that_cannot_be_is_refused_where_it_stands() {
        let text = "[web]\nlisten = \"0.0.0.0:8380\"\n[livechess]\nlisten = \"1982\"\n";
        let told = refusal(text);
        let expected = "adoubed.toml:4: listen: \"1982\" is no address; write an address";
        assert!(told.starts_with(expected), "{told}");
        let told = refusal(&text.replace("1982", "0.0.0.0:8380"));
        let expected = "adoubed.toml:4: listen: 0.0.0.0:8380 is another door's already; write";
        assert!(told.starts_with(expected), "{told}");
    }

    #[test]
    fn tables_are_for_everybody_only_where_the_hall_is_open() {
        let door = "[livechess]\nlisten = \"0.0.0.0:1982\"\n";
        let expected = "adoubed.toml:2: listen: whoever reaches 0.0.0.0:1982 may read the tables";
        for hall in ["", "[mqtt]\nhall = \"users\"\n"] {
            let told = refusal(&format!("{door}{hall}"));
            assert!(told.starts_with(expected), "{told}");
        }
        for more in ["[mqtt]\nhall = \"open\"\n", "[public]\n"] {
            assert!(read(Path::new("adoubed.toml"), &format!("{door}{more}")).is_ok(), "{more}");
        }
        let told = refusal(&format!("{door}feed = \"live\"\n[public]\n"));
        assert!(told.starts_with(expected), "{told}");
    }

    #[test]
    fn a_delay_that_cannot_be_is_refused_where_it_stands() {
        for (text, expected) in [
            ("[public]\ndelay_s = 0\n", "adoubed.toml:2: delay_s: write 5 to 7200 seconds"),
            ("[public]\ndelay_s = 90000\n", "adoubed.toml:2: delay_s: write 5 to 7200 seconds"),
            ("[public]\ndelay_moves = 21\n", "adoubed.toml:2: delay_moves: write 0 to 20 half"),
            ("[pgn]\nfeed = \"public\"\n", "adoubed.toml:2: feed: there is no delay; write"),
            ("[livechess]\nfeed = \"late\"\n", "adoubed.toml:2: feed: unknown variant `late`"),
        ] {
            let told = refusal(text);
            assert!(told.starts_with(expected), "{told}");
        }
    }

    #[test]
    fn what_leaves_the_hall_is_delayed_where_anything_is() {
        let read = |text: &str| read(Path::new("adoubed.toml"), text).unwrap();
        let (none, delayed) = (read(""), read("[public]\n"));
        assert_eq!(none.feed(None), Feed::Live);
        assert_eq!(delayed.public, Some(Public { delay_s: 900, delay_moves: 0 }));
        assert_eq!(delayed.feed(None), Feed::Public);
        assert_eq!(delayed.feed(Some(Feed::Live)), Feed::Live);
    }

    #[test]
    fn nothing_said_is_nothing_served() {
        for (text, address) in [
            ("", None),
            ("[livechess]\nlisten = \"\"\n", None),
            ("[livechess]\nlisten = \"127.0.0.1:1982\"\n", Some("127.0.0.1:1982")),
        ] {
            let config = read(Path::new("adoubed.toml"), text).unwrap();
            assert_eq!(config.livechess.address(), address.map(|it| it.parse().unwrap()));
        }
    }
}
