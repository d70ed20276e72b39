//! How the program ends: exit codes after sysexits, one error for people.

use std::process::ExitCode;

/// Why a verb could not do its work.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    /// One or more lines for a person, without a full stop at the end.
    pub message: String,
}

/// Wrong use of the command line.
pub const USAGE: u8 = 64;
/// A file's content is wrong.
pub const DATA: u8 = 65;
/// An input file is not there.
pub const NO_INPUT: u8 = 66;
/// Something that is needed is in use or missing.
pub const UNAVAILABLE: u8 = 69;
/// Our own fault.
pub const SOFTWARE: u8 = 70;
/// Reading or writing failed.
pub const IO: u8 = 74;
/// Not allowed.
pub const NO_PERMISSION: u8 = 77;
/// The configuration is wrong.
pub const CONFIG: u8 = 78;

impl Failure {
    /// A failure with one of the codes above.
    pub fn new(code: u8, message: impl ToString) -> Self {
        Self { code, message: message.to_string() }
    }

    /// A file that could not be read or written.
    pub fn file(path: &std::path::Path, error: &std::io::Error) -> Self {
        let code = match error.kind() {
            std::io::ErrorKind::NotFound => NO_INPUT,
            std::io::ErrorKind::PermissionDenied => NO_PERMISSION,
            _ => IO,
        };
        Self::new(code, format!("failed to use {}: {error}", path.display()))
    }
}

impl From<Failure> for ExitCode {
    fn from(failure: Failure) -> Self {
        Self::from(failure.code)
    }
}
