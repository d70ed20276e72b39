//! Reports as pairing programs write them, filled in and read again.

use proptest::prelude::*;
use witness::TableNo;

use super::*;

/// A line `001` by columns; `rounds` begins in column 92.
fn line(number: u32, name: &str, points: &str, rounds: &str) -> String {
    let head = format!("001 {number:>4} m    {name:<33} 2000 BEL {:>11}", 1000 + number);
    let head = format!("{head:<80}{points:>4} {number:>4}");
    format!("{head:<91}{rounds}")
}

/// Two rounds: in the second one 1 has Black against 2, 3 plays 4, 5 has half a point without
/// playing, and 6 a point.
fn report(end: &str) -> String {
    let lines = [
        "012 Open de Liège".to_owned(),
        "XYZ whatever this is   ".to_owned(),
        line(1, "Adams, Ann", " 1.0", "   4 w 1     2 b   "),
        line(2, "Brown, Ben", " 1.0", "   5 b 1     1 w  "),
        line(3, "Évrard, Éva", " 0.5", "   6 w =     4 w"),
        line(4, "Davis, Dan", " 0.0", "   1 b 0     3 b   "),
        line(5, "Fox, Finn", " 0.0", "   2 w 0  0000 - H"),
        line(6, "Gray, Guy", " 0.5", "   3 b =  0000 - U   "),
        "XXR 5".to_owned(),
        String::new(),
    ];
    lines.join(end)
}

fn outcome(table: u32, white: &str, black: &str, written: &str) -> Outcome {
    let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
    let players = Players { white: player(white), black: player(black) };
    let (round, ending) = ("2".to_owned(), Ending::entered(written));
    Outcome { table: TableNo::new(table), round, players, ending, plies: 40 }
}

fn played(results: [&str; 2]) -> Vec<Outcome> {
    vec![
        outcome(1, "Brown, Ben", "Adams, Ann", results[0]),
        outcome(2, "Évrard, Éva", "Davis, Dan", results[1]),
    ]
}

/// The points and the second round of a player, as they stand in the columns of the format.
fn player(bytes: &[u8], number: u32) -> (String, String) {
    let text = pairings::text(bytes.to_vec());
    let wanted = format!("001 {number:>4} ");
    let line = text.split(['\r', '\n']).find(|it| it.starts_with(&wanted)).unwrap();
    let mut letters: Vec<char> = line.chars().collect();
    letters.resize(letters.len().max(109), ' ');
    let of = |range: std::ops::Range<usize>| letters[range].iter().collect::<String>();
    (of(80..84), of(101..109))
}

#[test]
fn results_stand_in_the_columns_of_the_round_and_points_are_added() {
    let filled = fill(report("\r\n").as_bytes(), "2", &played(["1/2-1/2", "0-1"])).unwrap();
    let all: Vec<_> = (1..=6).map(|it| player(&filled.bytes, it)).collect();
    let expected = [
        (" 1.5", "   2 b ="),
        (" 1.5", "   1 w ="),
        (" 0.5", "   4 w 0"),
        (" 1.0", "   3 b 1"),
        (" 0.0", "0000 - H"),
        (" 0.5", "0000 - U"),
    ];
    assert_eq!(all, expected.map(|(points, cell)| (points.to_owned(), cell.to_owned())));
    assert_eq!(filled.remarks, []);
    // Whatever is no player stays, with its blanks.
    let text = String::from_utf8(filled.bytes).unwrap();
    assert!(text.contains("\r\nXYZ whatever this is   \r\n"));
    assert_eq!(text.matches("\r\n").count(), report("\r\n").matches("\r\n").count());
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
}

#[test]
fn games_that_were_not_played_are_told_from_lost_ones() {
    let marks = |results| {
        let filled = fill(report("\n").as_bytes(), "2", &played(results)).unwrap();
        [2, 1, 3, 4].map(|it| {
            let (points, cell) = player(&filled.bytes, it);
            (points.trim().to_owned(), cell.chars().last().unwrap())
        })
    };
    let own = |it: &str, mark| (it.to_owned(), mark);
    assert_eq!(
        marks(["+/-", "-/-"]),
        [own("2.0", '+'), own("1.0", '-'), own("0.5", '-'), own("0.0", '-')]
    );
    assert_eq!(
        marks(["0-0", "0-1/2"]),
        [own("1.0", '0'), own("1.0", '0'), own("0.5", '0'), own("0.5", '=')]
    );
    assert_eq!(
        marks(["-/+", "1/2-0"]),
        [own("1.0", '-'), own("2.0", '+'), own("1.0", '='), own("0.0", '0')]
    );
}

#[test]
fn another_result_takes_the_place_of_the_first_and_is_remarked() {
    let first = fill(report("\n").as_bytes(), "2", &played(["1-0", "1-0"])).unwrap();
    let again = fill(&first.bytes, "2", &played(["0-1", "*"])).unwrap();
    assert_eq!(player(&again.bytes, 2), (" 1.0".to_owned(), "   1 w 0".to_owned()));
    assert_eq!(player(&again.bytes, 1), (" 2.0".to_owned(), "   2 b 1".to_owned()));
    assert_eq!(player(&again.bytes, 3).0, " 1.5", "what has no result here keeps that of the file");
    assert_eq!(again.remarks, [Remark::Changed(TableNo::new(1), "1-0", "0-1")]);
}

#[test]
fn players_are_known_wherever_they_sat_and_with_whichever_colours() {
    let moved = [
        outcome(7, "Évrard, Éva", "Davis, Dan", "1-0"),
        outcome(2, "Adams, Ann", "Brown, Ben", "1-0"),
        outcome(3, "Fox, Finn", "Gray, Guy", "1-0"),
    ];
    let filled = fill(report("\n").as_bytes(), "2", &moved).unwrap();
    assert_eq!(player(&filled.bytes, 3), (" 1.5".to_owned(), "   4 w 1".to_owned()));
    // The point is hers; the colour is the report's.
    assert_eq!(player(&filled.bytes, 1), (" 2.0".to_owned(), "   2 b 1".to_owned()));
    assert_eq!(player(&filled.bytes, 5), (" 0.0".to_owned(), "0000 - H".to_owned()));
    assert_eq!(
        filled.remarks,
        [Remark::Reversed(TableNo::new(2)), Remark::NotPaired(TableNo::new(3))]
    );
    let rows = tell(&Source::Report(report("\n").into_bytes()), &moved, "2").unwrap().rows;
    let results: Vec<_> = rows
        .iter()
        .map(|it| (it.table.get(), it.numbers, it.ending.map(Ending::written)))
        .collect();
    assert_eq!(
        results,
        [(2, [Some(2), Some(1)], Some("0-1")), (7, [Some(3), Some(4)], Some("1-0"))]
    );
}

#[test]
fn a_player_at_two_tables_is_remarked_and_one_who_only_sits_there_is_not() {
    let both = |plies| {
        let other = outcome(9, "Adams, Ann", "Davis, Dan", "*");
        vec![outcome(1, "Brown, Ben", "Adams, Ann", "1-0"), Outcome { plies, ..other }]
    };
    let remarks = |plies| fill(report("\n").as_bytes(), "2", &both(plies)).unwrap().remarks;
    assert_eq!(
        remarks(3),
        [Remark::OnePlayer(TableNo::new(1), TableNo::new(9), "Adams, Ann".to_owned())]
    );
    assert_eq!(remarks(0), []);
}

#[test]
fn points_follow_the_system_of_the_report_and_its_comma() {
    let football = format!("162  W 3.0    D 1.0\n{}", report("\n").replace(" 1.0 ", " 3,0 "));
    let filled = fill(football.as_bytes(), "2", &played(["1/2-1/2", "1-0"])).unwrap();
    assert_eq!(player(&filled.bytes, 1).0, " 4,0");
    assert_eq!(player(&filled.bytes, 3).0, " 3.5");
}

#[test]
fn without_a_round_or_a_report_nothing_is_filled_in() {
    let file = report("\n");
    for round in ["3", "0", "final", ""] {
        let problem = fill(file.as_bytes(), round, &played(["1-0", "1-0"])).unwrap_err();
        assert_eq!(problem.key, "round", "{problem:?}");
    }
}

#[test]
fn a_result_without_a_move_is_remarked() {
    let unseen = |written| vec![Outcome { plies: 0, ..played([written, "*"]).swap_remove(0) }];
    let remarks = |written| {
        let filled = fill(report("\n").as_bytes(), "2", &unseen(written)).unwrap();
        filled.remarks
    };
    assert_eq!(remarks("1-0"), [Remark::NoMoves(TableNo::new(1))]);
    assert_eq!(remarks("1/2-1/2"), [Remark::NoMoves(TableNo::new(1))]);
    assert_eq!(remarks("+/-"), []);
}

#[test]
fn lists_are_in_the_forms_of_pairing_programs() {
    let source = Source::Report(report("\n").into_bytes());
    let results = tell(&source, &played(["0-1", "1/2-0"]), "2").unwrap();
    let (vega, remarks) = lists::vega(&results);
    assert_eq!(vega, "1 2\r\n2 1 0\r\n");
    assert_eq!(remarks, [Remark::NoForm(TableNo::new(2), "1/2-0")]);
    let list = swiss_manager(&results);
    assert!(list.starts_with("\u{feff}Rd.;Bo.;No.;White;Result;Black;No.\r\n"), "{list}");
    assert!(list.contains("2;1;2;Brown, Ben;0 - 1;Adams, Ann;1\r\n"), "{list}");
    let rows = csv(&results);
    assert!(rows.contains("2,2,3,1003,\"Évrard, Éva\",4,1004,\"Davis, Dan\",1/2-0\n"), "{rows}");
    let cross = crosstable_csv(&results);
    assert!(cross.starts_with("rank,number,title,name,rating,federation,fide_id,points,round_1,"));
    let first = "1,1,,\"Adams, Ann\",2000,BEL,1001,2.0,4w1,2b1\n";
    assert!(cross.contains(first), "{cross}");
    assert!(cross.contains(",0.5,2w0,H\n"), "{cross}");
}

#[test]
fn the_page_lists_the_boards_and_then_the_players() {
    let source = Source::Report(report("\n").into_bytes());
    let results = tell(&source, &played(["1/2-1/2", "*"]), "2").unwrap();
    let config: crate::config::Config = toml::from_str("[event]\nname = \"Open <A>\"\n").unwrap();
    let page = html(&results, &config, "fr");
    assert!(page.contains("<html lang=\"fr\">") && page.contains("<p>Open &lt;A&gt; · Ronde 2"));
    assert!(page.contains("Brown, Ben (2000)<td class=\"r\">½–½<td>Adams, Ann"), "{page}");
    assert!(page.contains("<p>Tables sans résultat\u{a0}: 2"), "{page}");
    assert!(page.contains("Grille après la ronde 2") && page.contains("<td class=\"r\">2b½"));
    let english = html(&results, &config, "en");
    assert!(english.contains("Tables without a result: 2") && english.contains("Crosstable after"));
}

#[test]
fn without_a_report_the_games_of_the_hall_are_the_list() {
    let game = |round: &str, it: Outcome| Outcome { round: round.to_owned(), ..it };
    let all = [
        game("1", outcome(1, "Adams, Ann", "Davis, Dan", "1-0")),
        game("2", outcome(1, "Brown, Ben", "Adams, Ann", "*")),
        game("2", outcome(1, "Brown, Ben", "Adams, Ann", "-/+")),
        game("2", outcome(1, "Brown, Ben", "Adams, Ann", "*")),
    ];
    let results = tell(&Source::Rounds(Vec::new()), &all, "2").unwrap();
    assert_eq!(results.rows.len(), 1);
    let first = &results.rows[0];
    assert_eq!((first.ending, first.numbers), (Ending::entered("-/+"), [None; 2]));
    let cross = crosstable_csv(&results);
    assert!(cross.contains("1,1,,\"Adams, Ann\",,,,2.0,3w1,2b+\n"), "{cross}");
    assert_eq!(
        lists::vega(&results),
        ("0 2\r\n".to_owned(), vec![Remark::NoNumbers(TableNo::new(1))])
    );
}

fn anything() -> impl Strategy<Value = Vec<Outcome>> {
    let words = ["*", "1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-"];
    let word = move || (0..words.len()).prop_map(move |at| words[at]);
    (word(), word()).prop_map(|(one, two)| played([one, two]))
}

/// How a file may be written.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let ends = prop_oneof![Just("\n"), Just("\r\n"), Just("\r")];
    (ends, any::<[bool; 3]>(), " {0,4}").prop_map(|(end, [bom, latin, tail], blanks)| {
        let mut text = report(end);
        if tail {
            text = text.trim_end().to_owned();
        }
        text = text.replace("XXR 5", &format!("XXR 5{blanks}"));
        let mut bytes: Vec<u8> = match latin {
            true => text.chars().map(|it| u8::try_from(u32::from(it)).unwrap()).collect(),
            false => text.into_bytes(),
        };
        if bom && !latin {
            bytes.splice(0..0, *b"\xef\xbb\xbf");
        }
        bytes
    })
}

proptest! {
    #[test]
    fn without_a_result_not_a_byte_changes(file in file(), round in 1..3_u32) {
        let none = played(["*", "*"]);
        prop_assert_eq!(&fill(&file, &round.to_string(), &none).unwrap().bytes, &file);
        prop_assert_eq!(fill(&file, &round.to_string(), &[]).unwrap().bytes, file);
    }

    #[test]
    fn what_was_written_is_read_again_and_written_twice_is_written_once(
        file in file(), outcomes in anything(),
    ) {
        let filled = fill(&file, "2", &outcomes).unwrap();
        prop_assert_eq!(&fill(&filled.bytes, "2", &outcomes).unwrap().bytes, &filled.bytes);
        let rows = tell(&Source::Report(filled.bytes.clone()), &[], "2").unwrap().rows;
        for (row, outcome) in rows.iter().zip(&outcomes) {
            prop_assert_eq!(row.ending, outcome.ending);
            // His own half points, and what each player has got besides.
            let text = pairings::text(filled.bytes.clone());
            let report = Report::read(&text).unwrap();
            for number in row.numbers.into_iter().flatten() {
                let cells = &report.entrants[&number].cells;
                let system = points::PointSystem::default();
                let worth = |it: &pairings::trf::Cell| system.worth(it.mark, true);
                let sum: i32 = cells.iter().flatten().map(worth).sum();
                let (points, _) = player(&filled.bytes, number);
                prop_assert_eq!(points.trim(), points::in_points(sum));
            }
        }
        // The lines of everybody else, and all that is no player's.
        let lines = |bytes: &[u8]| {
            let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
            bytes.split(|it| *it == end).map(<[u8]>::to_vec).collect::<Vec<_>>()
        };
        let (before, after) = (lines(&file), lines(&filled.bytes));
        prop_assert_eq!(before.len(), after.len());
        for (one, other) in before.iter().zip(&after) {
            let players = ["001    1", "001    2", "001    3", "001    4"];
            if !players.iter().any(|it| one.starts_with(it.as_bytes())) {
                prop_assert_eq!(one, other);
            }
        }
    }

    #[test]
    fn no_file_makes_it_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..400), at in 0..800_usize,
    ) {
        let _ = fill(&bytes, "1", &played(["1-0", "0-1"]));
        let mut file = report("\n").into_bytes();
        let from = at.min(file.len());
        file.splice(from..(from + 1).min(file.len()), bytes);
        let _ = fill(&file, "2", &played(["1-0", "0-1"]));
    }
}
