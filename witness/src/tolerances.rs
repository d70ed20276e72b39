//! How exactly a board tells when something was done.

use std::time::Duration;

/// A board reads all its squares in this time: what is closer together has no order. Source: the
/// document of the maker of DGT boards.
pub(crate) const SCAN: Duration = Duration::from_millis(250);

/// Reports that come in another order than the squares changed are not further apart than this, and
/// what has rested longer was there in reality: a scan, and what the line adds to it. An estimate.
pub(crate) const SCAN_AND_LINE: Duration = Duration::from_millis(300);

/// By so long after a press a scan has brought in the move that was made before it, and a late
/// clock the press. An estimate.
pub(crate) const SCANNED: Duration = Duration::from_millis(700);
