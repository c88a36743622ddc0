//! Rule text to syntax tree. [`split`] cuts the file into declarations and clauses, pest parses each clause by itself
//! ([`syntax`], `rules.pest`), and the rest lowers what pest found into the tree. So a mistake never spoils more than
//! its clause, and all mistakes of a file come out in one run.

mod cx;
mod declaration;
mod entry;
mod expr;
mod fact;
mod mistakes;
mod pattern;
mod rule;
mod scan;
mod shape;
mod signs;
mod split;
mod syntax;
mod test;
mod text;
mod token;
mod usage;
mod value;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use crate::ast::File;
use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{Source, SourceId, Span};

pub(crate) use pattern::HOLE_TYPES;

/// The longest file that is read, in bytes.
pub(crate) const MAX_FILE: usize = 16 << 20;
/// The longest clause that is read, in bytes.
pub(crate) const MAX_CLAUSE: usize = 2 << 20;

/// Parses a rule file. Always returns a tree: what has a mistake is left out of it, and each mistake is put into
/// `diagnostics`. Time and memory are linear in the length of the text.
///
/// Limits, each of which ends in an `RC07xx` error: files of 16 MiB, clauses of 2 MiB, brackets 128 deep, `not`, brackets
/// and arithmetic together 256 deep, 10 000 findings in a file.
///
/// ```
/// use rulecheck_grammar::{Diagnostics, Source, SourceId, parse};
///
/// let source = Source::new("first.rules", "when error matches MPS backend out of memory then suggest tiled-vae-decode");
/// let mut diagnostics = Diagnostics::new();
/// let file = parse(&source, SourceId(0), &mut diagnostics);
/// assert!(diagnostics.is_empty());
/// assert_eq!(file.declarations.len(), 1);
/// ```
#[must_use]
pub fn parse(source: &Source, id: SourceId, diagnostics: &mut Diagnostics) -> File {
    if source.text.len() > MAX_FILE {
        let message = format!("this file is longer than {} MiB", MAX_FILE >> 20);
        let found = Diagnostic::error(codes::FILE_TOO_LONG, message, id, Span::new(0, 0));
        diagnostics.push(found.help("split it: a pack may have any number of files"));
        return File { source: id, ..File::default() };
    }
    let mut cx = cx::Cx::new(&source.text, id, diagnostics);
    let (raw, trailing, blanks) = split::split(&mut cx);
    let clean = blanked(&source.text, &blanks);
    let mut cx = cx.cleaned(&clean);
    let declarations = raw.into_iter().filter_map(|it| declaration::declaration(&mut cx, it)).collect();
    File { source: id, declarations, trailing }
}

/// The text with blanks at some places, so that the grammar need not know what stood there.
fn blanked<'a>(text: &'a str, places: &[Range<usize>]) -> Cow<'a, str> {
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for place in places {
        if let Some(piece) = bytes.get_mut(place.clone()) {
            piece.fill(b' ');
        }
    }
    // Whole characters were replaced, so this cannot fail.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}
