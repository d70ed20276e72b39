//! Checks the values of a configuration. Each problem has its line and a remedy.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::Path;

use ::words::Language;
use witness::{Message, TableNo, TimeControl};

use super::places::Place;
use super::refusal::{ConfigError, line_of, line_under};
use super::say;
use super::{Broker, Clock, Config, Mqtt, SecondBoard, Table, Web, halls, laws, outlets, pages};
use crate::pairings::{NAME_MAX, is_plain};
use crate::time::{self, WallTime};
use crate::tls::{self, Credentials};

/// The longest wait that a table may have. With a longer one an arbiter would hear of nothing.
const WAIT_MAX_S: u64 = 600;
/// A day, for what is counted in minutes.
const MINUTES_MAX: u64 = 1440;
/// The longest time until entries are on the disk. With a longer one a crash would lose moves.
const FLUSH_MAX_MS: u64 = 10_000;
/// The most records between checkpoints. With more a start would take a minute, so checkpoints
/// would be of no use.
const CHECKPOINT_RECORDS_MAX: u64 = 10_000_000;

/// All wrong values, in the order of the lines.
pub(super) fn whole(path: &Path, text: &str, config: &Config) -> Vec<ConfigError> {
    let refuse = |line, key: &str, problem| ConfigError::wrong(path, line, key, problem);
    let event = &config.event;
    let own = [
        pages::languages(event),
        plain("name", &event.name),
        plain("site", &event.site),
        named("round", &event.round),
        time_control(&event.time_control),
        start(event.start.as_deref()),
        base(&config.mqtt.base),
        external(config),
        machine(&config.mqtt),
        encrypted(config),
        halls::whole(config),
    ];
    let own = own.into_iter().filter_map(Result::err).chain(waits(config));
    let mut all: Vec<_> =
        own.map(|(key, problem)| refuse(line_of(text, key, None), key, problem)).collect();
    let sections = [
        laws::whole(&config.laws),
        outlets::whole(config).map_err(|(section, key, it)| (section.into(), key.into(), it)),
    ];
    all.extend(sections.into_iter().filter_map(Result::err).map(
        |(section, key, problem): (String, String, Message)| {
            refuse(line_under(text, &section, &key), &key, problem)
        },
    ));
    all.extend(
        pages::whole(&config.web)
            .into_iter()
            .map(|(section, key, problem)| refuse(line_under(text, section, &key), &key, problem)),
    );
    all.extend(
        tables(config)
            .into_iter()
            .map(|(key, nth, problem)| refuse(line_of(text, key, Some(nth)), key, problem)),
    );
    all.sort_by_key(ConfigError::line);
    all
}

/// Checks that the file with the pairings exists. Problems in it are reported under its own name.
pub(super) fn pairings(path: &Path, text: &str, file: &Path) -> Result<(), ConfigError> {
    let Err(error) = std::fs::File::open(file) else { return Ok(()) };
    Err(ConfigError::Refused {
        path: path.to_owned(),
        line: line_of(text, "pairings", None),
        key: "pairings".to_owned(),
        problem: say::conf_file_unread(&file.display().to_string(), &error.to_string()),
        language: Language::ENGLISH,
    })
}

pub(super) type Problem = (&'static str, Message);

pub(super) fn one_of(key: &'static str, value: &str, allowed: &[&str]) -> Result<(), Problem> {
    if allowed.contains(&value) {
        return Ok(());
    }
    Err((key, say::conf_word(value, &allowed.join(", "))))
}

/// Names are written into PGN, where a line break would end the tag.
fn plain(key: &'static str, name: &str) -> Result<(), Problem> {
    if is_plain(name) {
        return Ok(());
    }
    Err((key, say::conf_one_line()))
}

/// What pairings name, too: a longer name would be cut off there, and not be the same.
fn named(key: &'static str, name: &str) -> Result<(), Problem> {
    plain(key, name)?;
    if name.chars().count() <= NAME_MAX {
        return Ok(());
    }
    Err((key, say::conf_long_name(NAME_MAX)))
}

/// An empty text and `?` mean that the time control is unknown.
fn time_control(text: &str) -> Result<(), Problem> {
    match TimeControl::read(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(("time_control", say::conf_control(error.part(), error.wanted()))),
    }
}

fn start(text: Option<&str>) -> Result<(), Problem> {
    match text {
        Some(text) if WallTime::parse(text).is_none() => Err(("start", say::conf_start(text))),
        _ => Ok(()),
    }
}

pub(super) fn base(base: &str) -> Result<(), Problem> {
    let bad = base.is_empty()
        || base.starts_with(['/', '$'])
        || base.ends_with('/')
        || base.contains(['+', '#', '\0']);
    if bad {
        return Err(("base", say::conf_base()));
    }
    Ok(())
}

/// Other machines know of it by the external broker alone, and its name is in a line of the log.
fn machine(mqtt: &Mqtt) -> Result<(), Problem> {
    if mqtt.spare && mqtt.machine.is_empty() {
        return Err(("spare", say::conf_spare()));
    }
    if mqtt.machine.is_empty() {
        return Ok(());
    }
    if mqtt.broker != Broker::External {
        return Err(("machine", say::conf_machine()));
    }
    plain("machine", &mqtt.machine)
}

fn external(config: &Config) -> Result<(), Problem> {
    let mqtt = &config.mqtt;
    if mqtt.broker != Broker::External {
        return Ok(());
    }
    mqtt.link().map(|_| ())
}

fn encrypted(config: &Config) -> Result<(), Problem> {
    let Web { listen, listen_tls, certificate, key, names, .. } = &config.web;
    let embedded = config.mqtt.broker == Broker::Embedded;
    if embedded && config.mqtt.listen == *listen && listen.port() != 0 {
        return Err(("listen", say::conf_same_port()));
    }
    let given = [("certificate", certificate), ("key", key)];
    let given = given.map(|(name, path)| (name, !path.as_os_str().is_empty()));
    if let Some(bad) = names.iter().find(|it| it.parse::<IpAddr>().is_err() && !tls::is_name(it)) {
        return Err(("names", say::conf_name(bad)));
    }
    if listen_tls.is_some_and(|it| it == *listen && it.port() != 0) {
        return Err(("listen_tls", say::conf_tls_port()));
    }
    match given {
        [(_, false), (_, false)] => Ok(()),
        [(first, true), _] | [_, (first, true)] if listen_tls.is_none() => {
            Err((first, say::conf_tls_listen()))
        }
        [(there, true), (missing, false)] | [(missing, false), (there, true)] => {
            Err((there, say::conf_other_half(missing)))
        }
        _ if !names.is_empty() => Err(("names", say::conf_own_names())),
        _ => Credentials::read(certificate, key, time::wall_now())
            .map(|_| ())
            .map_err(|error| (error.part.name(), say::conf_said(&error.problem))),
    }
}

fn waits(config: &Config) -> Vec<Problem> {
    let (defaults, event, journal) = (&config.defaults, &config.event, &config.journal);
    let in_seconds = [
        ("settle_ms", defaults.settle_ms / 1000),
        ("release_ms", defaults.release_ms / 1000),
        ("check_after_s", defaults.check_after_s),
        ("repeat_s", defaults.repeat_s),
    ];
    let long = in_seconds.into_iter().filter(|(_, seconds)| *seconds > WAIT_MAX_S);
    let long = long.map(|(key, _)| (key, say::conf_wait(WAIT_MAX_S)));
    let outside = [
        (
            !(1..=MINUTES_MAX).contains(&event.time_sheet_min),
            "time_sheet_min",
            say::conf_minutes(1, MINUTES_MAX),
        ),
        (
            event.result_after_min > MINUTES_MAX,
            "result_after_min",
            say::conf_minutes_or_never(MINUTES_MAX),
        ),
        (
            !(1..=FLUSH_MAX_MS).contains(&journal.flush_ms),
            "flush_ms",
            say::conf_between(1, FLUSH_MAX_MS),
        ),
        (
            journal.checkpoint_records > CHECKPOINT_RECORDS_MAX,
            "checkpoint_records",
            say::conf_or_never(CHECKPOINT_RECORDS_MAX),
        ),
    ];
    let outside = outside.into_iter().filter(|(bad, ..)| *bad);
    long.chain(outside.map(|(_, key, remedy)| (key, remedy))).collect()
}

/// The first problem of each table. Further ones may follow from it.
fn tables(config: &Config) -> Vec<(&'static str, usize, Message)> {
    let mut numbers = BTreeMap::new();
    let mut places = Vec::new();
    let all = config.table.iter().enumerate();
    let problems = all.filter_map(|(nth, it)| {
        let problem = table((nth, it), &mut numbers, &mut places).err();
        problem.map(|(key, problem)| (key, nth, problem))
    });
    problems.collect()
}

fn table<'a>(
    (nth, table): (usize, &'a Table),
    numbers: &mut BTreeMap<TableNo, usize>,
    places: &mut Vec<Place<'a>>,
) -> Result<(), Problem> {
    let number = table.number;
    if number.get() == 0 {
        return Err(("number", say::conf_table_number()));
    }
    if let Some(first) = numbers.insert(number, nth) {
        return Err(("number", say::conf_number_taken(number, first + 1)));
    }
    let place = Place {
        table: number,
        port: table.port.as_deref(),
        serial: table.serial.as_deref(),
        driver: table.driver.as_deref(),
        station: table.station,
    };
    if !place.is_named() {
        return Err(("number", say::conf_place()));
    }
    place.claim(places)?;
    driver(table.driver.as_deref(), table.port.is_some()).map_err(|it| ("driver", it))?;
    for (key, name) in [("white", &table.white), ("black", &table.black)] {
        named(key, name.as_deref().unwrap_or_default())?;
    }
    if let Some(board) = &table.second_board {
        second_board(board, number, places).map_err(|problem| ("second_board", problem))?;
    }
    if let Some(own) = &table.clock {
        clock(own, number, places).map_err(|problem| ("clock", problem))?;
    }
    table.time_control.as_deref().map_or(Ok(()), time_control)
}

fn is_board(name: &str) -> bool {
    catalog::DRIVERS.iter().any(|driver| driver.name == name)
}

/// Some languages must not be tried on an unknown line. Their lines must be configured.
fn driver(named: Option<&str>, has_port: bool) -> Result<(), Message> {
    if let Some(name) = named.filter(|name| catalog::CLOCKS.iter().any(|it| it.name == *name)) {
        return Err(say::conf_is_clock(name));
    }
    if let Some(driver) = named.and_then(catalog::find).filter(|it| !it.probed && !has_port) {
        return Err(say::conf_no_search(driver.name));
    }
    match named.filter(|name| !is_board(name)) {
        Some(name) => {
            let boards = catalog::DRIVERS.iter().map(|driver| driver.name);
            let known: Vec<_> = ["auto"].into_iter().chain(boards).collect();
            Err(say::conf_word(name, &known.join(", ")))
        }
        None => Ok(()),
    }
}

fn second_board<'a>(
    board: &'a SecondBoard,
    table: TableNo,
    places: &mut Vec<Place<'a>>,
) -> Result<(), Message> {
    let place = Place {
        table,
        port: board.port.as_deref(),
        serial: board.serial.as_deref(),
        driver: board.driver.as_deref(),
        station: board.station,
    };
    if !place.is_named() {
        return Err(say::conf_second_where());
    }
    place.claim(places).map_err(|(key, problem)| say::conf_within(key, problem))?;
    driver(board.driver.as_deref(), board.port.is_some())
}

/// Clocks are not searched for, so line and language are both configured.
fn clock<'a>(clock: &'a Clock, table: TableNo, places: &mut Vec<Place<'a>>) -> Result<(), Message> {
    let names: Vec<_> = catalog::CLOCKS.iter().map(|driver| driver.name).collect();
    one_of("driver", &clock.driver, &names)
        .map_err(|(key, problem)| say::conf_within(key, problem))?;
    let (port, driver) = (Some(clock.port.as_str()), Some(clock.driver.as_str()));
    let place = Place { table, port, serial: None, driver, station: 0 };
    place.claim(places).map_err(|(key, problem)| say::conf_within(key, problem))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    fn assert_refused(text: &str, expected: &str) {
        let refusal = read(Path::new("adoubed.toml"), text).unwrap_err().to_string();
        assert!(refusal.starts_with(expected), "{refusal}\nnot\n{expected}");
    }

    #[test]
    fn a_name_is_one_line() {
        let cases = [
            (
                "[event]\nname = \"x\\u0000\"\n",
                "adoubed.toml:2: name: has a line break or the like",
            ),
            (
                "[[table]]\nnumber = 1\nport = \"/a\"\nblack = \"Evil\\n1. e4 e5 1-0\"\n",
                "adoubed.toml:4: black: has a line break or the like; write it on one line",
            ),
        ];
        cases.into_iter().for_each(|(text, expected)| assert_refused(text, expected));
    }

    #[test]
    fn a_name_is_as_long_as_in_pairings() {
        let table =
            |name: &str| format!("[[table]]\nnumber = 1\nport = \"/a\"\nwhite = \"{name}\"\n");
        let round = |name: &str| format!("[event]\nround = \"{name}\"\n");
        let longest = "\u{fc}".repeat(NAME_MAX);
        for text in [table(&longest), round(&longest)] {
            read(Path::new("adoubed.toml"), &text).unwrap();
        }
        let longer = format!("{longest}s");
        assert_refused(&table(&longer), "adoubed.toml:4: white: write 100 letters at most");
        assert_refused(&round(&longer), "adoubed.toml:2: round: write 100 letters at most");
    }

    #[test]
    fn a_language_that_is_never_searched_for_needs_its_port() {
        let bus = "[[table]]\nnumber = 1\nserial = \"7\"\ndriver = \"dgtbus\"\n";
        assert_refused(bus, "adoubed.toml:4: driver: no line is searched for dgtbus; write its");
    }

    #[test]
    fn every_refusal_names_line_key_and_remedy() {
        let cases = [
            ("[event]\nname = \"x\"\ncolour = 1\n", "adoubed.toml:3: colour: unknown field"),
            ("[event]\nlaws = \"2020\"\n", "adoubed.toml:2: laws: \"2020\" is not known; write"),
            ("[mqtt]\n\nlisten = \"here\"\n", "adoubed.toml:3: listen: write an address and a"),
            ("[mqtt]\nbase = \"a/#\"\n", "adoubed.toml:2: base: write a topic"),
            ("[mqtt]\nbroker = \"external\"\nurl = \"x\"\n", "adoubed.toml:3: url: write mqtt"),
            ("[[table]]\nnumber = 1\n", "adoubed.toml:2: number: write where its board is"),
            (
                "[[table]]\nnumber = 1\nport = \"/a\"\n[[table]]\nnumber = 2\nport = \"/a\"\n",
                "adoubed.toml:6: port: /a belongs to table 1 already, and one board is on a line",
            ),
            (
                "[[table]]\nnumber = 1\nport = \"/a\"\ndriver = \"chessnutclock\"\n",
                "adoubed.toml:4: driver: chessnutclock is a clock and has no squares; write it \
                 beside the board, as clock = { port = \"…\", driver = \"chessnutclock\" }, and",
            ),
            (
                "[[table]]\nnumber = 1\nserial = \"7\"\ndriver = \"chessnutclock\"\n",
                "adoubed.toml:4: driver: chessnutclock is a clock",
            ),
            (
                "[[table]]\nnumber = 1\nport = \"/a\"\ndriver = \"dtg\"\n",
                "adoubed.toml:4: driver: \"dtg\" is not known; write one of auto, ",
            ),
            (
                "[[table]]\nserial = \"1\"\nsupervision = \"none\"\nnumber = 1\n",
                "adoubed.toml:3: supervision: \"none\" is not known; write one of adequate",
            ),
            (
                "[event]\ntime_control = \"90m\"\n",
                "adoubed.toml:2: time_control: \"90m\" is no time control; write moves/seconds",
            ),
            (
                "[event]\ntime_control = \"300\"\n[[table]]\nnumber = 1\nport = \"/a\"\n\
                 time_control = \"300+\"\n",
                "adoubed.toml:6: time_control: \"300+\" is no time control; write seconds, as +30",
            ),
            ("[event]\nstart = \"14:00\"\n", "adoubed.toml:2: start: \"14:00\" is no time; write"),
            (
                "[event]\ntime_control = 300\n",
                "adoubed.toml:2: time_control: write it in quotes: time_control = \"300\" (",
            ),
            (
                "[event]\nstart = 2026-11-20T14:00:00+01:00\n",
                "adoubed.toml:2: start: write it in quotes: start = \"2026-11-20T14:00:0",
            ),
            (
                "[event]\ndefault_time_s = -1\n",
                "adoubed.toml:2: default_time_s: write a whole number from 0, without quotes",
            ),
            (
                "[event]\ndefault_time_s = \"15\"\n",
                "adoubed.toml:2: default_time_s: write a whole number from 0, without quotes",
            ),
            (
                "[[table]]\nnumber = 1\nport = \"/a\"\n[[table]]\nnumber = 1\nport = \"/b\"\n",
                "adoubed.toml:5: number: 1 is the number of [[table]] 1 already; write another",
            ),
            ("[event]\ntime_sheet_min = 0\n", "adoubed.toml:2: time_sheet_min: write 1 to 1440"),
            (
                "[event]\nresult_after_min = 1441\n",
                "adoubed.toml:2: result_after_min: write 0 (never) to 1440 minutes",
            ),
            ("[defaults]\ncheck_after_s = 9999\n", "adoubed.toml:2: check_after_s: more than"),
        ];
        for (text, expected) in cases {
            assert_refused(text, expected);
        }
    }

    #[test]
    fn devices_beside_a_board_are_refused_where_they_cannot_be() {
        let cases = [
            (
                "[[table]]\nnumber = 1\nport = \"/a\"\n\
                 clock = { port = \"/b\", driver = \"dgt\" }\n",
                "adoubed.toml:4: clock: driver: \"dgt\" is not known; write one of chessnutclock",
            ),
            (
                "[[table]]\nnumber = 1\nport = \"/a\"\n\
                 clock = { port = \"/a\", driver = \"chessnutclock\" }\n",
                "adoubed.toml:4: clock: port: /a belongs to table 1 already, and one board",
            ),
            (
                "[[table]]\nnumber = 1\nport = \"/a\"\nsecond_board = { player = \"white\" }\n",
                "adoubed.toml:4: second_board: write where it is: port or serial",
            ),
            (
                "[[table]]\nnumber = 1\nport = \"/a\"\nsecond_board = { port = \"/a\" }\n",
                "adoubed.toml:4: second_board: port: /a belongs to table 1 already, and one board",
            ),
            (
                "[[table]]\nnumber = 1\nport = \"/a\"\n\
                 second_board = { serial = \"7\", player = \"both\" }\n",
                "adoubed.toml:4: second_board: player: \"both\" is not known; write one of white",
            ),
        ];
        for (text, expected) in cases {
            assert_refused(text, expected);
        }
    }

    #[test]
    fn doors_passwords_and_pairings_that_cannot_be_are_refused_where_they_are_said() {
        let cases = [
            (
                "[web.arbiters]\nClaire = \"secret\"\n",
                "adoubed.toml:2: Claire: is no hash of a password; write the line that",
            ),
            (
                "[web.organizers]\nadoubed-daemon = \"secret\"\n",
                "adoubed.toml:2: adoubed-daemon: is a name that the daemon uses itself; write",
            ),
            (
                "[web.arbiters]\n\"session:x\" = \"secret\"\n",
                "adoubed.toml:2: \"session:x\": is a name that the daemon uses itself; write",
            ),
            (
                "[web]\nlisten = \"0.0.0.0:1883\"\n[mqtt]\nlisten = \"0.0.0.0:1883\"\n",
                "adoubed.toml:2: listen: the feed and the pages cannot share a port; write",
            ),
            (
                "[web]\nlisten = \"8380\"\n",
                "adoubed.toml:2: listen: write an address and a port, as \"0.0.0.0:8380\" (",
            ),
            (
                "[event]\npairings = \"nowhere.pgn\"\n",
                "adoubed.toml:2: pairings: nowhere.pgn cannot be read: No such file",
            ),
        ];
        for (text, expected) in cases {
            assert_refused(text, expected);
        }
    }

    #[test]
    fn a_table_may_be_played_otherwise_than_the_event() {
        let event = "[event]\nsupervision = \"inadequate\"\nmin_draw_move = 30\n";
        let own = "supervision = \"adequate\"\nmin_draw_move = 0\ndefault_time_s = 900\n\
                   quickplay_finish = true\nlaws = \"2014\"\n";
        let text = format!(
            "{event}[[table]]\nnumber = 1\nserial = \"1\"\n\
             [[table]]\nnumber = 2\nserial = \"2\"\n{own}"
        );
        let plan = read(Path::new("adoubed.toml"), &text).unwrap().plan();
        let held = |table: u32| {
            let it = plan.watch_of(TableNo::new(table));
            (it.unsupervised, it.min_draw_move, it.default_time_s, it.quickplay_finish, it.laws)
        };
        assert_eq!(held(1), (true, 30, 0, false, 2023));
        assert_eq!(held(2), (false, 0, 900, true, 2014));
    }

    #[test]
    fn nothing_said_is_a_good_configuration() {
        let config = read(Path::new("adoubed.toml"), "").unwrap();
        assert!(config.plan().tables.is_empty());
        assert!(config.hall_is_open());
    }
}
