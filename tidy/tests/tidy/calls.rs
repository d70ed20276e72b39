//! Which files of a crate call each other, read with a parser. A group of files that all reach each
//! other is one object, however many files it is cut into.
//!
//! A call counts where the parser can tell what is called: a function by its path, a method by the
//! type of what stands before the dot (a field, an argument, what another call gives). Types that
//! only the compiler could tell are left out, so the groups are never larger than in truth.

mod body;
mod items;
mod rooms;

use std::collections::{BTreeMap, BTreeSet};

use items::Items;
pub use items::is_test;

/// A file of a crate: its path from the crate's `src`, and its text.
pub type File = (String, String);

/// Who calls whom, by name of file.
#[derive(Debug, Default)]
pub struct Calls {
    /// From one file to another, with one function that is called there for each caller.
    edges: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

impl Calls {
    /// Reads the files of one crate.
    pub fn read(files: &[File]) -> Self {
        let items = Items::read(files);
        let mut calls = Self::default();
        for ((from, _), (to, what)) in body::calls(&items) {
            if from != to {
                let whom = calls.edges.entry(from).or_default();
                whom.entry(to).or_default().insert(what);
            }
        }
        calls
    }

    /// Reads which rooms of a crate name each other, with the files that do.
    pub fn between_rooms(files: &[File]) -> Self {
        Self { edges: rooms::edges(files) }
    }

    /// The groups of files that all reach each other by calls, the largest first.
    pub fn groups(&self) -> Vec<Vec<&str>> {
        let files: BTreeSet<&str> = self.edges.keys().map(String::as_str).collect();
        let reached: BTreeMap<_, _> = files.iter().map(|it| (*it, self.reached(it))).collect();
        let mut groups: Vec<Vec<&str>> = Vec::new();
        for file in &files {
            let known = groups.iter().any(|group| group.contains(file));
            let mutual = |other: &&&str| {
                let leads = |from: &str, to: &str| reached[from].contains(to);
                leads(file, other) && leads(other, file)
            };
            let group: Vec<_> = files.iter().filter(mutual).copied().collect();
            if !known && group.len() > 1 {
                groups.push(group);
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        groups
    }

    /// The calls between the files of a group, a line for each pair.
    pub fn within(&self, group: &[&str]) -> Vec<String> {
        let mut lines = Vec::new();
        for (from, whom) in self.edges.iter().filter(|(from, _)| group.contains(&from.as_str())) {
            for (to, what) in whom.iter().filter(|(to, _)| group.contains(&to.as_str())) {
                let what: Vec<_> = what.iter().map(String::as_str).collect();
                lines.push(format!("{from} calls {to}: {}", what.join(", ")));
            }
        }
        lines
    }

    fn reached(&self, from: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            for to in self.edges.get(file).into_iter().flat_map(BTreeMap::keys) {
                if reached.insert(to.as_str()) {
                    open.push(to);
                }
            }
        }
        reached
    }
}

/// Structs with named fields, and how many each has.
pub fn structs(files: &[File]) -> Vec<(String, usize)> {
    Items::read(files).structs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let files: Vec<_> =
            files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let calls = Calls::read(&files);
        let owned = |group: Vec<&str>| group.into_iter().map(str::to_owned).collect();
        calls.groups().into_iter().map(owned).collect()
    }

    #[test]
    fn methods_of_one_type_in_two_files_that_call_each_other_are_a_group() {
        let one = "mod two; pub struct It { n: u8 } impl It { fn a(&self) { self.b() } }";
        let two = "use super::It; impl It { pub fn b(&self) { if true { self.a() } } }";
        let found = groups(&[("one.rs", one), ("one/two.rs", two)]);
        assert_eq!(found, [["one.rs", "one/two.rs"]]);
    }

    #[test]
    fn calls_in_one_direction_are_none() {
        let one = "pub struct It; impl It { fn a(&self) { self.b() } }";
        let two = "use super::It; impl It { pub fn b(&self) {} }";
        assert!(groups(&[("one.rs", one), ("one/two.rs", two)]).is_empty());
    }

    #[test]
    fn rooms_that_name_each_other_are_a_group_wherever_in_them_it_is() {
        let uses = "use super::super::two::It; fn f() -> crate::three::It { todo(It) }";
        let two = "use crate::one; pub struct It;";
        let three = "#[cfg(test)] mod tests { use crate::one; } use super::three; pub struct It;";
        let files = [("one/mod.rs", "mod deep;"), ("one/deep.rs", uses), ("two.rs", two)];
        let files = files.into_iter().chain([("three.rs", three)]);
        let files: Vec<_> = files.map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
        let rooms = Calls::between_rooms(&files);
        assert_eq!(rooms.groups(), [["one", "two"]]);
        let named = "one calls three: one/deep.rs";
        assert_eq!(rooms.within(&["one", "three"]), [named]);
    }

    #[test]
    fn a_call_is_known_by_field_argument_pattern_and_path() {
        let part = "use crate::whole; pub struct Part;
                    impl Part { pub fn go(&self) { whole::f() } }";
        for body in [
            "pub fn f() {} struct W { part: Option<Box<Part>> } impl W {
                 fn g(&self) { if let Some(it) = &self.part { it.go() } } }",
            "pub fn f() {} fn g(it: &Part) { matches!(it.go(), ()); }",
            "pub fn f() {} fn g(all: Vec<Part>) { all.iter().for_each(|it| it.go()) }",
            "pub fn f() {} fn g() { Part::go(&Part) }",
            "pub fn f() {} fn make() -> Option<Part> { None } fn g() { make().map(|it| it.go()); }",
        ] {
            let whole = format!("use crate::part::Part; {body}");
            let found = groups(&[("lib.rs", ""), ("part.rs", part), ("whole.rs", &whole)]);
            assert_eq!(found, [["part.rs", "whole.rs"]], "{body}");
        }
    }

    #[test]
    fn tests_and_methods_of_strangers_count_for_nothing() {
        let one = "use crate::two::B; pub struct A; impl A { pub fn len(&self) {} }
                   fn f(b: &B) { b.go() }";
        let two = "pub struct B; impl B { pub fn go(&self) { [1].len(); } }
                   #[cfg(test)] mod tests { fn t() { crate::one::A.len() } }";
        assert!(groups(&[("one.rs", one), ("two.rs", two)]).is_empty());
    }
}
