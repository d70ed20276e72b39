//! How positions and moves are written down where a table is kept: the library of chess does that
//! for its small types only. Read by the same build of this program and by nobody else.

mod position;

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use shakmaty::{CastlingMode, Color, Move, Role, Square};

use crate::unwinnable::Mate;

/// What can be kept although it is not [`Encode`].
pub(crate) trait Keep: Sized {
    fn keep<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError>;
    fn kept<D: Decoder>(from: &mut D) -> Result<Self, DecodeError>;
}

/// Writes a type field by field: `keep` those that are [`Keep`], all others as they are derived.
macro_rules! keep {
    ($type:ident { $($keep:ident),+ ; $($field:ident),* }) => {
        impl bincode::Encode for $type {
            fn encode<E: bincode::enc::Encoder>(
                &self,
                to: &mut E,
            ) -> Result<(), bincode::error::EncodeError> {
                $(crate::keep::Keep::keep(&self.$keep, to)?;)+
                $(bincode::Encode::encode(&self.$field, to)?;)*
                Ok(())
            }
        }

        impl<Context> bincode::Decode<Context> for $type {
            fn decode<D: bincode::de::Decoder<Context = Context>>(
                from: &mut D,
            ) -> Result<Self, bincode::error::DecodeError> {
                Ok(Self {
                    $($keep: crate::keep::Keep::kept(from)?,)+
                    $($field: bincode::Decode::decode(from)?,)*
                })
            }
        }

        bincode::impl_borrow_decode!($type);
    };
}

pub(crate) use keep;

impl<T: Keep> Keep for Vec<T> {
    fn keep<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        self.len().encode(to)?;
        self.iter().try_for_each(|it| it.keep(to))
    }

    fn kept<D: Decoder>(from: &mut D) -> Result<Self, DecodeError> {
        let length = usize::decode(from)?;
        from.claim_container_read::<T>(length)?;
        (0..length)
            .map(|_| {
                from.unclaim_bytes_read(size_of::<T>());
                T::kept(from)
            })
            .collect()
    }
}

impl<T: Keep> Keep for Option<T> {
    fn keep<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        self.is_some().encode(to)?;
        self.iter().try_for_each(|it| it.keep(to))
    }

    fn kept<D: Decoder>(from: &mut D) -> Result<Self, DecodeError> {
        bool::decode(from)?.then(|| T::kept(from)).transpose()
    }
}

impl<T: Keep> Keep for (T, Color, Mate) {
    fn keep<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        self.0.keep(to)?;
        (self.1, self.2).encode(to)
    }

    fn kept<D: Decoder>(from: &mut D) -> Result<Self, DecodeError> {
        Ok((T::kept(from)?, Color::decode(from)?, Mate::decode(from)?))
    }
}

impl Keep for CastlingMode {
    fn keep<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        self.is_chess960().encode(to)
    }

    fn kept<D: Decoder>(from: &mut D) -> Result<Self, DecodeError> {
        bool::decode(from).map(Self::from_chess960)
    }
}

/// [`Move`], which is not ours to derive anything for.
#[derive(Encode, Decode)]
enum KeptMove {
    Normal { role: Role, from: Square, capture: Option<Role>, to: Square, promotion: Option<Role> },
    EnPassant { from: Square, to: Square },
    Castle { king: Square, rook: Square },
    Put { role: Role, to: Square },
}

impl Keep for Move {
    fn keep<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        let kept = match *self {
            Self::Normal { role, from, capture, to, promotion } => {
                KeptMove::Normal { role, from, capture, to, promotion }
            }
            Self::EnPassant { from, to } => KeptMove::EnPassant { from, to },
            Self::Castle { king, rook } => KeptMove::Castle { king, rook },
            Self::Put { role, to } => KeptMove::Put { role, to },
        };
        kept.encode(to)
    }

    fn kept<D: Decoder>(from: &mut D) -> Result<Self, DecodeError> {
        Ok(match KeptMove::decode(from)? {
            KeptMove::Normal { role, from, capture, to, promotion } => {
                Self::Normal { role, from, capture, to, promotion }
            }
            KeptMove::EnPassant { from, to } => Self::EnPassant { from, to },
            KeptMove::Castle { king, rook } => Self::Castle { king, rook },
            KeptMove::Put { role, to } => Self::Put { role, to },
        })
    }
}
