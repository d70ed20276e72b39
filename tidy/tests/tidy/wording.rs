//! Where something is decided by the wording of a text, read with a parser: a comparison with a
//! literal, or a pattern that is one. Where texts are read there is no other way; those files are
//! listed.

use syn::visit::{self, Visit};
use syn::{Expr, ExprLit, Lit, PatLit};

use crate::calls::is_test;

/// Files that read what others write, and whose words they read. Everything else compares values.
const READERS: &[(&str, &str)] = &[
    ("broker/src/filter.rs", "topic filters of MQTT"),
    ("src/config/laws.rs", "the configuration"),
    ("src/config/refusal.rs", "the configuration"),
    ("src/config/words.rs", "the configuration"),
    ("src/door/peer.rs", "addresses of pages"),
    ("src/entry/mod.rs", "the journal"),
    ("src/mqtt/topic.rs", "topics"),
    ("src/net/link.rs", "addresses of brokers"),
    ("src/net/post.rs", "addresses of servers"),
    ("src/outlets/livechess/calls.rs", "calls of LiveChess's clients"),
    ("src/outlets/livechess/hall.rs", "payloads"),
    ("src/outlets/trial.rs", "rights of a token, as Lichess names them"),
    ("src/pairings/pgn.rs", "PGN"),
    ("src/pairings/trf.rs", "reports of pairing programs"),
    ("src/record/capture.rs", "captures"),
    ("src/record/nameless.rs", "the journal, key by key"),
    ("src/requests/mod.rs", "paths into a request, as serde names them"),
    ("src/results/points.rs", "reports of pairing programs"),
    ("src/time_sheet.rs", "times of day"),
    ("src/tls/authority.rs", "names of hosts"),
    ("src/verbs/demo/unseated.rs", "what an organizer types at a rehearsal"),
    ("src/verbs/unwinnable.rs", "positions, with the side that is asked about"),
    ("src/web/archive.rs", "names of files"),
    ("src/web/mod.rs", "paths of pages"),
    ("src/web/pgn.rs", "headers of HTTP"),
    ("src/web/trust.rs", "paths of pages, names of hosts"),
    ("witness/src/notation.rs", "moves as people write them"),
    ("witness/src/time_control/read.rs", "time controls as PGN writes them"),
    ("words/src/catalogue.rs", "codes of languages"),
    ("words/src/check.rs", "names of files"),
    ("words/src/typography.rs", "codes of languages"),
];
/// Where the rule holds.
const ROOMS: [&str; 4] = ["broker/src/", "src/", "witness/src/", "words/src/"];

/// Decisions by a text in a file that is no reader.
pub fn decisions(path: &str, text: &str) -> Vec<String> {
    let reads = READERS.iter().any(|(reader, _)| *reader == path);
    let tests = path.contains("/tests/") || path.ends_with("tests.rs");
    if reads || tests || !ROOMS.iter().any(|room| path.starts_with(room)) {
        return Vec::new();
    }
    found(text).into_iter().map(|it| format!("{path}: decides by the text {it:?}")).collect()
}

/// Readers of the list that compare no text (any more).
pub fn idle_readers(read: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let idle = |path: &&str| read(path).is_none_or(|text| found(&text).is_empty());
    let readers = READERS.iter().map(|(path, _)| *path);
    readers.filter(idle).map(|path| format!("{path} compares no text: strike it out")).collect()
}

fn found(text: &str) -> Vec<String> {
    let Ok(file) = syn::parse_file(text) else { return vec!["not Rust".to_owned()] };
    let mut decisions = Decisions::default();
    decisions.visit_file(&file);
    decisions.0
}

#[derive(Default)]
struct Decisions(Vec<String>);

impl Decisions {
    fn note(&mut self, literal: &Lit) {
        // Whether there is a text at all is no question of its wording.
        if let Lit::Str(text) = literal
            && !text.value().is_empty()
        {
            self.0.push(text.value());
        }
    }

    /// What is compared, without references, brackets and `Some`.
    fn compared(&mut self, side: &Expr) {
        match side {
            Expr::Lit(ExprLit { lit, .. }) => self.note(lit),
            Expr::Reference(it) => self.compared(&it.expr),
            Expr::Paren(it) => self.compared(&it.expr),
            Expr::Unary(it) => self.compared(&it.expr),
            Expr::Call(it) if it.args.len() == 1 => self.compared(&it.args[0]),
            Expr::Tuple(it) => it.elems.iter().for_each(|it| self.compared(it)),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Decisions {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_expr_binary(&mut self, it: &'ast syn::ExprBinary) {
        if matches!(it.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_)) {
            self.compared(&it.left);
            self.compared(&it.right);
        }
        visit::visit_expr_binary(self, it);
    }

    fn visit_pat(&mut self, pattern: &'ast syn::Pat) {
        if let syn::Pat::Lit(PatLit { lit, .. }) = pattern {
            self.note(lit);
        }
        visit::visit_pat(self, pattern);
    }

    fn visit_macro(&mut self, it: &'ast syn::Macro) {
        let arguments = it.path.is_ident("matches").then(|| it.parse_body_with(matches));
        if let Some(Ok((asked, pattern))) = arguments {
            asked.iter().for_each(|it| self.visit_expr(it));
            self.visit_pat(&pattern);
        }
    }
}

/// The arguments of `matches!`: what it looks at, its condition, and the pattern. What stands in
/// other macros is not looked at.
fn matches(input: syn::parse::ParseStream<'_>) -> syn::Result<(Vec<Expr>, syn::Pat)> {
    let mut asked = vec![input.parse()?];
    input.parse::<syn::Token![,]>()?;
    let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
    if input.parse::<Option<syn::Token![if]>>()?.is_some() {
        asked.push(input.parse()?);
    }
    input.parse::<Option<syn::Token![,]>>()?;
    Ok((asked, pattern))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_decide_are_found_and_texts_that_are_only_said_are_not() {
        for (decides, code) in [
            (true, r#"fn it(a: &str) -> bool { a == "online" }"#),
            (true, r#"fn it(a: Option<&str>) -> bool { Some("online") != a }"#),
            (true, r#"fn it(a: &str) -> u8 { match a { "one" | "two" => 1, _ => 2 } }"#),
            (true, r#"fn it(a: &str) -> bool { matches!(a, "1-0" | "0-1" if true) }"#),
            (
                true,
                r#"fn it(a: (&str, u8)) -> bool { if let ("x", _) = a { true } else { false } }"#,
            ),
            (false, r#"fn it(a: bool) -> &'static str { if a { "online" } else { "silent" } }"#),
            (false, r#"fn it(a: &str) -> bool { a == "" }"#),
            (false, r#"fn it(a: u8) -> &'static str { match a { 1 => "one", _ => "more" } }"#),
            (false, r#"#[cfg(test)] mod tests { fn it(a: &str) -> bool { a == "online" } }"#),
        ] {
            assert_eq!(!decisions("src/any.rs", code).is_empty(), decides, "{code}");
            assert_eq!(decisions("src/web/trust.rs", code), Vec::<String>::new());
        }
    }
}
