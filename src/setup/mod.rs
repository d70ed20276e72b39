//! The configuration, changed by the organizer from a page. The file stays the truth.

pub mod code;
pub mod document;
mod fulfil;
pub mod pairings;
mod setting;

pub use fulfil::fulfil;

use serde_json::Value;
use tokio::sync::oneshot;
use witness::Message;

use crate::config::Account;
use crate::requests::Change;

/// The most changes of the file that wait. Each takes some milliseconds, and organizers are few.
pub const WISHES: usize = 16;

/// What somebody wants in the file.
#[derive(Debug)]
pub enum Wanted {
    /// These changes, if the file is still of this revision; none: whatever it is now.
    Changes(Vec<Change>, Option<String>),
    /// Another file with the pairings, if the configuration is still of this revision.
    Pairings(pairings::File, Option<String>),
    /// The first organizer, and the hash of the password.
    FirstOrganizer(String, String),
    /// Somebody's role and password.
    Person(Person),
    /// The token of Lichess, in a file beside the configuration.
    Token(String),
}

/// Somebody who may sign in, or may not any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The role and the hash of the password; none: it is taken away.
    pub account: Option<Account>,
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
