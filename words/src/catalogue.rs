//! The sentences of all languages, read once, and the words for what they speak of.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast;
use shakmaty::{Color, Piece, Role};
use unic_langid::LanguageIdentifier;
use witness::{Join, Message, Value};

/// The files of a language: their names and texts.
type Files = &'static [(&'static str, &'static str)];

/// The folders of languages with their files.
pub const LANGUAGES: &[(&str, Files)] = include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// Squares that are named; more are counted, for nobody reads them.
const NAMED_MAX: usize = 8;

/// The one catalogue.
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| Catalogue(LANGUAGES.iter().map(Spoken::read).collect()))
}

/// Every language.
pub struct Catalogue(Vec<Spoken>);

/// One language.
struct Spoken {
    code: &'static str,
    files: Files,
    bundle: FluentBundle<FluentResource>,
    /// The forms of the words of the glossary: the plain one has no name.
    glossary: BTreeMap<String, Vec<(String, String)>>,
}

impl Catalogue {
    pub fn codes(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|it| it.code)
    }

    /// A message that speaks of nothing.
    pub fn own(&self, code: &str, name: &str) -> String {
        self.of(code).find_map(|it| it.format(name, &FluentArgs::new())).unwrap_or_default()
    }

    /// The same in this language alone.
    pub fn phrase(&self, code: &str, name: &str) -> Option<String> {
        let spoken = self.0.iter().find(|it| it.code == code)?;
        spoken.format(name, &FluentArgs::new())
    }

    /// The messages of a file.
    pub fn names(&self, code: &str, file: &str) -> Vec<String> {
        let files = self.0.iter().find(|it| it.code == code).map_or(&[][..], |it| it.files);
        let text = files.iter().find(|it| it.0 == file).map_or("", |it| it.1);
        let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|it| it.0);
        let names = resource.entries().filter_map(|entry| match entry {
            ast::Entry::Message(message) => Some(message.id.name.to_owned()),
            _ => None,
        });
        names.collect()
    }

    /// The sentences of a message, in the language or else in English; its name, where neither has
    /// them, which a test does not let happen.
    pub fn words(&self, code: &str, message: &Message) -> String {
        let said = self.of(code).find_map(|it| it.format(message.name(), &it.args(self, message)));
        let first = said.unwrap_or_else(|| message.name().to_owned());
        let more = message.more().iter().map(|it| self.words(code, it));
        [first].into_iter().chain(more).collect::<Vec<_>>().join(" ")
    }

    /// A whole page, in the language or else in English.
    pub fn page(&self, code: &str, name: &str) -> &'static str {
        let mut pages = self.of(code).flat_map(|it| it.files);
        pages.find(|(file, _)| *file == name).map_or("", |(_, text)| *text)
    }

    pub fn san(&self, code: &str, san: &str) -> String {
        let Some(spoken) = self.of(code).next() else { return san.to_owned() };
        spoken.san(san)
    }

    /// The language of this code, and English behind it.
    fn of(&self, code: &str) -> impl Iterator<Item = &Spoken> {
        let find = |code: &str| self.0.iter().find(|it| it.code == code);
        let first = find(code);
        first.into_iter().chain(find("en").filter(|_| code != "en"))
    }
}

impl Spoken {
    fn read((code, files): &(&'static str, Files)) -> Self {
        let id: LanguageIdentifier = code.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![id]);
        // The texts go into JSON, logs and pages in one direction of writing.
        bundle.set_use_isolating(false);
        let mut names = Vec::new();
        for (_, text) in files.iter().filter(|(file, _)| file.ends_with(".ftl")) {
            // What can be read of a file with an error is read; a test finds the error.
            let resource = FluentResource::try_new((*text).to_owned()).unwrap_or_else(|it| it.0);
            names.extend(resource.entries().filter_map(of_glossary));
            let _ = bundle.add_resource(resource);
        }
        let mut spoken = Self { code, files, bundle, glossary: BTreeMap::new() };
        let forms = names.into_iter().map(|name| (name.clone(), spoken.forms(&name)));
        spoken.glossary = forms.collect();
        spoken
    }

    /// Every form of a word.
    fn forms(&self, name: &str) -> Vec<(String, String)> {
        let Some(message) = self.bundle.get_message(name) else { return Vec::new() };
        let attributes = message.attributes().map(|it| (it.id().to_owned(), it.value()));
        let plain = message.value().map(|it| (String::new(), it));
        let forms = plain.into_iter().chain(attributes);
        let forms = forms.map(|(form, pattern)| {
            let text = self.bundle.format_pattern(pattern, None, &mut Vec::new());
            (form, text.into_owned())
        });
        forms.collect()
    }

    fn format(&self, name: &str, args: &FluentArgs<'_>) -> Option<String> {
        let pattern = self.bundle.get_message(name)?.value()?;
        Some(self.bundle.format_pattern(pattern, Some(args), &mut Vec::new()).into_owned())
    }

    /// What a message speaks of, under the names that sentences know it by.
    fn args<'a>(&'a self, all: &'a Catalogue, message: &'a Message) -> FluentArgs<'a> {
        let mut args = FluentArgs::new();
        for (name, value) in message.values() {
            match value {
                Value::Player(side) => self.add_forms(&mut args, name, &player(*side)),
                Value::Piece(role) => self.add_forms(&mut args, name, &piece(*role)),
                Value::Man(man) => self.add_forms(&mut args, name, &coloured(*man)),
                Value::Count(count) => args.set(name, FluentValue::from(*count)),
                other => args.set(name, FluentValue::from(self.value(all, other))),
            }
        }
        args
    }

    /// `$piece`, `$piece-of` and so on; `$Piece` begins with a capital letter.
    fn add_forms<'a>(&'a self, args: &mut FluentArgs<'a>, name: &str, word: &str) {
        for (form, text) in self.glossary.get(word).map_or(&[][..], Vec::as_slice) {
            let name = variable(name, form);
            args.set(Cow::Owned(capital(&name)), FluentValue::from(capital(text)));
            args.set(Cow::Owned(name), FluentValue::from(text.as_str()));
        }
    }

    fn value<'a>(&self, all: &Catalogue, value: &'a Value) -> Cow<'a, str> {
        match value {
            Value::Text(text) => text.as_str().into(),
            Value::Move(san) => self.san(san).into(),
            Value::Message(message) => all.words(self.code, message).into(),
            Value::List(parts, join) => {
                let parts: Vec<_> = parts.iter().map(|it| all.words(self.code, it)).collect();
                parts.join(&self.join(all, *join)).into()
            }
            Value::Squares(squares) if squares.len() > NAMED_MAX => {
                let mut args = FluentArgs::new();
                args.set("count", squares.len());
                self.format("squares_counted", &args).unwrap_or_default().into()
            }
            Value::Squares(squares) => {
                let names: Vec<_> = squares.iter().map(ToString::to_string).collect();
                names.join(&self.join(all, Join::Comma)).into()
            }
            Value::Tenths(tenths) => {
                let mark = all.own(self.code, "decimal_mark");
                format!("{}{mark}{}", tenths / 10, tenths % 10).into()
            }
            Value::Span(seconds) => self.span(*seconds).into(),
            Value::Count(count) => count.to_string().into(),
            Value::Player(_) | Value::Piece(_) | Value::Man(_) => Cow::default(),
        }
    }

    fn join(&self, all: &Catalogue, join: Join) -> String {
        match join {
            Join::Comma => all.own(self.code, "list_comma"),
            Join::Semicolon => all.own(self.code, "list_semicolon"),
            Join::Then => all.own(self.code, "list_then"),
            Join::Space => " ".to_owned(),
        }
    }

    /// `45 s`, `1 minute`, `1 min 30 s`, `2 minutes`.
    fn span(&self, seconds: u64) -> String {
        let mut args = FluentArgs::new();
        let name = match (seconds / 60, seconds % 60) {
            (0, _) => "span_seconds",
            (minutes, 0) => {
                args.set("count", minutes);
                "minutes"
            }
            (minutes, _) => {
                args.set("minutes", minutes);
                "span_minutes_seconds"
            }
        };
        args.set("seconds", seconds % 60);
        self.format(name, &args).unwrap_or_default()
    }

    fn san(&self, san: &str) -> String {
        let letter = |it: char| match Role::from_char(it).filter(|_| it.is_ascii_uppercase()) {
            Some(role) => self.letter(role).unwrap_or_else(|| it.to_string()),
            None => it.to_string(),
        };
        san.chars().map(letter).collect()
    }

    fn letter(&self, role: Role) -> Option<String> {
        self.glossary.get(&format!("letter_{}", key(role)))?.first().map(|(_, it)| it.clone())
    }
}

/// The words of the glossary: players and pieces, and the letters of pieces.
fn of_glossary(entry: &ast::Entry<&str>) -> Option<String> {
    let ast::Entry::Message(message) = entry else { return None };
    let name = message.id.name;
    is_of_glossary(name).then(|| name.to_owned())
}

/// Whether a message is a word with its forms.
pub fn is_of_glossary(name: &str) -> bool {
    WORDS.contains(&name)
}

/// The words that a glossary has, each class on a line.
pub const WORDS: [&str; 25] = [
    "player_white",
    "player_black",
    "piece_pawn",
    "piece_knight",
    "piece_bishop",
    "piece_rook",
    "piece_queen",
    "piece_king",
    "man_white_pawn",
    "man_white_knight",
    "man_white_bishop",
    "man_white_rook",
    "man_white_queen",
    "man_white_king",
    "man_black_pawn",
    "man_black_knight",
    "man_black_bishop",
    "man_black_rook",
    "man_black_queen",
    "man_black_king",
    "letter_knight",
    "letter_bishop",
    "letter_rook",
    "letter_queen",
    "letter_king",
];

/// A word's form, as a variable of sentences.
pub fn variable(name: &str, form: &str) -> String {
    if form.is_empty() { name.to_owned() } else { format!("{name}-{form}") }
}

/// The same words at the beginning of a sentence.
pub fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn player(side: Color) -> String {
    format!("player_{side}")
}

fn piece(role: Role) -> String {
    format!("piece_{}", key(role))
}

fn coloured(piece: Piece) -> String {
    format!("man_{}_{}", piece.color, key(piece.role))
}

const fn key(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
