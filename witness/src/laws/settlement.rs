//! How times are settled when a clock was faulty: the six cases that the commentary on 6.10.1 goes
//! through, and a jump. Words for an arbiter, who has the last one.

use crate::clock::Fault;
use crate::message::Message;
use crate::say;

/// What becomes of the difference between the times shown and those by our own clock.
pub(super) fn of(fault: Fault) -> Message {
    match fault {
        Fault::BothRun => say::share_each_back(),
        Fault::NeverStops(side) => say::share_whole_back(side),
        Fault::Fast => say::share_half_each(),
        Fault::Slow => say::share_shown_stand(),
        Fault::StandsStill(side) => say::share_taken_off(side),
        Fault::BothStand => say::share_between_both(),
        Fault::Jumped(_) | Fault::AddsAfterFlag(_) => say::share_lost_and_gained(),
    }
}
