//! Conditions in words, for those who never saw a rule: "the operating system (`os`) is macos".

use crate::diagnosis::Diagnosis;
use crate::ir::{
    Comparison, Condition, ConditionKind, FactId, FactRef, Group, Matching, Over, Pattern, PatternId, PhrasePart,
    Quantifier, StateKind, Term, Test, TextRef,
};
use crate::ruleset::Ruleset;
use crate::session::Session;
use crate::value::Value;
use crate::words::{self, Word};

/// Says what a condition asks. Of conditions joined by `and` or `or` only those that made the whole what it is: the
/// unknown ones where it is unknown.
pub(crate) fn condition(ruleset: &Ruleset, session: &Session, condition: &Condition, lang: &str) -> String {
    Speaker { ruleset, session, lang }.condition(condition, true)
}

impl Diagnosis {
    /// A condition in words, of its parts those that decided.
    pub(crate) fn spoken(&self, condition: &Condition, lang: &str) -> String {
        self::condition(&self.ruleset, &self.session, condition, lang)
    }

    /// That a text says one of the first few of these patterns.
    pub(crate) fn spoken_matching(&self, text: &TextRef, patterns: &[PatternId], lang: &str) -> String {
        const SAID: usize = 2;
        let all = &self.ruleset.program().patterns;
        let mut said: Vec<_> =
            patterns.iter().take(SAID).filter_map(|id| all.get(id.index())).map(self::pattern).collect();
        if patterns.len() > SAID {
            said.push("…".to_owned());
        }
        let speaker = Speaker { ruleset: &self.ruleset, session: &self.session, lang };
        words::SAID_SAYS.with(lang, &[&speaker.text(text), &said.join(words::SAID_OR.get(lang))])
    }

    /// [`Self::spoken`] of a condition, or of its contrary.
    pub(crate) fn spoken_as(&self, condition: &Condition, holds: bool, lang: &str) -> String {
        Speaker { ruleset: &self.ruleset, session: &self.session, lang }.condition(condition, holds)
    }
}

struct Speaker<'a> {
    ruleset: &'a Ruleset,
    session: &'a Session,
    lang: &'a str,
}

impl Speaker<'_> {
    /// `holds` is false under a `not`.
    fn condition(&self, condition: &Condition, holds: bool) -> String {
        match &condition.kind {
            ConditionKind::All(list) if holds => self.list(condition, list, words::SAID_AND, holds),
            ConditionKind::All(list) => self.list(condition, list, words::SAID_OR, holds),
            ConditionKind::Any(list) if holds => self.list(condition, list, words::SAID_OR, holds),
            ConditionKind::Any(list) => self.list(condition, list, words::SAID_AND, holds),
            ConditionKind::Not(inner) => self.condition(inner, !holds),
            ConditionKind::AtLeast(count, list) => {
                let parts: Vec<_> = list.iter().map(|part| self.condition(part, true)).collect();
                let said = words::SAID_AT_LEAST.with(self.lang, &[&count.to_string(), &parts.join("; ")]);
                self.perhaps_not(said, holds)
            }
            ConditionKind::Quantified(quantifier, over, inner) => {
                let word = match quantifier {
                    Quantifier::Any => words::SAID_ANY,
                    Quantifier::No => words::SAID_NO,
                    Quantifier::Every => words::SAID_EVERY,
                };
                let what = match over {
                    Over::Record(id) => self.ruleset.program().records.get(id.index()).map_or("", |it| &*it.name),
                    Over::Errors => words::SAID_ERROR.get(self.lang),
                };
                let said = word.with(self.lang, &[what, &self.condition(inner, true)]);
                self.perhaps_not(said, holds)
            }
            ConditionKind::Test(test) => self.test(test, holds),
        }
    }

    fn list(&self, whole: &Condition, list: &[Condition], joint: Word, holds: bool) -> String {
        let truth = |condition: &Condition| self.session.holds(self.ruleset, condition);
        let own = truth(whole);
        let mut deciding: Vec<&Condition> = list.iter().filter(|part| truth(part) == own).collect();
        if deciding.is_empty() {
            deciding = list.iter().collect();
        }
        let parts: Vec<_> = deciding.into_iter().map(|part| self.condition(part, holds)).collect();
        parts.join(joint.get(self.lang))
    }

    fn perhaps_not(&self, said: String, holds: bool) -> String {
        if holds { said } else { words::SAID_NOT.with(self.lang, &[&said]) }
    }

    fn test(&self, test: &Test, holds: bool) -> String {
        let lang = self.lang;
        match test {
            Test::Holds(fact) => {
                let word = if holds { words::SAID_YES } else { words::SAID_NO_BOOL };
                word.with(lang, &[&self.fact(fact)])
            }
            Test::Compare(left, op, right) => {
                compared(if holds { *op } else { op.opposite() }).with(lang, &[&self.term(left), &self.term(right)])
            }
            Test::Within(term, low, high) => {
                let said = words::SAID_WITHIN.with(lang, &[&self.term(term), &low.to_string(), &high.to_string()]);
                self.perhaps_not(said, holds)
            }
            Test::OneOf(term, values) => {
                let word = if holds { words::SAID_IS } else { words::SAID_IS_NOT };
                word.with(lang, &[&self.term(term), &self.values(values, words::SAID_OR)])
            }
            Test::Has(fact, group, values) => self.has(fact, *group, values, holds),
            Test::State(fact, kind) => self.state(&self.fact(fact), *kind, holds),
            Test::RecordState(record, kind) => {
                let name = self.ruleset.program().records.get(record.index()).map_or("", |it| &*it.name);
                self.state(&format!("`{name}`"), *kind, holds)
            }
            Test::SectionState(section, kind) => {
                let name = self.ruleset.program().sections.get(section.index()).map_or("", |it| &*it.name);
                self.state(&format!("`{name}`"), *kind, holds)
            }
            Test::Matches(matching) => self.matches(matching, holds),
            Test::Problem(problem) => {
                let found = self.ruleset.program().problems.get(problem.index());
                let title = found.map_or_else(String::new, |it| self.session.render(&it.info.title, lang));
                let id = found.map_or("", |it| &*it.info.id);
                let said = words::SAID_PROBLEM.with(lang, &[if title.is_empty() { id } else { &title }]);
                self.perhaps_not(said, holds)
            }
            Test::NoProblem => self.perhaps_not(words::SAID_NO_PROBLEM.get(lang).to_owned(), holds),
        }
    }

    fn has(&self, fact: &FactRef, group: Group, values: &[Value], holds: bool) -> String {
        let (word, joint) = match (group, holds) {
            (Group::Any, true) => (words::SAID_HAS, words::SAID_OR),
            (Group::All, true) => (words::SAID_HAS, words::SAID_AND),
            (Group::None, true) | (Group::Any, false) => (words::SAID_HAS_NONE, words::SAID_OR),
            (Group::All, false) => (words::SAID_HAS_NONE, words::SAID_AND),
            (Group::None, false) => (words::SAID_HAS, words::SAID_OR),
        };
        word.with(self.lang, &[&self.fact(fact), &self.values(values, joint)])
    }

    fn state(&self, what: &str, kind: StateKind, holds: bool) -> String {
        let word = match (kind, holds) {
            (StateKind::Known, true) | (StateKind::Unknown, false) => words::SAID_KNOWN,
            (StateKind::Unknown, true) | (StateKind::Known, false) => words::SAID_UNKNOWN,
            (StateKind::None, true) => words::SAID_NONE,
            (StateKind::None, false) => words::SAID_EXISTS,
        };
        word.with(self.lang, &[what])
    }

    fn matches(&self, matching: &Matching, holds: bool) -> String {
        let patterns = &self.ruleset.program().patterns;
        let all: Vec<_> = matching.patterns.iter().filter_map(|id| patterns.get(id.index())).map(pattern).collect();
        let word = if holds { words::SAID_SAYS } else { words::SAID_SAYS_NOT };
        word.with(self.lang, &[&self.text(&matching.text), &all.join(words::SAID_OR.get(self.lang))])
    }

    fn text(&self, text: &TextRef) -> String {
        match text {
            TextRef::Log => words::SAID_LOG.get(self.lang).to_owned(),
            TextRef::Trace => words::SAID_TRACE.get(self.lang).to_owned(),
            TextRef::Section(id) => {
                format!("`{}`", self.ruleset.program().sections.get(id.index()).map_or("", |it| &*it.name))
            }
            TextRef::Fact(fact) => self.fact(fact),
            _ => words::SAID_ERROR.get(self.lang).to_owned(),
        }
    }

    fn values(&self, values: &[Value], joint: Word) -> String {
        values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(joint.get(self.lang))
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Literal(value) => format!("`{value}`"),
            Term::Fact(fact) => self.fact(fact),
            Term::Arithmetic(left, op, right) => {
                format!("{} {} {}", self.term(left), op.sign(), self.term(right))
            }
        }
    }

    /// A fact by what it is, with its name.
    fn fact(&self, fact: &FactRef) -> String {
        match fact {
            FactRef::Fact(id) | FactRef::Element(id) => self.named(*id),
            FactRef::Capture { name, .. } => format!("`{name}`"),
        }
    }

    fn named(&self, id: FactId) -> String {
        let Some(fact) = self.ruleset.program().facts.get(id.index()) else { return String::new() };
        let name = &fact.name;
        let description = self.session.render(&fact.description, self.lang);
        let description = description.split([':', '：', '(', '（', ',']).next().unwrap_or("").trim();
        if description.is_empty() {
            format!("`{name}`")
        } else {
            format!("{} (`{name}`)", within_sentence(description))
        }
    }
}

/// A phrase that begins with an article or the like goes on in lower case.
fn within_sentence(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or("");
    let is_plain = ["The", "A", "An", "What", "Where", "How", "Which", "Whether", "Its"].contains(&first);
    if is_plain {
        format!("{}{}", first.to_lowercase(), text.get(first.len()..).unwrap_or(""))
    } else {
        text.to_owned()
    }
}

/// A pattern as people read it, holes as `…`.
pub(crate) fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Regex { source, .. } => format!("/{source}/"),
        Pattern::Phrase(parts) => {
            let inner = parts.iter().map(|part| match part {
                PhrasePart::Literal(text) => text,
                PhrasePart::Hole(_) | PhrasePart::Any => "…",
            });
            format!("\"{}\"", inner.collect::<String>())
        }
    }
}

const fn compared(op: Comparison) -> Word {
    match op {
        Comparison::Equal => words::SAID_IS,
        Comparison::NotEqual => words::SAID_IS_NOT,
        Comparison::Less => words::SAID_LESS,
        Comparison::LessOrEqual => words::SAID_AT_MOST,
        Comparison::Greater => words::SAID_MORE,
        Comparison::GreaterOrEqual => words::SAID_NO_LESS,
    }
}
