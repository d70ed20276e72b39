//! Who is short of time at a table. It is reported once each time it begins, and the alert is
//! closed when it is over.

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color, Position};

use super::alerts::Saying;
use super::{Effect, Play};
use crate::Incident;
use crate::clock::ClockState;
use crate::incident::Kind;
use crate::laws::time_trouble;
use crate::settings::Settings;
use crate::time_control::TimeControl;

/// Who is short of time.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
pub(super) struct ShortOfTime(ByColor<Trouble>);

/// What is known about one player.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
struct Trouble {
    need_not_write: bool,
    /// The last reading at which he need not write.
    short_at: Option<Moment>,
    two_minutes: bool,
}

/// What a player who is short of time may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Short {
    /// Articles 8.4 and 8.5: he need not write.
    NeedNotWrite,
    /// Guideline III: he may make requests when he has the move.
    TwoMinutes,
}

/// What has changed for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// It begins with this time left.
    Begins(Color, Short, FaceTime),
    Ends(Color, Short),
}

/// What stands at the table now.
struct View<'a> {
    settings: &'a Settings,
    control: Option<TimeControl>,
    /// What the clock of a game that goes on shows.
    clock: Option<ClockState>,
    turn: Color,
}

impl View<'_> {
    /// What this player has left, and with it what he may do.
    fn left(&self, side: Color) -> Option<(FaceTime, [bool; 2])> {
        let (control, state) = (self.control.as_ref()?, self.clock.as_ref()?);
        let (periods, left) = (control.of(side), *state.times.get(side));
        let period = usize::from(*state.periods.get(side)).saturating_sub(1);
        // A time that is used up is a matter of the flag.
        (left > FaceTime::ZERO).then(|| {
            let need_not_write = time_trouble::need_not_write(periods, period, left);
            let requests = time_trouble::last_two_minutes(self.settings, periods, period, left);
            (left, [need_not_write, requests])
        })
    }
}

impl ShortOfTime {
    /// Whether this player need not have written at this reading.
    pub(super) fn was_short(&self, side: Color, at: Moment) -> bool {
        self.0.get(side).short_at.is_some_and(|short_at| short_at >= at)
    }

    /// Another second has passed, and nobody is short of time who was not, or the other way round.
    pub(super) fn go_on(&mut self, now: Moment) {
        for side in Color::ALL {
            let trouble = self.0.get_mut(side);
            trouble.short_at = if trouble.need_not_write { Some(now) } else { trouble.short_at };
        }
    }

    /// Looks at the clock. What has changed.
    fn follow(&mut self, now: Moment, view: &View<'_>) -> Vec<Change> {
        let mut changes = Vec::new();
        for side in Color::ALL {
            let trouble = self.0.get_mut(side);
            let (left, [need_not_write, requests]) = match view.left(side) {
                Some((left, may)) => (left, may),
                None => (FaceTime::ZERO, [false; 2]),
            };
            if need_not_write {
                trouble.short_at = Some(now);
            }
            // The requests are those of the player who has the move. They stay when he has moved.
            let requests = requests && (trouble.two_minutes || view.turn == side);
            let known = std::mem::replace(&mut trouble.need_not_write, need_not_write);
            let asked = std::mem::replace(&mut trouble.two_minutes, requests);
            let both = [
                (Short::NeedNotWrite, known, need_not_write),
                (Short::TwoMinutes, asked, requests),
            ];
            changes.extend(both.into_iter().filter_map(|(short, before, now)| {
                match (before, now) {
                    (false, true) => Some(Change::Begins(side, short, left)),
                    (true, false) => Some(Change::Ends(side, short)),
                    _ => None,
                }
            }));
        }
        changes
    }
}

impl Short {
    const fn kind(self) -> Kind {
        match self {
            Self::NeedNotWrite => Kind::TimeTrouble,
            Self::TwoMinutes => Kind::TwoMinutes,
        }
    }
}

impl Play {
    /// Looks at what the clock shows now.
    pub(super) fn note_short_of_time(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let mut short = self.checks.short_of_time;
        let changes = short.follow(now, &self.view_of_time());
        self.checks.short_of_time = short;
        for change in changes {
            match change {
                Change::Begins(side, short, left) => {
                    self.raise_short(now, side, (short, left), out);
                }
                Change::Ends(side, short) => self.close_short(side, short, out),
            }
        }
    }

    fn view_of_time(&self) -> View<'_> {
        let playing =
            self.game.score.ending().is_none() && self.game.clock.ran && !self.clocks.lost();
        let clock = playing.then(|| self.clocks.state()).flatten();
        let control = clock.as_ref().and_then(|_| self.control());
        let turn = self.game.score.position().turn();
        View { settings: &self.settings, control, clock, turn }
    }

    fn raise_short(
        &mut self,
        now: Moment,
        side: Color,
        (short, left): (Short, FaceTime),
        out: &mut Vec<Effect>,
    ) {
        let (text, advice) = match short {
            Short::NeedNotWrite => {
                let required = self.clocks.moves_required(side, self.clocks.period(side));
                let made = self.game.score.moves_completed(side);
                let still = required.map(|moves| moves.saturating_sub(made));
                (time_trouble::text(side, left, still), time_trouble::advice())
            }
            Short::TwoMinutes => {
                let advice = time_trouble::two_minutes_advice(self.settings.edition);
                (time_trouble::two_minutes(side, left), advice)
            }
        };
        let (kind, facts) = (short.kind(), self.facts());
        self.raise(now, Saying { kind, side: Some(side), text, facts, advice }, out);
    }

    fn close_short(&mut self, side: Color, short: Short, out: &mut Vec<Effect>) {
        let own = |it: &&Incident| it.kind == short.kind() && it.side == Some(side);
        let open = self.docket.all().find(own).map(|incident| incident.id);
        if let Some(id) = open {
            self.close(id, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use eboard::FlagMark;

    use super::*;

    fn at(seconds: u64) -> Moment {
        Moment::from_micros(seconds * 1_000_000)
    }

    /// A table in the last period of two hours, with this much left for White and an hour for
    /// Black.
    fn view(settings: &Settings, white: FaceTime, turn: Color) -> View<'_> {
        let times = ByColor { white, black: FaceTime::from_hms(1, 0, 0) };
        let clock = ClockState {
            times,
            running: Some(turn),
            flag: None,
            mark: FlagMark::None,
            flag_due: None,
            periods: ByColor { white: 1, black: 1 },
            low_battery: false,
            sampled: at(0),
        };
        View { settings, control: "7200".parse().ok(), clock: Some(clock), turn }
    }

    #[test]
    fn it_is_reported_once_and_is_over_when_there_is_more_time() {
        let settings = Settings::default();
        let (mut short, little) = (ShortOfTime::default(), FaceTime::from_hms(0, 4, 59));
        let begins = Change::Begins(Color::White, Short::NeedNotWrite, little);
        assert_eq!(short.follow(at(1), &view(&settings, little, Color::White)), [begins]);
        assert!(short.follow(at(2), &view(&settings, little, Color::Black)).is_empty());
        assert!(short.was_short(Color::White, at(2)) && !short.was_short(Color::White, at(3)));
        let more = view(&settings, FaceTime::from_hms(0, 30, 0), Color::White);
        assert_eq!(short.follow(at(3), &more), [Change::Ends(Color::White, Short::NeedNotWrite)]);
        assert!(short.follow(at(4), &View { clock: None, ..more }).is_empty());
    }

    #[test]
    fn requests_are_those_of_the_player_who_has_the_move() {
        let settings = Settings { quickplay_finish: true, ..Settings::default() };
        let (mut short, little) = (ShortOfTime::default(), FaceTime::from_hms(0, 1, 30));
        let needs_not_write = Change::Begins(Color::White, Short::NeedNotWrite, little);
        let not_his_move = view(&settings, little, Color::Black);
        assert_eq!(short.follow(at(1), &not_his_move), [needs_not_write]);
        let requests = Change::Begins(Color::White, Short::TwoMinutes, little);
        assert_eq!(short.follow(at(2), &view(&settings, little, Color::White)), [requests]);
        assert!(short.follow(at(3), &not_his_move).is_empty(), "They stay when he has moved.");
    }
}
