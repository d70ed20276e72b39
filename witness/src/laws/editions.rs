//! Which Article names what, edition by edition: kinds, gravity and how long something can be
//! acted on. Data, not decisions. Penalties are in [`super::penalties`].

use crate::incident::{Gravity, Kind};
use crate::laws::sealed::Verdict;
use crate::settings::Edition;

/// How long an incident can be acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// Until a human rules.
    Ruling,
    /// Until the opponent touches a piece (4.8): then it lapses.
    Touch,
    /// It is for the log, and closed with the next move that is completed.
    NextMove,
}

/// One row: a kind of incident with its Article in each edition.
struct Row {
    kind: Kind,
    /// 2014, 2018, 2023.
    articles: [&'static str; 3],
    gravity: Gravity,
    window: Window,
}

const fn row(kind: Kind, articles: [&'static str; 3], gravity: Gravity, window: Window) -> Row {
    Row { kind, articles, gravity, window }
}

/// Stands for an Article where an edition has no such rule.
const NO_RULE: &str = "";

/// The edition of 2005 as far as it is known: Articles 1 to 5. Everything else has the numbers and
/// rules of the edition after it. Nobody intervened in repetitions and moves without capture or
/// pawn move before 2014: a player had to claim (5.2.d, 5.2.e).
#[rustfmt::skip]
const OF_2005: [(Kind, &str); 16] = [
    (Kind::Adjusted, "4.2"),
    (Kind::CastledRookFirst, "4.4.b"),
    (Kind::DeadPosition, "5.2.b"),
    (Kind::FiftyPossible, "5.2.e"),
    (Kind::Fivefold, NO_RULE),
    (Kind::MustCastle, "4.4.a"),
    (Kind::MustMoveKing, "4.4.c"),
    (Kind::PromotionChanged, "4.4.d"),
    (Kind::ReleasedThenChanged, "4.6"),
    (Kind::SeventyFive, NO_RULE),
    (Kind::ThreefoldPossible, "5.2.d"),
    (Kind::TouchedBoth, "4.3.c"),
    (Kind::TouchedNotCaptured, "4.3.b"),
    (Kind::TouchedNotMoved, "4.3.a"),
    (Kind::TouchedOutOfTurn, "4.2"),
    (Kind::TwoHands, "4.1"),
];

use Gravity::{Look, Note, Summon};
use Window::{NextMove, Ruling, Touch};

#[rustfmt::skip]
const ROWS: [Row; Kind::COUNT] = [
    row(Kind::Adjusted, ["4.2", "4.2.1", "4.2.1"], Note, NextMove),
    row(Kind::CastledRookFirst, ["4.4.b", "4.4.2", "4.4.2"], Summon, Touch),
    row(Kind::DeadPosition, ["5.2.b", "5.2.2", "5.2.2"], Summon, Ruling),
    row(Kind::DefaultTime, ["6.7.a", "6.7.1", "6.7.1"], Summon, Ruling),
    row(Kind::Displaced, ["7.4", "7.4", "7.4"], Look, Ruling),
    row(Kind::EarlyDraw, ["9.1.a", "9.1.1", "9.1.1"], Look, Ruling),
    row(Kind::FiftyPossible, ["9.3", "9.3", "9.3"], Note, NextMove),
    row(Kind::Fivefold, ["9.6.a", "9.6.1", "9.6.1"], Summon, Ruling),
    row(Kind::FlagFall, ["6.8", "6.8", "6.8"], Summon, Ruling),
    row(Kind::IllegalMove, ["7.5.a", "7.5.1", "7.5.1"], Summon, Ruling),
    row(Kind::IllegalStands, ["A.4.b", "A.4.2", "A.5.2"], Note, Ruling),
    row(Kind::KingsInCheck, ["A.4.d", "A.4.4", "A.5.4"], Summon, Ruling),
    row(Kind::MustCastle, ["4.4.a", "4.4.1", "4.4.1"], Summon, Touch),
    row(Kind::MustMoveKing, ["4.4.c", "4.4.3", "4.4.3"], Summon, Touch),
    row(Kind::NoBoard, ["12.2", "12.2", "12.2"], Look, Ruling),
    row(Kind::NoPairing, ["12.2", "12.2", "12.2"], Look, Ruling),
    row(Kind::NoResult, ["8.7", "8.7", "8.7"], Look, Ruling),
    row(Kind::NotStarted, ["6.6", "6.6", "6.6"], Look, Ruling),
    row(Kind::PawnNotPromoted, ["7.5.a", "7.5.2", "7.5.2"], Summon, Ruling),
    row(Kind::PawnOnLastRank, ["A.4.d", "A.4.4", "A.5.4"], Summon, Ruling),
    row(Kind::PlayerTwice, ["12.2", "12.2", "12.2"], Look, Ruling),
    row(Kind::PositionToCheck, ["7.6", "7.6", "7.6"], Look, Ruling),
    row(Kind::PressedWithoutMove, ["6.2.c", "7.5.3", "7.5.3"], Summon, Ruling),
    row(Kind::PromotionChanged, ["4.4.d", "4.4.4", "4.4.4"], Summon, Touch),
    row(Kind::ReleasedThenChanged, ["4.7", "4.7", "4.7"], Look, Touch),
    row(Kind::ResultMismatch, ["8.7", "8.7", "8.7"], Look, Ruling),
    row(Kind::ResumptionDiffers, ["E.5", "I.5", "I.5"], Look, Ruling),
    row(Kind::SealedReply, ["E.9.c", "I.9.3", "I.9.3"], Look, Ruling),
    row(Kind::SeventyFive, ["9.6.b", "9.6.2", "9.6.2"], Summon, Ruling),
    row(Kind::ThreefoldPossible, ["9.2", "9.2", "9.2"], Note, NextMove),
    row(Kind::TouchedBoth, ["4.3.c", "4.3.3", "4.3.3"], Summon, Touch),
    row(Kind::TouchedNotCaptured, ["4.3.b", "4.3.2", "4.3.2"], Summon, Touch),
    row(Kind::TouchedNotMoved, ["4.3.a", "4.3.1", "4.3.1"], Summon, Touch),
    row(Kind::TouchedOutOfTurn, ["4.2", "4.2.1", "4.2.1"], Look, NextMove),
    row(Kind::TwoHands, ["4.1", "7.5.4", "7.5.4"], Note, Ruling),
    row(Kind::BoardTurned, ["7.2.b", "7.2.2", "7.2.2"], Summon, Ruling),
    row(Kind::ColoursReversed, ["7.3", "7.3", "7.3"], Look, Ruling),
    row(Kind::BoardLost, ["C.02", "C.02", "C.02"], Look, Ruling),
    row(Kind::BoardsDiffer, ["D.2.8", "D.2.9", "D.2.9"], Look, Ruling),
    row(Kind::BothFlags, ["6.11", "III.3.1", "III.3.1"], Summon, Ruling),
    row(Kind::ClockAdjusted, ["6.10.b", "6.10.2", "6.10.2"], Note, Ruling),
    row(Kind::ClockFault, ["6.10.a", "6.10.1", "6.10.1"], Look, Ruling),
    row(Kind::ClockLost, ["C.02", "C.02", "C.02"], Look, Ruling),
    row(Kind::ClockSetting, ["6.10.b", "6.10.2", "6.10.2"], Look, Ruling),
    row(Kind::ClockStopped, ["6.12", "6.11", "6.11"], Summon, Ruling),
    row(Kind::LowBattery, ["C.02", "C.02", "C.02"], Look, Ruling),
    row(Kind::NeighbourPressed, ["6.5", "6.5", "6.5"], Look, Ruling),
    row(Kind::MissedPress, ["6.2.a", "6.2.1.2", "6.2.1.2"], Look, Ruling),
    row(Kind::TimeTrouble, ["8.4", "8.4", "8.4"], Note, Ruling),
    row(Kind::TwoMinutes, ["G.4", "III.4", "III.4"], Note, Ruling),
    row(Kind::WrongClockRunning, ["6.2.a", "6.2.2", "6.2.2"], Look, Ruling),
    row(Kind::WrongStart, ["7.2.a", "7.2.1", "7.2.1"], Summon, Ruling),
];

/// Before both players have moved no draw can be agreed: since 2018.
pub(crate) const FIRST_MOVES: &str = "5.2.3";

/// Other Articles that a kind of incident may fall under, by what was seen: 2014, 2018, 2023;
/// nothing where the edition has no such rule.
const OTHERS: [(Kind, [&str; 3]); 2] =
    [(Kind::BothFlags, ["", "6.4", "6.4"]), (Kind::EarlyDraw, ["", FIRST_MOVES, FIRST_MOVES])];

/// The other Article that names this kind of incident in some cases.
#[must_use]
pub fn other_article(kind: Kind, edition: Edition) -> Option<&'static str> {
    let (_, articles) = OTHERS.iter().find(|(it, _)| *it == kind)?;
    Some(articles[column(edition)]).filter(|article| !article.is_empty())
}

/// Where an edition stands in the tables; what that of 2005 lacks is that of 2014.
const fn column(edition: Edition) -> usize {
    match edition {
        Edition::Y2005 | Edition::Y2014 => 0,
        Edition::Y2018 => 1,
        Edition::Y2023 => 2,
    }
}

/// The Article that names this kind of incident, in the edition of [`source`].
#[must_use]
pub fn article(kind: Kind, edition: Edition) -> &'static str {
    let of_2005 = of_2005(kind).filter(|it| edition == Edition::Y2005 && *it != NO_RULE);
    if (kind, edition) == (Kind::TwoMinutes, Edition::Y2005) {
        // The increment on request (G.4) came with 2014, by its commentary.
        return normal_means_article(edition);
    }
    of_2005.or_else(|| find(kind).map(|row| row.articles[column(edition)])).unwrap_or_default()
}

/// The edition whose Article is named where this one is in force.
#[must_use]
pub fn source(kind: Kind, edition: Edition) -> Edition {
    let unknown = of_2005(kind).is_none_or(|it| it == NO_RULE);
    if edition == Edition::Y2005 && unknown { Edition::Y2014 } else { edition }
}

/// Whether an edition has such a rule at all.
#[must_use]
pub fn provides(kind: Kind, edition: Edition) -> bool {
    edition != Edition::Y2005 || of_2005(kind) != Some(NO_RULE)
}

fn of_2005(kind: Kind) -> Option<&'static str> {
    OF_2005.iter().find(|(it, _)| *it == kind).map(|(_, article)| *article)
}

/// The gravity of this kind of incident.
#[must_use]
pub fn gravity(kind: Kind) -> Gravity {
    find(kind).map_or(Gravity::Look, |row| row.gravity)
}

/// How long this kind of incident can be acted on.
#[must_use]
pub fn window(kind: Kind) -> Window {
    find(kind).map_or(Window::Ruling, |row| row.window)
}

/// The Article with the penalty for an illegal move.
#[must_use]
pub const fn penalty_article(edition: Edition) -> &'static str {
    match edition {
        Edition::Y2005 | Edition::Y2014 => "7.5.b",
        Edition::Y2018 | Edition::Y2023 => "7.5.5",
    }
}

/// The Article with what a wrong claim of a draw costs.
pub(crate) const fn wrong_claim_article(edition: Edition) -> &'static str {
    match edition {
        Edition::Y2005 | Edition::Y2014 => "9.5.b",
        Edition::Y2018 | Edition::Y2023 => "9.5.3",
    }
}

/// Where it is said what the king binds to that was released where castling takes it.
pub(crate) const fn begun_castling_article(edition: Edition) -> &'static str {
    match edition {
        Edition::Y2005 => "4.6.b",
        Edition::Y2014 => "4.7.b",
        Edition::Y2018 | Edition::Y2023 => "4.7.2",
    }
}

/// Where it is said of a pawn that was released on the last rank, and of any piece that was
/// released in the course of a move.
pub(crate) const fn begun_promotion_article(edition: Edition) -> &'static str {
    match edition {
        Edition::Y2005 => "4.6.c",
        Edition::Y2014 | Edition::Y2018 | Edition::Y2023 => "4.7",
    }
}

/// Whether the opponent loses the right to claim it by touching a piece: in 2005 that holds for
/// 4.3 and 4.4 alone (4.7), since then for 4.1 to 4.7 (4.8).
#[must_use]
pub fn is_barred_by_touching(kind: Kind, edition: Edition) -> bool {
    window(kind) == Window::Touch
        && !(edition == Edition::Y2005 && kind == Kind::ReleasedThenChanged)
}

/// Moves completed by each player after which a set-up and how the clock is set can no longer be
/// changed in unsupervised rapid and blitz: three before 2014, by the commentary on its A.4.
pub(crate) const fn standing_moves(edition: Edition) -> u32 {
    match edition {
        Edition::Y2005 => 3,
        Edition::Y2014 | Edition::Y2018 | Edition::Y2023 => 10,
    }
}

/// Where it is said that whoever touches a piece can no longer claim under Article 4.
pub(crate) const fn claim_article(edition: Edition) -> &'static str {
    match edition {
        Edition::Y2005 => "4.7",
        Edition::Y2014 | Edition::Y2018 | Edition::Y2023 => "4.8",
    }
}

/// Where it is said that a win on time is claimed by a player who has time left himself, in rapid
/// and blitz without adequate supervision: up to 2014.
pub(crate) const fn claimed_on_time_article(edition: Edition) -> Option<&'static str> {
    match edition {
        Edition::Y2005 | Edition::Y2014 => Some("A.4.c"),
        Edition::Y2018 | Edition::Y2023 => None,
    }
}

/// Where it is said why a player may stop the clocks.
pub(crate) const fn player_stops_article(edition: Edition) -> &'static str {
    match edition {
        Edition::Y2005 | Edition::Y2014 => "6.12.b",
        Edition::Y2018 | Edition::Y2023 => "6.11.2",
    }
}

/// What is done about the score sheets when a flag has fallen at the end of a period: where neither
/// player had to write any more, or only one of them.
pub(crate) const fn unwritten_article(edition: Edition, neither: bool) -> &'static str {
    match (edition, neither) {
        (Edition::Y2005 | Edition::Y2014, true) => "8.5.a",
        (Edition::Y2005 | Edition::Y2014, false) => "8.5.b",
        (Edition::Y2018 | Edition::Y2023, true) => "8.5.1",
        (Edition::Y2018 | Edition::Y2023, false) => "8.5.2",
    }
}

/// What a player may claim in the last two minutes: that the opponent cannot win by normal means.
pub(crate) const fn normal_means_article(edition: Edition) -> &'static str {
    match edition {
        Edition::Y2005 | Edition::Y2014 => "G.5",
        Edition::Y2018 | Edition::Y2023 => "III.5",
    }
}

/// Where it is said which positions are the same.
pub(crate) const fn identity_article(edition: Edition) -> &'static str {
    match edition {
        Edition::Y2005 => "5.2.d",
        Edition::Y2014 => "9.2",
        Edition::Y2018 => "9.2.2",
        Edition::Y2023 => "9.2.3",
    }
}

/// What stands in rapid and blitz without adequate supervision once ten moves have been completed
/// by each: the set-up, the board as it lies, and how the clock is set.
pub(crate) const fn standing_article(edition: Edition) -> &'static str {
    match edition {
        Edition::Y2005 | Edition::Y2014 => "A.4.a",
        Edition::Y2018 => "A.4.1",
        Edition::Y2023 => "A.5.1",
    }
}

/// Where it is said that a sealed move loses that is none, or more than one.
pub(crate) const fn sealed_article(verdict: &Verdict, edition: Edition) -> &'static str {
    let numbers = match verdict {
        Verdict::Ambiguous => ["E.8.a", "I.8.1"],
        Verdict::Unreadable => ["E.8.b", "I.8.2"],
        Verdict::Illegal | Verdict::Legal { .. } => ["E.8.c", "I.8.3"],
    };
    by_letter_or_figure(numbers, edition)
}

/// Where it is said who loses that comes late to a resumption.
pub(crate) const fn late_article(edition: Edition) -> &'static str {
    by_letter_or_figure(["E.10", "I.10"], edition)
}

/// Where it is said who loses the time while nobody is there.
pub(crate) const fn lost_time_article(edition: Edition) -> &'static str {
    by_letter_or_figure(["6.7.b", "6.7.2"], edition)
}

const fn by_letter_or_figure(numbers: [&'static str; 2], edition: Edition) -> &'static str {
    match edition {
        Edition::Y2005 | Edition::Y2014 => numbers[0],
        Edition::Y2018 | Edition::Y2023 => numbers[1],
    }
}

fn find(kind: Kind) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.kind == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_an_article_in_every_edition() {
        for kind in Kind::ALL {
            for edition in Edition::ALL {
                assert!(!article(kind, edition).is_empty(), "{kind:?} {edition:?}");
            }
        }
        assert_eq!(article(Kind::IllegalMove, Edition::Y2014), "7.5.a");
        assert_eq!(article(Kind::IllegalMove, Edition::Y2023), "7.5.1");
        assert_eq!(article(Kind::TouchedBoth, Edition::Y2014), "4.3.c");
        assert_eq!(article(Kind::BothFlags, Edition::Y2014), "6.11");
    }

    #[test]
    fn what_2005_does_not_say_is_as_of_2014() {
        let row = |kind| (article(kind, Edition::Y2005), source(kind, Edition::Y2005).year());
        assert_eq!(row(Kind::ReleasedThenChanged), ("4.6", "2005"));
        assert_eq!(row(Kind::TouchedNotMoved), ("4.3.a", "2005"));
        assert_eq!(row(Kind::IllegalMove), ("7.5.a", "2014"));
        assert!(!provides(Kind::Fivefold, Edition::Y2005));
        assert!(provides(Kind::Fivefold, Edition::Y2014));
    }
}
