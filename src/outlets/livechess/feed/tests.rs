//! What one client receives about one board, move by move.

use serde_json::{Value, json};
use witness::TableNo;

use super::super::hall::Hall;
use super::*;
use crate::mqtt::topic::{TableTopic, Topic};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const ENDGAME: &str = "8/P7/8/8/8/2k5/8/4K2R w K - 0 1";

/// A table with these messages.
struct Room(Hall);

impl Room {
    fn new() -> Self {
        let mut room = Self(Hall::default());
        room.publish(TableTopic::Device, &json!({"state": "online", "serial": "23946"}));
        room.board(START);
        room.game(1, "");
        room
    }

    fn publish(&mut self, topic: TableTopic, payload: &Value) {
        self.0.take(&Topic::Table(TableNo::new(1), topic), payload.to_string().as_bytes());
    }

    fn board(&mut self, fen: &str) {
        let placement = fen.split(' ').next();
        self.publish(TableTopic::Board, &json!({"placement": placement}));
    }

    /// The game of this number, with moves in UCI and SAN: `e2e4 e4 e7e5 e5`.
    fn game(&mut self, number: u32, moves: &str) {
        let words: Vec<_> = moves.split_whitespace().collect();
        let moves = words.chunks(2).map(|it| json!({"uci": it[0], "san": it[1]}));
        let moves: Vec<_> = moves.collect();
        let game = json!({"game": number, "start_fen": START, "moves": moves, "result": "*"});
        self.publish(TableTopic::Game, &game);
    }

    fn table(&self) -> &Table {
        &self.0.tables[&TableNo::new(1)]
    }
}

fn news(feed: &mut Feed, room: &Room) -> Value {
    json!(feed.news(room.table()))
}

fn san(feed: &mut Feed, room: &Room) -> (Value, Value) {
    let news = news(feed, room);
    (news["san"].clone(), news["match"].clone())
}

#[test]
fn without_a_position_there_are_pieces_and_clocks_and_no_moves() {
    let mut room = Room::new();
    let mut feed = Feed::new("23946".into());
    let first = news(&mut feed, &room);
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let message = json!({"serialnr": "23946", "flipped": false, "board": board, "clock": null});
    assert_eq!(first, message);
    room.game(1, "e2e4 e4");
    assert_eq!(news(&mut feed, &room), Value::Null, "a client of lichess.org would play it");
    room.board(AFTER_E4);
    let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    let message = json!({"serialnr": "23946", "flipped": false, "board": board});
    assert_eq!(news(&mut feed, &room), message);
    let clock = json!({"white_ms": 5_676_900, "black_ms": 7_190_000, "running": "white",
                       "sampled_at": "2017-08-27T14:45:05.357Z"});
    room.publish(TableTopic::Clock, &clock);
    let clock = json!({"white": 5676, "black": 7190, "run": true, "time": 1_503_845_105_357_i64});
    let message = json!({"serialnr": "23946", "flipped": false, "clock": clock});
    assert_eq!(news(&mut feed, &room), message);
}

#[test]
fn moves_begin_with_the_position_that_was_set_up() {
    let mut room = Room::new();
    let mut feed = Feed::new("23946".into());
    feed.set_up(START, room.table()).unwrap();
    let first = news(&mut feed, &room);
    assert_eq!((&first["start"], &first["san"]), (&json!(START), &json!([])));
    assert_eq!((&first["match"], &first["clock"]), (&json!(true), &Value::Null));
    room.board("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(san(&mut feed, &room), (Value::Null, json!(false)), "no move is told twice");
    room.board(AFTER_E4);
    assert_eq!(san(&mut feed, &room), (Value::Null, json!(false)), "not yet a move of the game");
    room.game(1, "e2e4 e4");
    assert_eq!(san(&mut feed, &room), (json!(["e4"]), json!(true)));
    // A client that connects again sets up the position of his game.
    let mut again = Feed::new("23946".into());
    again.set_up(AFTER_E4, room.table()).unwrap();
    assert_eq!(san(&mut again, &room), (json!([]), json!(true)));
    room.board(AFTER_E4_E5);
    room.game(1, "e2e4 e4 e7e5 e5");
    assert_eq!(san(&mut feed, &room), (json!(["e4", "e5"]), json!(true)));
    assert_eq!(san(&mut again, &room), (json!(["e5"]), json!(true)));
    // A move that his page did not receive.
    let mut late = Feed::new("23946".into());
    late.set_up(AFTER_E4, room.table()).unwrap();
    assert_eq!(san(&mut late, &room), (json!(["e5"]), json!(true)));
}

#[test]
fn a_game_that_is_over_is_not_told_to_whoever_sets_up_a_new_one() {
    let mut room = Room::new();
    room.game(1, "e2e4 e4 e7e5 e5 g1f3 Nf3");
    room.board("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    let mut feed = Feed::new("23946".into());
    feed.set_up(START, room.table()).unwrap();
    assert_eq!(san(&mut feed, &room), (json!([]), json!(false)));
    // This holds for a game that was abandoned early too.
    room.game(1, "e2e4 e4 e7e5 e5");
    room.board(AFTER_E4_E5);
    let mut early = Feed::new("23946".into());
    early.set_up(START, room.table()).unwrap();
    assert_eq!(san(&mut early, &room), (json!([]), json!(false)));
    assert_eq!(san(&mut feed, &room), (Value::Null, json!(false)));
    room.board(START);
    room.game(2, "");
    assert_eq!(san(&mut feed, &room), (Value::Null, json!(true)));
    room.game(2, "d2d4 d4");
    room.board("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!(san(&mut feed, &room), (json!(["d4"]), json!(true)));
}

#[test]
fn a_move_that_is_taken_back_is_no_move() {
    let mut room = Room::new();
    let mut feed = Feed::new("23946".into());
    feed.set_up(START, room.table()).unwrap();
    room.game(1, "e2e4 e4 e7e5 e5");
    room.board(AFTER_E4_E5);
    assert_eq!(san(&mut feed, &room).0, json!(["e4", "e5"]));
    room.game(1, "e2e4 e4 e7e6 e6");
    assert_eq!(san(&mut feed, &room), (json!(["e4", "e6"]), json!(false)));
}

#[test]
fn positions_that_the_table_knows_nothing_of_are_followed_by_their_squares() {
    let mut room = Room::new();
    let mut feed = Feed::new("23946".into());
    room.board(ENDGAME);
    feed.set_up(ENDGAME, room.table()).unwrap();
    assert_eq!(san(&mut feed, &room), (json!([]), json!(true)));
    // A rook that slides past h2 is revised when castling follows.
    room.board("8/P7/8/8/8/2k5/7R/4K3 b - - 0 1");
    assert_eq!(san(&mut feed, &room), (json!(["Rh2"]), json!(true)));
    room.board("8/P7/8/8/8/2k5/8/5RK1 b - - 0 1");
    assert_eq!(san(&mut feed, &room), (json!(["O-O"]), json!(true)));
    room.board("8/P7/8/8/8/3k4/8/5RK1 w - - 0 1");
    room.board("Q7/8/8/8/8/3k4/8/5RK1 b - - 0 1");
    assert_eq!(san(&mut feed, &room), (json!(["O-O", "Kd3", "a8=Q"]), json!(true)));
    room.board("8/8/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(san(&mut feed, &room), (Value::Null, json!(false)));
}

#[test]
fn a_client_turns_its_own_board_and_no_other() {
    let mut room = Room::new();
    room.board(AFTER_E4);
    let (mut turned, mut other) = (Feed::new("23946".into()), Feed::new("23946".into()));
    turned.flip(true);
    let message = news(&mut turned, &room);
    assert_eq!(message["flipped"], true);
    assert_eq!(message["board"], "RNBKQBNR/PPP1PPPP/8/3P4/8/8/pppppppp/rnbkqbnr");
    assert_eq!(news(&mut other, &room)["flipped"], false);
    // The witness has found that the board stands the other way round, so it is right already.
    room.publish(TableTopic::Device, &json!({"state": "online", "turned": true}));
    let message = news(&mut turned, &room);
    assert_eq!(message["board"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
}

#[test]
fn a_position_that_no_game_can_have_is_refused() {
    let room = Room::new();
    let mut feed = Feed::new("23946".into());
    for bad in ["", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "kk6/8/8/8/8/8/8/K7 w - - 0 1"] {
        assert!(feed.set_up(bad, room.table()).is_err(), "{bad}");
    }
    assert_eq!(news(&mut feed, &room)["san"], Value::Null);
}
