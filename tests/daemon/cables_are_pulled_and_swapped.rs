//! Boards of mixed families are plugged, pulled and swapped between ports while games run: nobody
//! sits at a wrong table, and every score is right or visibly in doubt.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Board, Daemon, Feed, Game, House, Seed, under};

/// Karpov – Kasparov, Moscow 1985, game 16, to the twentieth move.
const GAME: &str = "e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6 Nb5 d6 c4 Nf6 N1c3 a6 Na3 d5 cxd5 exd5 exd5 Nb4 \
                    Be2 Bc5 O-O O-O Bf3 Bf5 Bg5 Re8 Qd2 b5 Rad1 Nd3 Nab1 h6 Bh4 b4 Na4 Bd6 Bg3 Rc8";

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(otherwise)
}

/// A board, where it is plugged in, and how far its game has come.
struct Guest {
    board: Board,
    /// The file name of its line; none: its cable is out.
    line: Option<String>,
    /// Boards without a number stay at their own port.
    own: Option<String>,
    table: u64,
    plies: usize,
    /// Plies that nobody saw, because the cable was out.
    unseen: usize,
}

impl Guest {
    fn play(&mut self, moves: &[&str]) {
        // What more than one pair of moves explains after a gap is another matter.
        let Some(san) = moves.get(self.plies).filter(|_| self.line.is_some() || self.unseen < 1)
        else {
            return;
        };
        self.board.play(san);
        self.plies += 1;
        self.unseen += usize::from(self.line.is_none());
    }

    fn pull(&mut self) {
        self.board.unplug();
        self.line = None;
    }
}

struct Hall {
    house: House,
    feed: Feed,
    guests: Vec<Guest>,
    /// How long it took from a plug to a position that is told, on lines whose language is known.
    took_known: Vec<Duration>,
    /// The same on lines that nobody has heard before.
    took_new: Vec<Duration>,
    /// Lines on which a board has been heard.
    known: BTreeSet<String>,
    last_line: usize,
}

impl Hall {
    fn open(boards: usize, house: House, lines: &[PathBuf]) -> (Self, Daemon) {
        let numbered = boards - boards / 4;
        let plugged: Vec<_> = (0..boards)
            .map(|index| match index < numbered {
                true => Board::dgt(&lines[index], &(31_000 + index).to_string()),
                false => Board::chesslink(&lines[index]),
            })
            .collect();
        let daemon = Daemon::start(&house);
        let feed = daemon.arbiter();
        let tables = seated(&feed, boards);
        let guests = plugged.into_iter().enumerate().map(|(index, board)| {
            let line = format!("usb-{index}");
            let own = (index >= numbered).then(|| line.clone());
            let table = tables[&line];
            Guest { board, own, table, line: Some(line), plies: 0, unseen: 0 }
        });
        let guests: Vec<Guest> = guests.collect();
        for guest in &guests {
            let topic = format!("table/{}/position", guest.table);
            feed.topic(&topic, "ready", |it| it["phase"] == "ready");
        }
        let known = guests.iter().filter_map(|guest| guest.line.clone()).collect();
        let (took_known, took_new) = (Vec::new(), Vec::new());
        (Self { house, feed, guests, took_known, took_new, known, last_line: boards }, daemon)
    }

    fn new_line(&mut self) -> String {
        self.last_line += 1;
        format!("usb-{}", self.last_line)
    }

    fn plug(&mut self, index: usize, line: String) {
        let guest = &mut self.guests[index];
        guest.board.plug(&self.house.line(&line));
        guest.line = Some(line);
    }

    /// Whoever was plugged in is at its own table and shows what stands on it.
    fn settle(&mut self, plugged: &[usize], begun: Instant) {
        for &index in plugged {
            let Guest { table, line, board, .. } = &self.guests[index];
            let name = line.clone().expect("it is plugged in");
            let line = self.house.line(&name);
            self.answer_for(*table, &line);
            self.feed.topic(&format!("table/{table}/device"), "online", is_on(&line));
            let placement = board.placement().to_string();
            self.feed.topic(&format!("table/{table}/board"), "its squares", |it| {
                it["placement"] == placement
            });
            match self.known.insert(name) {
                true => self.took_new.push(begun.elapsed()),
                false => self.took_known.push(begun.elapsed()),
            }
            self.guests[index].unseen = 0;
        }
    }

    /// All play the same game: where the picture is nearer to that of another table that waits, the
    /// arbiter is asked, and knows.
    fn answer_for(&self, table: u64, line: &Path) {
        let (device, unseated) =
            (under(&format!("table/{table}/device")), under("arbiter/unseated"));
        let is_asked = self.feed.wait("a board at its table, or a question", |heard| {
            let latest = |topic: &str| heard.latest(topic).map(|it| it.json()).unwrap_or_default();
            let boards = latest(&unseated)["boards"].as_array().cloned().unwrap_or_default();
            let asked = boards.iter().any(|it| line.to_str() == it["line"].as_str());
            (asked || is_on(line)(&latest(&device))).then_some(asked)
        });
        if is_asked {
            let answer = self.feed.ask("seat", json!({"line": line, "table": table}));
            assert_eq!(answer["status"], "ok", "{answer}");
        }
    }

    /// Nobody plays so fast that a move is made before the one before it was understood; what the
    /// board cannot explain after a gap is played on all the same.
    fn follow(&self, index: usize) {
        let Guest { table, line: Some(_), board, plies, .. } = &self.guests[index] else { return };
        let placement = board.placement().to_string();
        self.feed.topic(&format!("table/{table}/board"), "its squares", |it| {
            it["placement"] == placement
        });
        let _ = self.feed.soon(&format!("table/{table}/position"), |it| it["ply"] == *plies);
    }

    /// Pulled from anywhere, put in elsewhere.
    fn act(&mut self, seed: &mut Seed, moves: &[&str]) {
        let count = self.guests.len();
        for guest in &mut self.guests {
            if seed.below(2) == 0 {
                guest.play(moves);
            }
        }
        (0..count).for_each(|index| self.follow(index));
        let index = seed.below(count);
        let begun = Instant::now();
        match (seed.below(8), &self.guests[index].line) {
            // A hub is reset: all its boards at once, under other names.
            (0, _) => self.reset(seed, begun),
            (1 | 2, Some(_)) => self.swap(index, seed.below(count), begun),
            (_, Some(_)) => self.guests[index].pull(),
            (_, None) => {
                let line = self.guests[index].own.clone();
                let line = line.unwrap_or_else(|| self.new_line());
                self.plug(index, line);
                self.settle(&[index], begun);
            }
        }
    }

    fn reset(&mut self, seed: &mut Seed, begun: Instant) {
        let half = seed.below(2);
        let on_it = (0..self.guests.len()).filter(|it| it % 2 == half);
        let on_it: Vec<_> = on_it.filter(|it| self.guests[*it].line.is_some()).collect();
        on_it.iter().for_each(|it| self.guests[*it].pull());
        for &index in &on_it {
            let line = self.guests[index].own.clone().unwrap_or_else(|| self.new_line());
            self.plug(index, line);
        }
        self.settle(&on_it, begun);
    }

    /// Two boards that tell their numbers change places.
    fn swap(&mut self, one: usize, other: usize, begun: Instant) {
        let fixed = |it: usize| self.guests[it].own.is_some() || self.guests[it].line.is_none();
        if one == other || fixed(one) || fixed(other) {
            return;
        }
        let lines = [one, other].map(|it| self.guests[it].line.clone().expect("plugged in"));
        [one, other].into_iter().for_each(|it| self.guests[it].pull());
        let [first, second] = lines;
        self.plug(one, second);
        self.plug(other, first);
        self.settle(&[one, other], begun);
    }

    fn all_back(&mut self) {
        let out = (0..self.guests.len()).filter(|it| self.guests[*it].line.is_none());
        for index in out.collect::<Vec<_>>() {
            let begun = Instant::now();
            let line = self.guests[index].own.clone().unwrap_or_else(|| self.new_line());
            self.plug(index, line);
            self.settle(&[index], begun);
        }
    }
}

fn is_on(line: &Path) -> impl Fn(&Value) -> bool {
    move |it| it["state"] == "online" && it["port"].as_str() == line.to_str()
}

/// The tables of boards by the file names of their lines.
fn seated(feed: &Feed, count: usize) -> BTreeMap<String, u64> {
    feed.wait("every board at a table", |heard| {
        let devices = heard.latest.iter().filter(|(topic, _)| topic.ends_with("/device"));
        let online = devices.filter_map(|(topic, &index)| {
            let device = heard.messages[index].json();
            let line = device["port"].as_str()?.rsplit('/').next()?.to_owned();
            let table = topic.split('/').nth(3)?.parse().ok()?;
            (device["state"] == "online").then_some((line, table))
        });
        let online: BTreeMap<_, _> = online.collect();
        (online.len() == count).then_some(online)
    })
}

#[test]
fn nobody_sits_at_a_wrong_table_and_no_score_is_silently_wrong() {
    let (boards, plugs) = (number("ADOUBED_BOARDS", 8), number("ADOUBED_PLUGS", 24));
    let mut seed = Seed::draw("plugs");
    let mut house = House::new();
    house.any_line().put("defaults", "check_after_s", "1");
    let lines: Vec<_> = (0..boards).map(|index| house.line(&format!("usb-{index}"))).collect();
    let (mut hall, daemon) = Hall::open(boards, house, &lines);
    let moves: Vec<_> = GAME.split_whitespace().collect();
    while hall.took_known.len() + hall.took_new.len() < plugs {
        hall.act(&mut seed, &moves);
        if hall.guests.iter().all(|guest| guest.plies == moves.len()) {
            next_games(&mut hall);
        }
    }
    hall.all_back();
    assert_scores(&hall, &daemon);
    assert_tables(&hall);
    print_times("known", &mut hall.took_known);
    print_times("new", &mut hall.took_new);
}

fn print_times(lines: &str, took: &mut [Duration]) {
    took.sort();
    let (median, most) = (took.get(took.len() / 2), took.last());
    println!(
        "{} plugs into {lines} lines: a position after {median:?} (median), {most:?} at most",
        took.len()
    );
}

/// Every game is over: the pieces are set up again.
fn next_games(hall: &mut Hall) {
    hall.all_back();
    for guest in &mut hall.guests {
        guest.board.set_up(Game::default());
        guest.plies = 0;
    }
    for guest in &hall.guests {
        let topic = format!("table/{}/position", guest.table);
        hall.feed.topic(&topic, "the next game", |it| it["ply"] == 0 && it["phase"] == "ready");
    }
}

/// What is told is what was played, or an arbiter is told that it is to be looked at.
fn assert_scores(hall: &Hall, daemon: &Daemon) {
    let arbiter = daemon.arbiter();
    for Guest { board, table, .. } in &hall.guests {
        let position = format!("table/{table}/position");
        let doubted = || {
            arbiter.look(|heard| {
                let open = heard.latest.iter().filter(|(topic, _)| topic.contains("/alert/"));
                let mut open = open.map(|(_, &index)| heard.messages[index].json());
                let called = |it: Value| it["table"] == *table && it["kind"] == "position_to_check";
                // Men that are lacking may be in a hand for a minute: until then it is shown that
                // the board stands otherwise.
                let board = heard.latest(&under(&format!("table/{table}/board")));
                let differs = board.is_some_and(|it| it.json()["agrees"] == false);
                differs || open.any(called)
            })
        };
        let shown = hall.feed.topic(&position, "the game, or a doubt of it", |it| {
            it["fen"] == board.game.fen() || doubted()
        });
        if shown["fen"] == board.game.fen() {
            let game = hall.feed.topic(&format!("table/{table}/game"), "the score", |it| {
                it["moves"].as_array().is_some_and(|it| it.len() == board.game.plies())
            });
            let moves = game["moves"].as_array().expect("moves").iter();
            let shown: Vec<_> = moves.map(|it| it["uci"].as_str().unwrap_or_default()).collect();
            assert!(shown == board.game.uci() || doubted(), "table {table}: {shown:?}");
        }
    }
}

/// At no moment was a board with another number at a table.
fn assert_tables(hall: &Hall) {
    for Guest { own, table, .. } in &hall.guests {
        let shown = hall.feed.all(&format!("table/{table}/device"));
        let online = shown.iter().filter(|it| it["state"] == "online");
        let mut serials: Vec<_> = online.map(|it| it["serial"].clone()).collect();
        serials.dedup();
        serials.retain(|it| !it.is_null());
        assert_eq!(serials.len(), usize::from(own.is_none()), "table {table}: {serials:?}");
    }
}
