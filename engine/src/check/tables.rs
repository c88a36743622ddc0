//! Tables: facts looked up by another fact.

use std::collections::HashMap;

use rulecheck_grammar::ast::{self, Name, Operand};
use rulecheck_grammar::{Diagnostic, Span, Spanned};

use super::collect::Declarations;
use super::literals::{a, is_word};
use super::{At, Checker, codes};
use crate::ir::{FactId, Table};
use crate::value::{Type, Value, parse_number};

impl Checker<'_> {
    /// Types the entries of tables.
    pub(super) fn tables(&mut self, all: &Declarations<'_>) {
        for item in &all.tables {
            let table = item.node;
            let fact = self.fact(&table.fact.node);
            let from = self.table_source(&table.from, item.at);
            let Some((fact, from)) = fact.zip(from) else { continue };
            let (key, value) = (self.type_of(from), self.type_of(fact));
            let entries = self.table_entries(table, &key, &value, item.at);
            let otherwise =
                table.otherwise.as_ref().and_then(|name| self.otherwise(&name.kind, &value, table, item.at));
            if otherwise.is_some() {
                self.table_facts.insert(fact, otherwise);
            }
            let site = item.at.site(table.fact.span);
            self.program.tables.push(Table { fact, from, entries, otherwise, pack: item.at.pack, site });
            self.names.table_ranks.push(item.rank);
        }
    }

    fn table_source(&mut self, name: &Name, at: At) -> Option<FactId> {
        let fact = self.fact_named(name, at)?;
        if matches!(self.type_of(fact), Type::Set(_)) {
            let message = format!("`{}` is a set and cannot be looked up", name.node);
            self.error(codes::OPERATOR_TYPE, at, name.span, message, "look up a fact with one value");
            return None;
        }
        Some(fact)
    }

    fn table_entries(&mut self, table: &ast::Table, key: &Type, value: &Type, at: At) -> Vec<(Value, Value)> {
        let mut seen: HashMap<String, Span> = HashMap::new();
        let mut entries = Vec::new();
        for entry in &table.entries {
            let (from, to) = &entry.kind;
            let printed = self.slice(at, from.span).to_lowercase();
            if let Some(first) = seen.insert(printed, from.span) {
                let name = |span| Spanned::new(self.slice(at, span).to_owned(), span);
                let (again, first) = (name(from.span), name(first));
                self.listed_twice(&again, &first, at);
            }
            let from = self.literal(from, key, table.from.span, at);
            let to = self.literal(to, value, table.fact.span, at);
            entries.extend(from.zip(to));
        }
        entries
    }

    fn otherwise(&mut self, name: &Name, value: &Type, table: &ast::Table, at: At) -> Option<FactId> {
        let fact = self.fact_named(name, at)?;
        let ty = self.type_of(fact);
        if ty == *value || is_word(&ty) && *value == Type::Text {
            return Some(fact);
        }
        let message = format!("the table gives {}, but `{}` is {}", a(value), name.node, a(&ty));
        let error = Diagnostic::error(codes::UNLIKE_TYPES, message, at.source, name.span).label(a(&ty));
        let error = error.context(at.source, table.fact.span, a(value));
        self.push(error.help("name a fact of the same type"));
        None
    }
}

/// The type of a table's fact: what all its values are.
pub(super) fn table_type(table: &ast::Table) -> Type {
    let values = || table.entries.iter().map(|entry| &entry.kind.1.node);
    let all = |is: fn(&Operand) -> bool| !table.entries.is_empty() && values().all(is);
    if all(|value| matches!(value, Operand::Size(..))) {
        Type::Size
    } else if all(|value| matches!(value, Operand::Word(word) if parse_number(word).is_some())) {
        Type::Number
    } else if all(|value| matches!(value, Operand::Word(word) if word == "true" || word == "false")) {
        Type::Bool
    } else {
        Type::Text
    }
}
