//! Each player at a board of his own (Appendix D): one game, on two lines, in two wire languages.

use serde_json::{Value, json};

use crate::common::{Board, Daemon, House};

#[test]
fn moves_are_made_on_one_board_and_repeated_on_the_other() {
    let mut house = House::new();
    house.put("defaults", "repeat_s", "1");
    let blacks = house.line("blacks").display().to_string();
    let second = format!(
        "driver = \"dgt\"\nsecond_board = {{ port = \"{blacks}\", driver = \"chesslink\" }}"
    );
    house.table(1, &second);
    let mut white = Board::dgt(&house.line("1"), "1");
    let mut black = Board::chesslink(&house.line("blacks"));
    let daemon = Daemon::start(&house);
    let arbiter = daemon.arbiter();
    arbiter.topic("table/1/position", "the game", |it| it["phase"] == "ready");
    let device = arbiter.topic("table/1/device", "both boards", |it| {
        it["state"] == "online" && it["second_board"]["state"] == "online"
    });
    let second = &device["second_board"];
    assert_eq!((&second["player"], &second["driver"]), (&json!("black"), &json!("chesslink")));
    assert_eq!(second["port"], *blacks);
    arbiter.topic("table/1/board", "both boards", |it| it["other_board"]["agrees"] == true);

    white.start_clock();
    white.play_and_press("e4", 170);
    let completed = |ply: usize| move |it: &Value| it["ply"] == ply && it["status"] == "completed";
    arbiter.topic("table/1/position", "White's move on his board", completed(1));
    let differ = arbiter.wait("the boards differ", |heard| {
        let alerts = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
        let mut open = alerts.map(|(_, &index)| heard.messages[index].json());
        open.find(|alert| alert["kind"] == "boards_differ")
    });
    assert_eq!(differ["article"], "D.2.9");
    black.play("e4");
    let id = differ["id"].as_str().expect("an id").to_owned();
    arbiter.wait("taken back", |heard| {
        heard.latest(&format!("adoubed/v1/alert/{id}"))?.text().is_empty().then_some(())
    });
    black.play("e5");
    arbiter.topic("table/1/position", "Black's move on his own", |it| it["last"]["san"] == "e5");
    white.press(170);
    arbiter.topic("table/1/position", "pressed at the one clock", completed(2));
    let board = arbiter.now("table/1/board");
    assert_eq!((&board["player"], &board["agrees"]), (&json!("black"), &json!(true)), "{board}");

    // Without the second board the game goes on with the first.
    black.unplug();
    arbiter.topic("table/1/device", "gone", |it| it["second_board"]["state"] == "absent");
    white.play("e5");
    white.play_and_press("Nf3", 169);
    let game = arbiter.topic("table/1/game", "three moves", |it| {
        it["moves"][2]["san"] == "Nf3" && it["moves"][2]["status"] == "completed"
    });
    assert_eq!((game["moves"].as_array().map(Vec::len), &game["rev"]), (Some(3), &json!(0)));
}
