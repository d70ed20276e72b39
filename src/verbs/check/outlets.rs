//! What leaves the hall, in words: each outlet, what it shows, to whom, and how late.

use crate::config::{Config, Feed, Public};
use crate::net::post::Target;

/// The lines about everything that leaves the hall.
pub fn lines(config: &Config) -> Vec<String> {
    let public = config.public.iter().flat_map(|public| delayed(config, public));
    public.chain(pgn(config)).chain(livechess(config)).chain(away(config)).collect()
}

/// The lines about the delayed copy.
fn delayed(config: &Config, public: &Public) -> Vec<String> {
    let held = match public.delay_moves {
        0 => String::new(),
        plies => format!(", without the last {plies} half moves of games in play"),
    };
    let mut lines = vec![format!("public {} s later{held}: /public for everybody", public.delay_s)];
    if !config.guests_may_read_the_hall() {
        lines.push("       the pages of the hall lead guests there".to_owned());
    }
    lines
}

/// How late an outlet is that shows this feed.
fn how_late(config: &Config, feed: Option<Feed>) -> String {
    match (config.feed(feed), &config.public) {
        (Feed::Public, Some(public)) => format!("{} s later", public.delay_s),
        _ => "live".to_owned(),
    }
}

/// The lines about PGN over HTTP and in a folder.
fn pgn(config: &Config) -> Vec<String> {
    let late = how_late(config, config.pgn.feed);
    let refused = config.feed(config.pgn.feed) == Feed::Live && !config.hall_is_open();
    let readers = match refused {
        true => "refused, because the tables are for arbiters".to_owned(),
        false => format!("for everybody, {late}"),
    };
    let mut lines = vec![format!("pgn    /pgn/round.pgn and the like: {readers}")];
    let directory = &config.pgn.directory;
    lines.push(match directory.as_os_str().is_empty() {
        true => "       no files: [pgn] directory names no folder".to_owned(),
        false => format!("       files in {}, {late}", directory.display()),
    });
    lines
}

/// The line about clients of LiveChess.
fn livechess(config: &Config) -> Option<String> {
    let address = config.livechess.address()?;
    let readers = match address.ip().is_loopback() {
        true => "programs on this machine",
        false => "everybody who reaches it",
    };
    let late = how_late(config, config.livechess.feed);
    Some(format!("other  ws://{address}/api/v1.0 for clients of LiveChess: {readers}, {late}"))
}

/// The lines about servers of other people.
fn away(config: &Config) -> Vec<String> {
    let (lichess, notify) = (&config.lichess, &config.notify);
    let late = how_late(config, lichess.feed);
    let mut lines = Vec::new();
    if !lichess.round.is_empty() {
        let (round, url) = (&lichess.round, &lichess.url);
        lines.push(format!("away   the games to round {round} at {url}, {late}"));
    }
    let rounds = lichess.rounds.iter();
    let rounds = rounds.map(|(here, there)| (here, there, &lichess.url));
    lines.extend(rounds.map(|(here, there, url)| {
        format!("away   the games of round {here} to round {there} at {url}, {late}")
    }));
    let on = &config.event.round;
    if lichess.round.is_empty() && lichess.is_on() && !lichess.rounds.contains_key(on) {
        lines.push(format!("WARNING no round of Lichess is named for round \"{on}\""));
    }
    if notify.is_on() {
        let names = if notify.names { "with" } else { "without" };
        let opens = match config.pages_elsewhere() {
            Some(pages) => format!("a tap opens {pages}"),
            None => "a tap opens nothing: [notify] pages says where the pages are".to_owned(),
        };
        // Anybody who knows the topic reads along, so it is not shown.
        let server = Target::read(&notify.url).map_or_else(|it| it, |it| it.server());
        lines.push(format!("away   summons to {server}, live, {names} names; {opens}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        lines(&toml::from_str(text).unwrap())
    }

    #[test]
    fn what_is_sent_away_is_said() {
        let mut config = Config::default();
        assert_eq!(away(&config), Vec::<String>::new());
        config.event.round = "4".to_owned();
        config.lichess.rounds = [("3".to_owned(), "abcdefgh".to_owned())].into();
        config.notify.url = "https://ntfy.sh/secret-topic".to_owned();
        config.notify.pages = "https://hall.local/".to_owned();
        assert_eq!(
            away(&config),
            [
                "away   the games of round 3 to round abcdefgh at https://lichess.org, live",
                "WARNING no round of Lichess is named for round \"4\"",
                "away   summons to ntfy.sh, live, without names; a tap opens https://hall.local",
            ]
        );
    }

    #[test]
    fn every_outlet_says_to_whom_it_goes_and_how_late() {
        assert_eq!(
            said(""),
            [
                "pgn    /pgn/round.pgn and the like: for everybody, live",
                "       no files: [pgn] directory names no folder",
            ]
        );
        let late = "[public]\ndelay_moves = 2\n[mqtt]\nhall = \"users\"\n[pgn]\n\
            directory = \"/srv/live\"\n[livechess]\nlisten = \"127.0.0.1:1982\"\n\
            feed = \"live\"\n[lichess]\nround = \"abcdefgh\"\n";
        assert_eq!(
            said(late),
            [
                "public 900 s later, without the last 2 half moves of games in play: /public for \
                 everybody",
                "       the pages of the hall lead guests there",
                "pgn    /pgn/round.pgn and the like: for everybody, 900 s later",
                "       files in /srv/live, 900 s later",
                "other  ws://127.0.0.1:1982/api/v1.0 for clients of LiveChess: programs on this \
                 machine, live",
                "away   the games to round abcdefgh at https://lichess.org, 900 s later",
            ]
        );
        let users = "[mqtt]\nhall = \"users\"\n";
        let refused = "/pgn/round.pgn and the like: refused, because the tables are for arbiters";
        assert!(said(users)[0].ends_with(refused));
    }
}
