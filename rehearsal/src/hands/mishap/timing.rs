//! Mishaps at the clock.

use crate::Act;
use crate::hands::player::Player;

impl Player<'_> {
    pub(super) fn sit_until_the_flag_falls(&mut self) -> Option<()> {
        // What follows the main time of a byo-yomi runs out too.
        let control = self.manner.control.of(self.clock.to_move());
        let parts = if control.byo_yomi_s().is_some() { 2 } else { 1 };
        for _ in 0..parts {
            let left = self.clock.left(self.now(), self.clock.to_move());
            self.wait(left);
        }
        Some(())
    }

    /// The press for the move that comes will be late.
    pub(super) fn dawdle(&mut self) -> Option<()> {
        self.dawdles = true;
        Some(())
    }

    pub(super) fn stop_for_a_while(&mut self) -> Option<()> {
        self.act(Act::StopClock);
        self.pause(14_000, 25_000);
        self.act(Act::GoOn);
        self.pause(500, 1500);
        Some(())
    }
}
