//! The knowledge base as lists: what `list`, `show`, `search` and suggestions of ids share.

use rulecheck::Ruleset;
use rulecheck::ir::{EntryInfo, FactRef, Piece, Program, Site, Text};

/// An entry's place: `FILE:LINE:COLUMN`.
pub(crate) fn place(program: &Program, site: Site) -> String {
    program.sources.get(site.source.0 as usize).map_or_else(String::new, |source| {
        let at = source.position(site.span.start);
        format!("{}:{}:{}", source.name, at.line, at.column)
    })
}

/// A text in a language, or else in its first; facts stand by name in braces.
pub(crate) fn text(program: &Program, text: &Text, lang: &str) -> String {
    let of_lang = text.languages.iter().find(|(of, _)| &**of == lang).or_else(|| text.languages.first());
    of_lang.map_or_else(String::new, |(_, pieces)| pieces.iter().map(|piece| self::piece(program, piece)).collect())
}

fn piece(program: &Program, piece: &Piece) -> String {
    match piece {
        Piece::Literal(text) => text.to_string(),
        Piece::Slot(slot) => format!("{{{slot}}}"),
        Piece::Fact(FactRef::Fact(id) | FactRef::Element(id)) => {
            let name = program.facts.get(id.index()).map_or("", |fact| &*fact.name);
            format!("{{{name}}}")
        }
        Piece::Fact(FactRef::Capture { name, .. }) => format!("{{{name}}}"),
    }
}

/// The title of a problem or fix; its id where it is only named.
pub(crate) fn title(program: &Program, info: &EntryInfo, lang: &str) -> String {
    let title = text(program, &info.title, lang);
    if title.is_empty() { info.id.to_string() } else { title }
}

/// All ids that can be shown or explained.
pub(crate) fn ids(program: &Program) -> impl Iterator<Item = &str> {
    let entries = program.problems.iter().map(|it| &*it.info.id).chain(program.fixes.iter().map(|it| &*it.info.id));
    let rules = program.rules.iter().filter(|rule| rule.named).map(|rule| &*rule.name);
    let facts = program.facts.iter().map(|fact| &*fact.name);
    entries.chain(rules).chain(facts).chain(program.launchers.iter().map(|it| &*it.id))
}

/// The id most like a wrong one.
pub(crate) fn nearest_id(ruleset: &Ruleset, id: &str) -> Option<String> {
    let (prefix, name) = id.split_once(':').map_or(("", id), |(_, name)| ("rule:", name));
    rulecheck_grammar::nearest(name, ids(ruleset.program())).map(|nearest| format!("{prefix}{nearest}"))
}
