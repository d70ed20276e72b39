//! A board that reports its whole position once, and then only changes. A recording without dumps
//! looks like this.

use dgt::{Command, Order, Orders, VirtualBoard};
use eboard::{Driver, Emulator, Moment, Reason, Said, Stimulus};

/// The DGT driver with such a board.
pub(super) static DGT: Driver =
    Driver { emulate: || Box::new(ReticentBoard::default()), ..dgt::DRIVER };

/// An emulator that answers the first order for a dump and no other.
#[derive(Default)]
struct ReticentBoard {
    board: VirtualBoard,
    orders: Orders,
    dumped: bool,
}

impl Emulator for ReticentBoard {
    fn handle(&mut self, now: Moment, stimulus: Stimulus<'_>, out: &mut Said) {
        let Stimulus::Host(bytes) = stimulus else {
            return self.board.handle(now, stimulus, out);
        };
        let (board, dumped) = (&mut self.board, &mut self.dumped);
        self.orders.feed(bytes, |order| {
            let Order::Command(command) = order else { return };
            let again = command == Command::Board && std::mem::replace(dumped, true);
            if !again {
                board.handle(now, Stimulus::Host(&[command.byte()]), out);
            }
        });
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        self.board.deadline()
    }

    fn set_serials(&mut self, serials: &[&str]) {
        self.board.set_serials(serials);
    }
}
