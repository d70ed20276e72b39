//! Which rooms of a crate name each other. A room is a module at the top: a file or a folder.

use std::collections::{BTreeMap, BTreeSet};

use syn::Item;
use syn::visit::{self, Visit};

use super::File;
use super::items::{attributes, each_use, is_test};

/// From one room to another, with the files that name it.
pub fn edges(files: &[File]) -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
    let rooms: BTreeSet<_> = files.iter().map(|(path, _)| room(path)).collect();
    let mut edges = BTreeMap::<_, BTreeMap<_, BTreeSet<_>>>::new();
    for (path, text) in files.iter().filter(|(path, _)| !["lib.rs", "main.rs"].contains(&&**path)) {
        let Ok(file) = syn::parse_file(text) else { panic!("{path} cannot be read") };
        let mut names = Names { depth: depth(path), found: BTreeSet::new() };
        let shipped = file.items.iter().filter(|item| !is_test(attributes(item)));
        shipped.for_each(|item| names.visit_item(item));
        let own = room(path);
        for named in names.found.into_iter().filter(|it| *it != own && rooms.contains(it)) {
            let whom = edges.entry(own.clone()).or_default();
            whom.entry(named).or_default().insert(path.clone());
        }
    }
    edges
}

fn room(path: &str) -> String {
    let first = path.split('/').next().unwrap_or(path);
    first.strip_suffix(".rs").unwrap_or(first).to_owned()
}

/// How many modules a file is below the crate.
fn depth(path: &str) -> usize {
    let parts = path.split('/').count();
    if path.ends_with("/mod.rs") { parts - 1 } else { parts }
}

struct Names {
    depth: usize,
    found: BTreeSet<String>,
}

impl Names {
    /// The room that a path leads to, where it leads out of this one.
    fn note(&mut self, path: &[String]) {
        let up = path.iter().take_while(|it| *it == "super").count();
        let at = match path.first().map(String::as_str) {
            Some("crate") => 1,
            Some("super") if up == self.depth => up,
            _ => return,
        };
        self.found.extend(path.get(at).cloned());
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, it: &'ast syn::ItemUse) {
        each_use(&mut Vec::new(), &it.tree, &mut |path, _| self.note(path));
    }

    fn visit_path(&mut self, it: &'ast syn::Path) {
        let path: Vec<_> = it.segments.iter().map(|it| it.ident.to_string()).collect();
        self.note(&path);
        visit::visit_path(self, it);
    }
}
