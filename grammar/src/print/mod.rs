//! Syntax tree to rule text, in the one layout there is: a clause a line, two columns in; what does not fit goes on two
//! columns deeper; comments and blank lines where they were; every phrase in quotes; no bracket that is not needed.

mod declaration;
mod doc;
mod expr;
mod text;

use crate::ast::{Clause, File, Trivia, TriviaLine};
use crate::diagnostic::Diagnostics;
use crate::parse::parse;
use crate::source::{Source, SourceId};
use doc::{Doc, Rendered, render};

/// Prints a tree. Parsing the print gives the tree back, except that bare phrases stand in quotes then.
#[must_use]
pub fn print(file: &File) -> String {
    let mut out = Printer { text: String::new() };
    for it in &file.declarations {
        out.leading(&it.trivia.leading, 0);
        declaration::declaration(&mut out, &it.kind, &it.trivia);
    }
    out.leading(&file.trailing, 0);
    out.text
}

/// Lays a file out anew. `None` if it has a mistake, since then what could not be understood would be lost; the mistakes
/// are put into `diagnostics`.
#[must_use]
pub fn format(source: &Source, id: SourceId, diagnostics: &mut Diagnostics) -> Option<String> {
    let mut found = Diagnostics::new();
    let file = parse(source, id, &mut found);
    let text = (!found.has_errors()).then(|| print(&file));
    for it in found {
        diagnostics.push(it);
    }
    text
}

struct Printer {
    text: String,
}

impl Printer {
    /// Comment and blank lines.
    fn leading(&mut self, lines: &[TriviaLine], indent: usize) {
        for line in lines {
            if let TriviaLine::Comment(comment) = line {
                self.text.push_str(&" ".repeat(indent));
                self.text.push_str(comment);
            }
            self.text.push('\n');
        }
    }

    /// The first line of a declaration.
    fn head(&mut self, doc: &Doc, trivia: &Trivia) {
        self.lines(&render(doc, 0, 4), trivia.trailing.as_deref());
    }

    fn clauses<T>(&mut self, clauses: &[Clause<T>], doc: impl Fn(&T) -> Doc) {
        for clause in clauses {
            self.clause(clause, &doc);
        }
    }

    fn clause<T>(&mut self, clause: &Clause<T>, doc: impl FnOnce(&T) -> Doc) {
        self.leading(&clause.trivia.leading, 2);
        self.lines(&render(&doc(&clause.kind), 2, 4), clause.trivia.trailing.as_deref());
    }

    /// A clause's lines, with a comment behind the first one, or behind the last where the first cannot have one.
    fn lines(&mut self, lines: &Rendered, comment: Option<&str>) {
        let text = lines.text.trim_end_matches(' ');
        let first = if lines.opens_block { text } else { text.split('\n').next().unwrap_or(text) };
        self.text.push_str(first);
        if let Some(comment) = comment {
            self.text.push_str("  ");
            self.text.push_str(comment);
        }
        self.text.push_str(text.get(first.len()..).unwrap_or(""));
        self.text.push('\n');
    }
}
