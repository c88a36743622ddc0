//! Facts, records, families, sections and tables.

use std::collections::HashMap;
use std::sync::Arc;

use rulecheck_grammar::ast::{self, FactClause, Name};
use rulecheck_grammar::{Diagnostic, Spanned};

use super::collect::{Declarations, Item};
use super::names::{TEXTS, Thing, plain_fact};
use super::{At, Checker, codes, id};
use crate::ir::{Edge, FactId, Family, Record, RecordId, Section, SectionId, Site, Text};
use crate::value::{Type, Value};

impl Checker<'_> {
    /// Gives every fact, record, section and table its name.
    pub(super) fn declare_facts(&mut self, all: &Declarations<'_>) {
        let mut records = all.records.iter().peekable();
        for fact in &all.facts {
            while let Some(record) = records.next_if(|record| record.rank < fact.rank) {
                self.declare_record(record);
            }
            self.declare_fact(fact);
        }
        records.for_each(|record| self.declare_record(record));
        for text in ["error.type", "error.message", "error.cause"] {
            self.text_fact(text);
        }
        for section in &all.sections {
            self.declare_section(section);
        }
        for table in &all.tables {
            self.declare_table(table);
        }
    }

    /// Whether a name is free; reports it if it is not.
    fn is_free(&mut self, what: &str, name: &Name, full: &str, at: At) -> bool {
        if matches!(full, "error" | "trace" | "log" | "problem") {
            let message = format!("`{full}` is always there and cannot be declared");
            self.error(codes::NO_NAME, at, name.span, message, "give it another name");
            return false;
        }
        let Some(thing) = self.names.things.get(full).copied() else { return true };
        let first = self.site_of(thing);
        let name = Spanned::new(full.to_owned(), name.span);
        self.declared_twice(what, &name, at, first);
        false
    }

    fn site_of(&self, thing: Thing) -> Site {
        match thing {
            Thing::Fact(fact) => self.program.facts.get(fact.index()).map(|it| it.site),
            Thing::Record(record) => self.program.records.get(record.index()).map(|it| it.site),
            Thing::Section(section) => self.program.sections.get(section.index()).map(|it| it.site),
        }
        .unwrap_or_default()
    }

    fn declare_fact(&mut self, item: &Item<'_, ast::Fact>) {
        let (fact, at) = (item.node, item.at);
        let ty = self.ty(&fact.ty.node, at);
        let site = at.site(fact.name.span);
        if fact.family {
            self.declare_family(fact, at, ty);
            return;
        }
        if TEXTS.contains(&fact.name.node.as_str()) && ty != Type::Text {
            let message = format!("`{}` is always a text", fact.name.node);
            self.error(codes::NO_NAME, at, fact.ty.span, message, "write `text`, or give the fact another name");
            return;
        }
        if self.is_free("fact", &fact.name, &fact.name.node, at) {
            self.add_fact(plain_fact(&fact.name.node, ty, site));
        }
    }

    fn declare_family(&mut self, fact: &ast::Fact, at: At, ty: Type) {
        let prefix: Arc<str> = format!("{}.", fact.name.node).into();
        if let Some(first) = self.names.families.get(&prefix).and_then(|index| self.program.families.get(*index)) {
            let site = first.site;
            self.declared_twice("family", &fact.name, at, site);
            return;
        }
        self.names.families.insert(Arc::clone(&prefix), self.program.families.len());
        self.names.family_asks.push(None);
        let site = at.site(fact.name.span);
        self.program.families.push(Family { prefix, ty, description: Text::default(), probe: None, site });
    }

    fn declare_record(&mut self, item: &Item<'_, ast::Record>) {
        let (record, at) = (item.node, item.at);
        if !self.is_free("record", &record.name, &record.name.node, at) {
            return;
        }
        let new = RecordId(id(self.program.records.len()));
        let name: Arc<str> = record.name.node.as_str().into();
        self.names.things.insert(Arc::clone(&name), Thing::Record(new));
        let site = at.site(record.name.span);
        self.program.records.push(Record { name, description: Text::default(), fields: Vec::new(), probe: None, site });
        let mut fields = Vec::new();
        for field in &record.fields {
            let full = format!("{}.{}", record.name.node, field.kind.name.node);
            if self.is_free("field", &field.kind.name, &full, at) {
                let ty = self.ty(&field.kind.ty.node, at);
                let mut fact = plain_fact(&full, ty, at.site(field.kind.name.span));
                fact.record = Some(new);
                fields.push(self.add_fact(fact));
            }
        }
        if let Some(record) = self.program.records.get_mut(new.index()) {
            record.fields = fields;
        }
    }

    fn declare_section(&mut self, item: &Item<'_, ast::Section>) {
        let name = &item.node.name;
        if !self.is_free("section", name, &name.node, item.at) {
            return;
        }
        let new = SectionId(id(self.program.sections.len()));
        self.names.things.insert(name.node.as_str().into(), Thing::Section(new));
        self.program.sections.push(Section {
            name: name.node.as_str().into(),
            last: item.node.last,
            from: Edge::Start,
            to: Edge::End,
            site: item.at.site(name.span),
        });
    }

    /// A table declares its fact, unless a `fact` declaration gives it a type and a description.
    fn declare_table(&mut self, item: &Item<'_, ast::Table>) {
        let name = &item.node.fact;
        let fact = match self.thing(&name.node) {
            Some(Thing::Fact(fact)) => fact,
            Some(Thing::Record(_) | Thing::Section(_)) => {
                self.is_free("table", name, &name.node, item.at);
                return;
            }
            None => {
                if !self.is_free("table", name, &name.node, item.at) {
                    return;
                }
                let ty = super::tables::table_type(item.node);
                self.add_fact(plain_fact(&name.node, ty, item.at.site(name.span)))
            }
        };
        self.table_facts.entry(fact).or_insert(None);
    }

    /// The type that is written.
    fn ty(&mut self, ty: &ast::Type, at: At) -> Type {
        match ty {
            ast::Type::Bool => Type::Bool,
            ast::Type::Number => Type::Number,
            ast::Type::Size => Type::Size,
            ast::Type::Version => Type::Version,
            ast::Type::Text => Type::Text,
            ast::Type::Name => Type::Name,
            ast::Type::OneOf(words) => {
                let mut seen: HashMap<String, &Name> = HashMap::new();
                for word in words {
                    if let Some(first) = seen.insert(word.node.to_ascii_lowercase(), word) {
                        self.listed_twice(word, first, at);
                    }
                }
                Type::OneOf(words.iter().map(|word| Arc::from(word.node.as_str())).collect())
            }
            ast::Type::Set(of) => Type::Set(Arc::new(self.ty(of, at))),
        }
    }

    pub(super) fn listed_twice(&mut self, again: &Name, first: &Name, at: At) {
        let message = format!("`{}` is listed twice", again.node);
        let error = Diagnostic::error(codes::LISTED_TWICE, message, at.source, again.span).label("again here");
        self.push(error.context(at.source, first.span, "first here").help("take one of the two out"));
    }

    /// Reads descriptions, questions, probes and ranges, now that all facts have names.
    pub(super) fn describe_facts(&mut self, all: &Declarations<'_>) {
        let mut families = 0;
        for item in &all.facts {
            let known = self.names.things.get(item.node.name.node.as_str()).copied();
            match known {
                _ if item.node.family => self.describe_family(item, &mut families),
                Some(Thing::Fact(fact)) if self.site_of(Thing::Fact(fact)) == item.at.site(item.node.name.span) => {
                    self.describe(fact, item.node, item.at);
                }
                _ => {}
            }
        }
        for item in &all.records {
            self.describe_record(item);
        }
    }

    fn describe(&mut self, fact: FactId, declared: &ast::Fact, at: At) {
        let about = self.about(&declared.clauses, at);
        let ty = self.type_of(fact);
        let range = declared.range.as_ref().and_then(|range| self.fact_range(range, &ty, declared, at));
        if let Some(fact) = self.program.facts.get_mut(fact.index()) {
            fact.description = about.description.unwrap_or_default();
            fact.ask = about.ask;
            fact.probe = about.probe.or_else(|| fact.probe.take());
            fact.range = range;
        }
    }

    fn describe_family(&mut self, item: &Item<'_, ast::Fact>, next: &mut usize) {
        let site = item.at.site(item.node.name.span);
        if self.program.families.get(*next).is_none_or(|family| family.site != site) {
            return;
        }
        let about = self.about(&item.node.clauses, item.at);
        if let Some(family) = self.program.families.get_mut(*next) {
            family.description = about.description.unwrap_or_default();
            family.probe = about.probe;
        }
        if let Some(ask) = self.names.family_asks.get_mut(*next) {
            *ask = about.ask;
        }
        *next += 1;
    }

    fn describe_record(&mut self, item: &Item<'_, ast::Record>) {
        let Some(Thing::Record(record)) = self.names.things.get(item.node.name.node.as_str()).copied() else { return };
        if self.site_of(Thing::Record(record)) != item.at.site(item.node.name.span) {
            return;
        }
        let about = self.about(&item.node.clauses, item.at);
        for field in &item.node.fields {
            let full = format!("{}.{}", item.node.name.node, field.kind.name.node);
            let Some(fact) = self.fact(&full) else { continue };
            if let Some(fact) = self.program.facts.get_mut(fact.index()) {
                fact.probe.clone_from(&about.probe);
            }
            self.describe(fact, &field.kind, item.at);
        }
        if let Some(record) = self.program.records.get_mut(record.index()) {
            record.description = about.description.unwrap_or_default();
            record.probe = about.probe;
        }
    }

    fn about(&mut self, clauses: &[ast::Clause<FactClause>], at: At) -> About {
        let mut about = About::default();
        for clause in clauses {
            match &clause.kind {
                FactClause::Description(text) => about.description = Some(self.plain_text(text, at)),
                FactClause::Ask(text) => about.ask = Some(self.prose(text, at)),
                FactClause::Probe(name) => about.probe = Some(name.node.as_str().into()),
            }
        }
        about
    }

    fn fact_range(
        &mut self,
        range: &Spanned<ast::Range>,
        ty: &Type,
        fact: &ast::Fact,
        at: At,
    ) -> Option<(Value, Value)> {
        let of = match ty {
            Type::Set(of) => of,
            other => other,
        };
        if !matches!(of, Type::Number | Type::Size | Type::Version) {
            let message = format!("`{}` is {} and has no range", fact.name.node, super::literals::a(ty));
            self.error(
                codes::RANGE_TYPE,
                at,
                range.span,
                message,
                "only numbers, sizes and versions have one: take it out",
            );
            return None;
        }
        self.range(&range.node, range.span, of, fact.name.span, at)
    }

    /// Reads the edges of sections.
    pub(super) fn sections(&mut self, all: &Declarations<'_>) {
        for item in &all.sections {
            let Some(Thing::Section(section)) = self.names.things.get(item.node.name.node.as_str()).copied() else {
                continue;
            };
            let from = self.edge(&item.node.from, item.at);
            let to = item.node.to.as_ref().map_or(Some(Edge::End), |to| self.edge(to, item.at));
            if matches!(item.node.from.node, ast::Edge::End) {
                let help = "begin at a pattern, at `error` or at `start`";
                self.error(
                    codes::SECTION_EDGE,
                    item.at,
                    item.node.from.span,
                    "nothing stands behind the end of the text",
                    help,
                );
            }
            if let Some(to) = item.node.to.as_ref().filter(|to| matches!(to.node, ast::Edge::Start)) {
                let help = "end at a pattern, at `error` or at `end`";
                self.error(codes::SECTION_EDGE, item.at, to.span, "nothing stands before the start of the text", help);
            }
            if let Some((section, (from, to))) = self.program.sections.get_mut(section.index()).zip(from.zip(to)) {
                section.from = from;
                section.to = to;
            }
        }
    }

    fn edge(&mut self, edge: &Spanned<ast::Edge>, at: At) -> Option<Edge> {
        match &edge.node {
            ast::Edge::Error => Some(Edge::Error),
            ast::Edge::Start => Some(Edge::Start),
            ast::Edge::End => Some(Edge::End),
            ast::Edge::Pattern(pattern) => self.pattern(pattern, edge.span, at).map(Edge::Pattern),
        }
    }

    /// The fact that a clause names by its full name; anything else is reported.
    pub(super) fn fact_named(&mut self, name: &Name, at: At) -> Option<FactId> {
        match self.thing(&name.node) {
            Some(Thing::Fact(fact)) => Some(fact),
            Some(thing) => {
                let (what, help) = match thing {
                    Thing::Record(_) => ("record", format!("name one of its fields: `{}.…`", name.node)),
                    _ => ("section of the text", "name a fact".to_owned()),
                };
                let message = format!("`{}` is a {what}, not a fact", name.node);
                self.error(codes::OTHER_KIND, at, name.span, message, help);
                None
            }
            None if TEXTS.contains(&name.node.as_str()) => {
                let message = format!("`{}` is a text, not a fact", name.node);
                let help = format!("ask for its words, `{} matches \"…\"`, or name a fact", name.node);
                self.error(codes::OTHER_KIND, at, name.span, message, help);
                None
            }
            None => {
                self.unknown_fact(&name.node, name.span, at);
                None
            }
        }
    }
}

#[derive(Default)]
struct About {
    description: Option<Text>,
    ask: Option<Text>,
    probe: Option<Arc<str>>,
}
