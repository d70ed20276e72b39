//! Types that hide what they mean. An `Option<bool>` has three cases and a name for none of them.

use syn::visit::{self, Visit};
use syn::{
    Attribute, Field, GenericArgument, ItemEnum, ItemFn, ItemMod, ItemStruct, Path, PathArguments,
    Type,
};

use crate::calls::{File, is_test};

/// Where these files name an `Option<bool>`, but for tests and for what serde reads or writes: a
/// key that is left out is no case of ours.
pub fn optional_bools(files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        let Ok(file) = syn::parse_file(text) else { panic!("{path} cannot be read") };
        let mut states = States { place: String::new(), found: Vec::new() };
        states.visit_file(&file);
        found.extend(states.found.into_iter().map(|it| format!("{path}: {it}")));
    }
    found
}

struct States {
    /// What is being looked at.
    place: String,
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for States {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.place = item.ident.to_string();
        if !is_for_serde(&item.attrs) {
            visit::visit_item_struct(self, item);
        }
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.place = item.ident.to_string();
        if !is_for_serde(&item.attrs) {
            visit::visit_item_enum(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.place = item.sig.ident.to_string();
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.place = item.sig.ident.to_string();
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_field(&mut self, field: &'ast Field) {
        let place = self.place.clone();
        if let Some(name) = &field.ident {
            self.place = format!("{place}.{name}");
        }
        visit::visit_field(self, field);
        self.place = place;
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if is_optional_bool(path) {
            self.found.push(self.place.clone());
        }
        visit::visit_path(self, path);
    }
}

fn is_optional_bool(path: &Path) -> bool {
    let Some(last) = path.segments.last().filter(|last| last.ident == "Option") else {
        return false;
    };
    let PathArguments::AngleBracketed(of) = &last.arguments else { return false };
    let bool = |it: &GenericArgument| match it {
        GenericArgument::Type(Type::Path(it)) => it.path.is_ident("bool"),
        _ => false,
    };
    of.args.iter().any(bool)
}

fn is_for_serde(attributes: &[Attribute]) -> bool {
    let mut serde = false;
    for derive in attributes.iter().filter(|it| it.path().is_ident("derive")) {
        let read = derive.parse_nested_meta(|it| {
            let name = it.path.segments.last().map(|it| it.ident.to_string());
            serde |= name.is_some_and(|it| it == "Serialize" || it == "Deserialize");
            Ok(())
        });
        assert!(read.is_ok(), "a derive cannot be read");
    }
    serde
}

#[test]
fn an_optional_bool_is_found_wherever_it_stands() {
    let found = |text: &str| optional_bools(&[("it.rs".to_owned(), text.to_owned())]);
    assert_eq!(found("struct It { a: u8, b: Option<bool> }"), ["it.rs: It.b"]);
    assert_eq!(found("enum It { Answered(u32, Option<bool>) }"), ["it.rs: It"]);
    assert_eq!(found("fn f(it: (u8, Option<bool>)) {}"), ["it.rs: f"]);
    assert_eq!(found("impl It { fn f() -> std::option::Option<bool> { None } }"), ["it.rs: f"]);
    assert!(found("struct It { a: Option<u8>, b: bool }").is_empty());
    let of_serde = "#[derive(Debug, serde::Serialize)] struct It { b: Option<bool> }";
    assert!(found(of_serde).is_empty());
    assert!(found("#[cfg(test)] mod tests { struct It { b: Option<bool> } }").is_empty());
}
