//! Requests that set the result of a game.

use serde::{Deserialize, Serialize};
use witness::{Ending, Order};

use super::asked::{Asked, BadRequest, ResultOf};
use super::bodies::Name;
use crate::say;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetResult {
    pub table: u32,
    /// The number of an earlier game at the table; none: the current one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u32>,
    /// The round that the game is to be of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<Name>,
    pub result: String,
}

/// Reads a result, or `*`, which lets the game go on.
pub(super) fn read(body: &SetResult) -> Result<Asked, BadRequest> {
    let written = body.result.as_str();
    let ending = Ending::entered(written);
    if ending.is_none() && written != "*" {
        let wanted = "1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, +/-, -/+, -/-";
        return Err(BadRequest(say::no_result(written, wanted)));
    }
    let round = body.round.as_ref().map(Name::text).transpose()?;
    Ok(match (body.game, round) {
        (None, None) => Asked::Order(body.table, Order::SetResult(ending)),
        (game, round) => Asked::ResultOf(body.table, ResultOf { game, round, ending }),
    })
}
