//! How a game goes on where no legal move leads on: an illegal move that nobody claimed (A.4.2,
//! B.4: in rapid and blitz it stands), or moves that nobody saw and no search finds. A second
//! tracker follows the game from what stands there; when both players have gone on from it, the
//! score breaks and continues. While a king could be captured the rules of chess hold no game:
//! there only the reply is looked for, and what is followed begins after it.

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, PositionError,
    Setup,
};

use super::{Effect, Event, Play};
use crate::candidates;
use crate::incident::Kind;
use crate::keep::{Keep, keep};
use crate::laws::illegal::{self, IllegalMove, Why};
use crate::recogniser::Recogniser;
use crate::score::{Break, Confidence, Gap};
use crate::tracker::{Lost, Waits};

/// Moves that must have been made from an unexplained position before it is believed.
const MISSING_PLIES: usize = 2;

/// A game that may go on from here.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Resumption {
    whence: Whence,
    pub(super) why: Gap,
    /// The illegal moves to which this one was the reply, the first one first.
    before: Vec<Stood>,
}

/// An illegal move that stood when it was replied to by another one.
#[derive(Clone, Debug)]
struct Stood {
    /// What it has left to be replied to.
    position: Chess,
    standing: (IllegalMove, Board),
}

keep!(Stood { position; standing });

/// From what it may go on.
#[derive(Clone, Debug)]
enum Whence {
    Followed(Box<Recogniser>),
    /// A king was left in check there.
    InCheck(Chess),
}

impl Encode for Whence {
    fn encode<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        let position = match self {
            Self::Followed(_) => None,
            Self::InCheck(position) => Some(position.clone()),
        };
        position.keep(to)?;
        match self {
            Self::Followed(tracker) => tracker.encode(to),
            Self::InCheck(_) => Ok(()),
        }
    }
}

impl<Context> Decode<Context> for Whence {
    fn decode<D: Decoder<Context = Context>>(from: &mut D) -> Result<Self, DecodeError> {
        Ok(match Option::kept(from)? {
            Some(position) => Self::InCheck(position),
            None => Self::Followed(Decode::decode(from)?),
        })
    }
}

bincode::impl_borrow_decode!(Whence);

impl Resumption {
    fn followed(&mut self) -> Option<(&mut Recogniser, Gap)> {
        match &mut self.whence {
            Whence::Followed(tracker) => Some((tracker, self.why)),
            Whence::InCheck(_) => None,
        }
    }
}

impl Play {
    /// An illegal move stands: whoever plays on from it has let it stand.
    pub(super) fn expect_play_from_illegal(
        &mut self,
        now: Moment,
        before: &Chess,
        mv: &IllegalMove,
        board: &Board,
    ) {
        let turn = mv.piece.color.other();
        let why = gap_by(mv);
        let replied = self.replied_to(mv.piece.color);
        let stands = self.standing(before, board, turn);
        let stands = stands.or_else(|| illegal::standing(before, mv, board));
        self.game.reading.standing_illegal = Some((*mv, board.clone()));
        self.game.reading.resumption = stands.map(|position| Resumption {
            whence: self.whence(now, position),
            why,
            before: replied,
        });
    }

    fn whence(&self, now: Moment, position: Chess) -> Whence {
        if illegal::can_capture_king(&position) {
            return Whence::InCheck(position);
        }
        Whence::Followed(Box::new(Recogniser::new(now, position, self.board.surface.is_blind())))
    }

    /// The illegal moves that stand for now and to which this player has replied illegally.
    fn replied_to(&self, by: Color) -> Vec<Stood> {
        let position = self.after_illegal(by).cloned();
        let (Some(position), Some(last), Some(standing)) =
            (position, &self.game.reading.resumption, &self.game.reading.standing_illegal)
        else {
            return Vec::new();
        };
        let stood = Stood { position, standing: standing.clone() };
        last.before.iter().cloned().chain([stood]).collect()
    }

    /// An illegal reply to an illegal move was put back: that one still stands, and is to be
    /// replied to.
    fn look_for_reply_put_back(&mut self, now: Moment) {
        let board = self.board.surface.board();
        let back = |stood: &mut Stood| *board == stood.standing.1;
        let before = self.game.reading.resumption.as_mut().map(|it| &mut it.before);
        let Some((stood, before)) = before.and_then(|all| Some((all.pop_if(back)?, all))) else {
            return;
        };
        let before = std::mem::take(before);
        let (whence, why) = (self.whence(now, stood.position), gap_by(&stood.standing.0));
        self.game.reading.resumption = Some(Resumption { whence, why, before });
        self.reply_was_put_back(now, stood.standing);
    }

    /// The position in which an illegal move has left this player, who has not replied legally.
    pub(super) fn after_illegal(&self, turn: Color) -> Option<&Chess> {
        let Resumption { whence, why: Gap::Illegal { .. }, .. } =
            self.game.reading.resumption.as_ref()?
        else {
            return None;
        };
        let position = match whence {
            Whence::InCheck(position) => position,
            Whence::Followed(tracker) if tracker.plies() == 0 => tracker.root(),
            Whence::Followed(_) => return None,
        };
        let stands = self.game.reading.standing_illegal.is_some() && position.turn() == turn;
        stands.then_some(position)
    }

    /// Nothing explains the squares after the board was away: whoever plays on from there goes on.
    /// A blind board cannot say what stands there: every line that it knows is followed until one
    /// is left, the pieces are set up anew, or an arbiter says what the position is.
    pub(super) fn expect_play_from_here(&mut self, now: Moment) {
        if self.board.surface.is_blind() || self.game.reading.resumption.is_some() {
            return;
        }
        let (before, board) = (self.game.score.position(), self.board.surface.board());
        let positions: Vec<_> =
            Color::ALL.into_iter().filter_map(|turn| self.standing(before, board, turn)).collect();
        if !positions.is_empty() {
            let whence = Whence::Followed(Box::new(Recogniser::among(now, positions)));
            self.game.reading.resumption =
                Some(Resumption { whence, why: Gap::Missing, before: Vec::new() });
        }
    }

    /// A player has pressed without a move: his opponent may go on from the same position. In check
    /// he could be captured, and then nobody can say what follows.
    pub(super) fn expect_play_from_pass(&mut self, now: Moment) {
        let before = self.game.score.position();
        let Some(position) = passed(before, self.game.score.mode()) else { return };
        let whence = self.whence(now, position);
        self.game.reading.resumption =
            Some(Resumption { whence, why: Gap::Passed, before: Vec::new() });
    }

    /// Since when nothing explains the squares, nor a turn that was passed.
    pub(super) fn unexplained(&self) -> Option<Lost> {
        let lost = self.game.reading.tracker.as_ref()?.lost()?;
        self.followed_after_pass().map_or(Some(lost), Recogniser::lost)
    }

    /// Whether something else explains the squares than moves that were missed.
    pub(super) fn is_explained(&self) -> bool {
        self.game.reading.standing_illegal.is_some() || self.may_be_passed()
    }

    /// Whether a pawn stands on the last rank, and was pressed for: as long as nothing else is put
    /// there, what is moved is no promotion that nobody saw.
    pub(super) fn awaits_promotion(&self) -> bool {
        self.game
            .reading
            .standing_illegal
            .as_ref()
            .is_some_and(|(mv, _)| mv.why == Why::NotPromoted)
    }

    /// What follows the game as it goes on if the turn is passed.
    fn followed_after_pass(&self) -> Option<&Recogniser> {
        match self.game.reading.resumption.as_ref().filter(|_| self.may_be_passed())? {
            Resumption { whence: Whence::Followed(tracker), why: Gap::Passed, .. } => Some(tracker),
            _ => None,
        }
    }

    /// The opponent of a player who had pressed without a move has pressed: for a move of his own?
    pub(super) fn resume_after_pass(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) {
        let answered = |followed: &Recogniser| {
            followed.plies() == 1 && followed.position().turn() == by.other()
        };
        if self.followed_after_pass().is_some_and(answered) {
            self.resume_from_break(now, out);
            self.complete(now, by, out);
        }
    }

    /// The reply to a passed turn is put back before it was replied to: what stood there at the
    /// press without a move stands there again, and that player has the move.
    pub(super) fn look_for_turn_given_back(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let (plies, board) = (self.game.score.plies().len(), self.board.surface.board());
        let replied = |it: &&Break| it.gap == Gap::Passed && it.at + 1 == plies;
        let Some(passed) = self.game.score.breaks().last().filter(replied) else { return };
        if self.board.surface.is_blind() || passed.position.board() != board {
            return;
        }
        let (at, by) = (passed.at, !passed.position.turn());
        self.game.score.take_back_to(at);
        self.game.reading.tracker =
            Some(Recogniser::new(now, self.game.score.position().clone(), false));
        self.game.pressing.press = None;
        self.game.course.agree();
        self.tell(Event::Revised { from: at, rev: self.game.score.rev() }, out);
        self.changed_game(out);
        self.tell_turn_given_back(by, out);
        self.restart_turns();
    }

    /// The squares changed: does the game go on from there?
    pub(super) fn look_for_resumption(&mut self, now: Moment, waits: Waits, out: &mut Vec<Effect>) {
        self.look_for_reply_put_back(now);
        self.resume_from_check(now, false, out);
        let followed = self.game.reading.resumption.as_mut().and_then(Resumption::followed);
        let Some((tracker, _)) = followed else { return };
        tracker.see(now, &self.board.surface.picture_at(now), waits);
        self.resume_if_played_on(now, out);
    }

    /// The resumption's own deadline.
    pub(super) fn resumption_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let picture = self.board.surface.picture_at(now);
        let followed = self.game.reading.resumption.as_mut().and_then(Resumption::followed);
        let Some((tracker, _)) = followed else { return };
        if tracker.deadline().is_some_and(|at| at <= now) {
            tracker.due(now, &picture);
            self.resume_if_played_on(now, out);
        }
    }

    pub(super) fn resumption_deadline(&self) -> Option<Moment> {
        match &self.game.reading.resumption.as_ref()?.whence {
            Whence::Followed(tracker) => tracker.deadline(),
            Whence::InCheck(_) => None,
        }
    }

    /// The opponent has pressed for a legal move on the illegal one: he has let it stand.
    pub(super) fn press_resumption(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) {
        let picture = self.board.surface.picture();
        self.resume_from_check(now, true, out);
        let followed = self.game.reading.resumption.as_mut().and_then(Resumption::followed);
        let Some((tracker, why)) = followed else { return };
        tracker.pressed(now, by, false, &picture);
        let answered = tracker.plies() == 1 && tracker.position().turn() == by.other();
        let stands = why != Gap::Passed || self.may_be_passed();
        if answered && why != Gap::Missing && stands {
            self.resume_from_break(now, out);
        }
    }

    fn resume_if_played_on(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let lost =
            self.game.reading.tracker.as_ref().is_some_and(|tracker| tracker.lost().is_some());
        let heard = self.game.reading.tracker.as_mut().is_some_and(Recogniser::follows_by_ear);
        let followed = self.game.reading.resumption.as_mut().and_then(Resumption::followed);
        let Some((tracker, why)) = followed.filter(|(_, why)| *why != Gap::Missing || !heard)
        else {
            return;
        };
        let made = tracker.plies();
        // Who presses without a move and is replied to without a press makes up for his move.
        let moves = if why == Gap::Passed { usize::MAX } else { MISSING_PLIES };
        // Nobody presses for a mate or stalemate, and nobody moves after it.
        let over = candidates::is_over(tracker.position()) && tracker.agrees();
        let ended = over && made > 0 && why != Gap::Missing;
        if lost && (ended || made >= moves) {
            self.resume_from_break(now, out);
        }
    }

    fn resume_from_break(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(Resumption { whence, why, before }) = self.game.reading.resumption.take() else {
            return;
        };
        let Whence::Followed(tracker) = whence else { return };
        let agreed = self.game.score.position().into();
        if why == Gap::Passed {
            self.tell_pass(now, out);
        }
        self.break_off(before, why, tracker.root().clone());
        let followed = self.game.reading.tracker.insert(*tracker);
        if self.game.reading.several_ways {
            followed.leave_undecided();
        }
        self.adopt(now, out);
        if why == Gap::Missing {
            return self.doubt_what_is_missing(now, agreed, out);
        }
        if !self.game.reading.several_ways {
            self.close_kind(Kind::PositionToCheck, out);
        }
        if why == Gap::Passed {
            self.tell_played_on(now, agreed, out);
        }
    }

    /// The same where his opponent's king was left in check: he did not capture it, and pressed, or
    /// nothing can follow.
    fn resume_from_check(&mut self, now: Moment, pressed: bool, out: &mut Vec<Effect>) {
        let Some((position, reply)) = self.reply_to_check() else { return };
        let after = candidates::after(&position, reply);
        if !pressed && !candidates::is_over(&after) {
            return;
        }
        let Some(Resumption { why, before, .. }) = self.game.reading.resumption.take() else {
            return;
        };
        self.break_off(before, why, position);
        let adopted = self.game.score.adopt(now, &[(reply, Confidence::Seen, &after)]);
        self.game.score.fix(1);
        self.game.reading.tracker = Some(Recogniser::new(now, after, false));
        self.tell_adopted(now, adopted, out);
        self.look(now, out);
    }

    fn reply_to_check(&self) -> Option<(Chess, Move)> {
        let Resumption { whence: Whence::InCheck(position), .. } =
            self.game.reading.resumption.as_ref()?
        else {
            return None;
        };
        let picture = self.board.surface.picture();
        let king = position.board().king_of(position.turn().other());
        let replies = position.legal_moves().into_iter().filter(|mv| Some(mv.to()) != king);
        let shown = |mv: &Move| picture.shows(candidates::after(position, *mv).board());
        let reply = replies.filter(|_| !picture.is_blind()).find(shown)?;
        Some((position.clone(), reply))
    }

    /// The score goes on from this position, after illegal moves that were replied to illegally.
    fn break_off(&mut self, before: Vec<Stood>, gap: Gap, position: Chess) {
        let at = self.game.score.plies().len();
        let replied_to = before.into_iter().map(|it| (gap_by(&it.standing.0), it.position));
        for (gap, position) in replied_to.chain([(gap, position)]) {
            self.game.score.break_off(Break { at, gap, position });
        }
        self.game.reading.standing_illegal = None;
        self.game.course.agree();
        (self.game.away.reopened, self.game.reading.resumption) = (false, None);
        self.end_rearranging();
    }

    /// What stands there, as a position with this side to move after this one, if the rules of
    /// chess can hold it.
    fn standing(&self, before: &Chess, board: &Board, turn: Color) -> Option<Chess> {
        let board = board.clone();
        let kings = Color::ALL.into_iter().filter(|&side| {
            board.king_of(side).is_some() && board.king_of(side) == before.board().king_of(side)
        });
        let unmoved = kings.fold(shakmaty::Bitboard::EMPTY, |all, side| all | board.by_color(side));
        let castling_rights = before.castles().castling_rights() & board.rooks() & unmoved;
        let over = u32::from(before.turn() == Color::Black && turn == Color::White);
        let fullmoves = before.fullmoves().saturating_add(over);
        let quiet = board.occupied().count() == before.board().occupied().count()
            && board.pawns() == before.board().pawns();
        let halfmoves = if quiet { before.halfmoves().saturating_add(1) } else { 0 };
        let setup = Setup {
            board,
            turn,
            castling_rights,
            halfmoves,
            fullmoves,
            ..before.to_setup(EnPassantMode::Legal)
        };
        let setup = Setup { ep_square: None, ..setup };
        Chess::from_setup(setup, self.game.score.mode())
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }
}

/// The same position with the other player to move; none if he could capture a king.
fn passed(before: &Chess, mode: CastlingMode) -> Option<Chess> {
    let over = u32::from(before.turn() == Color::Black);
    let setup = Setup {
        turn: !before.turn(),
        ep_square: None,
        fullmoves: before.fullmoves().saturating_add(over),
        ..before.to_setup(EnPassantMode::Legal)
    };
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

fn gap_by(mv: &IllegalMove) -> Gap {
    Gap::Illegal { from: mv.from, to: mv.to }
}
