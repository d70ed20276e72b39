//! Requests that set the result of a game.

use serde::{Deserialize, Serialize};
use witness::{Ending, GameNo, Order, TableNo};

use super::asked::{Asked, BadRequest, ResultOf};
use super::bodies::Name;
use crate::say;

/// How a request says that the game has no result, and goes on.
const NO_RESULT: &str = "*";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetResult {
    pub table: TableNo,
    /// The number of an earlier game at the table; none: the current one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameNo>,
    /// The round that the game is to be of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<Name>,
    pub result: String,
}

impl SetResult {
    /// The ending that it names: none lets the game go on.
    ///
    /// # Errors
    /// If it is no result.
    pub fn ending(&self) -> Result<Option<Ending>, BadRequest> {
        match Ending::entered(&self.result) {
            None if self.result != NO_RESULT => {
                let wanted: Vec<_> = Ending::enterable().map(Ending::written).collect();
                Err(BadRequest(say::no_result(&self.result, &wanted.join(", "))))
            }
            ending => Ok(ending),
        }
    }
}

/// Reads a result, or `*`, which lets the game go on.
pub(super) fn read(body: &SetResult) -> Result<Asked, BadRequest> {
    let ending = body.ending()?;
    let round = body.round.as_ref().map(Name::text).transpose()?;
    Ok(match (body.game, round) {
        (None, None) => Asked::Order(body.table, Order::SetResult(ending)),
        (game, round) => Asked::ResultOf(body.table, ResultOf { game, round, ending }),
    })
}
