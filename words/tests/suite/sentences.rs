//! The sentences of the witness, in every language.

use std::time::Duration;

use shakmaty::{Bitboard, Color, Role, Square};
use witness::laws::claims::BadClaim;
use witness::{Span, Written, say};
use words::InWords;

#[test]
fn a_move_is_told_in_the_letters_of_the_language() {
    let claim = say::claim_repeated_after(say::claim_right(), Written("Nf3".into()), 3);
    assert_eq!(claim.en(), "The claim is right: the position after Nf3 has stood there 3 times.");
    assert!(claim.fr().contains("la position après Cf3 s’est présentée 3 fois"), "{}", claim.fr());
    let refused = BadClaim::Move("Ra5".into()).text();
    assert_eq!((&refused.en()[..3], &refused.fr()[..3]), ("Ra5", "Ta5"));
    let refused = BadClaim::Move("Karpov".into()).text();
    assert_eq!(&refused.fr()[..6], "Karpov", "what is no move is no letter of a piece");
}

#[test]
fn french_words_agree() {
    assert_eq!(
        say::seen_lift(Color::White.knight(), Square::G1).fr(),
        "Cavalier blanc soulevé de g1"
    );
    assert_eq!(say::seen_put(Color::Black.rook(), Square::A8).fr(), "Tour noire posée en a8");
    assert_eq!(
        say::seen_lift(Color::White.queen(), Square::D1).fr(),
        "Dame blanche soulevée de d1"
    );
    assert_eq!(say::seen_put(Color::Black.king(), Square::E8).en(), "Black king put on e8");
    let swapped = |one, other| say::swapped(one, Square::A1, other, Square::B1).fr();
    assert_eq!(swapped(Role::Rook, Role::Queen), "tour a1 et dame b1 interverties");
    assert_eq!(swapped(Role::Rook, Role::Bishop), "tour a1 et fou b1 intervertis");
}

#[test]
fn numbers_and_spans_are_told_as_people_say_them() {
    let said = |seconds| {
        let all = say::offence_time(1, Color::White, Color::Black, Span(seconds)).en();
        all.rsplit_once(" gets ").unwrap().1.to_owned()
    };
    let spans = [45, 60, 90, 120].map(said);
    assert_eq!(spans, ["45 s.", "1 minute.", "1 min 30 s.", "2 minutes."]);
    let released = say::released(
        Color::White,
        say::released_king(Square::E2),
        Duration::from_millis(2_060),
        Written("Ke3".into()),
    );
    assert!(released.en().contains("for 2.0 s"), "{}", released.en());
    assert!(released.fr().contains("pendant 2,0 s"), "{}", released.fr());
    assert_eq!(
        say::early_draw(1, 30).en(),
        "Drawn after 1 move; this event allows it from move 30."
    );
    // French has no plural below two.
    assert!(say::early_draw(0, 30).fr().starts_with("Nulle après 0 coup\u{a0};"));
    let few = say::differ_on(Bitboard::from_rank(shakmaty::Rank::First)).en();
    assert_eq!(few, "Board and score disagree on a1, b1, c1, d1, e1, f1, g1, h1.");
    assert!(say::differ_on(Bitboard::FULL).en().contains("on 64 squares"));
}
