//! Manifests: what packs say of themselves, and the order in which they build on each other.

use std::collections::HashMap;
use std::sync::Arc;

use rulecheck_grammar::{Diagnostic, Diagnostics, Source, SourceId, Span, nearest};
use serde::Deserialize;

use super::{PackSource, codes, id, quote_list};
use crate::ir::Pack;

/// `pack.ron`.
#[derive(Debug, Deserialize)]
#[serde(rename = "Pack", deny_unknown_fields)]
struct Manifest {
    name: String,
    version: String,
    #[serde(alias = "license")]
    licence: String,
    #[serde(default)]
    requires: Vec<String>,
    languages: Vec<String>,
    #[serde(default)]
    trust: Vec<String>,
}

const FIELDS: [&str; 6] = ["name", "version", "licence", "requires", "languages", "trust"];

/// A pack, and its rule files by name.
pub(super) struct Ordered {
    pub(super) pack: Pack,
    pub(super) files: Vec<SourceId>,
}

/// A pack before the packs are in order.
struct Draft {
    pack: Pack,
    files: Vec<SourceId>,
    requires: Vec<String>,
    /// The manifest and its source; none for a rule file by itself.
    manifest: Option<(SourceId, Source)>,
}

/// Reads the manifests and puts each pack behind those it requires; otherwise the order handed in stays.
pub(super) fn read(packs: &[PackSource], diagnostics: &mut Diagnostics) -> Vec<Ordered> {
    let mut next = 0;
    let mut drafts = Vec::new();
    for pack in packs {
        let first = next;
        next += usize::from(pack.manifest.is_some()) + pack.files.len();
        drafts.push(draft(pack, first, diagnostics));
    }
    let names = unique_names(&mut drafts, diagnostics);
    let order = in_order(&drafts, &names, diagnostics);
    inherit_trust(&mut drafts, &names, &order);
    let mut drafts: Vec<_> = drafts.into_iter().map(Some).collect();
    let taken = order.into_iter().filter_map(|index| drafts.get_mut(index)?.take());
    taken.map(|draft| Ordered { pack: draft.pack, files: draft.files }).collect()
}

fn draft(source: &PackSource, first: usize, diagnostics: &mut Diagnostics) -> Draft {
    let behind_manifest = first + usize::from(source.manifest.is_some());
    let mut files: Vec<_> = source
        .files
        .iter()
        .enumerate()
        .map(|(index, file)| (&file.name, SourceId(id(behind_manifest + index))))
        .collect();
    files.sort();
    let stem = files.first().map_or("", |(name, _)| stem(name));
    let files = files.iter().map(|&(_, source)| source).collect();
    let Some(text) = &source.manifest else {
        let pack = pack(stem, "0", &["en".to_owned(), "zh".to_owned()], &[]);
        return Draft { pack, files, requires: vec!["core".to_owned()], manifest: None };
    };
    let at = SourceId(id(first));
    let manifest = parse(text, at, diagnostics);
    let manifest = manifest.unwrap_or_else(|| salvage(text));
    languages_are_codes(&manifest, at, text, diagnostics);
    let pack = pack(&manifest.name, &manifest.version, &manifest.languages, &manifest.trust);
    Draft { pack, files, requires: manifest.requires, manifest: Some((at, text.clone())) }
}

fn pack(name: &str, version: &str, languages: &[String], trust: &[String]) -> Pack {
    let words = |list: &[String]| list.iter().map(|word| Arc::from(word.as_str())).collect();
    Pack { name: name.into(), version: version.into(), languages: words(languages), trust: words(trust) }
}

/// `mine` of `rules/mine.rules`.
fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.strip_suffix(".rules").unwrap_or(file)
}

/// What stands for a manifest that cannot be read, so that its rules are checked all the same: the name is the one
/// thing that other packs ask for.
fn salvage(text: &Source) -> Manifest {
    let quoted = |field: &str| {
        let behind = text.text.split_once(field)?.1.split_once('"')?.1;
        Some(behind.split_once('"')?.0.to_owned())
    };
    Manifest {
        name: quoted("name").unwrap_or_default(),
        version: String::new(),
        licence: String::new(),
        requires: Vec::new(),
        languages: vec!["en".to_owned(), "zh".to_owned()],
        trust: Vec::new(),
    }
}

fn parse(text: &Source, at: SourceId, diagnostics: &mut Diagnostics) -> Option<Manifest> {
    let error = match ron::from_str::<Manifest>(text.text.trim_start_matches('\u{feff}')) {
        Ok(manifest) => {
            for (field, value) in
                [("name", &manifest.name), ("version", &manifest.version), ("licence", &manifest.licence)]
            {
                if value.trim().is_empty() {
                    let message = format!("the pack has an empty `{field}`");
                    diagnostics
                        .push(Diagnostic::error(codes::MANIFEST, message, at, find(text, field)).help(remedy(field)));
                }
            }
            return Some(manifest);
        }
        Err(error) => error,
    };
    let (message, help) = explain(&error.code);
    let span = match error.code {
        // A field that is missing is found out at the end; what lacks it is the whole.
        ron::Error::MissingStructField { .. } => find(text, "("),
        _ => token(&text.text, offset(&text.text, error.span.start), offset(&text.text, error.span.end)),
    };
    diagnostics.push(Diagnostic::error(codes::MANIFEST, message, at, span).help(help));
    None
}

/// What a fault of the manifest means, and what to do.
fn explain(error: &ron::Error) -> (String, String) {
    let example = "a manifest reads `(name: \"mine\", version: \"1.0.0\", licence: \"MIT\", requires: [\"core\"], languages: [\"en\", \"zh\"])`";
    match error {
        ron::Error::MissingStructField { field, .. } => {
            let field = if *field == "license" { "licence" } else { *field };
            (format!("the manifest has no `{field}`"), remedy(field))
        }
        ron::Error::NoSuchStructField { found, .. } => (
            format!("a manifest has no field `{found}`"),
            nearest(found, FIELDS).map_or_else(
                || format!("the fields are {}", quote_list(FIELDS)),
                |near| format!("did you mean `{near}`?"),
            ),
        ),
        ron::Error::DuplicateStructField { field, .. } => {
            (format!("the manifest says `{field}` twice"), "take one of the two out".to_owned())
        }
        ron::Error::ExpectedString => {
            ("a text in quotes is needed here".to_owned(), "put the value in quotes".to_owned())
        }
        ron::Error::ExpectedArray => {
            ("a list is needed here".to_owned(), "put the values in square brackets: `[\"core\"]`".to_owned())
        }
        ron::Error::ExpectedComma => ("a comma is missing".to_owned(), "put a comma between the fields".to_owned()),
        ron::Error::Eof | ron::Error::ExpectedStructLikeEnd | ron::Error::ExpectedArrayEnd => {
            ("the manifest ends too soon".to_owned(), "close every bracket and quote; ".to_owned() + example)
        }
        _ => ("the manifest cannot be read".to_owned(), example.to_owned()),
    }
}

fn remedy(field: &str) -> String {
    match field {
        "name" => "add `name: \"…\"`, the name that other packs require it by".to_owned(),
        "version" => "add `version: \"1.0.0\"`".to_owned(),
        "licence" => "add `licence: \"MIT\"`, or what its texts may be used under".to_owned(),
        _ => "add `languages: [\"en\", \"zh\"]`, the language of its base texts first".to_owned(),
    }
}

fn languages_are_codes(manifest: &Manifest, at: SourceId, text: &Source, diagnostics: &mut Diagnostics) {
    if manifest.languages.is_empty() {
        let error = Diagnostic::error(codes::MANIFEST, "the pack has no language", at, find(text, "languages"));
        diagnostics.push(error.help(remedy("languages")));
    }
    for language in &manifest.languages {
        let main = language.split('-').next().unwrap_or("");
        if !(2..=3).contains(&main.len()) || !main.bytes().all(|byte| byte.is_ascii_lowercase()) {
            let message = format!("`{language}` is no language");
            let error = Diagnostic::error(codes::MANIFEST, message, at, find(text, &format!("\"{language}\"")));
            diagnostics.push(error.help("write two or three lower-case letters, such as `en` or `zh`"));
        }
    }
}

/// The first place of a word in a manifest, or its first byte.
fn find(text: &Source, word: &str) -> Span {
    text.text.find(word).map_or(Span::new(0, 0), |start| Span::new(id(start), id(start + word.len())))
}

/// The place of a fault; where it covers nothing, the word behind it.
fn token(text: &str, start: usize, end: usize) -> Span {
    if text.get(start..end).is_some_and(|covered| !covered.trim().is_empty()) {
        return Span::new(id(start), id(end));
    }
    let rest = text.get(start..).unwrap_or("");
    let word = rest.trim_start();
    let start = start + rest.len() - word.len();
    let length = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
    let first = word.chars().next().map_or(0, char::len_utf8);
    Span::new(id(start), id(start + length.max(first)))
}

/// The byte offset of a line and column.
fn offset(text: &str, position: ron::error::Position) -> usize {
    let line_start = text.split_inclusive('\n').take(position.line.saturating_sub(1)).map(str::len).sum::<usize>();
    let rest = text.get(line_start..).unwrap_or("");
    let column = rest.chars().take(position.col.saturating_sub(1)).map(char::len_utf8).sum::<usize>();
    line_start + column
}

/// Packs by name. Of two alike the second is an error, unless one is a file by itself: then that goes by its path.
fn unique_names(drafts: &mut [Draft], diagnostics: &mut Diagnostics) -> HashMap<Arc<str>, usize> {
    let mut names: HashMap<Arc<str>, usize> = HashMap::new();
    let mut places: Vec<Option<(SourceId, Span)>> = Vec::new();
    for (index, draft) in drafts.iter_mut().enumerate() {
        let place = draft.manifest.as_ref().map(|(at, text)| (*at, find(text, &format!("\"{}\"", draft.pack.name))));
        places.push(place);
        let Some(&other) = names.get(&draft.pack.name) else {
            names.insert(Arc::clone(&draft.pack.name), index);
            continue;
        };
        let Some((at, span)) = place else {
            draft.pack.name = format!("{} ({index})", draft.pack.name).into();
            continue;
        };
        let error =
            Diagnostic::error(codes::PACK_TWICE, format!("two packs are named `{}`", draft.pack.name), at, span);
        let first = places.get(other).copied().flatten();
        let error = first.map_or_else(|| error.clone(), |(at, span)| error.clone().context(at, span, "the other one"));
        diagnostics.push(error.help("give one of them another name, or load only one"));
    }
    names
}

/// The packs by what they require: a walk in the order handed in that takes what a pack requires first.
fn in_order(drafts: &[Draft], names: &HashMap<Arc<str>, usize>, diagnostics: &mut Diagnostics) -> Vec<usize> {
    let mut walk = Walk { drafts, names, diagnostics, state: vec![Visit::New; drafts.len()], order: Vec::new() };
    for index in 0..drafts.len() {
        walk.visit(index);
    }
    walk.order
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

struct Walk<'a> {
    drafts: &'a [Draft],
    names: &'a HashMap<Arc<str>, usize>,
    diagnostics: &'a mut Diagnostics,
    state: Vec<Visit>,
    order: Vec<usize>,
}

impl Walk<'_> {
    /// Visits a pack and what it requires, on a stack of its own: a chain of packs may be long.
    fn visit(&mut self, index: usize) {
        let mut stack = vec![(index, 0)];
        while let Some((index, next)) = stack.pop() {
            let Some(draft) = self.drafts.get(index) else { continue };
            if next == 0 && self.mark(index, Visit::Open) != Visit::New {
                self.mark(index, Visit::Done);
                continue;
            }
            let Some(required) = draft.requires.get(next) else {
                self.mark(index, Visit::Done);
                self.order.push(index);
                continue;
            };
            stack.push((index, next + 1));
            if let Some(target) = self.target(draft, required, &stack) {
                stack.push((target, 0));
            }
        }
    }

    fn mark(&mut self, index: usize, visit: Visit) -> Visit {
        self.state.get_mut(index).map_or(Visit::Done, |state| std::mem::replace(state, visit))
    }

    /// The pack to visit for a requirement, if it is there and was not visited.
    fn target(&mut self, draft: &Draft, required: &str, stack: &[(usize, usize)]) -> Option<usize> {
        let Some(&target) = self.names.get(required) else {
            self.missing(draft, required);
            return None;
        };
        match self.state.get(target)? {
            Visit::New => Some(target),
            Visit::Done => None,
            Visit::Open => {
                self.circle(target, stack);
                None
            }
        }
    }

    fn missing(&mut self, draft: &Draft, required: &str) {
        // A file by itself may be used without `core`; it then declares its facts itself.
        let Some((at, text)) = &draft.manifest else { return };
        let span = find(text, &format!("\"{required}\""));
        let message = format!("the pack `{}` requires `{required}`, which is not loaded", draft.pack.name);
        let near = nearest(required, self.drafts.iter().map(|other| other.pack.name.as_ref()));
        let help = near.map_or_else(|| format!("load `{required}` too"), |near| format!("did you mean `{near}`?"));
        self.diagnostics.push(Diagnostic::error(codes::PACK_MISSING, message, *at, span).help(help));
    }

    fn circle(&mut self, target: usize, stack: &[(usize, usize)]) {
        let members = stack.iter().map(|&(index, _)| index).skip_while(|&index| index != target);
        let members: Vec<_> = members.filter_map(|index| self.drafts.get(index)).collect();
        let mut names: Vec<_> = members.iter().map(|draft| format!("`{}`", draft.pack.name)).collect();
        names.extend(names.first().cloned());
        let mut error: Option<Diagnostic> = None;
        for (draft, next) in members.iter().zip(names.iter().skip(1)) {
            let Some((at, text)) = &draft.manifest else { continue };
            let span = find(text, &next.replace('`', "\""));
            let said = format!("`{}` requires {next}", draft.pack.name);
            error = Some(match error {
                None => {
                    let message = format!("packs require each other in a circle: {}", names.join(" → "));
                    Diagnostic::error(codes::PACK_CIRCLE, message, *at, span).label(said)
                }
                Some(error) => error.context(*at, span, said),
            });
        }
        if let Some(error) = error {
            self.diagnostics.push(error.help("take one of these requirements out"));
        }
    }
}

/// A pack that has no order of trust has that of the packs it requires, in their order.
fn inherit_trust(drafts: &mut [Draft], names: &HashMap<Arc<str>, usize>, order: &[usize]) {
    for &index in order {
        let Some(draft) = drafts.get(index) else { continue };
        if !draft.pack.trust.is_empty() {
            continue;
        }
        let mut trust: Vec<Arc<str>> = Vec::new();
        let required = draft.requires.iter().filter_map(|name| drafts.get(*names.get(name.as_str())?));
        for word in required.flat_map(|other| &other.pack.trust) {
            if !trust.contains(word) {
                trust.push(Arc::clone(word));
            }
        }
        if let Some(draft) = drafts.get_mut(index) {
            draft.pack.trust = trust;
        }
    }
}
