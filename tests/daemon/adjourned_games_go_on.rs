//! A game is adjourned, the daemon killed, the board cleared and set up again: the game goes on.

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Face, Feed, Game, House, adoubed, finish, one_table, post};

const MOVES: [&str; 4] = ["e4", "e5", "Nf3", "Nc6"];

fn playing(house: &mut House) -> (Board, Daemon, Feed) {
    house.set("event", "name", "Open <of> Liège").set("event", "time_control", "180");
    let (mut board, daemon, arbiter) =
        one_table(house, "white = \"Doe, Jane\"\nblack = \"Roe, Max\"");
    board.start_clock();
    for (index, san) in MOVES.into_iter().enumerate() {
        board.play_and_press(san, 170);
        let made = |it: &Value| it["ply"] == index + 1 && it["status"] == "completed";
        arbiter.topic("table/1/position", san, made);
    }
    board.show(Face { running: false, ..board.face });
    arbiter.topic("table/1/position", "both clocks stopped", |it| it["phase"] == "paused");
    (board, daemon, arbiter)
}

#[test]
fn an_adjourned_game_survives_a_kill_and_is_resumed_where_it_stood() {
    let mut house = House::new();
    let (mut board, daemon, arbiter) = playing(&mut house);
    let black = arbiter.ask("adjourn", json!({"table": 1, "sealed_by": "black"}));
    assert_eq!(black["status"], "error", "{black}");
    let asked = json!({"table": 1, "sealed_by": "white", "draw_offer": "black",
                       "resumption": "tomorrow, 10:00", "place": "Room 2"});
    let sheet = arbiter.ask("adjourn", asked);
    assert_eq!((&sheet["status"], &sheet["data"]["white_ms"]), (&json!("ok"), &json!(170_000)));
    assert_eq!(sheet["data"]["white_used_ms"], 10_000);
    let game =
        arbiter.topic("table/1/game", "a sheet", |it| it["adjournment"]["place"] == "Room 2");
    assert_eq!(game["adjournment"]["fen"], board.game.fen());

    let position = board.game.clone();
    board.set_up(Game::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
    arbiter.topic("table/1/board", "a bare board", |it| it["placement"] == "4k3/8/8/8/8/8/8/4K3");
    daemon.kill();
    let daemon = Daemon::again(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/game", "the sheet again", |it| it["adjournment"]["place"] == "Room 2");
    let paused = arbiter.topic("table/1/position", "no game goes on", |it| it["phase"] == "paused");
    assert_eq!(paused["ply"], 4);
    let nobody = arbiter.ask("resume", json!({"table": 1, "absent": "somebody"}));
    assert_eq!(nobody["status"], "error", "{nobody}");
    for (written, verdict) in [("Bb5", "legal"), ("Nd2", "illegal"), ("knight out", "unreadable")] {
        let shown = arbiter.ask("sealed_move", json!({"table": 1, "move": written}));
        let data = &shown["data"];
        assert_eq!((&data["by"], &data["verdict"]), (&json!("white"), &json!(verdict)), "{shown}");
    }
    arbiter.topic("table/1/game", "White's envelope waits", |it| {
        it["envelope"] == json!({"by": "white", "move_number": 3})
    });

    resumed(&mut board, position, &arbiter);
    for (san, seconds) in [("a6", 169), ("Ba4", 168)] {
        board.play_and_press(san, seconds);
        arbiter.topic("table/1/position", san, |it| it["last"]["san"] == san);
    }
    let game = arbiter.topic("table/1/game", "one score", |it| it["moves"][6]["san"] == "Ba4");
    assert_eq!((&game["game"], &game["adjournment"]), (&json!(1), &Value::Null));
    assert_eq!(game["envelope"], Value::Null);
    let late = arbiter.ask("sealed_move", json!({"table": 1, "move": "Bb5"}));
    assert_eq!(late["status"], "error", "{late}");
}

/// Whether the alert about the resumption is open: an empty message has closed it.
fn differs(arbiter: &Feed, wanted: bool) {
    arbiter.wait(&format!("resumption_differs: {wanted}"), |heard| {
        let alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        let mut open = alerts.map(|(_, &index)| heard.messages[index].json());
        let found = open.any(|alert| alert["kind"] == "resumption_differs");
        (found == wanted).then_some(())
    });
}

/// A pawn and ten seconds are not as on the sheet at first.
fn resumed(board: &mut Board, position: Game, arbiter: &Feed) {
    board.set_up(position);
    board.lift("e4");
    board.show(Face { white_s: 160, ..board.face });
    arbiter.topic("table/1/clock", "the time as it was set", |it| it["white_ms"] == 160_000);
    let lacks = "r1bqkbnr/pppp1ppp/2n5/4p3/8/5N2/PPPP1PPP/RNBQKB1R";
    arbiter.topic("table/1/board", "set up but for a pawn", |it| it["placement"] == lacks);
    let found = arbiter.ask("resume", json!({"table": 1}));
    let shown = "Not as on the adjournment sheet: square e4: white pawn missing; White’s clock \
                0:02:40 instead of 0:02:50.";
    assert_eq!(
        (&found["data"]["agrees"], &found["data"]["text"]["en"]),
        (&json!(false), &json!(shown))
    );
    differs(arbiter, true);
    board.put("e4", 'P');
    board.show(Face { white_s: 170, ..board.face });
    differs(arbiter, false);
    board.play("Bb5");
    arbiter.topic("table/1/position", "the sealed move", |it| it["last"]["san"] == "Bb5");
    board.show(Face { white_counts: false, running: true, ..board.face });
    let completed = |it: &Value| it["ply"] == 5 && it["status"] == "completed";
    arbiter.topic("table/1/position", "the sealed move completed", completed);
}

#[test]
fn the_sheet_is_printed_for_arbiters_and_nobody_else() {
    let mut house = House::new();
    let (_board, daemon, arbiter) = playing(&mut house);
    let session = post(daemon.pages, "/arbiter/session", "{}").json();
    let wanted = |language: &str| {
        let mut body = session.clone();
        body["language"] = json!(language);
        post(daemon.pages, "/arbiter/adjournment", &body.to_string())
    };
    assert_eq!(wanted("en").status, 404, "nothing is adjourned");
    let asked = json!({"table": 1, "resumption": "10:00", "place": "<Room> & hall"});
    assert_eq!(arbiter.ask("adjourn", asked)["status"], "ok");
    assert_eq!(post(daemon.pages, "/arbiter/adjournment", "{}").status, 401);
    // What was asked is on the disk a moment later.
    arbiter.wait("the sheet in the record", |_| (wanted("en").status == 200).then_some(()));
    let page = wanted("fr").text();
    for text in [
        "Feuille d’ajournement",
        "Open &lt;of&gt; Liège",
        "<th>Coup mis sous pli par<td>Blancs · Doe, Jane</tr>",
        "<th>Enveloppe<td>attend chez l’arbitre\u{a0}; ouverte quand les Noirs, qui doivent",
        "0:02:50",
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "&lt;Room&gt; &amp; hall",
        "<th>8<td>♜<td class=\"dark\"> <td>♝",
    ] {
        assert!(page.contains(text), "{text} is not in\n{page}");
    }
    house.set("event", "name", "Open de Namur").write();
    daemon.hang_up();
    daemon.logged("the configuration was read again");
    assert!(wanted("en").text().contains("Open de Namur"), "it has the name the event has now");
    let config = house.config().display().to_string();
    let printed = finish(&mut adoubed(["export", "adjournment", "--config", &config]));
    assert!(printed.stdout.contains("Adjournment sheet"), "{}", printed.stdout);
}
