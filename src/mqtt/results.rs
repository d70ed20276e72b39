//! The result of a game, as a request says it.

use serde::Deserialize;
use witness::{Ending, Order};

use super::requests::{Asked, BadRequest};
use crate::say;

#[derive(Deserialize)]
pub(super) struct SetResult {
    table: u32,
    /// Another game than the one at the table now.
    game: Option<u32>,
    result: String,
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
