//! Where flags will fall: the players who are short of time, those first who have least for each
//! move they still have to make (Articles 8.4, 8.5, 12.3; Guideline III). For arbiters alone.

use std::time::Duration;

use eboard::{FaceTime, Moment};
use shakmaty::{Color, Position};

use crate::laws::time_trouble;
use crate::number::TableNo;
use crate::table::{Phase, Table};

/// Rapid and blitz players always have little: only the last minute is worth a walk.
const RAPID: FaceTime = FaceTime::from_hms(0, 1, 0);
/// Where no number of moves is asked for, so many are thought to come: only to put in order.
const MOVES_TO_COME: u32 = 20;

/// One player who is short of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortOfTime {
    /// The table.
    pub table: TableNo,
    /// Who.
    pub side: Color,
    /// What he has left.
    pub left: FaceTime,
    /// Moves he still has to make in this period; none: as many as it takes.
    pub moves_to_make: Option<u32>,
    /// What he has for each of them, with what every move brings.
    pub per_move: FaceTime,
    /// His time counts.
    pub counting: bool,
    /// When his flag would fall.
    pub flag_due: Option<Moment>,
    /// He need not write any more (8.4); somebody should be there (8.5).
    pub need_not_write: bool,
    /// Last period, no increment, having the move, under two minutes: he may request what Guideline
    /// III allows, which the event has announced.
    pub two_minutes: bool,
}

/// Who is short of time, most urgent first.
#[must_use]
pub fn watch_list<'a>(
    now: Moment,
    tables: impl IntoIterator<Item = (TableNo, &'a Table)>,
) -> Vec<ShortOfTime> {
    let sides = tables.into_iter().flat_map(|table| Color::ALL.map(|side| (table, side)));
    let mut list: Vec<_> =
        sides.filter_map(|((number, table), side)| short(now, number, table, side)).collect();
    list.sort_by_key(|it| (it.per_move, it.left, it.table, it.side == Color::Black));
    list
}

fn short(now: Moment, number: TableNo, table: &Table, side: Color) -> Option<ShortOfTime> {
    let playing = matches!(table.phase(), Phase::InPlay | Phase::Paused | Phase::Adrift)
        && table.adjournment().is_none();
    let (clocks, control) = (table.clocks(), table.settings().control?);
    let state =
        clocks.state().filter(|_| playing && !clocks.lost() && clocks.flags().next().is_none())?;
    let index = usize::from(*state.periods.get(side)).saturating_sub(1);
    let periods = control.of(side);
    let period = periods.get(index)?;
    let counting = state.running == Some(side);
    let passed = if counting { now.since(state.sampled) } else { Duration::ZERO };
    let left = state.times.get(side).less(passed);
    let need_not_write = time_trouble::need_not_write(periods, index, left);
    if !(need_not_write || left < RAPID) {
        return None;
    }
    let made = table.score().moves_completed(side);
    let moves_to_make = periods.required(index).map(|required| required.saturating_sub(made));
    let share = left.as_ms() / moves_to_make.unwrap_or(MOVES_TO_COME).max(1);
    let bonus_s = period.per_move_s(u32::MAX);
    let has_the_move = table.score().position().turn() == side;
    let two_minutes = time_trouble::last_two_minutes(table.settings(), periods, index, left);
    Some(ShortOfTime {
        table: number,
        side,
        left,
        moves_to_make,
        per_move: FaceTime::from_ms(share.saturating_add(bonus_s.saturating_mul(1000))),
        counting,
        flag_due: state.flag_due.filter(|_| counting),
        need_not_write,
        two_minutes: two_minutes && has_the_move,
    })
}
