//! Results that arrive after the pieces were set up again. Each goes to its own game.

use serde_json::json;
use witness::{Kind, LineNo, Score, TableNo};
use words::InWords as _;

use super::unmatched::{paired, plan, play};
use super::*;
use crate::config::Config;
use crate::record::chronicle::{Chronicle, Replayed};
use crate::record::recording::Recording;

/// Ten moves each, then the pieces of the next round and one move.
const TWO_GAMES: &str = "\
+2 a2^ a3v | +2 a7^ a6v | +2 b2^ b3v | +2 b7^ b6v | +2 c2^ c3v | +2 c7^ c6v |
+2 d2^ d3v | +2 d7^ d6v | +2 e2^ e3v | +2 e7^ e6v | +2 f2^ f3v | +2 f7^ f6v |
+2 g2^ g3v | +2 g7^ g6v | +2 h2^ h3v | +2 h7^ h6v | +2 a3^ a4v | +2 a6^ a5v |
+2 b3^ b4v | +2 b6^ b5v | +2 ~ +2
a4^ a2v a5^ a7v b4^ b2v b5^ b7v c3^ c2v c6^ c7v d3^ d2v d6^ d7v e3^ e2v e6^ e7v f3^ f2v f6^ f7v
g3^ g2v g6^ g7v h3^ h2v h6^ h7v +10 set:w=5430 set:b=5430 +10 ! +3 d2^ d4v | +3";

fn enter(game: Option<u32>, result: &str) -> Entry {
    let body = json!({"table": 1, "game": game, "result": result});
    Entry::Request(Request::read("set_result", body, "Ann"))
}

fn refusal(acts: &[Act]) -> Option<String> {
    acts.iter().find_map(|act| match act {
        Act::Answered(_, answer) => answer.as_ref().err().map(|it| it.en()),
        _ => None,
    })
}

fn written(works: &Works) -> Vec<(u32, String)> {
    let written = |it: &FormerGame| it.body.ending.map_or("*", Ending::written).to_owned();
    works.former(TableNo::new(1)).map(|it| (it.number.get(), written(it))).collect()
}

#[test]
fn a_result_goes_to_the_game_it_is_of_and_closes_its_alert() {
    let mut works = Works::new(vec![&dgt::DRIVER]);
    play(&mut works, &[(1, TWO_GAMES)]);
    assert_eq!(works.hall().table(TableNo::new(1)).unwrap().game_number().get(), 2);
    let missing = |works: &Works| {
        let mut open = works.hall().table(TableNo::new(1)).unwrap().incidents();
        open.any(|it| it.kind == Kind::NoResult && it.id.game.get() == 1)
    };
    assert!(missing(&works));
    let acts = tell(&mut works, &[enter(Some(1), "0-1")]);
    assert_eq!(refusal(&acts), None);
    assert_eq!(written(&works), [(1, "0-1".to_owned())]);
    assert_eq!(
        works.hall().table(TableNo::new(1)).unwrap().score().ending(),
        None,
        "the next one goes on"
    );
    assert!(!missing(&works));
    let refused = refusal(&tell(&mut works, &[enter(Some(3), "1-0")])).unwrap();
    assert!(refused.contains("has no result yet"), "{refused}");
    // A result of the current game is entered as always.
    tell(&mut works, &[enter(Some(2), "1/2-1/2")]);
    assert_eq!(works.hall().table(TableNo::new(1)).unwrap().score().result(), "1/2-1/2");
    assert_eq!(written(&works), [(1, "0-1".to_owned())]);
    for (game, result) in [(4, "1-0"), (3, "*")] {
        let refused = refusal(&tell(&mut works, &[enter(Some(game), result)])).unwrap();
        assert!(refused.contains("has not begun"), "{refused}");
    }
    let refused = refusal(&tell(&mut works, &[enter(Some(0), "1-0")])).unwrap();
    assert!(refused.contains("too long ago"), "{refused}");
}

#[test]
fn a_table_without_a_board_has_a_result_in_each_round() {
    let rounds = [("1", "Ann"), ("2", "Bea"), ("3", "Cy")];
    let rounds = rounds.map(|(round, white)| paired(round, &[(1, [white, "Roe"])]));
    let plan = plan(rounds.into());
    let mut works = Works::new(vec![&dgt::DRIVER]);
    tell(&mut works, &[Entry::Planned(Box::new(plan))]);
    assert_eq!(refusal(&tell(&mut works, &[enter(None, "-/+")])), None);
    for (game, result, round) in [(1, "+/-", "2"), (2, "1-0", "3")] {
        assert_eq!(refusal(&tell(&mut works, &[enter(Some(game), result)])), None);
        assert_eq!(
            (
                works.round(TableNo::new(1)),
                works.hall().table(TableNo::new(1)).unwrap().game_number().get()
            ),
            (round, game)
        );
    }
    let names = |it: &FormerGame| it.players.as_ref().map(|it| it.white.name.clone());
    let former: Vec<_> =
        works.former(TableNo::new(1)).map(|it| (it.round.as_str(), names(it))).collect();
    assert_eq!(former, [("1", Some("Ann".to_owned())), ("2", Some("Bea".to_owned()))]);
    assert_eq!(written(&works), [(0, "-/+".to_owned()), (1, "+/-".to_owned())]);
    // What was mistaken for it is put right.
    assert_eq!(refusal(&tell(&mut works, &[enter(Some(0), "-/-"), enter(Some(2), "0-1")])), None);
    assert_eq!(written(&works)[0], (0, "-/-".to_owned()));
    assert_eq!(works.hall().table(TableNo::new(1)).unwrap().score().result(), "0-1");
}

#[test]
fn what_is_exported_has_the_result_too() {
    let script = rehearsal::parse(TWO_GAMES).unwrap();
    let mut entries = vec![(Moment::ZERO, Entry::Opened(LineNo::new(1), LineId::at("usb1")))];
    entries.extend(virtual_line::heard(&dgt::DRIVER, script.play(), script.end(), LineNo::new(1)));
    let last = entries.last().unwrap().0;
    entries.push((last, enter(Some(1), "+/-")));
    let recording = Recording { entries, journal: false, missing: Vec::new(), orders: None };
    let mut games = Vec::new();
    Chronicle::new(Config::default(), true).play(&recording, |replayed| {
        if let Replayed::Game { score, .. } = replayed {
            let written = score.ending().map(|it| it.written());
            games.push((score.plies().len(), written, Score::result(score)));
            assert_each_result_is_written_as_if_it_had_been_there(score);
        }
    });
    assert_eq!(games, [(20, Some("+/-"), "1-0"), (1, None, "*")]);
}

fn assert_each_result_is_written_as_if_it_had_been_there(score: &Score) {
    let entered = ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "+/-", "-/-"].map(Ending::entered);
    for before in entered.into_iter().chain([None]) {
        for after in entered.into_iter().chain([None]) {
            let mut body = Body::strict(&score.clone().ended(before));
            body.end(after);
            assert_eq!(body, Body::strict(&score.clone().ended(after)));
        }
    }
}
