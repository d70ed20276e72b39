//! Divides the file descriptors of the process. The share of strangers leaves enough for boards,
//! journal and arbiters.

use nix::sys::resource::{Resource, getrlimit};

/// The shares of the doors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Guests at the broker.
    pub guests: usize,
    /// Connections at the pages.
    pub pages: usize,
    /// Clients of LiveChess, if they are served.
    pub livechess: usize,
}

/// The guests of the largest hall. More are not needed, whatever the system allows.
const GUESTS_MAX: usize = 2500;
const PAGES_MAX: usize = 512;
/// Fifty clients, others that reconnect while their old connection is still held, and requests over
/// HTTP. If LiveChess is served, the pages have this much less.
const LIVECHESS_MAX: usize = 128;
/// Clients of the broker before their CONNECT, and its users: broker/src/limits.rs.
const STRANGERS_AND_USERS: usize = 512;
/// The share of boards, journal, checkpoints, pairings and the daemon itself. A third of it is 300
/// boards and what opens them.
const OWN: usize = 572;

impl Shares {
    /// The shares for the limit of this process. If it is low, guests get little.
    #[must_use]
    pub fn of_this_process() -> Self {
        let soft = getrlimit(Resource::RLIMIT_NOFILE).map_or(1024, |(soft, _)| soft);
        Self::of(usize::try_from(soft).unwrap_or(usize::MAX))
    }

    /// The share of LiveChess.
    #[must_use]
    pub fn of_livechess() -> usize {
        Self::of_this_process().with_livechess(true).livechess
    }

    fn of(all: usize) -> Self {
        let left = all.saturating_sub(OWN.min(all / 3) + STRANGERS_AND_USERS.min(all / 4));
        let pages = PAGES_MAX.min(left / 4);
        Self { pages, guests: GUESTS_MAX.min(left - pages), livechess: 0 }
    }

    /// The same shares with LiveChess.
    #[must_use]
    pub fn with_livechess(self, served: bool) -> Self {
        let livechess = if served { LIVECHESS_MAX.min(self.pages / 4) } else { 0 };
        Self { pages: self.pages - livechess, livechess, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_gives_enough_for_a_large_hall_and_boards_keep_theirs() {
        let unit = Shares { guests: 2500, pages: 512, livechess: 0 };
        assert_eq!(Shares::of(4096), unit);
        let shared = Shares { pages: 384, livechess: 128, ..unit };
        assert_eq!(unit.with_livechess(true), shared);
        assert_eq!(unit.with_livechess(false), unit);
        for all in [256, 1024, 4096, 65_536, usize::MAX] {
            let Shares { guests, pages, .. } = Shares::of(all);
            let taken = guests + pages + STRANGERS_AND_USERS.min(all / 4);
            assert!(all - taken >= OWN.min(all / 3), "{all}");
            assert!(guests > 0 && pages > 0, "{all}");
        }
    }
}
