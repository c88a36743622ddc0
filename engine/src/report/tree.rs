//! An explanation as a tree that fits the page: what held, what did not, what is unknown, and the user's own lines.

use std::fmt;

use super::layout::{paragraph, shorten, spaces, width, wrap};
use super::markup::{Markup, Tone};
use super::prune::{self, Shown};
use super::quote::{self, quote};
use super::{Detail, Style};
use crate::evidence::Place;
use crate::explanation::{Explanation, ProofNode, ProofStatus, Truth};
use crate::facts::Origin;
use crate::words;

/// Quotations of one node that are shown.
const QUOTES: usize = 3;
/// The guides of a deep tree never take more columns than this.
const GUIDES: usize = 40;

/// An explanation as text.
#[must_use]
pub fn explanation(explanation: &Explanation, style: &Style<'_>) -> Markup {
    let mut out = Markup::new();
    write_one(&mut out, explanation, style);
    legend(&mut out, style);
    out
}

/// Several explanations as text, one below the other.
#[must_use]
pub fn explanations(explanations: &[Explanation], style: &Style<'_>) -> Markup {
    let mut out = Markup::new();
    for (index, explanation) in explanations.iter().enumerate() {
        if index > 0 && style.detail != Detail::Brief {
            out.end_line();
        }
        write_one(&mut out, explanation, style);
    }
    if explanations.is_empty() {
        line(&mut out, Tone::Plain, words::NOTHING_TO_EXPLAIN.get(style.lang));
    } else {
        legend(&mut out, style);
    }
    out
}

/// What the signs mean, and that there is more.
fn legend(out: &mut Markup, style: &Style<'_>) {
    if style.detail == Detail::Brief {
        return;
    }
    out.end_line();
    line(out, Tone::Faint, words::LEGEND.get(style.lang));
    if style.detail == Detail::Usual {
        line(out, Tone::Faint, words::LEFT_OUT.get(style.lang));
    }
}

/// The text form in the language the explanation is in.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&explanation(self, &Style::new(&self.lang)).plain())
    }
}

fn line(out: &mut Markup, tone: Tone, text: &str) {
    out.push(tone, text);
    out.end_line();
}

fn write_one(out: &mut Markup, it: &Explanation, style: &Style<'_>) {
    let title =
        if it.title.is_empty() || it.title == it.id { it.id.clone() } else { format!("{} [{}]", it.title, it.id) };
    let status = words::proof_status(it.status).get(style.lang);
    paragraph(out, (Tone::Strong, ""), "  ", (Tone::Strong, &format!("{title}: {status}")), style.width);
    if style.detail == Detail::Brief {
        return;
    }
    out.end_line();
    let mut tree = Tree { out, style };
    tree.node(&prune::proof(&it.proof, style.detail), "", "", None);
    closing(out, it, style);
}

fn closing(out: &mut Markup, it: &Explanation, style: &Style<'_>) {
    if !it.order.is_empty() {
        out.end_line();
        line(out, Tone::Heading, words::ORDER.get(style.lang));
        paragraph(out, (Tone::Plain, "  "), "  ", (Tone::Plain, &it.order), style.width);
    }
    if !it.least_change.is_empty() {
        out.end_line();
        line(out, Tone::Heading, words::LEAST_CHANGE.get(style.lang));
        for change in &it.least_change {
            let text = format!("{}: {} → {}", change.fact, change.from, change.to);
            paragraph(out, (Tone::Plain, "  - "), "    ", (Tone::Plain, &text), style.width);
        }
    } else if it.status == ProofStatus::Absent {
        out.end_line();
        paragraph(out, (Tone::Plain, ""), "", (Tone::Plain, words::NO_CHANGE.get(style.lang)), style.width);
    }
}

/// The sign of a truth value, which is told apart without colour.
pub(crate) const fn sign(value: Truth) -> (&'static str, Tone) {
    match value {
        Truth::True => ("✓", Tone::Good),
        Truth::False => ("✗", Tone::Bad),
        Truth::Unknown => ("?", Tone::Warn),
    }
}

/// Where the fact of a node came from, in words.
pub(crate) fn origin(node: &ProofNode, lang: &str) -> Option<String> {
    let origin = node.origin?;
    Some(match (&node.time, origin) {
        (Some(time), Origin::Probe) => words::PROBE_AT.with(lang, &[time]),
        _ => words::origin_phrase(origin).get(lang).to_owned(),
    })
}

struct Tree<'a> {
    out: &'a mut Markup,
    style: &'a Style<'a>,
}

impl Tree<'_> {
    /// A node and what it follows from. `first` stands before its own line, `rest` before all below it.
    fn node(&mut self, it: &Shown<'_>, first: &str, rest: &str, outer: Option<&str>) {
        let (first, rest) = (clip(first), clip(rest));
        let (sign, tone) = sign(it.node.value);
        let below = if it.children.is_empty() { format!("{rest}  ") } else { format!("{rest}│ ") };
        for (index, text) in self.said(it, first).iter().enumerate() {
            self.out.push(Tone::Faint, if index == 0 { first } else { &below });
            if index == 0 {
                self.out.push(tone, sign);
                self.out.push(Tone::Plain, " ");
            }
            line(self.out, Tone::Plain, text);
        }
        if !it.closed {
            self.details(it.node, &below, outer);
        }
        let rule = it.node.rule.as_deref().or(outer);
        for (index, child) in it.children.iter().enumerate() {
            let last = index + 1 == it.children.len();
            let (branch, trunk) = if last { ("└─", "  ") } else { ("├─", "│ ") };
            self.node(child, &format!("{rest}{branch}"), &format!("{rest}{trunk}"), rule);
        }
    }

    /// What a node says, in lines. What its children say again, part by part, need not be there in full.
    fn said(&self, it: &Shown<'_>, first: &str) -> Vec<String> {
        let room = self.style.width.saturating_sub(width(first) + 2).max(24);
        let in_parts = !it.children.is_empty() && !first.is_empty();
        if (in_parts || it.closed) && self.style.detail != Detail::Full {
            return vec![shorten(&it.node.what, room)];
        }
        wrap(&it.node.what, room)
    }

    /// Where the rule stands, where the fact came from, and the user's lines behind it.
    fn details(&mut self, it: &ProofNode, below: &str, outer: Option<&str>) {
        if let Some(place) = it.place.as_ref().filter(|_| it.rule.is_some() && it.rule.as_deref() != outer) {
            self.faint(below, &format!("{}:{}:{}", place.file, place.line, place.column));
        }
        if let Some(text) = origin(it, self.style.lang) {
            self.faint(below, &text);
        }
        let limit = self.style.limit(QUOTES);
        for place in it.evidence.iter().take(limit) {
            self.quote(place, below);
        }
        if it.evidence.len() > limit {
            let more = (it.evidence.len() - limit).to_string();
            self.faint(below, &words::AND_MORE_VERBOSE.with(self.style.lang, &[&more]));
        }
    }

    fn faint(&mut self, below: &str, text: &str) {
        paragraph(self.out, (Tone::Faint, below), below, (Tone::Faint, text), self.style.width);
    }

    fn quote(&mut self, place: &Place, below: &str) {
        self.faint(below, &quote::name(place));
        let room = self.style.width.saturating_sub(width(below) + 2).max(24);
        let quoted = quote(place, room);
        for (tone, text) in [(Tone::Plain, quoted.line), (Tone::Pointer, quoted.pointer)] {
            self.out.push(Tone::Faint, &format!("{below}{}", spaces(2)));
            line(self.out, tone, &text);
        }
        if quoted.more_lines > 0 {
            let text = words::MORE_LINES.with(self.style.lang, &[&quoted.more_lines.to_string()]);
            self.faint(&format!("{below}{}", spaces(2)), &text);
        }
    }
}

/// The innermost guides, where there are more than fit.
fn clip(guides: &str) -> &str {
    let excess = guides.chars().count().saturating_sub(GUIDES);
    guides.char_indices().nth(excess).and_then(|(at, _)| guides.get(at..)).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(what: &str, value: Truth, children: Vec<ProofNode>) -> ProofNode {
        ProofNode { children, ..ProofNode::new(what.to_owned(), value) }
    }

    fn explained(proof: ProofNode) -> Explanation {
        Explanation {
            id: "fix".to_owned(),
            title: "A fix".to_owned(),
            status: ProofStatus::Possible,
            proof,
            order: String::new(),
            least_change: Vec::new(),
            lang: "en".to_owned(),
        }
    }

    #[test]
    fn a_tree_tells_truth_without_colour() {
        let leaves = vec![node("a", Truth::True, Vec::new()), node("b", Truth::Unknown, Vec::new())];
        let proof = node(
            "all",
            Truth::Unknown,
            vec![node("both", Truth::Unknown, leaves), node("c", Truth::False, Vec::new())],
        );
        let text = explained(proof).to_string();
        let expected = "A fix [fix]: possible\n\n? all\n├─? both\n│ ├─✓ a\n│ └─? b\n└─✗ c\n\n✓ holds   ✗ does not hold   ? not known\nWhat did not decide is left out; -v shows it.\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_deep_tree_still_fits() {
        let mut proof = node("a condition of some length that has to be wrapped somewhere", Truth::True, Vec::new());
        for _ in 0..100 {
            proof = node("it holds", Truth::True, vec![proof]);
        }
        let text = explained(proof).to_string();
        assert!(text.lines().all(|line| width(line) <= 80), "{text}");
    }
}
