//! A clock that is plugged into the computer, beside a board that knows of none.

use serde_json::{Value, json};

use crate::common::{Board, Daemon, House};

#[test]
fn a_clock_beside_a_board_completes_its_moves() {
    let mut house = House::new();
    let port = house.line("clock").display().to_string();
    house.table(1, &format!("clock = {{ port = \"{port}\", driver = \"chessnutclock\" }}"));
    let mut board = Board::chesslink(&house.line("1"));
    let mut clock = Board::clock(&house.line("clock"));
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/position", "the game", |it| it["phase"] == "ready");
    let device = arbiter.topic("table/1/device", "both", |it| {
        it["state"] == "online" && it["clock"]["state"] == "online"
    });
    assert_eq!((&device["driver"], &device["clock"]["port"]), (&json!("chesslink"), &json!(port)));
    assert_eq!(device["clock"]["driver"], "chessnutclock");

    // Black starts White's time; then each presses.
    clock.start_clock();
    let completed = |ply: usize| move |it: &Value| it["ply"] == ply && it["status"] == "completed";
    for (nth, san) in ["e4", "e5", "Nf3"].iter().enumerate() {
        board.play(san);
        arbiter.topic("table/1/position", "made", |it| it["ply"] == nth + 1);
        clock.press(170);
        arbiter.topic("table/1/position", "pressed", completed(nth + 1));
    }
    let times = arbiter.now("table/1/clock");
    assert_eq!(times["white_ms"], Value::Null, "no time is made up: {times}");

    // The clock is pulled out: the game goes on, and so it does when the clock is back.
    clock.unplug();
    arbiter.topic("table/1/device", "gone", |it| it["clock"]["state"] == "absent");
    board.play("Nc6");
    arbiter.topic("table/1/position", "made", |it| it["ply"] == 4);
    clock.plug(&house.line("clock"));
    arbiter.topic("table/1/device", "back", |it| it["clock"]["state"] == "online");
    clock.press(160);
    clock.press(160);
    board.play("Bb5");
    arbiter.topic("table/1/position", "made", |it| it["ply"] == 5);
    clock.press(160);
    arbiter.topic("table/1/position", "pressed", completed(5));
    let alerts = arbiter
        .look(|heard| heard.messages.iter().filter(|it| it.topic.contains("/alert/")).count());
    assert_eq!(alerts, 0);
}
