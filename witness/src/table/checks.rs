//! Checks of results and pairings: games that are left without a result (8.7), players whom the
//! pairings name at two tables, pairings without a board and games without a pairing.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::Color;

use super::alerts::Saying;
use super::attendance::Attendance;
use super::round::{PLAYED, Paired};
use super::short_of_time::ShortOfTime;
use super::undo::Acts;
use super::unmatched::{Lacks, Unmatched};
use super::watch::Watch;
use super::wrong_start::WrongStart;
use super::{Effect, Event, Play};
use crate::detail::Detail;
use crate::incident::{Advice, Facts, Gravity, Incident, Kind, State};
use crate::laws::checks;
use crate::message::Message;
use crate::number::TableNo;
use crate::table::tolerances::{DECIDED, PUT_RIGHT};

/// How many times longer the wait is while no clock shows that both times stand: a player may be
/// thinking.
const UNSEEN: u32 = 4;
/// Half moves after which somebody plays, where a clock runs, and does not only try a piece.
const BEGUN: usize = 2;

/// The state of these checks at a table.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Checks {
    /// Nothing happens in the unfinished game.
    quiet: Watch<()>,
    /// The missing result was reported, and the game has not gone on since.
    reported: bool,
    /// This player is named at that table too.
    twice: Watch<(Color, TableNo)>,
    /// An arbiter has upheld what ends this game, and its result is not entered.
    decided: bool,
    /// What an arbiter has decided a moment ago, and may take back.
    pub(super) acts: Acts,
    pub(super) unmatched: Unmatched,
    pub(super) attendance: Attendance,
    pub(super) short_of_time: ShortOfTime,
    pub(super) wrong_start: WrongStart,
}

impl Play {
    /// Looks at what the step has brought.
    pub(super) fn note_checks(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.is_apart {
            return;
        }
        self.note_twice(now, out);
        let begins = self.step.has(|it| matches!(it, Event::NewGame(_)));
        self.note_unmatched(now, begins, out);
        let moves = |it: &Event| {
            matches!(it, Event::NewGame(_) | Event::Released { .. } | Event::Pressed(_))
        };
        let moved = self.step.has(moves);
        let touched = self.step.has(|it| matches!(it, Event::Touched(_)));
        let disturbed = touched || self.step.ruled;
        let counts = self.clocks.state().is_some_and(|it| it.running.is_some());
        if moved || self.game.score.ending().is_some() || counts && !self.clocks.lost() {
            self.leave_unfinished(out);
        }
        if disturbed {
            self.checks.quiet = Watch::default();
        }
        let quiet = !self.checks.reported && self.lies_unfinished();
        self.checks.quiet.follow(now, quiet.then_some(()));
    }

    /// The game goes on, is over, or is put aside.
    pub(super) fn leave_unfinished(&mut self, out: &mut Vec<Effect>) {
        (self.checks.quiet, self.checks.reported, self.checks.decided) =
            (Watch::default(), false, false);
        let open = self.open_in_game().find(|it| it.kind == Kind::NoResult).map(|it| it.id);
        if let Some(open) = open {
            self.close(open, out);
        }
    }

    /// Whether a game of the round has no result and shows no sign of going on. An arbiter who was
    /// called to the table sees it himself.
    fn lies_unfinished(&self) -> bool {
        let counts = self.clocks.state().is_some_and(|it| it.running.is_some());
        self.is_in_play()
            && !self.game.score.plies().is_empty()
            && self.board.device.present
            && self.board.device.answering
            && (!counts || self.clocks.lost())
            && self.is_of_round()
            && !self.is_called_for(|_| true)
    }

    /// Whether this is a game of the round, and no analysis: its clock has run, or the table has no
    /// clock and the pairings name it.
    fn is_of_round(&self) -> bool {
        let unclocked = self.clocks.state().is_none()
            && self.round.paired == Paired::Named
            && self.game.score.plies().len() >= PLAYED;
        self.round.paired != Paired::LeftOut && (self.game.clock.ran || unclocked)
    }

    /// Whether an alert of such a kind has called an arbiter to the game.
    fn is_called_for(&self, counts: impl Fn(Kind) -> bool) -> bool {
        let calls = |it: &Incident| it.gravity == Gravity::Summon && it.state != State::Lapsed;
        self.open_in_game().any(|it| calls(it) && counts(it.kind))
    }

    /// Whether both times are seen to stand.
    fn is_seen_to_stand(&self) -> bool {
        self.game.clock.ran && self.clocks.stopped() && !self.clocks.lost()
    }

    /// Where it ends this game, and was upheld, the result is due from now on.
    pub(super) fn await_result_of(&mut self, upheld: &Incident) {
        if !upheld.names().is_empty() && !self.is_of_earlier_game(upheld.id) {
            (self.checks.quiet, self.checks.reported, self.checks.decided) =
                (Watch::default(), false, true);
        }
    }

    /// What was decided of this game is taken back: its result is due as before.
    pub(super) fn await_result_as(&mut self, before: (bool, bool)) {
        (self.checks.reported, self.checks.decided) = before;
    }

    /// Whether its missing result was reported, and whether it is due since a ruling.
    pub(super) fn awaits_result_as(&self) -> (bool, bool) {
        (self.checks.reported, self.checks.decided)
    }

    fn result_patience(&self) -> Duration {
        let after = self.settings.result_after;
        if self.checks.decided {
            return after.min(DECIDED);
        }
        if self.is_seen_to_stand() { after } else { after * UNSEEN }
    }

    pub(super) fn checks_due_at(&self) -> Option<Moment> {
        let watched = !self.settings.result_after.is_zero();
        let quiet = self.checks.quiet.due_at(self.result_patience());
        let quiet = quiet.filter(|_| watched && !self.checks.reported);
        let twice = self.checks.twice.due_at(PUT_RIGHT).filter(|_| self.is_before_result());
        quiet.into_iter().chain(twice).chain(self.checks.unmatched.due_at()).min()
    }

    pub(super) fn checks_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.unmatched_due(now, out);
        let patience = self.result_patience();
        if !self.settings.result_after.is_zero()
            && let Some((_, since)) = self.checks.quiet.due(now, patience)
        {
            (self.checks.quiet, self.checks.reported) = (Watch::default(), true);
            let text = checks::no_result(now.since(since), self.is_seen_to_stand());
            let advice = checks::no_result_advice(self.checks.decided);
            let facts = Facts { since: Some(since), ..self.facts() };
            self.tell_check(now, Kind::NoResult, (None, text, advice), facts, out);
        }
        if self.is_before_result()
            && let Some(((side, other), _)) = self.checks.twice.due(now, PUT_RIGHT)
        {
            let facts = Facts { tables: vec![other], ..self.facts() };
            let text = checks::player_twice(side, other);
            let saying = (Some(side), text, checks::player_twice_advice());
            self.tell_check(now, Kind::PlayerTwice, saying, facts, out);
        }
    }

    fn tell_check(
        &mut self,
        now: Moment,
        kind: Kind,
        (side, text, advice): (Option<Color>, Message, Vec<Advice>),
        facts: Facts,
        out: &mut Vec<Effect>,
    ) {
        self.note_shown(now, self.clocks.state().map(|state| state.times));
        self.raise(now, Saying { kind, side, text, facts, advice }, out);
    }

    /// Reports that the pieces are set up again over a game without a result.
    pub(super) fn note_left_without_result(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let played =
            self.is_in_play() && self.game.score.plies().len() >= PLAYED && self.game.clock.ran;
        // The alert that both times stand is closed at this moment, so it calls nobody.
        let called = self.is_called_for(|kind| kind != Kind::ClockStopped);
        let reported = self.checks.reported || called || self.is_apart;
        let watched = !self.settings.result_after.is_zero() && self.round.paired != Paired::LeftOut;
        if played && watched && !reported {
            let detail = Some(Detail::SetUp);
            let (kind, facts) = (Kind::NoResult, Facts { detail, ..self.facts() });
            let text = checks::left_without_result();
            let saying = (None, text, checks::left_without_result_advice());
            self.tell_check(now, kind, saying, facts, out);
        }
    }

    /// Whether a game is followed here and has no result.
    fn is_before_result(&self) -> bool {
        self.game.reading.tracker.is_some() && self.game.score.ending().is_none()
    }

    fn note_twice(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.checks.twice.what() != self.round.elsewhere {
            self.close_kind(Kind::PlayerTwice, out);
        }
        self.checks.twice.follow(now, self.round.elsewhere);
    }

    /// Looks at the round and the board; `begins`: another game begins in this step.
    fn note_unmatched(&mut self, now: Moment, begins: bool, out: &mut Vec<Effect>) {
        if begins {
            self.checks.unmatched.begins();
        }
        let lacks = Lacks { board: self.lacks_board(), pairing: self.lacks_pairing() };
        self.checks.unmatched.note(now, lacks);
        if !lacks.board {
            self.close_kind(Kind::NoBoard, out);
        }
        if begins || self.round.paired != Paired::LeftOut {
            self.close_kind(Kind::NoPairing, out);
        }
        self.renew_counterparts(out);
    }

    /// The game is put aside: the table waits for nobody.
    pub(super) fn leave_unmatched(&mut self, out: &mut Vec<Effect>) {
        self.checks.unmatched = Unmatched::default();
        self.close_kind(Kind::NoBoard, out);
        self.close_kind(Kind::NoPairing, out);
    }

    /// Whether the other tables play a round in which this table has a pairing and no move, and no
    /// board is heard here.
    fn lacks_board(&self) -> bool {
        let heard = self.board.device.present && self.board.device.answering;
        let paired = self.round.begun && self.round.paired == Paired::Named;
        let awaited = match self.game.score.ending() {
            Some(_) => self.round.next_begun,
            None => paired && self.game.score.plies().is_empty(),
        };
        awaited && !heard
    }

    /// Whether a game is played here while the other tables play a round that has no pairing for
    /// this one.
    fn lacks_pairing(&self) -> bool {
        let played = self.game.score.plies().len();
        let timed = self.game.clock.ran && played >= BEGUN;
        // Without a clock it may be an analysis.
        let unclocked = self.clocks.state().is_none() && played >= PLAYED;
        let unpaired = self.round.begun && self.round.paired == Paired::LeftOut;
        self.is_in_play() && unpaired && (timed || unclocked)
    }

    /// Which tables may be meant is known better as boards come and pairings are corrected.
    fn renew_counterparts(&mut self, out: &mut Vec<Effect>) {
        for kind in [Kind::NoBoard, Kind::NoPairing] {
            let open = self.docket.of_kind(kind).and_then(|id| self.docket.get_mut(id));
            let Some(open) = open.filter(|it| it.facts.tables != self.round.counterparts) else {
                continue;
            };
            open.facts.tables.clone_from(&self.round.counterparts);
            (open.text, _) = checks::unmatched(kind, &open.facts.tables);
            out.push(Effect::Raised(Box::new(open.clone())));
        }
    }

    fn unmatched_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        while let Some((kind, since)) = self.checks.unmatched.due(now) {
            if self.docket.of_kind(kind).is_none() {
                let tables = self.round.counterparts.clone();
                let (text, advice) = checks::unmatched(kind, &tables);
                let facts = Facts { since: Some(since), tables, ..self.facts() };
                self.tell_check(now, kind, (None, text, advice), facts, out);
            }
        }
    }
}
