//! What the files of a crate define and use: types with their fields, functions, methods.

use std::collections::BTreeMap;

use syn::{Fields, FnArg, ImplItem, Item, ReturnType, Type, UseTree};

use super::File;

/// A type, by the file that defines it and its name.
pub type TypeId = (String, String);

/// What surrounds a type without being what one calls methods of.
const AROUND: [&str; 9] =
    ["Option", "Box", "Vec", "VecDeque", "Result", "Rc", "Arc", "ByColor", "Cow"];

/// A function or method: where it stands, and the type of what it gives.
#[derive(Debug)]
pub struct Function {
    pub file: String,
    pub gives: Option<TypeId>,
}

/// One file taken apart.
pub struct Parsed {
    pub path: String,
    pub module: Vec<String>,
    pub items: Vec<Item>,
}

/// All that is defined in a crate.
#[derive(Default)]
pub struct Items {
    pub files: Vec<Parsed>,
    by_module: BTreeMap<Vec<String>, String>,
    defined: BTreeMap<TypeId, ()>,
    uses: BTreeMap<TypeId, Vec<String>>,
    fields: BTreeMap<TypeId, BTreeMap<String, TypeId>>,
    pub methods: BTreeMap<(TypeId, String), Function>,
    pub functions: BTreeMap<(String, String), Function>,
}

impl Items {
    pub fn read(files: &[File]) -> Self {
        let mut items = Self::default();
        for (path, text) in files {
            let Ok(file) = syn::parse_file(text) else { panic!("{path} cannot be read") };
            let shipped = file.items.into_iter().filter(|it| !is_test(attributes(it))).collect();
            let module = module(path);
            items.by_module.insert(module.clone(), path.clone());
            items.files.push(Parsed { path: path.clone(), module, items: shipped });
        }
        items.note(Self::note_names);
        items.note(Self::note_fields);
        items.note(Self::note_functions);
        items
    }

    fn note(&mut self, each: fn(&mut Self, &Parsed)) {
        let files = std::mem::take(&mut self.files);
        files.iter().for_each(|file| each(self, file));
        self.files = files;
    }

    fn note_names(&mut self, file: &Parsed) {
        for item in &file.items {
            let name = match item {
                Item::Struct(it) => &it.ident,
                Item::Enum(it) => &it.ident,
                Item::Trait(it) => &it.ident,
                Item::Type(it) => &it.ident,
                Item::Use(it) => {
                    self.note_use(file, &it.tree);
                    continue;
                }
                _ => continue,
            };
            self.defined.insert((file.path.clone(), name.to_string()), ());
        }
    }

    fn note_use(&mut self, file: &Parsed, tree: &UseTree) {
        each_use(&mut Vec::new(), tree, &mut |path, name| {
            self.uses.insert((file.path.clone(), name.to_owned()), path.to_vec());
        });
    }

    fn note_fields(&mut self, file: &Parsed) {
        for item in &file.items {
            let Item::Struct(it) = item else { continue };
            let mut fields = BTreeMap::new();
            for (index, field) in it.fields.iter().enumerate() {
                let name = field.ident.as_ref().map_or(index.to_string(), ToString::to_string);
                if let Some(id) = self.type_of(file, None, &field.ty) {
                    fields.insert(name, id);
                }
            }
            self.fields.insert((file.path.clone(), it.ident.to_string()), fields);
        }
    }

    fn note_functions(&mut self, file: &Parsed) {
        for item in &file.items {
            match item {
                Item::Fn(it) => {
                    let gives = self.given(file, None, &it.sig.output);
                    let function = Function { file: file.path.clone(), gives };
                    self.functions.insert((file.path.clone(), it.sig.ident.to_string()), function);
                }
                Item::Impl(it) => {
                    let Some(id) = self.type_of(file, None, &it.self_ty) else { continue };
                    for item in &it.items {
                        let ImplItem::Fn(method) = item else { continue };
                        let gives = self.given(file, Some(&id), &method.sig.output);
                        let function = Function { file: file.path.clone(), gives };
                        let name = method.sig.ident.to_string();
                        if it.trait_.is_none() {
                            self.methods.insert((id.clone(), name), function);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn given(&self, file: &Parsed, own: Option<&TypeId>, output: &ReturnType) -> Option<TypeId> {
        match output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => self.type_of(file, own, ty),
        }
    }

    /// The type an argument has.
    pub fn argument(
        &self,
        file: &Parsed,
        own: Option<&TypeId>,
        argument: &FnArg,
    ) -> Option<TypeId> {
        match argument {
            FnArg::Receiver(_) => own.cloned(),
            FnArg::Typed(it) => self.type_of(file, own, &it.ty),
        }
    }

    /// The type that methods are called of, without what is around it.
    pub fn type_of(&self, file: &Parsed, own: Option<&TypeId>, ty: &Type) -> Option<TypeId> {
        match ty {
            Type::Reference(it) => self.type_of(file, own, &it.elem),
            Type::Slice(it) => self.type_of(file, own, &it.elem),
            Type::Array(it) => self.type_of(file, own, &it.elem),
            Type::Paren(it) => self.type_of(file, own, &it.elem),
            Type::ImplTrait(it) => it.bounds.iter().find_map(|bound| match bound {
                syn::TypeParamBound::Trait(it) => self.inner(file, own, &it.path),
                _ => None,
            }),
            Type::Path(it) => {
                let last = it.path.segments.last()?;
                if last.ident == "Self" {
                    return own.cloned();
                }
                if AROUND.iter().any(|around| last.ident == around) {
                    return self.inner(file, own, &it.path);
                }
                let path: Vec<_> = it.path.segments.iter().map(|it| it.ident.to_string()).collect();
                self.find_type(file, &path)
            }
            _ => None,
        }
    }

    fn inner(&self, file: &Parsed, own: Option<&TypeId>, path: &syn::Path) -> Option<TypeId> {
        let syn::PathArguments::AngleBracketed(it) = &path.segments.last()?.arguments else {
            return None;
        };
        it.args.iter().find_map(|argument| match argument {
            syn::GenericArgument::Type(ty) => self.type_of(file, own, ty),
            syn::GenericArgument::AssocType(it) => self.type_of(file, own, &it.ty),
            _ => None,
        })
    }

    pub fn field(&self, of: &TypeId, name: &str) -> Option<TypeId> {
        self.fields.get(of)?.get(name).cloned()
    }

    /// The type that a path names in this file.
    pub fn find_type(&self, file: &Parsed, path: &[String]) -> Option<TypeId> {
        let (path, name) = self.find(file, path)?;
        Some((path, name)).filter(|id| self.defined.contains_key(id))
    }

    /// The file and the name in it that a path stands for.
    pub fn find(&self, file: &Parsed, path: &[String]) -> Option<(String, String)> {
        let (name, before) = path.split_last()?;
        if before.is_empty() {
            let own = (file.path.clone(), name.clone());
            let here = self.defined.contains_key(&own) || self.functions.contains_key(&own);
            return match self.uses.get(&own).filter(|_| !here) {
                Some(path) => self.find_from(&file.module, path, 0),
                None => Some(own),
            };
        }
        if let Some(used) = self.uses.get(&(file.path.clone(), before[0].clone())) {
            let path = [used.as_slice(), &path[1..]].concat();
            return self.find_from(&file.module, &path, 0);
        }
        self.find_from(&file.module, path, 0)
    }

    fn find_from(&self, from: &[String], path: &[String], depth: u8) -> Option<(String, String)> {
        let (name, before) = path.split_last()?;
        let mut module = match before.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("super") => from.get(..from.len().checked_sub(1)?)?.to_vec(),
            Some("self") => from.to_vec(),
            Some(_) => [from, &before[..1]].concat(),
            None => from.to_vec(),
        };
        for part in before.iter().skip(1) {
            match part.as_str() {
                "super" => drop(module.pop()),
                part => module.push(part.to_owned()),
            }
        }
        let file = self.by_module.get(&module)?;
        // What is used there may be passed on.
        match self.uses.get(&(file.clone(), name.clone())).filter(|_| depth < 4) {
            Some(path) if !self.defined.contains_key(&(file.clone(), name.clone())) => {
                self.find_from(&module, path, depth + 1)
            }
            _ => Some((file.clone(), name.clone())),
        }
    }

    /// Structs with named fields and how many each has.
    pub fn structs(&self) -> Vec<(String, usize)> {
        let all = self.files.iter().flat_map(|file| file.items.iter().map(move |it| (file, it)));
        let structs = all.filter_map(|(file, item)| match item {
            Item::Struct(it) => match &it.fields {
                Fields::Named(fields) => {
                    Some((format!("{}: {}", file.path, it.ident), fields.named.len()))
                }
                _ => None,
            },
            _ => None,
        });
        structs.collect()
    }
}

/// The module that a file holds, from the root of its crate.
fn module(path: &str) -> Vec<String> {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let mut parts: Vec<_> = path.split('/').map(str::to_owned).collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

/// Calls for each path that a `use` names, with the name it has then: `*` for all that is in it.
pub fn each_use(before: &mut Vec<String>, tree: &UseTree, note: &mut impl FnMut(&[String], &str)) {
    let (last, name) = match tree {
        UseTree::Name(it) => (it.ident.to_string(), it.ident.to_string()),
        UseTree::Rename(it) => (it.ident.to_string(), it.rename.to_string()),
        UseTree::Path(it) => {
            before.push(it.ident.to_string());
            each_use(before, &it.tree, note);
            before.pop();
            return;
        }
        UseTree::Group(it) => return it.items.iter().for_each(|it| each_use(before, it, note)),
        UseTree::Glob(_) => return note(before, "*"),
    };
    let mut path = before.clone();
    if last != "self" {
        path.push(last);
    }
    let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name };
    note(&path, &name);
}

pub fn attributes(item: &Item) -> &[syn::Attribute] {
    match item {
        Item::Mod(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        _ => &[],
    }
}

pub fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|it| {
        let tokens = it.meta.require_list().map(|list| list.tokens.to_string());
        it.path().is_ident("test")
            || it.path().is_ident("cfg") && tokens.is_ok_and(|tokens| tokens == "test")
    })
}
