//! The configuration, changed by the organizer from a page. The file stays the truth.

pub mod document;

use serde_json::Value;
use tokio::sync::oneshot;
use witness::Message;

use crate::requests::Change;

/// The most changes of the file that wait. Each takes some milliseconds, and organizers are few.
pub const WISHES: usize = 16;

/// Changes of the configuration that somebody asks for.
#[derive(Debug)]
pub struct Wish {
    /// The person.
    pub by: String,
    /// The changes.
    pub changes: Vec<Change>,
    /// The revision of the file that the person has seen; none: whatever it is now.
    pub revision: Option<String>,
    /// Where the answer is awaited.
    pub answer: oneshot::Sender<Result<Value, Message>>,
}
