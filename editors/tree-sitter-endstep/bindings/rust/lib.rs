//! The grammar of Endstep's specification language for programs that use Tree-sitter.
//!
//! ```
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&tree_sitter_endstep::LANGUAGE.into()).unwrap();
//! let tree = parser.parse("zone dying of Card\n", None).unwrap();
//! assert_eq!(tree.root_node().to_sexp(), "(file (zone name: (name) sort: (name)))");
//! ```
//!
//! *Limits.* The grammar finds what is written, not what is wrong with it: a tree without error
//! nodes may stand for a specification that the compiler refuses.

use tree_sitter_language::LanguageFn;

#[allow(unsafe_code, reason = "the generated parser is C")]
unsafe extern "C" {
    fn tree_sitter_endstep() -> *const ();
}

/// The language, for `Parser::set_language`.
#[allow(unsafe_code, reason = "the function was generated for just this")]
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_endstep) };

/// The fields and kinds of the nodes, as JSON.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");

/// Which nodes have which colour.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// Which nodes can be folded.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");

/// Where lines are indented.
pub const INDENTS_QUERY: &str = include_str!("../../queries/indents.scm");

/// Which names stand for one thing within a part of a text.
pub const LOCALS_QUERY: &str = include_str!("../../queries/locals.scm");

/// What is declared, for lists of the parts of a text.
pub const TAGS_QUERY: &str = include_str!("../../queries/tags.scm");
