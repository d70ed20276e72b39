//! Where a table raises and closes its incidents.

use eboard::Moment;
use shakmaty::{Board, Chess, Color, Position, san::SanPlus};

use super::{Effect, Press, Table};
use crate::candidates;
use crate::clock::FlagFall;
use crate::incident::{Advice, Bilingual, Facts, Gravity, Incident, IncidentId, Kind, State};
use crate::laws::illegal::{self, IllegalMove, Why};
use crate::laws::{editions, flag, position};
use crate::settings::Settings;
use crate::signal;

/// What a rule of the Laws has to say about a new incident.
struct Saying {
    kind: Kind,
    side: Option<Color>,
    text: Bilingual,
    facts: Facts,
    advice: Vec<Advice>,
}

impl Table {
    /// Article 6.8. A game that ended on the board before is over: the flag means nothing.
    pub(super) fn flag_fell(&mut self, now: Moment, fall: FlagFall, out: &mut Vec<Effect>) {
        if self.score.ending().is_some() || self.tracker.is_none() {
            return;
        }
        let completed = self.moves_completed(fall.side);
        let facts = Facts {
            between: Some((fall.last_above_zero, fall.seen)),
            moves_completed: Some(completed),
            ..self.facts()
        };
        let advice = flag::advice(&fall, completed);
        let text = flag::text(&fall);
        self.raise(
            now,
            Saying { kind: Kind::FlagFall, side: Some(fall.side), text, facts, advice },
            out,
        );
    }

    /// Article 7.5: whether the press by this side completed an illegal move; raises it if so.
    pub(super) fn judge_illegal(
        &mut self,
        now: Moment,
        press: Press,
        out: &mut Vec<Effect>,
    ) -> bool {
        let case = self.illegal_case(press.by, press.at);
        let Some((before, picture, dropped)) = case else { return false };
        let Some(mv) = illegal::explain(&before, &picture) else { return false };
        if dropped && let Some(tracker) = &mut self.tracker {
            // What looked like a move was only the passage to this one.
            tracker.drop_last(1);
            self.after_tracker(now, true, out);
        }
        if self.standing_illegal.replace(mv) != Some(mv) {
            let saying = self.illegal_saying(press, &before, &picture, &mv);
            self.raise(now, saying, out);
        }
        true
    }

    /// When the picture at the press is none of the game's: the position before the move, the
    /// picture without the opponent's later lifts, and whether a move of that side must go first.
    fn illegal_case(&self, by: Color, pressed: Moment) -> Option<(Chess, Board, bool)> {
        let tracker = self.tracker.as_ref()?;
        tracker.lost()?;
        let picture = self.hand.put_back(self.surface.board(), by.other(), pressed);
        let (position, before_last) = (tracker.position(), tracker.before_last());
        if *position.board() == picture {
            return None;
        }
        if position.turn() == by {
            return Some((position.clone(), picture, false));
        }
        let own_last = before_last.turn() == by;
        own_last.then(|| (before_last.clone(), picture, true))
    }

    fn illegal_saying(
        &self,
        press: Press,
        before: &Chess,
        picture: &Board,
        mv: &IllegalMove,
    ) -> Saying {
        let kind =
            if mv.why == Why::NotPromoted { Kind::PawnNotPromoted } else { Kind::IllegalMove };
        let attackers = match mv.why {
            Why::OwnKingInCheck(attackers) => attackers.into_iter().collect(),
            _ => Vec::new(),
        };
        let facts = Facts {
            clocks: press.before,
            mv: Some(format!("{}{}", mv.from, mv.to)),
            reason: Some(mv.why.name()),
            attackers,
            squares: vec![mv.from, mv.to],
            ..self.facts()
        };
        let text = position::illegal(mv, picture);
        let advice = position::illegal_advice(mv, before, press.before, self.settings.edition);
        Saying { kind, side: Some(mv.piece.color), text, facts, advice }
    }

    /// When squares and score will have disagreed for too long.
    pub(super) fn adrift_at(&self) -> Option<Moment> {
        if self.adrift || self.score.ending().is_some() || !self.device.answering {
            return None;
        }
        let tracker = self.tracker.as_ref()?;
        let lost = tracker.lost()?;
        let counting = self.clocks.state().is_some_and(|state| state.running.is_some());
        let signalling =
            !counting && signal::half(tracker.position().board(), self.surface.board());
        let patience = if self.signal_at.is_some() {
            return None;
        } else if lost.unfinished {
            Settings::IN_THE_AIR
        } else if signalling {
            Settings::HALF_SIGNAL
        } else {
            self.settings.check_after
        };
        Some((lost.since + patience).max(self.surface.changed() + self.settings.release))
    }

    pub(super) fn go_adrift(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.adrift = true;
        if self.standing_illegal.is_some() {
            return;
        }
        let Some(tracker) = &self.tracker else { return };
        let squares = candidates::differing(tracker.position().board(), self.surface.board());
        let lines: Vec<_> =
            tracker.candidates().iter().map(|line| in_san(tracker.position(), line)).collect();
        let text = position::to_check(squares, lines.len());
        let facts =
            Facts { squares: squares.into_iter().collect(), candidates: lines, ..self.facts() };
        let advice = position::to_check_advice();
        self.raise(
            now,
            Saying { kind: Kind::PositionToCheck, side: None, text, facts, advice },
            out,
        );
    }

    /// The program itself failed: a human must compare.
    pub(super) fn raise_fault(&mut self, now: Moment, again: bool, out: &mut Vec<Effect>) {
        let text = position::fault(again);
        let (kind, facts, advice) =
            (Kind::PositionToCheck, self.facts(), position::to_check_advice());
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
        let Some(id) = self.docket.of_kind(kind).filter(|_| again) else { return };
        if let Some(incident) = self.docket.get_mut(id) {
            incident.gravity = Gravity::Summon;
            out.push(Effect::Raised(Box::new(incident.clone())));
        }
    }

    /// Squares and score agree again: what was only in doubt is so no longer.
    pub(super) fn agreed(&mut self, out: &mut Vec<Effect>) {
        self.adrift = false;
        self.standing_illegal = None;
        if !self.broken {
            self.close_kind(Kind::PositionToCheck, out);
        }
    }

    pub(super) fn close_kind(&mut self, kind: Kind, out: &mut Vec<Effect>) {
        if let Some(id) = self.docket.of_kind(kind) {
            self.close(id, out);
        }
    }

    pub(super) fn close_all(&mut self, out: &mut Vec<Effect>) {
        let open: Vec<_> = self.docket.all().map(|incident| incident.id).collect();
        for id in open {
            self.close(id, out);
        }
    }

    fn close(&mut self, id: IncidentId, out: &mut Vec<Effect>) {
        if let Some(incident) = self.docket.close(id) {
            out.push(Effect::Closed(Box::new(incident), None));
        }
    }

    fn raise(&mut self, now: Moment, saying: Saying, out: &mut Vec<Effect>) {
        let Saying { kind, side, text, facts, advice } = saying;
        if kind == Kind::PositionToCheck {
            self.close_kind(kind, out);
        }
        let incident = Incident {
            id: self.docket.next_id(self.game),
            kind,
            article: editions::article(kind, self.settings.edition),
            edition: self.settings.edition,
            side,
            move_number: self.score.move_number(),
            gravity: editions::gravity(kind),
            state: State::Open,
            opened: now,
            text,
            facts,
            evidence: self.traces.all(),
            advice,
        };
        self.docket.open(incident.clone());
        out.push(Effect::Raised(Box::new(incident)));
    }

    fn facts(&self) -> Facts {
        Facts {
            fen: self.score.fen(),
            surface: Some(self.surface.board().to_string()),
            clocks: self.clocks.state().map(|state| state.times),
            ..Facts::default()
        }
    }

    fn moves_completed(&self, side: Color) -> u32 {
        let own = self.score.plies().iter().filter(|ply| ply.after.turn() == side.other());
        let completed = own.filter(|ply| ply.status == crate::score::Status::Completed).count();
        u32::try_from(completed).unwrap_or(u32::MAX)
    }
}

fn in_san(position: &Chess, line: &[shakmaty::Move]) -> String {
    let mut position = position.clone();
    let san =
        line.iter().map(|&mv| SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
    san.collect::<Vec<_>>().join(" ")
}
