//! The calls in the bodies of functions, and what can be told of the types there.

use std::collections::BTreeMap;

use syn::parse::Parser;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ImplItem, Item, Local, Pat};

use super::items::{Items, Parsed, TypeId, is_test};

/// Methods of what is around a value, or of a row of them, that give such a value again.
const SAME: [&str; 34] = [
    "all",
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "as_ref",
    "back",
    "by_ref",
    "chain",
    "clone",
    "cloned",
    "copied",
    "filter",
    "find",
    "first",
    "front",
    "get",
    "get_mut",
    "get_or_insert",
    "get_or_insert_with",
    "insert",
    "into_iter",
    "iter",
    "iter_mut",
    "last",
    "next",
    "ok",
    "or",
    "ok_or",
    "rev",
    "skip",
    "take",
    "take_if",
    "to_owned",
    "unwrap_or_default",
];

/// A call between two functions, each by its file and name.
pub type Call = ((String, String), (String, String));

/// All calls in the bodies of functions.
pub fn calls(items: &Items) -> Vec<Call> {
    let mut calls = Vec::new();
    for file in &items.files {
        for item in &file.items {
            match item {
                Item::Fn(it) => {
                    let mut body = Body::new(items, file, None);
                    body.name = it.sig.ident.to_string();
                    body.arguments(&it.sig);
                    body.read(&it.block, &mut calls);
                }
                Item::Impl(it) => {
                    let own = items.type_of(file, None, &it.self_ty);
                    for item in &it.items {
                        let ImplItem::Fn(method) = item else { continue };
                        if is_test(&method.attrs) {
                            continue;
                        }
                        let mut body = Body::new(items, file, own.clone());
                        body.name = method.sig.ident.to_string();
                        body.arguments(&method.sig);
                        body.read(&method.block, &mut calls);
                    }
                }
                _ => {}
            }
        }
    }
    calls
}

struct Body<'a> {
    items: &'a Items,
    file: &'a Parsed,
    own: Option<TypeId>,
    /// The function whose body it is.
    name: String,
    /// What is known of variables. A name that is used twice keeps its first meaning.
    known: BTreeMap<String, TypeId>,
    found: Vec<Call>,
}

impl<'a> Body<'a> {
    fn new(items: &'a Items, file: &'a Parsed, own: Option<TypeId>) -> Self {
        let (name, known, found) = (String::new(), BTreeMap::new(), Vec::new());
        Self { items, file, own, name, known, found }
    }

    fn arguments(&mut self, signature: &syn::Signature) {
        for argument in &signature.inputs {
            let Some(id) = self.items.argument(self.file, self.own.as_ref(), argument) else {
                continue;
            };
            match argument {
                syn::FnArg::Receiver(_) => drop(self.known.insert("self".into(), id)),
                syn::FnArg::Typed(it) => self.bind(&it.pat, Some(id)),
            }
        }
    }

    fn read(mut self, block: &Block, calls: &mut Vec<Call>) {
        self.visit_block(block);
        calls.append(&mut self.found);
    }

    /// The names in a pattern that stand for the value itself.
    fn bind(&mut self, pattern: &Pat, id: Option<TypeId>) {
        let Some(id) = id else { return };
        match pattern {
            Pat::Ident(it) => drop(self.known.insert(it.ident.to_string(), id)),
            Pat::Reference(it) => self.bind(&it.pat, Some(id)),
            Pat::Paren(it) => self.bind(&it.pat, Some(id)),
            Pat::Type(it) => self.bind(&it.pat, Some(id)),
            Pat::TupleStruct(it) => {
                if let [only] = it.elems.iter().collect::<Vec<_>>()[..] {
                    self.bind(only, Some(id));
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, file: &str, what: &str) {
        let from = (self.file.path.clone(), self.name.clone());
        self.found.push((from, (file.to_owned(), what.to_owned())));
    }

    /// The type of what an expression gives, as far as it can be told.
    fn type_of(&self, expression: &Expr) -> Option<TypeId> {
        match expression {
            Expr::Path(it) => {
                let name = it.path.get_ident()?.to_string();
                self.known.get(&name).cloned()
            }
            Expr::Field(it) => {
                let of = self.type_of(&it.base)?;
                let name = match &it.member {
                    syn::Member::Named(name) => name.to_string(),
                    syn::Member::Unnamed(index) => index.index.to_string(),
                };
                self.items.field(&of, &name)
            }
            Expr::Reference(it) => self.type_of(&it.expr),
            Expr::Paren(it) => self.type_of(&it.expr),
            Expr::Try(it) => self.type_of(&it.expr),
            Expr::Index(it) => self.type_of(&it.expr),
            Expr::Unary(it) => self.type_of(&it.expr),
            Expr::MethodCall(it) => {
                let of = self.type_of(&it.receiver)?;
                let name = it.method.to_string();
                match self.items.methods.get(&(of.clone(), name.clone())) {
                    Some(method) => method.gives.clone(),
                    None => SAME.contains(&name.as_str()).then_some(of),
                }
            }
            Expr::Call(it) => self.function(&it.func)?.1,
            Expr::Struct(it) => {
                let path: Vec<_> = it.path.segments.iter().map(|it| it.ident.to_string()).collect();
                self.items.find_type(self.file, &path)
            }
            _ => None,
        }
    }

    /// The function that is called so: its file, and what it gives.
    fn function(&self, called: &Expr) -> Option<(String, Option<TypeId>)> {
        let Expr::Path(it) = called else { return None };
        let path: Vec<_> = it.path.segments.iter().map(|it| it.ident.to_string()).collect();
        let (name, before) = path.split_last()?;
        if let [.., of] = before {
            let of = match of.as_str() {
                "Self" => self.own.clone(),
                _ => self.items.find_type(self.file, before),
            };
            let method = of.and_then(|of| self.items.methods.get(&(of, name.clone())));
            if let Some(method) = method {
                return Some((method.file.clone(), method.gives.clone()));
            }
        }
        let found = self.items.find(self.file, &path)?;
        let function = self.items.functions.get(&found)?;
        Some((function.file.clone(), function.gives.clone()))
    }
}

impl<'ast> Visit<'ast> for Body<'_> {
    fn visit_expr_method_call(&mut self, it: &'ast syn::ExprMethodCall) {
        let of = self.type_of(&it.receiver);
        let name = it.method.to_string();
        let method = of.clone().and_then(|of| self.items.methods.get(&(of, name.clone())));
        if let Some(method) = method {
            self.note(&method.file, &name);
        }
        self.visit_expr(&it.receiver);
        for argument in &it.args {
            // What a row or an option holds is what the closure is given.
            if let (Expr::Closure(closure), None) = (argument, method)
                && let Some(first) = closure.inputs.first()
            {
                self.bind(first, of.clone());
            }
            self.visit_expr(argument);
        }
    }

    fn visit_expr_call(&mut self, it: &'ast syn::ExprCall) {
        if let Some((file, _)) = self.function(&it.func)
            && let Expr::Path(path) = &*it.func
            && let Some(last) = path.path.segments.last()
        {
            self.note(&file, &last.ident.to_string());
        }
        visit::visit_expr_call(self, it);
    }

    /// A function that is given by its name is called as well.
    fn visit_expr_path(&mut self, it: &'ast syn::ExprPath) {
        if it.path.segments.len() > 1
            && let Some((file, _)) = self.function(&Expr::Path(it.clone()))
            && let Some(last) = it.path.segments.last()
        {
            self.note(&file, &last.ident.to_string());
        }
    }

    fn visit_local(&mut self, it: &'ast Local) {
        visit::visit_local(self, it);
        if let Some(init) = &it.init {
            let id = self.type_of(&init.expr);
            self.bind(&it.pat, id);
        }
    }

    fn visit_expr_let(&mut self, it: &'ast syn::ExprLet) {
        let id = self.type_of(&it.expr);
        self.bind(&it.pat, id);
        visit::visit_expr_let(self, it);
    }

    fn visit_expr_for_loop(&mut self, it: &'ast syn::ExprForLoop) {
        let id = self.type_of(&it.expr);
        self.bind(&it.pat, id);
        visit::visit_expr_for_loop(self, it);
    }

    fn visit_expr_match(&mut self, it: &'ast syn::ExprMatch) {
        let id = self.type_of(&it.expr);
        for arm in &it.arms {
            self.bind(&arm.pat, id.clone());
        }
        visit::visit_expr_match(self, it);
    }

    /// Of what a macro is given, all that is an expression: at least the first.
    fn visit_macro(&mut self, it: &'ast syn::Macro) {
        let expressions = |input: syn::parse::ParseStream| {
            let mut all = Vec::new();
            while let Ok(expression) = input.parse::<Expr>() {
                all.push(expression);
                if input.parse::<syn::Token![,]>().is_err() {
                    break;
                }
            }
            input.step(|cursor| {
                let mut rest = *cursor;
                while let Some((_, next)) = rest.token_tree() {
                    rest = next;
                }
                Ok(((), rest))
            })?;
            Ok(all)
        };
        for expression in expressions.parse2(it.tokens.clone()).unwrap_or_default() {
            Body::visit_owned(self, &expression);
        }
    }
}

impl Body<'_> {
    /// An expression that was made here, and lives no longer than this.
    fn visit_owned(&mut self, expression: &Expr) {
        let mut inner = Body {
            items: self.items,
            file: self.file,
            own: self.own.clone(),
            name: self.name.clone(),
            known: self.known.clone(),
            found: Vec::new(),
        };
        inner.visit_expr(expression);
        self.found.append(&mut inner.found);
    }
}
