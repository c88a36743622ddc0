//! Rule text to a spanned syntax tree, and back.
//!
//! `Source` → [`parse`] → [`ast::File`] → [`print()`] → text. Parsing never fails: it returns the tree of what was
//! understood and puts a [`Diagnostic`] for each mistake into [`Diagnostics`]. This crate knows pest and nothing of
//! facts, packs or meaning; no public item shows pest.

pub mod ast;
pub mod codes;
mod diagnostic;
mod nearest;
mod parse;
mod print;
mod source;

pub use diagnostic::{Code, Diagnostic, Diagnostics, Edit, Label, Severity};
pub use nearest::nearest;
pub use parse::parse;
pub use print::{format, print};
pub use source::{Position, Source, SourceId, Span, Spanned};
