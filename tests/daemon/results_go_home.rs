//! The results of a round are there for arbiters: to read, to print, and in the report the pairings
//! came from. A forfeit is one over a restart too.

use std::fs;

use serde_json::{Value, json};

use crate::common::http::Reply;
use crate::common::{Daemon, House, one_table, post};

/// A player of a report, and his round.
fn line(number: u32, name: &str, round: &str) -> String {
    let head = format!("001 {number:>4} m    {name:<33} 2000 BEL {:>11}", 200_000 + number);
    format!("{head:<80} 0.0 {number:>4}  {round}\r\n")
}

/// What an arbiter gets of a round.
fn download(daemon: &Daemon, round: &str, form: &str) -> Reply {
    let mut body = post(daemon.pages, "/arbiter/session", "{}").json();
    (body["form"], body["language"]) = (json!(form), json!("fr"));
    body["round"] = json!(round);
    post(daemon.pages, "/arbiter/results", &body.to_string())
}

#[test]
fn arbiters_download_the_report_with_a_forfeit_in_it_and_nobody_else_does() {
    let mut house = House::new();
    let report = [
        "012 Open\r\n".to_owned(),
        line(1, "Doe, Jane", "   2 w  "),
        line(2, "Roe, Max", "   1 b  "),
    ];
    let report = report.concat();
    fs::write(house.path().join("round1.trf"), &report).unwrap();
    house.set("event", "pairings", "round1.trf").set("event", "round", "1");
    let (_board, daemon, arbiter) = one_table(&mut house, "");
    arbiter.topic("table/1/game", "the names", |it| it["players"]["white"]["name"] == "Doe, Jane");
    let download = |daemon: &Daemon, form: &str| download(daemon, "1", form);
    assert_eq!(post(daemon.pages, "/arbiter/results", "{}").status, 401);
    assert_eq!(download(&daemon, "report").text(), report, "no result yet, not a byte");
    let refused = arbiter.ask("set_result", json!({"table": 1, "result": "+/+"}));
    assert!(refused["error"].as_str().unwrap().contains("0-1/2, +/-"), "{refused}");
    assert_eq!(arbiter.ask("set_result", json!({"table": 1, "result": "-/+"}))["status"], "ok");
    let game = arbiter.topic("table/1/game", "the forfeit", |it| it["result"] == "0-1");
    assert_eq!(game["termination"], "forfeit");
    let pgn = arbiter.wait("the PGN", |heard| {
        let pgn = heard.latest("adoubed/v1/table/1/pgn")?.text();
        pgn.contains("[Termination \"forfeit\"]").then_some(pgn)
    });
    assert!(pgn.contains("[Result \"0-1\"]"), "{pgn}");
    daemon.kill();

    let daemon = Daemon::again(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/game", "the forfeit again", |it| it["termination"] == "forfeit");
    let filled = report.replace("   2 w  ", "   2 w -").replace("   1 b  ", "   1 b +");
    let filled =
        filled.replace("BEL      200002             0.0", "BEL      200002             1.0");
    let answered = arbiter.wait("the report", |_| {
        let text = download(&daemon, "report").text();
        (text != report).then_some(text)
    });
    assert_eq!(answered, filled);
    let about = download(&daemon, "about").json();
    assert_eq!(
        about,
        json!({"round": "1", "rounds": ["1"], "report": "round1.trf", "remarks": [],
               "rows": [{"table": 1, "white": "Doe, Jane", "black": "Roe, Max", "result": "-/+",
                         "earlier_game": null, "next_game": null}]})
    );
    assert_eq!(download(&daemon, "vega").text(), "1 1\r\n1 2 4\r\n");
    assert!(download(&daemon, "html").text().contains("<td class=\"r\">− / +<td>"));
    let list = download(&daemon, "csv").text();
    assert!(list.ends_with("1,1,1,200001,\"Doe, Jane\",2,200002,\"Roe, Max\",-/+\n"), "{list}");
}

#[test]
fn the_next_round_of_a_table_whose_board_is_gone_has_a_result() {
    let mut house = House::new();
    let report = [
        "012 Open\n".to_owned(),
        line(1, "Doe, Jane", "   2 w       2 b  "),
        line(2, "Roe, Max", "   1 b       1 w  "),
    ];
    let report = report.concat();
    fs::write(house.path().join("open.trf"), &report).unwrap();
    house.set("event", "pairings", "open.trf").set("event", "round", "1");
    let (mut board, daemon, arbiter) = one_table(&mut house, "");
    board.start_clock();
    for san in ["f3", "e5", "g4", "Qh4#"] {
        board.play_and_press(san, 178);
        arbiter.topic("table/1/position", san, |it| it["last"]["san"] == san);
    }
    arbiter.topic("table/1/position", "mate", |it| it["result"] == "0-1");
    board.unplug();
    arbiter.topic("table/1/device", "no board", |it| it["state"] != "online");
    let row = |daemon: &Daemon| download(daemon, "2", "about").json()["rows"][0].clone();
    let offered = arbiter
        .wait("the next game", |_| Some(row(&daemon)).filter(|it| it["next_game"] == json!(2)));
    assert_eq!((&offered["white"], &offered["result"]), (&json!("Roe, Max"), &Value::Null));
    let enter = |round: u32, result: &str| {
        let asked = json!({"table": 1, "game": 2, "round": round, "result": result});
        arbiter.ask("set_result", asked)
    };
    let refused = enter(3, "-/+");
    let error = refused["error"].as_str().unwrap();
    assert!(error.contains("game 2 of table 1 is one of round 2"), "{refused}");
    assert_eq!(enter(2, "-/+")["status"], "ok");
    let game = arbiter.topic("table/1/game", "the forfeit", |it| it["termination"] == "forfeit");
    assert_eq!((&game["game"], &game["result"]), (&json!(2), &json!("0-1")));
    assert_eq!(game["players"]["white"]["name"], "Roe, Max");
    assert_eq!(game["event"]["round"], "2");
    daemon.kill();

    let daemon = Daemon::again(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/game", "the forfeit again", |it| it["termination"] == "forfeit");
    let results = |round: &str| download(&daemon, round, "about").json()["rows"][0].clone();
    arbiter.wait("both results", |_| {
        let answered = ["1", "2"].map(|round| results(round)["result"].clone());
        (answered == ["0-1", "-/+"]).then_some(())
    });
    assert_eq!(results("2")["next_game"], Value::Null);
    let filled = report.replace("   2 w       2 b  ", "   2 w       2 b +");
    let filled = filled.replace("   1 b       1 w  ", "   1 b       1 w -");
    let filled =
        filled.replace("BEL      200001             0.0", "BEL      200001             1.0");
    assert_eq!(download(&daemon, "2", "report").text(), filled);
}

#[test]
fn what_an_arbiter_awards_is_told_as_it_is() {
    let mut house = House::new();
    let (_board, _daemon, arbiter) = one_table(&mut house, "");
    for (entered, termination) in [("0-0", "arbiter"), ("1/2-0", "arbiter"), ("-/-", "forfeit")] {
        let asked = json!({"table": 1, "result": entered});
        assert_eq!(arbiter.ask("set_result", asked)["status"], "ok");
        let points = if entered == "-/-" { "0-0" } else { entered };
        let answered = |it: &Value| it["result"] == points && it["termination"] == termination;
        arbiter.topic("table/1/game", entered, answered);
        let pgn = arbiter.wait("the PGN", |heard| {
            let pgn = heard.latest("adoubed/v1/table/1/pgn")?.text();
            pgn.contains(&format!("[Result \"{points}\"]")).then_some(pgn)
        });
        assert!(pgn.trim_end().ends_with("\n*"), "{pgn}");
    }
}

#[test]
fn the_result_that_the_board_shows_is_entered_as_the_alert_offers_it() {
    let mut house = House::new();
    let (mut board, _daemon, arbiter) = one_table(&mut house, "");
    board.start_clock();
    for san in ["f3", "e5", "g4", "Qh4#"] {
        board.play_and_press(san, 178);
        let made = |it: &Value| it["last"]["san"] == san;
        arbiter.topic("table/1/position", san, made);
    }
    arbiter.topic("table/1/position", "mate", |it| it["result"] == "0-1");
    let asked = json!({"table": 1, "result": "1-0"});
    assert_eq!(arbiter.ask("set_result", asked)["status"], "ok");
    let alert = arbiter.wait("the alert", |heard| {
        let alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        let mut open = alerts.map(|(_, &index)| heard.messages[index].json());
        open.find(|alert| alert["kind"] == "result_mismatch")
    });
    assert_eq!(alert["facts"]["shown"], "0-1");
    let mend = &alert["mend"][0];
    assert_eq!(*mend, json!({"verb": "set_result", "body": {"table": 1, "result": "0-1"}}));
    assert_eq!(arbiter.ask("set_result", mend["body"].clone())["status"], "ok");
    arbiter.topic("table/1/game", "as on the board", |it| it["result"] == "0-1");
    arbiter.wait("that it is closed", |heard| {
        let alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        let mut open = alerts.map(|(_, &index)| heard.messages[index].json());
        (!open.any(|alert| alert["kind"] == "result_mismatch")).then_some(())
    });
}
