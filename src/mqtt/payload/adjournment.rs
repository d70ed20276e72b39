//! The sheet of an adjourned game, and what is not as on it when play is to be resumed.

use serde::Serialize;
use witness::{Adjournment, Table};

use super::{Stamp, colour};
use crate::answers::{Sheet, sheet};

/// The sheet as it is published with the game.
pub(super) fn sheet_at(stamp: Stamp<'_>, adjournment: &Adjournment) -> Sheet {
    Sheet { at: Some(stamp.wall(adjournment.at)), ..sheet(adjournment) }
}

/// An envelope that waits to be opened.
#[derive(Debug, Serialize)]
pub struct Envelope {
    by: &'static str,
    move_number: u32,
}

pub(super) fn envelope(table: &Table) -> Option<Envelope> {
    table.envelope().map(|(by, move_number)| Envelope { by: colour(by), move_number })
}
