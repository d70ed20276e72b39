//! The result of a game, as a request says it.

use serde::{Deserialize, Serialize};
use witness::{Ending, Order};

use super::asked::{Asked, BadRequest};
use crate::say;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetResult {
    pub table: u32,
    /// Another game than the one at the table now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u32>,
    pub result: String,
}

/// A result, or `*` to let the game go on.
pub(super) fn read(body: &SetResult) -> Result<Asked, BadRequest> {
    let written = body.result.as_str();
    let ending = Ending::entered(written);
    if ending.is_none() && written != "*" {
        let wanted = "1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, +/-, -/+, -/-";
        return Err(BadRequest(say::no_result(written, wanted)));
    }
    Ok(match body.game {
        Some(game) => Asked::ResultOf(body.table, game, ending),
        None => Asked::Order(body.table, Order::SetResult(ending)),
    })
}
