//! What the book of tags learns from starting positions, and what it does not. Frames without
//! noise, as often as they are needed.

use crate::common::{at, hear, picture, set_up};
use certabo::Certabo;
use certabo::frame::{Tag, Tags};
use eboard::{Device as _, Lessons, Piece, Placement, Sighting};

const WHITE_SPARE: Tag = Tag([48, 0, 1, 1, 1]);
const BLACK_SPARE: Tag = Tag([48, 0, 2, 2, 2]);

/// A conversation, and the picture it has drawn.
#[derive(Default)]
struct Room {
    device: Certabo,
    seen: Vec<Sighting>,
}

impl Room {
    /// The squares are as given long enough to be believed.
    fn show(&mut self, tags: &Tags) -> Option<Placement> {
        self.seen.extend(hear(&mut self.device, &[*tags; 4]));
        picture(&self.seen)
    }
}

fn start() -> Placement {
    Placement::starting()
}

fn fen(text: &str) -> Option<Placement> {
    Placement::from_fen(text).ok()
}

fn swap(tags: &mut Tags, one: &str, other: &str) {
    let tag = *at(tags, one);
    *at(tags, one) = *at(tags, other);
    *at(tags, other) = tag;
}

fn carry(tags: &mut Tags, from: &str, to: &str) {
    *at(tags, to) = std::mem::take(at(tags, from));
}

fn turned(tags: &Tags) -> Tags {
    let mut tags = *tags;
    tags.reverse();
    tags
}

fn with_spares(tags: &Tags) -> Tags {
    let mut tags = *tags;
    *at(&mut tags, "d3") = WHITE_SPARE;
    *at(&mut tags, "d6") = BLACK_SPARE;
    tags
}

#[test]
fn nothing_is_told_before_a_starting_position_was_seen() {
    let mut tags = set_up(1);
    carry(&mut tags, "e2", "e4");
    let mut room = Room::default();
    assert_eq!(room.show(&tags), None);
    assert!(matches!(room.seen[..], [Sighting::Identified(_)]));
    carry(&mut tags, "e4", "e2");
    assert_eq!(room.show(&tags), Some(start()));
}

#[test]
fn a_taught_man_is_known_wherever_he_stands() {
    let mut tags = set_up(1);
    let mut room = Room::default();
    room.show(&tags);
    carry(&mut tags, "e2", "e4");
    carry(&mut tags, "b8", "c6");
    let wanted = fen("r1bqkbnr/pppppppp/2n5/8/4P3/8/PPPP1PPP/RNBQKBNR");
    assert_eq!(room.show(&tags), wanted);
}

#[test]
fn the_second_game_may_be_played_the_other_way_round() {
    let mut tags = set_up(1);
    let mut room = Room::default();
    room.show(&tags);
    carry(&mut tags, "e2", "e4");
    room.show(&tags);
    let mut tags = turned(&set_up(1));
    assert_eq!(room.show(&tags), Some(start().turned()));
    // The white king's pawn of a board that lies the other way round.
    carry(&mut tags, "d7", "d5");
    assert_eq!(room.show(&tags), fen("RNBKQBNR/PPP1PPPP/8/3P4/8/8/pppppppp/rnbkqbnr"));
}

#[test]
fn turning_the_set_before_the_first_move_is_no_new_lesson() {
    let mut room = Room::default();
    room.show(&set_up(1));
    assert_eq!(room.show(&turned(&set_up(1))), Some(start().turned()));
}

#[test]
fn spare_queens_show_how_the_board_lies() {
    let tags = with_spares(&set_up(1));
    let mut wanted = start();
    wanted[crate::common::named("d3")] = Some(Piece::WhiteQueen);
    wanted[crate::common::named("d6")] = Some(Piece::BlackQueen);
    assert_eq!(Room::default().show(&tags), Some(wanted));
    assert_eq!(Room::default().show(&turned(&tags)), Some(wanted.turned()));
    let mut one = turned(&tags);
    *at(&mut one, "e3") = Tag::NONE;
    wanted[crate::common::named("d6")] = None;
    assert_eq!(Room::default().show(&one), Some(wanted.turned()));
}

#[test]
fn spare_queens_may_come_after_the_men() {
    let tags = turned(&set_up(1));
    let mut room = Room::default();
    assert_eq!(room.show(&tags), Some(start()), "the makers' rule, for want of better");
    let shown = room.show(&turned(&with_spares(&set_up(1))));
    assert_eq!(shown.map(|it| it[crate::common::named("e6")]), Some(Some(Piece::WhiteQueen)));
    assert_eq!(room.show(&tags), Some(start().turned()));
}

#[test]
fn a_promotion_is_seen_if_the_queen_was_shown_before() {
    for shown in [true, false] {
        let mut tags = set_up(1);
        let mut room = Room::default();
        room.show(&if shown { with_spares(&tags) } else { tags });
        assert_eq!(room.show(&tags), Some(start()));
        carry(&mut tags, "h2", "h8");
        room.show(&tags);
        *at(&mut tags, "h8") = WHITE_SPARE;
        let wanted = match shown {
            true => "rnbqkbnQ/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR",
            false => "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR",
        };
        assert_eq!(room.show(&tags), fen(wanted), "shown before: {shown}");
    }
}

#[test]
fn a_captured_queen_that_comes_back_is_known() {
    let mut tags = set_up(1);
    let mut room = Room::default();
    room.show(&tags);
    let queen = std::mem::take(at(&mut tags, "d1"));
    carry(&mut tags, "h2", "h8");
    room.show(&tags);
    *at(&mut tags, "h8") = queen;
    assert_eq!(room.show(&tags), fen("rnbqkbnQ/pppppppp/8/8/8/8/PPPPPPP1/RNB1KBNR"));
}

#[test]
fn a_first_lesson_is_corrected_until_a_man_has_left_home() {
    let mut wrong = set_up(1);
    swap(&mut wrong, "d1", "e1");
    swap(&mut wrong, "d8", "e8");
    let mut room = Room::default();
    room.show(&wrong);
    assert_eq!(room.show(&set_up(1)), Some(start()));
    let mut moved = set_up(1);
    carry(&mut moved, "e2", "e4");
    room.show(&moved);
    // Now the same mistake is a mistake.
    assert_eq!(room.show(&wrong), fen("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR"));
}

#[test]
fn a_shuffled_back_rank_teaches_nothing() {
    let mut shuffled = set_up(1);
    for (one, other) in [("a1", "d1"), ("b1", "g1"), ("c1", "e1")] {
        swap(&mut shuffled, one, other);
        swap(&mut shuffled, &one.replace('1', "8"), &other.replace('1', "8"));
    }
    let mut room = Room::default();
    room.show(&set_up(1));
    let wanted = fen("qnkrbbnr/pppppppp/8/8/8/8/PPPPPPPP/QNKRBBNR");
    assert_eq!(room.show(&shuffled), wanted, "also before the first move");
}

#[test]
fn a_man_replaced_between_rounds_is_learned_with_the_next_set_up() {
    for side in [false, true] {
        let mut tags = set_up(1);
        let mut room = Room::default();
        room.show(&tags);
        carry(&mut tags, "e2", "e4");
        room.show(&tags);
        let mut next = set_up(1);
        *at(&mut next, "c1") = Tag([9, 9, 9, 9, 9]);
        let wanted = if side { start().turned() } else { start() };
        let next = if side { turned(&next) } else { next };
        assert_eq!(room.show(&next), Some(wanted));
    }
}

#[test]
fn another_set_is_learned_anew() {
    let mut tags = set_up(1);
    let mut room = Room::default();
    room.show(&tags);
    carry(&mut tags, "e2", "e4");
    room.show(&tags);
    assert_eq!(room.show(&set_up(2)), Some(start()));
    carry(&mut tags, "e4", "e2");
    assert_eq!(room.show(&tags), Some(start()), "and the first one again");
}

#[test]
fn a_position_with_men_elsewhere_teaches_nothing() {
    let mut room = Room::default();
    let mut tags = set_up(1);
    *at(&mut tags, "e4") = WHITE_SPARE;
    assert_eq!(room.show(&tags), None, "a 33rd tag where no spare queen is shown");
    let mut tags = with_spares(&set_up(1));
    *at(&mut tags, "e3") = Tag([1, 2, 3, 4, 5]);
    assert_eq!(room.show(&tags), None, "spare queens for both ways");
    let mut tags = set_up(1);
    *at(&mut tags, "a1") = *at(&mut tags, "h1");
    assert_eq!(room.show(&tags), None, "the same tag twice");
}

/// A cable was out, or the daemon was started again: the men in the middle of a game are known.
#[test]
fn what_was_taught_is_known_on_another_line() {
    let mut tags = set_up(1);
    let mut room = Room::default();
    room.show(&tags);
    let mut lessons = Lessons::default();
    room.device.teach(&mut lessons);
    carry(&mut tags, "e2", "e4");
    let mut other = Room::default();
    other.device.recall(&lessons);
    assert_eq!(other.show(&tags), fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"));
    // And so is how the board lies, by the tags.
    assert_eq!(other.show(&turned(&set_up(1))), Some(start().turned()));
}

#[test]
fn a_set_that_nobody_taught_is_not_taken_for_an_empty_board() {
    let mut room = Room::default();
    room.show(&set_up(1));
    let mut lessons = Lessons::default();
    room.device.teach(&mut lessons);
    let mut tags = set_up(2);
    carry(&mut tags, "e2", "e4");
    let mut other = Room::default();
    other.device.recall(&lessons);
    assert_eq!(other.show(&tags), None);
    carry(&mut tags, "e4", "e2");
    assert_eq!(other.show(&tags), Some(start()));
}
