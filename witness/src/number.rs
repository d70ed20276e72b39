//! Numbers that name something. Each has a type of its own, so that none stands where another is
//! meant. They are kept and written as the bare numbers.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(Encode, Decode, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The one with this number.
            #[must_use]
            pub const fn new(number: u32) -> Self {
                Self(number)
            }

            /// The one after it.
            #[must_use]
            pub const fn next(self) -> Self {
                Self(self.0 + 1)
            }

            /// The bare number, for what is kept, written or counted.
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;

            fn from_str(text: &str) -> Result<Self, ParseIntError> {
                text.parse().map(Self)
            }
        }
    )*};
}

numbers! {
    /// The number of a line. Each opening of a line has a new one.
    LineNo,

    /// The number of a game at its table, counted from 1; 0 before the first.
    GameNo,

    /// The number of a table of the hall, from 1.
    TableNo,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records and checkpoints of earlier versions hold bare numbers.
    #[test]
    fn a_number_is_kept_as_its_bare_number() {
        let config = bincode::config::standard();
        for bare in [0, 1, 250, 251, 70_000, u32::MAX] {
            let (line, game, table) = (LineNo::new(bare), GameNo::new(bare), TableNo::new(bare));
            let kept = bincode::encode_to_vec((line, game, table), config).unwrap();
            assert_eq!(kept, bincode::encode_to_vec([bare; 3], config).unwrap());
            let (read, _) = bincode::decode_from_slice(&kept, config).unwrap();
            assert_eq!((line, game, table), read);
            assert_eq!(table.to_string().parse(), Ok(table));
            assert_eq!(table.to_string(), bare.to_string());
        }
    }
}
