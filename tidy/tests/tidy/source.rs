//! A Rust file taken apart as far as the rules need it: code without comments and literals, the
//! string literals, and which lines are tests. No parser: it knows no types and expands nothing.

/// One file in Rust.
#[derive(Debug)]
pub struct Source {
    pub path: String,
    pub text: String,
    /// The text with every comment and literal blanked; lines and columns are those of the text.
    pub code: String,
    /// String literals as they are written, with their lines, counted from 1.
    pub literals: Vec<(usize, String)>,
    /// For every line whether it belongs to a test.
    tests: Vec<bool>,
}

/// A function and the lines from its `fn` to its closing brace.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub first: usize,
    pub last: usize,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        let Blanked { code, literals } = blank(text);
        let code: String = code.into_iter().collect();
        let mut source = Self {
            path: path.to_owned(),
            text: text.to_owned(),
            code,
            literals,
            tests: Vec::new(),
        };
        source.tests = source.find_tests();
        source
    }

    /// Whether this line, counted from 1, belongs to a test.
    pub fn is_test(&self, line: usize) -> bool {
        self.tests.get(line - 1).copied().unwrap_or(false)
    }

    /// The lines of code, counted from 1, that belong to no test.
    pub fn shipped(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.code.lines().enumerate().map(|(index, line)| (index + 1, line));
        lines.filter(|(line, _)| !self.is_test(*line))
    }

    /// Every function that has a body.
    pub fn functions(&self) -> Vec<Function> {
        let mut functions = Vec::new();
        for (at, _) in self.code.match_indices("fn ") {
            let rest = &self.code[at + 3..];
            let name: String = rest.chars().take_while(|it| is_word(*it)).collect();
            if name.is_empty() || self.code[..at].chars().next_back().is_some_and(is_word) {
                continue;
            }
            let Some(open) = body(rest) else { continue };
            let close = at + 3 + open + braced(&rest[open..]);
            functions.push(Function { name, first: self.line(at), last: self.line(close) });
        }
        functions
    }

    fn line(&self, at: usize) -> usize {
        self.code[..at].matches('\n').count() + 1
    }

    fn find_tests(&self) -> Vec<bool> {
        let apart = ["tests", "benches", "examples"];
        let folders: Vec<_> = self.path.split('/').collect();
        let named = ["/tests.rs", "_tests.rs"].iter().any(|end| self.path.ends_with(end));
        let whole = named || folders.iter().any(|it| apart.contains(it));
        let mut tests = vec![whole; self.text.lines().count()];
        for (at, _) in self.code.match_indices("#[cfg(test)]") {
            let rest = &self.code[at..];
            let end = match (rest.find('{'), rest.find(';')) {
                (Some(open), semicolon) if semicolon.is_none_or(|it| open < it) => {
                    open + braced(&rest[open..])
                }
                (_, Some(semicolon)) => semicolon,
                _ => rest.len(),
            };
            let (first, last) = (self.line(at), self.line(at + end));
            tests.iter_mut().take(last).skip(first - 1).for_each(|line| *line = true);
        }
        tests
    }
}

/// Whether a character may be part of a name.
pub fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Whether `name` stands in this code as a word of its own.
pub fn names(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// Where the body of a function begins, if it has one: the first brace outside of brackets.
fn body(code: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, character) in code.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '{' if depth == 0 => return Some(at),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// How far it is to the brace that closes the one this code begins with.
fn braced(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, character) in code.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => return at,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len().saturating_sub(1)
}

struct Blanked {
    code: Vec<char>,
    literals: Vec<(usize, String)>,
}

fn blank(text: &str) -> Blanked {
    let text: Vec<char> = text.chars().collect();
    let mut blanked = Blanked { code: Vec::with_capacity(text.len()), literals: Vec::new() };
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let after_word = at > 0 && is_word(text[at - 1]);
        let (length, is_string) = token(rest, after_word);
        if length == 0 {
            blanked.code.push(rest[0]);
            at += 1;
            continue;
        }
        if is_string {
            let line = text[..at].iter().filter(|it| **it == '\n').count() + 1;
            blanked.literals.push((line, rest[..length].iter().collect()));
        }
        let blanks = rest[..length].iter().map(|it| if *it == '\n' { '\n' } else { ' ' });
        blanked.code.extend(blanks);
        at += length;
    }
    blanked
}

/// The length of the comment or literal that begins here, 0 if none does; and if it is a string.
fn token(rest: &[char], after_word: bool) -> (usize, bool) {
    match (rest[0], rest.get(1)) {
        ('/', Some('/')) => (rest.iter().take_while(|it| **it != '\n').count(), false),
        ('/', Some('*')) => (block_comment(rest), false),
        ('"', _) => (quoted(rest, '"'), true),
        ('r', Some('"' | '#')) if !after_word => (raw(rest), true),
        ('b', Some('r')) if !after_word => match raw(&rest[1..]) {
            0 => (0, false),
            length => (length + 1, true),
        },
        ('\'', Some(_)) => (character(rest), false),
        _ => (0, false),
    }
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at + 1 < rest.len() {
        match (rest[at], rest[at + 1]) {
            ('/', '*') => (depth, at) = (depth + 1, at + 2),
            ('*', '/') if depth == 1 => return at + 2,
            ('*', '/') => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    rest.len()
}

fn quoted(rest: &[char], end: char) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            it if it == end => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// A raw string; 0 for a raw name such as `r#type`.
fn raw(rest: &[char]) -> usize {
    let hashes = rest[1..].iter().take_while(|it| **it == '#').count();
    if rest.get(1 + hashes) != Some(&'"') {
        return 0;
    }
    let mut end = vec!['"'];
    end.extend(std::iter::repeat_n('#', hashes));
    let body = &rest[hashes + 2..];
    let length = body.windows(end.len()).position(|window| window == end);
    length.map_or(rest.len(), |length| hashes + 2 + length + end.len())
}

/// A character; 0 for a lifetime.
fn character(rest: &[char]) -> usize {
    match (rest.get(1), rest.get(2)) {
        (Some('\\'), _) => quoted(rest, '\''),
        (_, Some('\'')) => 3,
        _ => 0,
    }
}

#[test]
fn comments_and_literals_are_no_code() {
    let text = "a /* x /* y */ z */ b // c\n\"d\\\"e\" 'f' '\\'' r#\"g\"h\"# br\"i\" &'j k r#type";
    let source = Source::new("src/x.rs", text);
    let words: Vec<_> = source.code.split_whitespace().collect();
    assert_eq!(words, ["a", "b", "&'j", "k", "r#type"]);
}

#[test]
fn literals_keep_their_lines() {
    let source = Source::new("src/x.rs", "f(\"one\");\n\n// \"no\"\ng(r\"two\", b'\"');\n");
    assert_eq!(source.literals, [(1, "\"one\"".to_owned()), (4, "r\"two\"".to_owned())]);
}

#[test]
fn functions_end_where_their_braces_do() {
    let text =
        "fn a(x: [u8; 3]) -> u8\nwhere\n{\n if x { \"}\" }\n}\n\nfn b();\nimpl fn_ {fn c(){}}";
    let function = |name: &str, first, last| Function { name: name.to_owned(), first, last };
    let found = Source::new("src/x.rs", text).functions();
    assert_eq!(found, [function("a", 1, 5), function("c", 8, 8)]);
}

#[test]
fn tests_are_told_from_what_is_shipped() {
    let text = "one\n#[cfg(test)]\nmod tests {\n two {}\n}\nsix\n#[cfg(test)]\nmod more;\nnine\n";
    let source = Source::new("src/x.rs", text);
    let shipped: Vec<_> = source.shipped().collect();
    assert_eq!(shipped, [(1, "one"), (6, "six"), (9, "nine")]);
    assert_eq!(Source::new("broker/tests/x.rs", text).shipped().count(), 0);
    assert_eq!(Source::new("src/x/tests.rs", text).shipped().count(), 0);
}

#[test]
fn a_name_is_a_whole_word() {
    assert!(names("use tokio::net;", "tokio"));
    assert!(!names("use tokio_serial;", "tokio"));
    assert!(!names("use mini_tokio;", "tokio"));
}
