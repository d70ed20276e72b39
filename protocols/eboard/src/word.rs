//! A word for machines, as `dgt` or `checkmate`: one that the program knows, or the same as it was
//! kept in a file.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use bincode::de::Decoder;
use bincode::error::DecodeError;
use bincode::{Decode, Encode};

/// One word.
#[derive(Clone, Default, PartialEq, Eq, Encode)]
pub struct Word(Cow<'static, str>);

impl Deref for Word {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&'static str> for Word {
    fn from(word: &'static str) -> Self {
        Self(Cow::Borrowed(word))
    }
}

impl PartialEq<&str> for Word {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

// Not derived: what is derived would borrow from what it reads.
impl<Context> Decode<Context> for Word {
    fn decode<D: Decoder<Context = Context>>(decoder: &mut D) -> Result<Self, DecodeError> {
        Ok(Self(Cow::Owned(String::decode(decoder)?)))
    }
}

bincode::impl_borrow_decode!(Word);
