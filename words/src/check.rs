//! Whether every language says everything, and nothing else: for tests.

use std::collections::{BTreeMap, BTreeSet};

use fluent_bundle::FluentResource;
use fluent_syntax::ast;
use witness::{Form, Sort};

use crate::catalogue::{LANGUAGES, WORDS, capital, variable};

/// What the functions of this crate say themselves, and of what.
const OWN: [(&str, &[&str]); 8] = [
    ("language_name", &[]),
    ("list_comma", &[]),
    ("list_semicolon", &[]),
    ("list_then", &[]),
    ("decimal_mark", &[]),
    ("squares_counted", &["count"]),
    ("span_seconds", &["seconds"]),
    ("span_minutes_seconds", &["minutes", "seconds"]),
];

/// What is wrong with the languages, held against all messages that can be said.
#[must_use]
pub fn problems(forms: &[Form]) -> Vec<String> {
    let all = LANGUAGES.iter().flat_map(|(code, files)| {
        let mut language = Language::default();
        for (file, text) in files.iter().filter(|(file, _)| is_checked(file)) {
            language.read(&format!("{code}/{file}"), text);
        }
        let found = language.problems(forms);
        found.into_iter().map(move |it| if it.contains('/') { it } else { format!("{code}: {it}") })
    });
    all.chain(said_twice(forms)).chain(pages()).collect()
}

/// Whether a file has messages that are declared. The page about the Laws, which a language may
/// leave out, has its own test.
fn is_checked(file: &str) -> bool {
    file.ends_with(".ftl") && file != "laws.ftl"
}

/// Whole pages that a language lacks, or that leave out what is filled in.
fn pages() -> Vec<String> {
    let pages = |code: &str| {
        let files = LANGUAGES.iter().find(|it| it.0 == code).map_or(&[][..], |it| it.1);
        let pages = files.iter().filter(|(file, _)| file.ends_with(".html"));
        pages.map(|(file, text)| (*file, filled_in(text))).collect::<BTreeMap<_, _>>()
    };
    let english = pages("en");
    let amiss = LANGUAGES.iter().filter(|(code, _)| pages(code) != english);
    amiss
        .map(|(code, _)| format!("{code}: its pages are not those of en, or have other places"))
        .collect()
}

/// The places of a page that are filled in, as `{{expires}}`.
fn filled_in(page: &str) -> BTreeSet<&str> {
    page.split("{{").skip(1).filter_map(|it| Some(it.split_once("}}")?.0)).collect()
}

fn said_twice(forms: &[Form]) -> impl Iterator<Item = String> {
    let mut names = BTreeSet::new();
    let twice: Vec<_> = forms.iter().filter(|it| !names.insert(it.name)).collect();
    twice.into_iter().map(|it| format!("{}: declared twice", it.name))
}

/// What is in the files of a language.
#[derive(Default)]
struct Language {
    /// The messages with the variables of their sentences.
    messages: BTreeMap<String, BTreeSet<String>>,
    /// The forms of each message that has others than the plain one.
    forms: BTreeMap<String, BTreeSet<String>>,
    problems: Vec<String>,
}

impl Language {
    fn read(&mut self, file: &str, text: &str) {
        let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|(it, errors)| {
            self.problems.extend(errors.iter().map(|it| format!("{file}: {it}")));
            it
        });
        for entry in resource.entries() {
            match entry {
                ast::Entry::Message(message) => self.add(file, message),
                ast::Entry::Junk { content } => {
                    let line = content.lines().next().unwrap_or_default();
                    self.problems.push(format!("{file}: cannot be read: {line}"));
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, file: &str, message: &ast::Message<&str>) {
        let name = message.id.name;
        let mut variables = BTreeSet::new();
        match &message.value {
            Some(pattern) => in_pattern(pattern, &mut variables),
            None => self.problems.push(format!("{file}: {name} says nothing")),
        }
        let forms = message.attributes.iter().map(|it| it.id.name.to_owned()).collect();
        self.forms.insert(name.to_owned(), forms);
        if self.messages.insert(name.to_owned(), variables).is_some() {
            self.problems.push(format!("{file}: {name} is there twice"));
        }
    }

    fn problems(mut self, forms: &[Form]) -> Vec<String> {
        let mut found = std::mem::take(&mut self.problems);
        for form in forms {
            match self.messages.get(form.name) {
                Some(used) => found.extend(self.wrong_variables(form, used)),
                None => found.push(format!("{} is missing", form.name)),
            }
        }
        for (name, offered) in OWN {
            let offered: BTreeSet<_> = offered.iter().map(|it| (*it).to_owned()).collect();
            match self.messages.get(name) {
                Some(used) if *used == offered => {}
                Some(_) => found.push(format!("{name}: its variables are {offered:?}")),
                None => found.push(format!("{name} is missing")),
            }
        }
        found.extend(WORDS.iter().filter_map(|it| self.wrong_word(it)));
        let known = |name: &String| {
            forms.iter().any(|it| it.name == *name)
                || OWN.iter().any(|it| it.0 == *name)
                || WORDS.contains(&name.as_str())
        };
        let unused = self.messages.keys().filter(|it| !known(it));
        found.extend(unused.map(|it| format!("{it} is said nowhere")));
        found
    }

    /// A word has the forms of the others of its class.
    fn wrong_word(&self, word: &str) -> Option<String> {
        let Some(forms) = self.forms.get(word) else { return Some(format!("{word} is missing")) };
        let first = class(word).first().copied().unwrap_or(word);
        let same = self.forms.get(first) == Some(forms);
        (!same).then(|| format!("{word} has not the forms of {first}"))
    }

    fn wrong_variables(&self, form: &Form, used: &BTreeSet<String>) -> Vec<String> {
        let mut found = Vec::new();
        let mut known = BTreeSet::new();
        for (name, sort) in form.values {
            let names = self.names(name, *sort);
            if names.is_disjoint(used) {
                found.push(format!("{} does not say ${name}", form.name));
            }
            known.extend(names);
        }
        let strange = used.difference(&known);
        found.extend(strange.map(|it| format!("{}: there is no ${it}", form.name)));
        found
    }

    /// Under which names a sentence knows a value.
    fn names(&self, name: &str, sort: Sort) -> BTreeSet<String> {
        let first = match sort {
            Sort::Player => "player_white",
            Sort::Piece => "piece_pawn",
            Sort::Man => "man_white_pawn",
            Sort::Count | Sort::Words => return BTreeSet::from([name.to_owned()]),
        };
        let forms = self.forms.get(first).into_iter().flatten().map(String::as_str);
        let names = forms.chain([""]).map(|form| variable(name, form));
        names.flat_map(|it| [capital(&it), it]).collect()
    }
}

/// The words of the same class, which have the same forms.
fn class(word: &str) -> Vec<&'static str> {
    let begins = word.split('_').next().unwrap_or_default();
    WORDS.into_iter().filter(|it| it.starts_with(begins)).collect()
}

fn in_pattern(pattern: &ast::Pattern<&str>, variables: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let ast::PatternElement::Placeable { expression } = element {
            in_expression(expression, variables);
        }
    }
}

fn in_expression(expression: &ast::Expression<&str>, variables: &mut BTreeSet<String>) {
    match expression {
        ast::Expression::Inline(inline) => in_inline(inline, variables),
        ast::Expression::Select { selector, variants } => {
            in_inline(selector, variables);
            variants.iter().for_each(|it| in_pattern(&it.value, variables));
        }
    }
}

fn in_inline(inline: &ast::InlineExpression<&str>, variables: &mut BTreeSet<String>) {
    match inline {
        ast::InlineExpression::VariableReference { id } => {
            variables.insert(id.name.to_owned());
        }
        ast::InlineExpression::Placeable { expression } => in_expression(expression, variables),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMS: &[Form] = &[
        Form { name: "moved", values: &[("player", Sort::Player), ("moves", Sort::Count)] },
        Form { name: "over", values: &[] },
    ];

    fn found(text: &str) -> Vec<String> {
        let mut language = Language::default();
        language.read("xx/x.ftl", "player_white = White\n    .of = of White\n");
        language.read("xx/x.ftl", text);
        let all = language.problems(FORMS).into_iter();
        let own = |it: &String| OWN.iter().any(|own| it.starts_with(own.0));
        let word = |it: &String| WORDS.iter().any(|word| it.starts_with(word));
        all.filter(|it| !own(it) && !word(it)).collect()
    }

    #[test]
    fn what_is_amiss_in_a_language_is_named() {
        let whole =
            "moved = { $Player-of } { $moves ->\n    [one] a\n   *[other] b\n }\nover = so\n";
        assert_eq!(found(whole), [""; 0]);
        assert_eq!(found("over = so"), ["moved is missing"]);
        let other = |text: &str| found(&format!("{whole}{text}"));
        assert_eq!(other("more = so"), ["more is said nowhere"]);
        assert_eq!(other("over = so"), ["xx/x.ftl: over is there twice"]);
        let wrong = found("moved = { $player-to }\nover = so");
        assert_eq!(
            wrong,
            [
                "moved does not say $player",
                "moved does not say $moves",
                "moved: there is no $player-to"
            ]
        );
        assert!(found("moved = { $player\nover = so").iter().any(|it| it.contains("xx/x.ftl:")));
    }

    #[test]
    fn words_of_a_class_have_the_same_forms() {
        let mut language = Language::default();
        language.read("xx/x.ftl", "player_white = W\n    .of = of W\nplayer_black = B\n");
        let found = language.problems(&[]);
        assert!(found.iter().any(|it| it.starts_with("player_black has not the forms")));
        assert!(found.iter().any(|it| it == "piece_pawn is missing"), "{found:?}");
    }
}
