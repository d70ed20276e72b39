//! The page about the Laws, `docs/laws.md`: what is detected under which Article, from what
//! evidence, and what cannot be seen. Written from the tables of the witness and the names of the
//! scenarios.

mod beyond;

use std::fmt::Write as _;

use witness::laws::editions;
use witness::{Edition, Kind};

const HEAD: &str = "\
# The Laws of Chess as far as a board can witness them

Written from the tables of the program; do not edit. `UPDATE_GENERATED=1 cargo
test --test suite generated` writes it anew.

The daemon accuses nobody. It reports an *incident*: what was seen, when, and what was legal
then. A human rules. A piece is *touched* when it leaves its square. What cannot be sensed
(words, intent, hands) is never assumed. `note` is for the log, `look` for the arbiter's list,
`summon` calls him. A claim under 4.1 to 4.7 lapses when the opponent touches a piece (4.8). The
scenarios are in `tests/laws`, in the notation of gesture scripts; in each one stands what is to
be told, what is not, and which Articles of each text say so. A test holds every kind in every
edition to a scenario that raises it and an innocent one that resembles it.

A federation's regulations may say otherwise, in `adoubed.toml`; `adoubed check` reads them back:

```toml
[laws.gravity]
touched_out_of_turn = \"note\"     # note, look or summon, for any kind below

[laws.penalties.2023]            # by edition: minutes to the opponent for each illegal move,
standard = [2, \"loss\"]           # then the game
rapid = [1, 1, \"loss\"]           # also blitz, rapid_unsupervised, blitz_unsupervised
wrong_claim = 1                  # minutes after a wrong claim of a draw
```

What is not said there is as the edition has it. What is lowered by a doubt (a `same_scan`) stays
lower; what grows with age does not grow beyond what is said.

## Where the numbers come from

- **2005**: confirmed by its text, Articles 1 to 5, which are all of it that is known here. What is
  not in them is told, and judged, by the edition of 2014, and says so (`edition`), but for what the
  commentary on that one calls new: ten moves where it was three (A.4.a), illegal moves that an
  arbiter points out in unsupervised rapid and blitz (A.4.b), the increment on request (G.4).
  A claim is barred by touching a piece for 4.3 and 4.4 alone (4.7), and nobody but a player ends a
  game for repetition or moves without capture.
- **2014**: confirmed by its whole text, with an arbiter's commentary. D.2.8 is about two boards
  that differ. Exactly ten minutes are blitz (B.1 and the glossary, against A.1).
- **2018**: confirmed by its whole text, in a book of rules and competition rules. 6.4 is named for
  its commentary there, where both flags are down.
- **2023**: its text was not at hand with the others; what is not listed here is as in 2018, and
  every difference below is **not in these texts**, but read in a public copy: 9.2.3 (9.2.2 in
  2018); Appendix A, where the rules for unsupervised play are A.5 (A.4 in 2018); one minute instead
  of two for an illegal move or a wrong claim in rapid chess; D.2.9, I.5, III.1 to III.6 keep their
  numbers.
";

/// What is said of one kind: when it is raised, from what evidence, what cannot be seen.
type Words = [&'static str; 3];

/// The whole page. `scenarios` are the names of the scripts.
#[must_use]
pub fn page(scenarios: &[String]) -> String {
    let mut page = HEAD.to_owned();
    for kind in Kind::ALL {
        let [raised, evidence, unseen] = words(kind);
        let known = |edition: &Edition| editions::source(kind, *edition) == *edition;
        let articles: Vec<_> = Edition::ALL
            .into_iter()
            .filter(known)
            .map(|edition| format!("{} ({})", named(kind, edition), edition.year()))
            .collect();
        let of_kind = scenarios.iter().filter(|name| belongs(name, kind));
        let names: Vec<_> = of_kind.map(|name| format!("`{name}`")).collect();
        let gravity = editions::gravity(kind).name();
        let _ = write!(
            page,
            "\n## {}\n\nArticle {}. Gravity `{gravity}`.\n\n- **Raised when**: {raised}\n\
             - **Evidence**: {evidence}\n- **Not seen**: {unseen}\n- **Scenarios**: {}\n",
            kind.name(),
            articles.join(", "),
            names.join(", "),
        );
    }
    page.push_str(&beyond::section());
    page
}

/// The Article of a kind, and the other one that it may fall under.
fn named(kind: Kind, edition: Edition) -> String {
    let article = editions::article(kind, edition);
    let other = editions::other_article(kind, edition);
    other.map_or(article.to_owned(), |other| format!("{article} or {other}"))
}

fn belongs(name: &str, kind: Kind) -> bool {
    name.split_once('-').map_or(name, |(kind, _)| kind) == kind.name()
}

fn words(kind: Kind) -> Words {
    let row = WORDS.iter().find(|(it, _)| *it == kind);
    row.map_or([""; 3], |(_, words)| *words)
}

#[rustfmt::skip]
const WORDS: [(Kind, Words); Kind::COUNT] = [
    (Kind::Adjusted, [
        "A piece is lifted and put back on its square by the player having the move, and then \
         it moves; or a piece is put straight after the move, before the press.",
        "Lift and put on one square.",
        "Whether he said “j'adoube”.",
    ]),
    (Kind::CastledRookFirst, [
        "Castling is made and the rook left its square before the king.",
        "The order of two lifts more than 0.25 s apart; closer together, whichever was told first, \
         it is a `note` (`same_scan`).",
        "A finger on the rook that does not lift it.",
    ]),
    (Kind::FlagFall, [
        "A time reaches zero before the move is completed. When a move follows that ends the game \
         (mate, stalemate, a dead position, the fifth repetition, the 75th move), it says so: \
         whether the fall was observed or claimed before decides (6.8), and until somebody rules \
         on it neither a mate nor the kings in the centre are a result. When such a move came \
         first, pressed or not (6.2), the fall is a `note` that says so; after a mate that is not \
         ruled on, a `look`. It counts before the first move too, and says then that nobody has \
         moved (6.7, 6.9), or that the player never had the move. At a control by moves it says \
         what is done about score sheets that nobody had to keep (8.5); in unsupervised rapid and \
         blitz of 2014, who can claim the win (A.4.c).",
        "Two readings of the clock; the instant between them is not known. A flag that the first \
         one rules out is believed when it is read again.",
        "What happens between two readings.",
    ]),
    (Kind::IllegalMove, [
        "The clock is pressed, and one illegal move explains what stands there; also on an illegal \
         move that was told before, a king being captured among others.",
        "The squares at the press, the last position both agreed on, or the one in which the \
         illegal move before has left the game.",
        "Two faults at once are a `position_to_check`.",
    ]),
    (Kind::MustCastle, [
        "King and then rook are lifted, castling with that rook is legal, and another move is \
         made: castling with the other rook is one too. A rook put where castling takes it is \
         judged when the move is completed: the king may follow.",
        "The order of lifts, the legal moves then.",
        "Intent; a piece that was only put straight.",
    ]),
    (Kind::MustMoveKing, [
        "King and rook are lifted, castling with that rook is illegal, the king has a legal \
         move, and another piece moves.",
        "The order of lifts, the legal moves then.",
        "Intent; a piece that was only put straight.",
    ]),
    (Kind::PawnNotPromoted, [
        "The clock is pressed with a pawn on the last rank.",
        "The squares at the press.",
        "A piece upside down: it is what its sensor says.",
    ]),
    (Kind::PlayerTwice, [
        "For a minute pairings, configuration or arbiters have named one player at two tables of \
         one round: by FIDE number, else by surname and first name where neither rating nor \
         federation tells them apart. Told at the later table once its pieces are set up, or at \
         the other one where the later has no board. Taken back when the pairing is put right. Two \
         boards with the same two players are one game.",
        "The pairings of the round.",
        "Who sits there; which of the two tables is right.",
    ]),
    (Kind::PositionToCheck, [
        "Squares and score have disagreed for longer than `check_after_s`, and nothing else \
         explains it; where pieces are lacking a hand may hold them, for a minute at most. The \
         score is right but for moves that can be read in several ways, that nobody saw, or that \
         were seen in an order in which they are not legal: the board had told all its squares \
         between them, and a player may have moved twice. A move is made while both times stand: \
         open until it is put back, or pressed for, answered and played on. Both kings have stood \
         in the centre while a time counted and were put back: open until somebody presses.",
        "The differing squares, the lines of moves that would explain them. Grows from `look` \
         to `summon` with age.",
        "Which of several explanations is true.",
    ]),
    (Kind::PromotionChanged, [
        "A new piece stood on the square of promotion for 0.3 s and was exchanged for another, \
         before the press or after it.",
        "Put, lift, put on one square.",
        "A piece that touched the square for a shorter time.",
    ]),
    (Kind::ReleasedThenChanged, [
        "A legal move rested for the release time and another one was made before the press; \
         the king stood where castling takes it, and no castling followed; a pawn stood on the \
         last rank, and was promoted on another square or not at all.",
        "How long each picture rested.",
        "A finger that never left the piece.",
    ]),
    (Kind::TouchedBoth, [
        "Pieces of both colours are lifted, the capture of the first one of the opponent's \
         with the first own one (or what 4.3.3 says instead) was legal, and another move is \
         made.",
        "The order of lifts; in one scan the own piece counts as first, unless it stands beside \
         the way of the move: then it fell.",
        "Intent; a piece that was only put straight.",
    ]),
    (Kind::TouchedNotCaptured, [
        "A piece of the opponent's that could be captured is lifted and put back before \
         anything else, and the move made, of the only own piece touched, does not capture it. \
         Either hand may have done it: says what 4.3.2 obliges to if it was that of the player \
         having the move.",
        "Lift and put, the legal captures then.",
        "Intent; whose hand it was.",
    ]),
    (Kind::TouchedNotMoved, [
        "The first own piece lifted that has a legal move is put back, and another piece \
         moves. When several pieces were each lifted for a moment it is a `look` \
         (`several_adjusted`). Where the piece had been moved and let go of for the release time, \
         that move is obligatory (4.7). One that was put back before the opponent pressed is a \
         `note` (`before_the_press`): it may have been his hand.",
        "Lift and put, the legal moves then.",
        "Whether he said “j'adoube”; intent.",
    ]),
    (Kind::TouchedOutOfTurn, [
        "A piece of the player who does not have the move is lifted and put back, and nothing \
         could capture it. Names neither player: the one may adjust, the other may not.",
        "Colour of the piece, who has the move, who has pressed.",
        "Whose hand it was.",
    ]),
    (Kind::TwoHands, [
        "King and rook of a castling are in the air together; pawn and new piece of a \
         promotion change places within 0.1 s. Stays until an arbiter rules; upheld, it is an \
         illegal move (since 2018).",
        "Times of lifts and puts.",
        "Hands.",
    ]),
    (Kind::BoardLost, [
        "The board of a game in play has not been heard for 10 s. Taken back when it is.",
        "Its line is closed, or it does not answer.",
        "What happens on it meanwhile.",
    ]),
    (Kind::BoardsDiffer, [
        "A game with a visually impaired player is played on two boards, and one of them has not \
         shown the position of the score for `repeat_s` (30 s). Closes itself when it does.",
        "The squares of both boards. Moves are made on the mover's own board; what is touched is \
         judged there.",
        "What was announced; which of the two players misheard.",
    ]),
    (Kind::BothFlags, [
        "Both times read zero, and the reading before had neither so. Says what decides then: up \
         to 2014 a draw in the last period (6.11); since 2018 the same where Guideline III was \
         announced, without an increment and not in blitz, else the clock's own sign (6.4), and no \
         draw. Before the last period the moves decide first; a `note` where both have made them.",
        "Two readings; the same sign, or none, on both sides.",
        "Which flag was first.",
    ]),
    (Kind::ClockAdjusted, [
        "Both times stood, or nothing was heard for some seconds, and at least one is another one \
         when the clock goes on than presses and our own time explain. Says so when it \
         is the penalty of an illegal move that is open, to the second, added to what was shown or \
         to what was shown before the press; also when the offender has got it. Also when a clock \
         that was away comes back and a time is 15 s off what was reckoned: then to be looked at.",
        "The readings when it was stopped and when it was started.",
        "Who changed it, and why.",
    ]),
    (Kind::ClockFault, [
        "Both times count at once, in one player's turns or in both; a running clock, or one half \
         of it, stands still for 20 s, not counting what may be a delay as long as it has not been \
         seen to count from the beginning of a turn; a time jumps by 10 s without a press and the \
         next reading has it too; a press adds to a time that was used up with no period to come; \
         over a quarter of an hour the clock is 2 % off our own. Says what it would show by our \
         own clock, and that anew with every turn.",
        "Readings without a gap, against our own clock.",
        "A fault that a player has caused.",
    ]),
    (Kind::ClockLost, [
        "The clock of a game in play has not been heard for 10 s, though the board is. Says to \
         which times another one is to be set: the last reading, less what has passed in each \
         player's turns since, with what the moves have brought. Taken back when it is heard.",
        "What the board says of its clock.",
        "A clock that is unplugged and still runs.",
    ]),
    (Kind::ClockSetting, [
        "The clock is started with other times than the time control says; two presses in a row \
         bring something else than it says, or many together, or it waits before it counts; the \
         next period adds another time, or nothing; it goes on with other times than an arbiter \
         has ordered or granted (`grant_time`), and presses are held to what was granted; an \
         increment from a later move may begin a move earlier or later; less is no fault where \
         the round is late by as much, charged to White (6.7.2, 6.7.b) or shared equally, and \
         another share is told; it is heard in mid-game for the first time, and shows a minute \
         and a tenth of what has passed less than the moves and our own clock leave, or a \
         minute and half of it more. Lapses in rapid and blitz without adequate supervision \
         when ten moves have been completed by each (A.4.a, A.4.1, A.5.1), but for what was \
         ordered.",
        "Readings before and after each press, in turns that were watched from their beginning.",
        "What the clock would do later; a move counter.",
    ]),
    (Kind::ClockStopped, [
        "Both times have stood for 10 s, the game has no result, no flag has fallen, and nobody \
         was called before. Taken back when the clock goes on.",
        "The reading that says so.",
        "Whether the players have agreed on something.",
    ]),
    (Kind::LowBattery, [
        "The clock shows its low-battery sign, when the pieces are set up or in a game: no game is \
         begun with it, one that has begun is finished. Taken back when it is gone.",
        "The reading.",
        "How long it will last.",
    ]),
    (Kind::NeighbourPressed, [
        "A press without a move is told at one table, and at a table with the next number a move \
         was made within 15 s and not pressed, nor in the 5 s after.",
        "Both tables.",
        "Whose hand it was.",
    ]),
    (Kind::MissedPress, [
        "A player moves again, and between his two moves his time counted all along and no press \
         was heard. Says how many presses each side has left out. Closes itself when the moves are \
         told otherwise and it is not so of those.",
        "The moves, and readings without a gap.",
        "A press on a lever that was down already; anything of it in byo-yomi and with an \
         hourglass.",
    ]),
    (Kind::TimeTrouble, [
        "A player has less than five minutes left in the period, less than 30 s per move, and the \
         game is neither rapid nor blitz.",
        "The reading and the time control.",
        "Who still writes.",
    ]),
    (Kind::DefaultTime, [
        "The default time (`default_time_s`) has passed since the start of the round, and White \
         has touched nothing; or White has moved, a minute has passed since, and Black has touched \
         nothing. The same after a resumption (I.10, E.10): the player who is to reply has not \
         come as long as the sealed move is not on the board, the one who had sealed as long as he \
         gives no sign after the reply; unless an arbiter has said that he is there.",
        "Touches, presses and moves since the start that was configured or announced, or since the \
         first time that counts after a resumption.",
        "Who sits there and thinks.",
    ]),
    (Kind::NoBoard, [
        "At least half of the tables with a pairing in the round play, and this one has a pairing, \
         no move and no board that answers, for three minutes. Only at tables that the \
         configuration names or that had a board. Says which tables play without a pairing. Taken \
         back when a board is heard or a result is entered, and when its players are named at \
         another table.",
        "The pairings of the round, the boards that are heard.",
        "A game that is played without an electronic board.",
    ]),
    (Kind::NoPairing, [
        "At least half of the tables with a pairing in the round play, and for a minute a game has \
         been played at a table that the round has no pairing for: both players have moved and its \
         clock has run, or there is no clock and each has made ten moves. Says which tables have a \
         pairing and no board. Taken back when its players are named, or another game begins.",
        "The pairings of the round, the moves, the clock.",
        "Who plays there, and whether it is a game of the round.",
    ]),
    (Kind::NoResult, [
        "A game lies there: both times have stood and nothing has moved for `result_after_min` \
         (15) minutes, or four times as long where no clock is heard any more, or none was and \
         the pairings name the table; one minute after an arbiter has upheld a fallen flag or an \
         illegal move that ends the game. Or the pieces of a game of ten moves or more are set up \
         again. No result is entered, nobody is called to the table, and it is not adjourned. \
         Taken back when there is a result or the game goes on.",
        "The squares, the reading, since when.",
        "What the players have agreed on. A game whose clock did not run may be an analysis, and \
         is not told.",
    ]),
    (Kind::NotStarted, [
        "A minute after the start of the round the pieces stand, a clock is there, and it does not \
         run. Taken back when it does.",
        "The start that was configured or announced, the reading.",
        "A clock that is not connected.",
    ]),
    (Kind::TwoMinutes, [
        "The event has announced Guideline III (`quickplay_finish`), and a player having the move \
         has less than two minutes in the last period, nothing per move, not in blitz.",
        "The reading, the time control, who has the move.",
        "A request; whether the opponent tries to win.",
    ]),
    (Kind::WrongClockRunning, [
        "The time of the player counts who does not have the move: for 30 s if he has made one and \
         not pressed, else for 10 s; not while an envelope waits to be opened (I.9.2, I.9.3). \
         Taken back when board and lever agree.",
        "The position, the lever, and that neither has changed.",
        "Whether the players know.",
    ]),
    (Kind::Displaced, [
        "Two pieces or more leave their squares at once, no legal move does that, and they \
         are not put up within 2 s. Says which squares are wrong as that changes; closes itself \
         when they stand again, with how long that took.",
        "Lifts within one scan of the board, whose time is counting.",
        "Whose sleeve it was.",
    ]),
    (Kind::EarlyDraw, [
        "A draw is signalled or entered before both players have moved (5.2.3, since 2018), or \
         before the move from which the event allows it (`min_draw_move`). Only for draws by \
         agreement: none where a claim on the board is right, after a fifth repetition, 75 moves, \
         a dead position, a flag or an illegal move that draws. A `note` where a claim with a move \
         to come would be right, or one of the last two minutes may be granted. Closes itself \
         when the result is withdrawn.",
        "The score and the result, and what else was raised.",
        "Whether the players agreed or one claimed; the arbiter's consent.",
    ]),
    (Kind::IllegalStands, [
        "Rapid or blitz without adequate supervision: the opponent of the player who made an \
         illegal move has made his move, and it was not put right before. The alert about the \
         illegal move lapses, and the ledger does not count it unless it is upheld; nor a press \
         without a move, which leaves no position to stand. The game is followed from there, also \
         with a king left in check or a pawn on the last rank, and after an illegal reply.",
        "Touches and presses after the alert.",
        "A claim made in words.",
    ]),
    (Kind::KingsInCheck, [
        "Rapid or blitz without adequate supervision: both kings are attacked after a move \
         and still after the next one; who presses back has made none.",
        "The squares at the presses.",
        "The moves after it, where a king could be captured and was not by a legal reply.",
    ]),
    (Kind::PawnOnLastRank, [
        "Rapid or blitz without adequate supervision: a pawn stands on the last rank after a \
         move and still after the next one; who presses back has made none.",
        "The squares at the presses.",
        "—",
    ]),
    (Kind::PressedWithoutMove, [
        "The clock is pressed by the player who has the move and the position before it still \
         stands there. Before any move only a `look` that nobody counts, 40 s after a press that \
         was not taken back, or as the flag falls: the clock may have been started for the wrong \
         player (6.6). Not before the first move is completed otherwise, not when both clocks \
         stand, not when squares and score disagree, not when a press that was owed is made up \
         for, not by a player who gives the clock back after a move that was put right and not \
         pressed for. The press with a pawn left on the last rank was that for its promotion.",
        "The squares for 0.7 s after the press, all told anew by a board that can be asked; the \
         moves and presses before.",
        "A move that was never shown.",
    ]),
    (Kind::ResultMismatch, [
        "The result entered contradicts a mate or stalemate on the board, or nobody has anything \
         left to mate with; or there is a result, and then the kings rest in the centre for \
         another one; or the kings have given a result and play goes on: the clock is pressed or \
         started again, or one king is put back beside the other; or a mate or stalemate was \
         changed for another move, and the clock is pressed or started again. Without a clock a \
         move, a reply and the next move say so after a mate that was changed, eight moves each \
         after the kings: players look at the end together. Then the result is withdrawn, and \
         the score has the moves made meanwhile. Closes itself when a result is entered that \
         fits, or the kings say the same.",
        "The score, the result, the kings.",
        "Why.",
    ]),
    (Kind::ResumptionDiffers, [
        "An adjourned game is to be resumed, and the position or a time of the adjournment sheet \
         is not there. Follows what is put right, and closes itself when all is as on the sheet; \
         once a clock is started what is left stays.",
        "The squares and the clock at the request to resume, and until a time counts. Times are \
         compared to the second.",
        "The sealed move; what was agreed between the players.",
    ]),
    (Kind::SealedReply, [
        "After a resumption the player who replies to the sealed move presses without having made \
         one, and the other one has given no sign since a time counts: he may have sealed his \
         reply. A `note` where an arbiter has said who is absent (`resume`); where both are there \
         it is a press without a move. Closes itself when the reply is made on the board, which \
         needs no press then.",
        "The request to resume, the squares for 0.7 s after the press, touches and presses since.",
        "Who sits there; the envelope.",
    ]),
    (Kind::BoardTurned, [
        "The pieces are set up the other way round, or on a board that sees no pieces the first \
         move can only be White's the other way round: that is a `note`, and the squares are read \
         accordingly. A clock is started on a board that lies across: `summon`.",
        "The squares; on a board that sees no pieces the first move, once it has rested.",
        "On a board that sees no pieces: how it lies before the first move, and if both players \
         have moved before a scan.",
    ]),
    (Kind::ColoursReversed, [
        "An arbiter says that the players have each other's colours (`set_pairing`).",
        "The request; how many moves both have made tells whether the game goes on.",
        "Who sits there: nobody sees faces.",
    ]),
    (Kind::WrongStart, [
        "A clock is started, or the first move is made where no clock runs, and the pieces are all \
         set up, but not as a game begins: king and queen swapped, an array of Chess960 (with its \
         number), or not as the pairing says. The game is followed from there. Lapses in rapid and \
         blitz without adequate supervision when ten moves have been completed by each (A.4.a, \
         A.4.1, A.5.1); so does a board that lies across.",
        "The squares when the clock is started, or before the first move.",
        "What has been corrected before.",
    ]),
    (Kind::FiftyPossible, [
        "50 moves by each player without capture or pawn move, in the position on the board.",
        "The score.",
        "Moves that were missed.",
    ]),
    (Kind::Fivefold, [
        "The same position for the fifth time; in 2014 only with the same player's \
         consecutive moves between.",
        "The score: the same player to move, the same possible moves.",
        "Moves that were missed.",
    ]),
    (Kind::SeventyFive, [
        "75 moves by each player without capture or pawn move, and the last one does not \
         mate.",
        "The score.",
        "Moves that were missed.",
    ]),
    (Kind::ThreefoldPossible, [
        "The same position for the third time. For arbiters only: a player has to claim by \
         himself.",
        "The score: the same player to move, the same possible moves; en passant counts only \
         where it was legal, castling by the right to it.",
        "Moves that were missed.",
    ]),
    (Kind::DeadPosition, [
        "Neither player can mate by any series of legal moves. Since 2014 the alert says that this \
         ends the game only if the move was rightly made, while that is open. A move that was \
         released, or whose new piece was put, stands when it is changed, and the draw with it.",
        "The position alone, analysed within a bounded effort; what takes longer than a moment \
         comes some seconds later.",
        "A position that is dead and cannot be shown to be within that effort.",
    ]),
];
