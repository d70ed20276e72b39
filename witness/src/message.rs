//! What is to be said, before anybody has put it into a language: a message by its name, with what
//! it speaks of. The sentences are in `words/`, one folder for each language; nothing here or above
//! knows them, and nothing is decided by them.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{FaceTime, Word};
use shakmaty::san::SanPlus;
use shakmaty::{Bitboard, Color, Piece, Role, Square};

use crate::number::{GameNo, TableNo};
use crate::topic::Topic;

/// Something to be said.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Message {
    name: Word,
    values: Vec<(Word, Value)>,
    /// Whole sentences after it.
    more: Vec<Message>,
    /// What it is about, where that is asked for.
    topic: Option<Topic>,
}

/// What a message speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Value {
    /// A player, by the colour.
    Player(Color),
    /// A kind of piece.
    Piece(Role),
    /// A piece with its colour.
    Man(Piece),
    /// Squares, named or counted.
    Squares(Vec<Square>),
    /// A move in SAN with English letters.
    Move(String),
    /// How many.
    Count(u64),
    /// What is the same in every language: a name, a square, a time on a clock, an Article.
    Text(String),
    /// Tenths of a second.
    Tenths(u64),
    /// Seconds that are said in minutes where they are some.
    Span(u64),
    /// Words of another message.
    Message(Box<Message>),
    /// Words of several ones.
    List(Vec<Message>, Join),
}

/// What stands between the parts of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Join {
    /// A comma.
    Comma,
    /// A semicolon.
    Semicolon,
    /// A comma and the word for what comes later.
    Then,
    /// A space.
    Space,
}

/// The kind of a [`Value`], for whoever checks the sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// [`Value::Player`].
    Player,
    /// [`Value::Piece`].
    Piece,
    /// [`Value::Man`].
    Man,
    /// [`Value::Count`].
    Count,
    /// Whatever is put into words as a whole.
    Words,
}

/// A message that can be said: its name, and what it speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The name, as in the files of `words/`.
    pub name: &'static str,
    /// The variables of its sentence.
    pub values: &'static [(&'static str, Sort)],
}

impl Message {
    /// A message of this form; see [`messages!`](crate::messages).
    #[must_use]
    pub fn new(form: &Form, values: impl IntoIterator<Item = Value>) -> Self {
        let names = form.values.iter().map(|(name, _)| Word::from(*name));
        Self {
            name: form.name.into(),
            values: names.zip(values).collect(),
            more: Vec::new(),
            topic: None,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it speaks of.
    pub fn values(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.values.iter().map(|(name, value)| (&**name, value))
    }

    /// The sentences that follow it.
    #[must_use]
    pub fn more(&self) -> &[Self] {
        &self.more
    }

    /// With another sentence after it.
    #[must_use]
    pub fn then(mut self, more: Self) -> Self {
        self.more.push(more);
        self
    }

    /// About this.
    #[must_use]
    pub(crate) fn about(mut self, topic: Topic) -> Self {
        self.topic = Some(topic);
        self
    }

    /// Whether it is about this.
    pub(crate) fn is_about(&self, topic: Topic) -> bool {
        self.topic == Some(topic)
    }

    /// Without the sentences about this after it; none: there are none.
    pub(crate) fn without(&self, topic: Topic) -> Option<Self> {
        let mut without = self.clone();
        without.more.retain(|it| !it.is_about(topic));
        (without.more.len() < self.more.len()).then_some(without)
    }
}

/// What can stand in a message.
pub trait Speaks {
    /// As what.
    const SORT: Sort;

    /// The value that is kept.
    fn value(self) -> Value;
}

/// A move in SAN with English letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written(pub String);

/// Seconds that are said in minutes where they are some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub u64);

/// Parts of a sentence, and what stands between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List(pub Vec<Message>, pub Join);

macro_rules! speaks {
    ($($what:ty as $sort:ident: $it:ident => $value:expr;)*) => {
        $(impl Speaks for $what {
            const SORT: Sort = Sort::$sort;

            fn value(self) -> Value {
                let $it = self;
                $value
            }
        })*
    };
}

speaks! {
    Color as Player: it => Value::Player(it);
    Role as Piece: it => Value::Piece(it);
    Piece as Man: it => Value::Man(it);
    u32 as Count: it => Value::Count(it.into());
    GameNo as Count: it => Value::Count(it.get().into());
    TableNo as Count: it => Value::Count(it.get().into());
    u64 as Count: it => Value::Count(it);
    usize as Count: it => Value::Count(u64::try_from(it).unwrap_or(u64::MAX));
    Value as Words: it => it;
    Written as Words: it => Value::Move(it.0);
    Duration as Words: it => Value::Tenths(u64::try_from(it.as_millis() / 100).unwrap_or(u64::MAX));
    Span as Words: it => Value::Span(it.0);
    Message as Words: it => Value::Message(Box::new(it));
    List as Words: it => Value::List(it.0, it.1);
    Bitboard as Words: it => Value::Squares(it.into_iter().collect());
    &[Square] as Words: it => Value::Squares(it.to_vec());
    Square as Words: it => Value::Text(it.to_string());
    FaceTime as Words: it => Value::Text(it.to_string());
    &str as Words: it => Value::Text(it.to_owned());
    String as Words: it => Value::Text(it);
    &String as Words: it => Value::Text(it.clone());
}

impl From<SanPlus> for Written {
    fn from(san: SanPlus) -> Self {
        Self(san.to_string())
    }
}

/// Declares messages: each becomes a function of what it speaks of, and all together the constant
/// `FORMS`, by which a test finds those that a language lacks.
#[macro_export]
macro_rules! messages {
    ($($(#[$about:meta])* $name:ident($($value:ident: $what:ty),* $(,)?);)*) => {
        /// Every message of this file.
        pub const FORMS: &[$crate::Form] = &[$($crate::Form {
            name: stringify!($name),
            values: &[$((stringify!($value), <$what as $crate::Speaks>::SORT)),*],
        }),*];

        $(
            $(#[$about])*
            #[must_use]
            #[allow(missing_docs, reason = "the sentence stands in words/en")]
            pub fn $name($($value: $what),*) -> $crate::Message {
                const FORM: $crate::Form = $crate::Form {
                    name: stringify!($name),
                    values: &[$((stringify!($value), <$what as $crate::Speaks>::SORT)),*],
                };
                $crate::Message::new(&FORM, [$($crate::Speaks::value($value)),*])
            }
        )*
    };
}
