//! Names that hide what they mean: a word that stands for five, and a bare number that is the
//! number of something.

use syn::visit::{self, Visit};
use syn::{Field, FnArg, GenericArgument, Ident, ItemFn, ItemMod, Pat, PathArguments, Type};

use crate::calls::{File, is_test};

/// What was reported, announced, published, known or shown was all told once.
const VAGUE: [&str; 2] = ["told", "Told"];
/// These have types of their own: `TableNo`, `LineNo`, `GameNo`.
const NUMBERED: [&str; 3] = ["table", "line", "game"];
/// What a number is made of. The lines of a text are counted in `usize`.
const BARE: [&str; 4] = ["u8", "u16", "u32", "u64"];

/// Where these files name something vaguely.
pub fn vague(files: &[File]) -> Vec<String> {
    found(files, |names| &names.vague)
}

/// Where these files keep or take the number of a table, a line or a game as a bare number, but for
/// tests.
pub fn bare(files: &[File]) -> Vec<String> {
    found(files, |names| &names.bare)
}

fn found(files: &[File], of: impl Fn(&Names) -> &Vec<String>) -> Vec<String> {
    let all = files.iter().flat_map(|(path, text)| {
        let Ok(file) = syn::parse_file(text) else { panic!("{path} cannot be read") };
        let mut names = Names::default();
        names.visit_file(&file);
        of(&names).iter().map(|it| format!("{path}: {it}")).collect::<Vec<_>>()
    });
    all.collect()
}

#[derive(Default)]
struct Names {
    /// Whether this is code of tests.
    tests: bool,
    vague: Vec<String>,
    bare: Vec<String>,
}

impl Names {
    fn within<N>(&mut self, test: bool, node: N, visit: impl FnOnce(&mut Self, N)) {
        let before = self.tests;
        self.tests |= test;
        visit(self, node);
        self.tests = before;
    }

    fn judge(&mut self, name: &Ident, of: &Type) {
        if !self.tests && NUMBERED.iter().any(|it| name == it) && is_bare(of) {
            self.bare.push(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.within(is_test(&item.attrs), item, visit::visit_item_mod);
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.within(is_test(&item.attrs), item, visit::visit_item_fn);
    }

    fn visit_ident(&mut self, name: &'ast Ident) {
        if VAGUE.iter().any(|it| name == it) {
            self.vague.push(name.to_string());
        }
    }

    fn visit_field(&mut self, field: &'ast Field) {
        if let Some(name) = &field.ident {
            self.judge(name, &field.ty);
        }
        visit::visit_field(self, field);
    }

    fn visit_fn_arg(&mut self, argument: &'ast FnArg) {
        if let FnArg::Typed(typed) = argument
            && let Pat::Ident(name) = &*typed.pat
        {
            self.judge(&name.ident, &typed.ty);
        }
        visit::visit_fn_arg(self, argument);
    }
}

/// `u32`, or `Option<u32>`.
fn is_bare(of: &Type) -> bool {
    let Type::Path(of) = of else { return false };
    let Some(last) = of.path.segments.last() else { return false };
    match &last.arguments {
        PathArguments::AngleBracketed(inner) if last.ident == "Option" => {
            inner.args.iter().any(|it| matches!(it, GenericArgument::Type(it) if is_bare(it)))
        }
        _ => BARE.iter().any(|it| last.ident == it),
    }
}

#[test]
fn vague_names_and_bare_numbers_are_found() {
    let files = |text: &str| [("it.rs".to_owned(), text.to_owned())];
    let (vague, bare) = (|text: &str| vague(&files(text)), |text: &str| bare(&files(text)));
    assert_eq!(vague("fn f() { let told = 1; }"), ["it.rs: told"]);
    assert_eq!(vague("#[cfg(test)] mod tests { enum It { Told } }"), ["it.rs: Told"]);
    assert!(vague("fn f() { let known = told_twice; }").is_empty());
    assert_eq!(bare("struct It { table: u32 }"), ["it.rs: table"]);
    assert_eq!(bare("fn f(game: Option<u32>) {}"), ["it.rs: game"]);
    assert!(bare("struct It { table: TableNo, line: usize, games: u32 }").is_empty());
    assert!(bare("#[cfg(test)] mod tests { fn f(table: u32) {} }").is_empty());
}
