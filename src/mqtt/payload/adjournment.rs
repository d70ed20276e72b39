//! The sheet of an adjourned game, and what differs from it when play is resumed.

use serde::Serialize;
use witness::{Adjournment, Table};

use super::{Stamp, colour};
use crate::answers::{Sheet, sheet};

/// The sheet, as the game's payload has it.
pub(super) fn sheet_at(stamp: Stamp<'_>, adjournment: &Adjournment) -> Sheet {
    Sheet { at: Some(stamp.wall(adjournment.at)), ..sheet(adjournment) }
}

/// An envelope that was not opened yet.
#[derive(Debug, Serialize)]
pub struct Envelope {
    by: &'static str,
    move_number: u32,
}

pub(super) fn envelope(table: &Table) -> Option<Envelope> {
    table.envelope().map(|(by, move_number)| Envelope { by: colour(by), move_number })
}
