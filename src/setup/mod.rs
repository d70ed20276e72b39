//! The configuration, changed by the organizer from a page. The file stays the truth.

pub mod code;
pub mod document;

use serde_json::Value;
use tokio::sync::oneshot;
use witness::Message;

use crate::requests::Change;

/// The most changes of the file that wait. Each takes some milliseconds, and organizers are few.
pub const WISHES: usize = 16;

/// What somebody wants in the file.
#[derive(Debug)]
pub enum Wanted {
    /// These changes, if the file is still of this revision; none: whatever it is now.
    Changes(Vec<Change>, Option<String>),
    /// The first organizer, and the hash of the password.
    FirstOrganizer(String, String),
}

/// A change of the configuration that somebody asks for.
#[derive(Debug)]
pub struct Wish {
    /// The person.
    pub by: String,
    /// What is wanted.
    pub wanted: Wanted,
    /// Where the answer is awaited.
    pub answer: oneshot::Sender<Result<Value, Message>>,
}
