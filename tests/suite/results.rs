//! `adoubed export results`: from a record into the report of a pairing program, and read by
//! programs that nobody here wrote.
//!
//! The judges are `trf` and `py4swiss` from PyPI and bbpPairings, in the folder that
//! `ADOUBED_JUDGES` names: `venv/bin/python3` with both packages, and `bbp/bbpPairings.exe`.
//! Without it the tests say loudly that they are skipped.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use adoubed::entry::{Entry, LineId, Plan, TableEntry, Watch};
use adoubed::lines::virtual_line;
use adoubed::pairings;
use adoubed::record::journal::{self, Journal};
use adoubed::requests::Request;
use eboard::Moment;
use serde_json::{Value, json};
use witness::{LineNo, TableNo};

/// Who plays, with the points before round 2 and the cells of both rounds.
const PLAYERS: [(&str, &str, &str); 10] = [
    ("Adams, Ann", "1.0", "   6 w 1     2 b  "),
    ("Brown, Ben", "1.0", "   7 b 1     1 w  "),
    ("Clark, Cleo", "1.0", "   8 w 1     4 w  "),
    ("Davis, Dan", "1.0", "   9 b 1     3 b  "),
    ("Évrard, Éva", "1.5", "  10 w 1  0000 - H"),
    ("Fox, Finn", "0.0", "   1 b 0     7 w  "),
    ("Gray, Guy", "0.0", "   2 w 0     6 b  "),
    ("Hill, Hal", "0.0", "   3 b 0     9 w  "),
    ("Ives, Ida", "0.0", "   4 w 0     8 b  "),
    ("Jones, Jo", "1.0", "   5 b 0  0000 - U"),
];

fn report(end: &str) -> String {
    let mut lines = vec![
        "012 Open de Liège".to_owned(),
        "022 Liège".to_owned(),
        "032 BEL".to_owned(),
        "042 2026/11/20".to_owned(),
        "052 2026/11/22".to_owned(),
        "062 10".to_owned(),
        "092 Individual: Swiss-System".to_owned(),
    ];
    for (number, (name, points, rounds)) in (1..).zip(PLAYERS) {
        let rating = 2400 - 50 * number;
        let id = 200_000 + number;
        lines.push(format!(
            "001 {number:>4} m    {name:<33} {rating:>4} BEL {id:>11} 1990/00/00 {points:>4} \
             {number:>4}  {rounds}"
        ));
    }
    lines.push("XXC white1".to_owned());
    lines.push("XXR 5".to_owned());
    lines.push(String::new());
    lines.join(end)
}

/// Seconds after the beginning, and what an arbiter asks for then.
type Asked = (u64, &'static str, Value);

/// A journal of round 2: at table 1 Brown mates, and of the others there is what arbiters say.
fn keep_a_round(directory: &Path, asked: &[Asked]) {
    let watch = Watch { time_control: "5400+30".to_owned(), ..Watch::default() };
    let table =
        |number| TableEntry::at(TableNo::new(number), &format!("usb{number}"), "dgt", &watch);
    let rounds = pairings::read(&report("\n")).unwrap();
    let tables = (1..=4).map(table).collect();
    let plan = Plan { tables, watch, rounds, round: "2".to_owned(), ..Plan::default() };
    let script = "+4 e2^ e4v | e7^ e5v | f1^ c4v | b8^ c6v | d1^ h5v | g8^ f6v | h5^ f7v |";
    let script = rehearsal::parse(script).unwrap();
    let mut records = vec![
        (Moment::ZERO, Entry::Wall(1_795_269_000_000_000)),
        (Moment::ZERO, Entry::Planned(Box::new(plan))),
        (Moment::ZERO, Entry::Opened(LineNo::new(1), LineId::at("usb1"))),
    ];
    records.extend(virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), LineNo::new(1)));
    let end = records.iter().map(|(at, _)| *at).max().unwrap();
    records.extend(asked.iter().map(|(after, verb, body)| {
        let request = Request::read(verb, body.clone(), "Ann");
        (end + Duration::from_secs(*after), Entry::Request(request))
    }));
    let mut journal = Journal::open(directory, "2026-11-21", Duration::from_millis(50)).unwrap();
    for (at, entry) in records {
        journal.append(at, entry);
    }
    journal.close();
}

fn adoubed(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_adoubed")).args(arguments).output().unwrap()
}

/// The report with the results of such a round, and what was said to it.
fn filled(directory: &Path, asked: &[Asked]) -> (PathBuf, String) {
    keep_a_round(directory, asked);
    let journal = journal::segments(directory).unwrap().pop().unwrap();
    let file = directory.join("round2.trf");
    fs::write(&file, report("\r\n")).unwrap();
    let arguments = ["export", "results", journal.to_str().unwrap(), "--round", "2", "--into"];
    let output = adoubed(&[&arguments, &[file.to_str().unwrap()][..]].concat());
    assert!(output.status.success(), "{output:?}");
    (file, String::from_utf8(output.stderr).unwrap())
}

fn result(table: u32, result: &str) -> Asked {
    (u64::from(table), "set_result", json!({"table": table, "result": result}))
}

/// Points and second round, by the columns of the format.
fn player(file: &Path, number: usize) -> (String, String) {
    let text = fs::read_to_string(file).unwrap();
    let wanted = format!("001 {number:>4} ");
    let line = text.lines().find(|it| it.starts_with(&wanted)).unwrap();
    let letters: Vec<char> = line.chars().collect();
    let of = |range: std::ops::Range<usize>| letters[range].iter().collect::<String>();
    (of(80..84).trim().to_owned(), of(101..109))
}

#[test]
fn a_round_goes_home_into_the_report_it_came_from() {
    let directory = tempfile::tempdir().unwrap();
    let asked = [result(2, "1/2-1/2"), result(3, "+/-"), result(4, "-/-")];
    let (file, said) = filled(directory.path(), &asked);
    let all: Vec<_> = (1..=10).map(|number| player(&file, number)).collect();
    let expected = [
        ("1.0", "   2 b 0"),
        ("2.0", "   1 w 1"),
        ("1.5", "   4 w ="),
        ("1.5", "   3 b ="),
        ("1.5", "0000 - H"),
        ("1.0", "   7 w +"),
        ("0.0", "   6 b -"),
        ("0.0", "   9 w -"),
        ("0.0", "   8 b -"),
        ("1.0", "0000 - U"),
    ];
    assert_eq!(all, expected.map(|(points, cell)| (points.to_owned(), cell.to_owned())));
    // Nobody saw a move of the draw.
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("Table 2: a result, and no move was seen."), "{said}");
}

#[test]
fn results_are_lists_too_and_a_round_that_is_not_there_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    keep_a_round(directory.path(), &[result(2, "0-0"), result(3, "-/+")]);
    let config = directory.path().join("adoubed.toml");
    fs::write(directory.path().join("round2.trf"), report("\n")).unwrap();
    let text = format!(
        "[event]\nname = \"Open\"\nround = \"2\"\npairings = \"round2.trf\"\n\
         [journal]\ndirectory = {:?}\n",
        directory.path().to_str().unwrap()
    );
    fs::write(&config, text).unwrap();
    let export = |more: &[&str]| {
        let config = ["--config", config.to_str().unwrap()];
        adoubed(&[&["export", "results"], &config[..], more].concat())
    };
    let printed = |more: &[&str]| {
        let output = export(more);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let list = printed(&[]);
    let rows: Vec<_> = list.lines().collect();
    assert_eq!(rows.len(), 5, "{list}");
    assert_eq!(rows[1], "2,1,2,200002,\"Brown, Ben\",1,200001,\"Adams, Ann\",1-0");
    assert!(rows[2].ends_with(",0-0") && rows[3].ends_with(",-/+"), "{list}");
    assert!(rows[4].ends_with("\"Ives, Ida\","), "{list}");
    let output = export(&["--format", "vega"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), "2 2\r\n2 1 1\r\n6 7 4");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("Table 2: Vega has no code for 0-0"), "{said}");
    assert!(printed(&["--format", "swiss-manager"]).contains("2;3;6;Fox, Finn;- - +;Gray, Guy;7"));
    assert!(printed(&["--format", "crosstable"]).contains(",2.0,7b1,1w1"));
    assert!(printed(&["--format", "html", "--language", "fr"]).contains("Grille après la ronde 2"));
    let refused = export(&["--round", "9"]);
    assert_eq!(refused.status.code(), Some(65));
    let why = String::from_utf8(refused.stderr).unwrap();
    assert!(why.contains("round2.trf:1: round: there are no pairings of round 9"), "{why}");
}

#[test]
fn a_report_that_gets_no_result_is_not_touched() {
    let directory = tempfile::tempdir().unwrap();
    keep_a_round(directory.path(), &[]);
    let journal = journal::segments(directory.path()).unwrap().pop().unwrap();
    let file = directory.path().join("round1.trf");
    let before = report("\r");
    fs::write(&file, &before).unwrap();
    let arguments = ["export", "results", journal.to_str().unwrap(), "--round", "1", "--into"];
    let output = adoubed(&[&arguments, &[file.to_str().unwrap()][..]].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read(&file).unwrap(), before.into_bytes());
}

/// Where the judges are, if anywhere.
fn judges(test: &str) -> Option<PathBuf> {
    let judges = std::env::var_os("ADOUBED_JUDGES").map(PathBuf::from);
    if judges.is_none() {
        // Not eprintln: the test harness swallows that of tests that pass.
        let why = "ADOUBED_JUDGES names no folder with trf, py4swiss and bbpPairings";
        let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
    }
    judges
}

fn judged(program: &Path, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {said}", program.display());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn other_programs_read_the_results_that_were_entered() {
    let Some(judges) = judges("readers") else { return };
    let python = judges.join("venv/bin/python3");
    let asked = [result(2, "1/2-1/2"), result(3, "+/-"), result(4, "-/-")];
    let directory = tempfile::tempdir().unwrap();
    let (file, _) = filled(directory.path(), &asked);
    let file = file.to_str().unwrap();
    let trf = "import sys, trf\n\
               t = trf.load(open(sys.argv[1], newline=''))\n\
               for p in t.players: print(p.startrank, p.points, p.games[1].startrank, \
               p.games[1].color, p.games[1].result, sep=',')";
    let swiss = "import sys, pathlib\n\
                 from py4swiss.trf import TrfParser\n\
                 t = TrfParser.parse(pathlib.Path(sys.argv[1]))\n\
                 for p in t.player_sections: r = p.results[1]; print(p.starting_number, \
                 p.points_times_ten / 10, r.id, r.color.value, r.result.value, sep=',')";
    let expected = "1,1.0,2,b,0\n2,2.0,1,w,1\n3,1.5,4,w,=\n4,1.5,3,b,=\n5,1.5,0,-,H\n\
                    6,1.0,7,w,+\n7,0.0,6,b,-\n8,0.0,9,w,-\n9,0.0,8,b,-\n10,1.0,0,-,U\n";
    assert_eq!(judged(&python, &["-c", trf, file]), expected);
    assert_eq!(judged(&python, &["-c", swiss, file]), expected);
}

/// bbpPairings checks every player's points against his results before it pairs round 3.
#[test]
fn another_program_pairs_the_next_round_by_the_results() {
    let Some(judges) = judges("pairings") else { return };
    let program = judges.join("bbp/bbpPairings.exe");
    for (unusual, both) in [("-/-", "0-0"), ("0-0", "1/2-0"), ("0-1/2", "-/+")] {
        let asked = [result(2, "1-0"), result(3, unusual), result(4, both)];
        let directory = tempfile::tempdir().unwrap();
        let (file, _) = filled(directory.path(), &asked);
        let paired = judged(&program, &["--dutch", file.to_str().unwrap(), "-p"]);
        assert_eq!(paired.lines().next(), Some("5"), "{paired}");
        // Brown and Clark have two points each, and no one else.
        let top = paired.lines().nth(1).unwrap();
        assert!(["2 3", "3 2"].contains(&top), "{paired}");
        // It refuses a report in which the points of a player do not follow from his results.
        let wrong = fs::read_to_string(&file).unwrap().replacen(" 2.0 ", " 1.0 ", 1);
        fs::write(&file, wrong).unwrap();
        let refused = Command::new(&program).args(["--dutch"]).arg(&file).arg("-p").output();
        assert!(!refused.unwrap().status.success());
    }
}
