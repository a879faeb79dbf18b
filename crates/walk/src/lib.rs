//! `#[derive(Walk)]`: the traversal of a tree, made from its definition.
//!
//! ```text
//! #[derive(Walk)]                      impl Walk for Binder {
//! #[walk(node = binder)]                   fn meet(&self, v)   { v.binder(self) }
//! struct Binder {                          fn inside(&self, v) { self.local.meet(v);
//!     local: LocalId,                                            self.range.meet(v);
//!     range: Range,                ──▶                           self.filter.meet_condition(v); }
//!     #[walk(condition)]                   …and the same with `&mut`
//!     filter: Option<Box<Expr>>,       }
//! }
//! ```
//!
//! `Walk`, `Visit` and `VisitMut` are those in scope where the type is defined: each tree declares its own
//! with `endstep_language::walkable!`, which also says what its leaves are. Every field is met, so a new form is
//! visited by all traversals from the moment it is written, and a field of a type that the tree does not
//! know does not compile.
//!
//! *Attributes.* Of a type: `node = f`, `f` is the visitor's method for it; `tested`, it has a method for
//! conditions as well. Of a field or form: `condition`, an expression in it goes to that method; `after`,
//! it is met when all other fields were.

use proc_macro::TokenStream;
use proc_macro2::{Span, TokenStream as Tokens};
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Fields, Ident, parse_macro_input, parse_quote};

/// Implements `Walk`; see the documentation of this crate.
#[proc_macro_derive(Walk, attributes(walk))]
pub fn derive_walk(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// How a field is met.
#[derive(Default, Clone, Copy)]
struct Manner {
    condition: bool,
    after: bool,
}

fn expand(input: &DeriveInput) -> syn::Result<Tokens> {
    let name = &input.ident;
    let body = match &input.data {
        Data::Struct(data) => {
            let (pattern, calls) = fields(&data.fields, Manner::default())?;
            quote!(let Self #pattern = self; #calls)
        }
        Data::Enum(data) => {
            let mut arms = Vec::new();
            for variant in &data.variants {
                let ident = &variant.ident;
                let (pattern, calls) = fields(&variant.fields, manner(&variant.attrs)?)?;
                arms.push(quote!(Self::#ident #pattern => { #calls }));
            }
            quote!(match self { #(#arms)* })
        }
        Data::Union(_) => return Err(syn::Error::new_spanned(input, "a union is no tree")),
    };
    let changed = changing(&body);
    let (node, tested) = kind(&input.attrs)?;
    let [meet, meet_mut] = match node {
        Some(node) => {
            let node_mut = Ident::new(&format!("{node}_mut"), node.span());
            [quote!(v.#node(self)), quote!(v.#node_mut(self))]
        }
        None => [quote!(self.inside(v)), quote!(self.inside_mut(v))],
    };
    let as_condition = tested.then(|| {
        quote! {
            fn meet_condition<'t, V: Visit<'t> + ?Sized>(&'t self, v: &mut V) { v.condition(self) }
            fn meet_condition_mut<V: VisitMut + ?Sized>(&mut self, v: &mut V) { v.condition_mut(self) }
        }
    });
    // Of what a type is made with, the tree is made too.
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(Walk));
    }
    let (parameters, arguments, bounds) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #parameters Walk for #name #arguments #bounds {
            fn meet<'t, V: Visit<'t> + ?Sized>(&'t self, v: &mut V) { #meet }
            fn meet_mut<V: VisitMut + ?Sized>(&mut self, v: &mut V) { #meet_mut }
            fn inside<'t, V: Visit<'t> + ?Sized>(&'t self, v: &mut V) { let _ = &v; #body }
            fn inside_mut<V: VisitMut + ?Sized>(&mut self, v: &mut V) { let _ = &v; #changed }
            #as_condition
        }
    })
}

/// The pattern that binds all fields, and the calls that meet them.
fn fields(of: &Fields, whole: Manner) -> syn::Result<(Tokens, Tokens)> {
    let mut names = Vec::new();
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for (at, field) in of.iter().enumerate() {
        let name = field
            .ident
            .clone()
            .unwrap_or_else(|| Ident::new(&format!("part{at}"), Span::call_site()));
        let own = manner(&field.attrs)?;
        let call = match whole.condition || own.condition {
            true => quote!(Walk::meet_condition(#name, v);),
            false => quote!(Walk::meet(#name, v);),
        };
        match own.after {
            true => last.push(call),
            false => first.push(call),
        }
        names.push(name);
    }
    let pattern = match of {
        Fields::Named(_) => quote!({ #(#names),* }),
        Fields::Unnamed(_) => quote!(( #(#names),* )),
        Fields::Unit => quote!(),
    };
    Ok((pattern, quote!(#(#first)* #(#last)*)))
}

/// The same calls, with which parts can be changed.
fn changing(body: &Tokens) -> Tokens {
    let renamed = body.clone().into_iter().map(|token| match token {
        proc_macro2::TokenTree::Ident(ident) if ident == "meet" || ident == "meet_condition" => {
            Ident::new(&format!("{ident}_mut"), ident.span()).into()
        }
        proc_macro2::TokenTree::Group(group) => {
            let mut inner = proc_macro2::Group::new(group.delimiter(), changing(&group.stream()));
            inner.set_span(group.span());
            inner.into()
        }
        other => other,
    });
    renamed.collect()
}

fn manner(attributes: &[Attribute]) -> syn::Result<Manner> {
    let mut found = Manner::default();
    for one in attributes.iter().filter(|one| one.path().is_ident("walk")) {
        one.parse_nested_meta(|meta| {
            if meta.path.is_ident("condition") {
                found.condition = true;
            } else if meta.path.is_ident("after") {
                found.after = true;
            } else {
                return Err(meta.error("expected `condition` or `after`"));
            }
            Ok(())
        })?;
    }
    Ok(found)
}

/// The visitor's method for a type, and whether there is one for conditions as well.
fn kind(attributes: &[Attribute]) -> syn::Result<(Option<Ident>, bool)> {
    let (mut node, mut tested) = (None, false);
    for one in attributes.iter().filter(|one| one.path().is_ident("walk")) {
        one.parse_nested_meta(|meta| {
            if meta.path.is_ident("node") {
                node = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("tested") {
                tested = true;
            } else {
                return Err(meta.error("expected `node = METHOD` or `tested`"));
            }
            Ok(())
        })?;
    }
    Ok((node, tested))
}
