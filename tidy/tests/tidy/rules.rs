//! The rules about sources, each a function from a file to what offends in it.

use crate::house::Text;
use crate::source::{Source, is_word, names};

/// The longest file, in lines.
const FILE_MAX: usize = 600;
/// The longest function, in lines, from its name to its closing brace.
const FUNCTION_MAX: usize = 70;
/// The longest line, in characters.
const LINE_MAX: usize = 100;

/// Files that may speak to a serial line.
const SERIAL: &[&str] =
    &["src/lines/line/port.rs", "src/lines/discovery.rs", "src/lines/far_end.rs"];

/// Who may name which crate in what is shipped.
const ROOMS: [(&str, &[&str]); 10] = [
    ("tokio_serial", SERIAL),
    ("serialport", SERIAL),
    ("fluent_bundle", &["words/"]),
    ("fluent_syntax", &["words/"]),
    ("rumqttc", &["src/mqtt/"]),
    ("rumqttc_next", &["src/mqtt/"]),
    ("rumqttc_next_v4", &["src/mqtt/"]),
    ("rcgen", &["src/tls/"]),
    ("x509_parser", &["src/tls/"]),
    ("mqtt_protocol_core", &["broker/src/"]),
];

/// Words that hide what a comment of the witness means: reports, alerts, orders and knowledge were
/// all told, and each has a word of its own.
const VAGUE: [&str; 4] = ["told", "Told", "so much", "of which"];

/// Folders of crates that do no I/O.
pub const PURE: [&str; 3] = ["protocols/", "witness/", "rehearsal/"];

/// Crates that nothing pure may name, not even in its tests.
pub const SHELL: [&str; 8] = [
    "tokio",
    "tokio_serial",
    "serialport",
    "rumqttc",
    "mqtt_protocol_core",
    "axum",
    "serde",
    "serde_json",
];

/// The only pure file that says how something is written for others: as a bare number.
const NUMBERS: &str = "witness/src/number.rs";

/// Where topics are written down, and what they look like anywhere else.
const TOPICS: [&str; 2] = ["src/mqtt/topic.rs", "web/src/pure/topics.ts"];
const TOPIC_BEGINNINGS: [&str; 6] =
    ["table/", "alert/", "bridge/", "request/", "response/", "public/"];

/// Spans of the witness that are no tolerances, and why: they stand where they are used.
const NO_TOLERANCES: [(&str, &str, &str); 8] = [
    ("witness/src/laws/time_trouble.rs", "TROUBLE", "Article 8.4 says so"),
    ("witness/src/laws/time_trouble.rs", "WRITES_ON_S", "Article 8.4 says so"),
    ("witness/src/laws/time_trouble.rs", "STANDARD_S", "the Laws say what rapid chess is"),
    ("witness/src/laws/time_trouble.rs", "TWO_MINUTES", "Guideline III says so"),
    ("witness/src/time_control/read.rs", "SECONDS_MAX", "a bound of what may be written"),
    ("witness/src/clock/keeper/defects.rs", "LONGEST", "the most that a frame can carry"),
    ("witness/src/clock/keeper.rs", "MINUTE_MS", "a unit"),
    ("witness/src/watch_list.rs", "RAPID", "who is shown in a list"),
];
/// How a tolerance says where it is from.
const PROVENANCE: [&str; 4] = ["estimate", "Estimates", "Source:", "Follows from"];

/// Whoever asks what time it is.
const CLOCKS: [&str; 4] = ["Instant::now", "SystemTime::now", "Timestamp::now", "Zoned::now"];

pub fn crates_stay_in_their_rooms(source: &Source) -> Vec<String> {
    let strange = ROOMS.iter().filter(|(_, rooms)| !is_in(&source.path, rooms));
    let strange: Vec<_> = strange.map(|(name, _)| *name).collect();
    let lines = source.shipped();
    lines.flat_map(|(line, code)| said(source, line, code, &strange)).collect()
}

pub fn pure_crates_do_no_io(source: &Source) -> Vec<String> {
    if !is_in(&source.path, &PURE) {
        return Vec::new();
    }
    let may = |name: &&str| *name == "serde" && source.path == NUMBERS;
    let shell: Vec<_> = SHELL.into_iter().filter(|name| !may(name)).collect();
    let lines = source.code.lines().enumerate();
    lines.flat_map(|(index, code)| said(source, index + 1, code, &shell)).collect()
}

pub fn topics_are_written_once(source: &Source) -> Vec<String> {
    let literals = source.literals.iter().filter(|(line, _)| !source.is_test(*line));
    let topics = literals.filter(|(_, literal)| is_topic(literal.trim_matches(['r', '#', '"'])));
    let elsewhere = topics.filter(|_| !TOPICS.contains(&source.path.as_str()));
    elsewhere.map(|(line, literal)| format!("{}:{line}: topic {literal}", source.path)).collect()
}

/// The same for the pages, where only the part that no route has can be told from one.
pub fn pages_write_topics_once(file: &Text) -> Vec<String> {
    let pages = file.path.starts_with("web/src/") && !TOPICS.contains(&file.path.as_str());
    let lines = file.text.lines().enumerate().filter(|(_, line)| pages && line.contains("/v1/"));
    lines.map(|(index, _)| format!("{}:{}: a topic", file.path, index + 1)).collect()
}

pub fn one_file_reads_clocks(source: &Source) -> Vec<String> {
    let readers = ["src/time.rs", "broker/src/time.rs"];
    let lines = source.shipped().filter(|_| !readers.contains(&source.path.as_str()));
    lines.flat_map(|(line, code)| said(source, line, code, &CLOCKS)).collect()
}

/// How long something takes, or how exact it is, stands with the others of its domain.
pub fn tolerances_stand_together(source: &Source) -> Vec<String> {
    if !source.path.starts_with("witness/src/") || is_tolerances(&source.path) {
        return Vec::new();
    }
    let may_stand = |code: &str| {
        let named = NO_TOLERANCES.iter().filter(|(path, ..)| *path == source.path);
        named.into_iter().any(|(_, name, _)| names(code, name))
    };
    let lines = source.shipped().filter(|(_, code)| is_span(code) && !may_stand(code));
    lines.map(|(line, _)| format!("{}:{line}: a span outside of tolerances", source.path)).collect()
}

/// And says whether somebody else has measured or promised it.
pub fn tolerances_say_where_they_are_from(source: &Source) -> Vec<String> {
    if !is_tolerances(&source.path) {
        return Vec::new();
    }
    let mut about = String::new();
    let mut silent = Vec::new();
    for (line, text) in source.text.lines().enumerate() {
        if let Some(comment) = text.strip_prefix("///") {
            about.push_str(comment);
        } else if text.contains("const ") {
            if !PROVENANCE.iter().any(|it| about.contains(it)) {
                silent.push(format!("{}:{}: from where is this?", source.path, line + 1));
            }
            about.clear();
        }
    }
    silent
}

fn is_tolerances(path: &str) -> bool {
    path.starts_with("witness/") && path.ends_with("/tolerances.rs")
}

/// Whether this line declares a span of time, or writes one down in the midst of code.
fn is_span(code: &str) -> bool {
    let code = code.trim_start();
    let constant =
        code.split_once("const ").map(|(_, rest)| rest).and_then(|it| it.split_once(':'));
    let declared = constant.is_some_and(|(name, rest)| {
        let value = rest.split_once('=').map_or(rest, |(value, _)| value);
        let by_name = name.ends_with("_MS") || name.ends_with("_S") && name.len() > 2;
        by_name || names(value, "Duration") || names(value, "FaceTime")
    });
    let written = ["from_secs(", "from_millis("].iter().any(|it| {
        let digits =
            code.split(it).skip(1).any(|rest| rest.starts_with(|it: char| it.is_ascii_digit()));
        digits && code.contains("Duration::")
    });
    declared && !code.contains("fn ") || written
}

pub fn nothing_is_unwrapped(source: &Source) -> Vec<String> {
    let calls = |code: &str| code.contains(".unwrap()") || code.contains(".unwrap_err()");
    let lines = source.shipped().filter(|(_, code)| calls(code));
    lines.map(|(line, _)| format!("{}:{line}: unwrap", source.path)).collect()
}

pub fn queues_are_bounded(source: &Source) -> Vec<String> {
    let lines = source.shipped();
    lines.flat_map(|(line, code)| said(source, line, code, &["unbounded_channel"])).collect()
}

pub fn modules_say_what_they_are(source: &Source) -> Vec<String> {
    let said = source.text.starts_with("//! ") || source.text.starts_with("#![");
    if said { Vec::new() } else { vec![format!("{}: begins without //!", source.path)] }
}

pub fn functions_are_short(source: &Source) -> Vec<String> {
    let lines = |function: &crate::source::Function| function.last - function.first + 1;
    let long = source.functions().into_iter().filter(|it| lines(it) > FUNCTION_MAX);
    long.map(|it| format!("{}:{}: {} has {} lines", source.path, it.first, it.name, lines(&it)))
        .collect()
}

pub fn files_are_short(file: &Text) -> Vec<String> {
    let lines = file.text.lines().count();
    if lines <= FILE_MAX { Vec::new() } else { vec![format!("{}: {lines} lines", file.path)] }
}

pub fn lines_are_short(file: &Text) -> Vec<String> {
    let lines = file.text.lines().enumerate().map(|(index, it)| (index + 1, it.chars().count()));
    let long = lines.filter(|(_, columns)| *columns > LINE_MAX);
    long.map(|(line, columns)| format!("{}:{line}: {columns} columns", file.path)).collect()
}

pub fn nothing_is_left_for_later(file: &Text) -> Vec<String> {
    // Put together here, or this file would offend against itself.
    let words = [concat!("FIX", "ME"), concat!("TO", "DO"), concat!("XX", "X")];
    let macros = [concat!("to", "do!("), concat!("unimple", "mented!(")];
    let offends = |line: &str| {
        words.iter().any(|word| names(line, word)) || macros.iter().any(|it| line.contains(it))
    };
    let lines = file.text.lines().enumerate().filter(|(_, line)| offends(line));
    lines.map(|(index, line)| format!("{}:{}: {}", file.path, index + 1, line.trim())).collect()
}

/// No path of one machine, and in lock files no other source than the public registries.
pub fn nothing_names_this_machine(file: &Text) -> Vec<String> {
    let roots = [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/")];
    let is_path = |line: &str, root: &str| {
        line.match_indices(root).any(|(at, _)| {
            !line[..at].chars().next_back().is_some_and(|it| is_word(it) || "./-}".contains(it))
        })
    };
    let offends = |line: &str| {
        roots.iter().any(|root| is_path(line, root)) || is_strange_source(&file.path, line)
    };
    let lines = file.text.lines().enumerate().filter(|(_, line)| offends(line));
    lines.map(|(index, line)| format!("{}:{}: {}", file.path, index + 1, line.trim())).collect()
}

fn is_strange_source(path: &str, line: &str) -> bool {
    let line = line.trim();
    let name = path.rsplit('/').next().unwrap_or(path);
    match name {
        "Cargo.lock" => {
            line.starts_with("source = ")
                && line != "source = \"registry+https://github.com/rust-lang/crates.io-index\""
        }
        "package-lock.json" => {
            line.starts_with("\"resolved\": ") && !line.contains("\"https://registry.npmjs.org/")
        }
        ".npmrc" => line.starts_with("registry") || line.starts_with("//"),
        "config.toml" if path.contains(".cargo/") => line.contains("registry"),
        _ => false,
    }
}

fn is_topic(literal: &str) -> bool {
    literal.contains("/v1/") || TOPIC_BEGINNINGS.iter().any(|it| literal.starts_with(it))
}

fn is_in(path: &str, rooms: &[&str]) -> bool {
    rooms.iter().any(|room| path == *room || (room.ends_with('/') && path.starts_with(room)))
}

/// The witness says in its comments what is reported, known, raised or entered.
pub fn comments_are_not_vague(file: &Text) -> Vec<String> {
    let lines = file.text.lines().enumerate();
    let comments = lines.filter_map(|(index, it)| Some((index + 1, it.split_once("//")?.1)));
    let vague = |comment: &str| VAGUE.into_iter().find(|words| names(comment, words));
    let found = comments.filter_map(|(line, comment)| Some((line, vague(comment)?)));
    found.map(|(line, words)| format!("{}:{line}: says \"{words}\"", file.path)).collect()
}

fn said(source: &Source, line: usize, code: &str, words: &[&str]) -> Vec<String> {
    let said = words.iter().filter(|word| names(code, word));
    said.map(|word| format!("{}:{line}: names {word}", source.path)).collect()
}

#[cfg(test)]
mod snippets {
    use super::*;

    type Rule = fn(&Source) -> Vec<String>;

    /// What a rule must find in one file and must not find in another.
    fn tells(rule: Rule, bad: (&str, &str), good: (&str, &str)) {
        assert_eq!(rule(&Source::new(bad.0, bad.1)).len(), 1, "missed: {bad:?}");
        assert_eq!(rule(&Source::new(good.0, good.1)), [""; 0], "accused: {good:?}");
    }

    #[test]
    fn rooms() {
        let rule = crates_stay_in_their_rooms;
        let uses = "use tokio_serial::SerialStream;";
        tells(rule, ("src/run.rs", uses), ("src/lines/line/port.rs", uses));
        let uses = "fn f(c: rumqttc::v5::AsyncClient) {}";
        tells(rule, ("broker/src/x.rs", uses), ("src/mqtt/client.rs", uses));
        let uses = "use mqtt_protocol_core::mqtt;";
        tells(rule, ("src/mqtt/x.rs", uses), ("broker/src/x.rs", uses));
        let filter = "EnvFilter::new(\"rumqttc=error\") // rumqttc";
        tells(rule, ("src/verbs/x.rs", "rumqttc::f()"), ("src/verbs/x.rs", filter));
        tells(rule, ("src/x.rs", "use rumqttc::v5;"), ("tests/x.rs", "use rumqttc::v5;"));
    }

    #[test]
    fn purity() {
        let rule = pure_crates_do_no_io;
        tells(rule, ("witness/src/x.rs", "use tokio::time;"), ("src/x.rs", "use tokio::time;"));
        let test = "#[cfg(test)]\nmod t {\n use serde_json::json;\n}";
        tells(rule, ("protocols/dgt/src/x.rs", test), ("witness/src/x.rs", "// no serde_json"));
    }

    #[test]
    fn topics() {
        let rule = topics_are_written_once;
        let topic = "publish(\"table/1/board\")";
        tells(rule, ("src/run.rs", topic), ("src/mqtt/topic.rs", topic));
        let route = "route(\"/table/{number}\", x)";
        tells(rule, ("src/web/mod.rs", "f(\"{base}/v1/alert\")"), ("src/web/mod.rs", route));
        let test = "#[cfg(test)]\nmod tests {\n f(\"table/1/board\");\n}";
        tells(rule, ("src/x.rs", topic), ("src/x.rs", test));
        let script = |path| pages_write_topics_once(&Text::new(path, "a(`${base}/v1/table/#`)"));
        assert_eq!(script("web/src/pages/wall.ts").len(), 1);
        assert_eq!(script("web/src/pure/topics.ts"), [""; 0]);
    }

    #[test]
    fn clocks() {
        let reads = "let at = tokio::time::Instant::now();";
        tells(one_file_reads_clocks, ("src/run.rs", reads), ("src/time.rs", reads));
        tells(one_file_reads_clocks, ("broker/src/x.rs", reads), ("broker/tests/x.rs", reads));
    }

    #[test]
    fn tolerances() {
        let rule = tolerances_stand_together;
        let span = "const LATE: Duration = Duration::from_secs(3);";
        tells(rule, ("witness/src/clock.rs", span), ("witness/src/clock/tolerances.rs", span));
        let bare = "    const LATE_MS: i64 = 400;";
        tells(rule, ("witness/src/x.rs", bare), ("src/x.rs", bare));
        let written = "let until = now + Duration::from_millis(250);";
        let named = "let until = now + Duration::from_millis(settled);";
        tells(rule, ("witness/src/x.rs", written), ("witness/src/x.rs", named));
        let pair = "const AGAIN: (Duration, Duration) = x;";
        tells(rule, ("witness/src/x.rs", pair), ("witness/src/x.rs", "const FEW: usize = 8;"));
        let trouble = "const TROUBLE: FaceTime = FaceTime::from_hms(0, 5, 0);";
        let law = "witness/src/laws/time_trouble.rs";
        tells(rule, ("witness/src/laws/x.rs", trouble), (law, trouble));
        let rule = tolerances_say_where_they_are_from;
        let known = "/// A scan.\n/// An estimate.\nconst SCAN: Duration = x;\n";
        let path = "witness/src/tolerances.rs";
        let (two, one) = (format!("{known}{known}"), format!("{known}/// More.\n{span}"));
        tells(rule, (path, &one), (path, &two));
    }

    #[test]
    fn unwrapping() {
        let test = "#[cfg(test)]\nmod tests {\n x.unwrap();\n}";
        tells(nothing_is_unwrapped, ("src/x.rs", "x.unwrap()"), ("src/x.rs", test));
        let harmless = "x.unwrap_or(1); // .unwrap()";
        tells(nothing_is_unwrapped, ("src/x.rs", "x\n.unwrap_err()"), ("src/x.rs", harmless));
    }

    #[test]
    fn queues() {
        let bad = "mpsc::unbounded_channel()";
        tells(queues_are_bounded, ("src/x.rs", bad), ("src/x.rs", "mpsc::channel(QUEUE)"));
    }

    #[test]
    fn beginnings() {
        let rule = modules_say_what_they_are;
        tells(rule, ("src/x.rs", "// A\nuse a;"), ("src/x.rs", "//! A thing.\nuse a;"));
        tells(rule, ("src/x.rs", ""), ("src/x.rs", "#![no_std]\n//! A thing."));
    }

    #[test]
    fn lengths() {
        let function = |lines: usize| format!("fn f() {{\n{}}}\n", "a;\n".repeat(lines - 2));
        let (bad, good) = (function(FUNCTION_MAX + 1), function(FUNCTION_MAX));
        tells(functions_are_short, ("src/x.rs", &bad), ("src/x.rs", &good));
        let file = |lines| files_are_short(&Text::new("x.rs", &"a\n".repeat(lines))).len();
        assert_eq!((file(FILE_MAX + 1), file(FILE_MAX)), (1, 0));
        let line = |columns| lines_are_short(&Text::new("x.rs", &"é".repeat(columns))).len();
        assert_eq!((line(LINE_MAX + 1), line(LINE_MAX)), (1, 0));
    }

    #[test]
    fn leftovers() {
        let left = |text: &str| nothing_is_left_for_later(&Text::new("x.rs", text)).len();
        assert_eq!(left(concat!("// TO", "DO: more")), 1);
        assert_eq!(left(concat!("to", "do!()")), 1);
        assert_eq!(left("a mastodon"), 0);
        assert_eq!(left("let method = to_do;"), 0);
    }

    #[test]
    fn a_vague_word_is_found_in_comments_only() {
        let found =
            |text: &str| comments_are_not_vague(&Text::new("witness/src/it.rs", text)).len();
        assert_eq!(
            found("/// What the board has told.\n// So much time is left.\nlet told = 1;"),
            1
        );
        assert_eq!(found("let it = 1; // the squares of which one is empty"), 1);
        assert_eq!(found("/// What the board has reported.\nEffect::Told(told);"), 0);
    }

    #[test]
    fn machines() {
        let found = |path, text: &str| nothing_names_this_machine(&Text::new(path, text)).len();
        assert_eq!(found("docs/x.md", concat!("see `/ho", "me/ann/x`")), 1);
        assert_eq!(found("docs/x.md", concat!("https://net/wo", "rk/x, ./ro", "ot/x")), 0);
        let git = "source = \"git+https://example.org/x\"";
        assert_eq!(found("Cargo.lock", git), 1);
        assert_eq!(found("docs/x.md", git), 0);
        let npm = |host: &str| format!("      \"resolved\": \"https://{host}/a.tgz\",");
        assert_eq!(found("web/package-lock.json", &npm("mirror.example")), 1);
        assert_eq!(found("web/package-lock.json", &npm("registry.npmjs.org")), 0);
    }
}
