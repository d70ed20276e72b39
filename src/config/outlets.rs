//! The ways out of the hall: which feed each outlet shows, the delay, and checks of both.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use witness::Message;

use super::{Broker, Config, Hall, away, say};

/// The feed that an outlet shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Feed {
    /// The hall as it is now.
    Live,
    /// The delayed copy.
    Public,
}

/// Clients written for DGT LiveChess.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LiveChess {
    /// The address that they connect to; empty: none.
    pub listen: String,
    /// The feed that they get; none: [what leaves the hall](Config::feed).
    pub feed: Option<Feed>,
}

impl LiveChess {
    /// The address that they connect to, if there is one.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        self.listen.parse().ok()
    }
}

/// The games as PGN files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pgn {
    /// The folder for the files; empty: none.
    pub directory: PathBuf,
    /// The feed in the files, over HTTP too; none: [what leaves the hall](Config::feed).
    pub feed: Option<Feed>,
}

/// The delayed copy of the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Public {
    /// The delay in seconds, 5 to 7200.
    pub delay_s: u64,
    /// How many of the last half moves are held back while a game goes on, 0 to 20.
    pub delay_moves: usize,
}

/// The delay that the European Chess Union wants for its championships.
const USUAL_DELAY_S: u64 = 900;

/// A shorter delay would be none, and the daemon needs some time to be sure that no earlier entry
/// follows. A longer one would need more memory (`delayed::backlog`).
const DELAY_S: std::ops::RangeInclusive<u64> = 5..=7200;

/// The most half moves that are held back. Each keeps a whole game once more for each table.
const MOVES_MAX: usize = 20;

impl Default for Public {
    fn default() -> Self {
        Self { delay_s: USUAL_DELAY_S, delay_moves: 0 }
    }
}

impl Public {
    /// The delay.
    #[must_use]
    pub const fn delay(&self) -> Duration {
        Duration::from_secs(self.delay_s)
    }
}

impl Config {
    /// The feed of an outlet with this setting. Without a setting it is the delayed copy, if there
    /// is one.
    #[must_use]
    pub fn feed(&self, said: Option<Feed>) -> Feed {
        said.unwrap_or(if self.public.is_some() { Feed::Public } else { Feed::Live })
    }
}

/// Checks all outlets.
///
/// # Errors
/// If a value cannot be used: section and key, and what to write there.
pub(super) fn whole(config: &Config) -> Result<(), Problem> {
    public(config)?;
    livechess(config).map_err(|problem| ("livechess", "listen", problem))?;
    away::lichess(&config.lichess).map_err(|(key, problem)| ("lichess", key, problem))?;
    away::notify(&config.notify).map_err(|(key, problem)| ("notify", key, problem))
}

/// Section, key, and what to write there.
type Problem = (&'static str, &'static str, Message);

/// Checks `[public]`, and the outlets that want to show it.
fn public(config: &Config) -> Result<(), Problem> {
    let Some(public) = config.public else {
        let refused = [
            ("pgn", config.pgn.feed),
            ("livechess", config.livechess.feed),
            ("lichess", config.lichess.feed),
        ];
        return match refused.into_iter().find(|(_, feed)| *feed == Some(Feed::Public)) {
            Some((section, _)) => Err((section, "feed", say::conf_no_delay())),
            None => Ok(()),
        };
    };
    if !DELAY_S.contains(&public.delay_s) {
        return Err(("public", "delay_s", say::conf_delay(*DELAY_S.start(), *DELAY_S.end())));
    }
    if public.delay_moves > MOVES_MAX {
        return Err(("public", "delay_moves", say::conf_delay_moves(MOVES_MAX)));
    }
    Ok(())
}

/// Checks the address for clients of LiveChess: it must be an address, and not that of another
/// door.
fn livechess(config: &Config) -> Result<(), Message> {
    let listen = config.livechess.listen.as_str();
    if listen.is_empty() {
        return Ok(());
    }
    let Some(address) = config.livechess.address() else {
        return Err(say::conf_no_address(listen));
    };
    let embedded = Some(config.mqtt.listen).filter(|_| config.mqtt.broker == Broker::Embedded);
    let others = embedded.into_iter().chain([config.web.listen]).chain(config.web.listen_tls);
    if others.into_iter().any(|it| it == address && it.port() != 0) {
        return Err(say::conf_door_taken(listen));
    }
    let live = config.feed(config.livechess.feed) == Feed::Live;
    if live && !address.ip().is_loopback() && config.mqtt.hall != Some(Hall::Open) {
        return Err(say::conf_live_door(listen));
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
        let refused = refusal(text);
        let expected = "adoubed.toml:4: listen: \"1982\" is no address; write an address";
        assert!(refused.starts_with(expected), "{refused}");
        let refused = refusal(&text.replace("1982", "0.0.0.0:8380"));
        let expected = "adoubed.toml:4: listen: 0.0.0.0:8380 is another door’s already; write";
        assert!(refused.starts_with(expected), "{refused}");
    }

    #[test]
    fn tables_are_for_everybody_only_where_the_hall_is_open() {
        let door = "[livechess]\nlisten = \"0.0.0.0:1982\"\n";
        let expected = "adoubed.toml:2: listen: whoever reaches 0.0.0.0:1982 may read the tables";
        for hall in ["", "[mqtt]\nhall = \"users\"\n"] {
            let refused = refusal(&format!("{door}{hall}"));
            assert!(refused.starts_with(expected), "{refused}");
        }
        for more in ["[mqtt]\nhall = \"open\"\n", "[public]\n"] {
            assert!(read(Path::new("adoubed.toml"), &format!("{door}{more}")).is_ok(), "{more}");
        }
        let refused = refusal(&format!("{door}feed = \"live\"\n[public]\n"));
        assert!(refused.starts_with(expected), "{refused}");
    }

    #[test]
    fn a_delay_that_cannot_be_is_refused_where_it_stands() {
        for (text, expected) in [
            ("[public]\ndelay_s = 0\n", "adoubed.toml:2: delay_s: write 5 to 7200 seconds"),
            ("[public]\ndelay_s = 90000\n", "adoubed.toml:2: delay_s: write 5 to 7200 seconds"),
            ("[public]\ndelay_moves = 21\n", "adoubed.toml:2: delay_moves: write 0 to 20 half"),
            ("[pgn]\nfeed = \"public\"\n", "adoubed.toml:2: feed: there is no delay; write"),
            (
                "[livechess]\nfeed = \"late\"\n",
                "adoubed.toml:2: feed: \"late\" is not known; write one of live, public",
            ),
        ] {
            let refused = refusal(text);
            assert!(refused.starts_with(expected), "{refused}");
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
