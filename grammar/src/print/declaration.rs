//! Declarations and their clauses.

use super::Printer;
use super::doc::Doc;
use super::expr::{condition, operand, pattern, range, state_word};
use super::text::{quoted, text};
use crate::ast::{
    Action, ActionKind, Binding, BindingValue, Clause, DeclarationKind, Edge, Expectation, Expr, Extract, ExtractFrom,
    Fact, FactClause, FactExpectation, FixClause, Given, LauncherClause, Line, Name, Pattern, ProblemClause, Quoted,
    Record, Rule, RuleClause, Section, SourceRef, Step, Table, TestClause, Text, Trivia, Type,
};
use crate::parse::HOLE_TYPES;
use crate::source::Spanned;

/// Prints a declaration behind its leading comments.
pub(super) fn declaration(out: &mut Printer, kind: &DeclarationKind, trivia: &Trivia) {
    match kind {
        DeclarationKind::Fact(fact) => {
            out.head(&fact_head("fact ", fact), trivia);
            out.clauses(&fact.clauses, fact_clause);
        }
        DeclarationKind::Record(it) => record(out, it, trivia),
        DeclarationKind::Section(it) => out.head(&section(it), trivia),
        DeclarationKind::Table(it) => table(out, it, trivia),
        DeclarationKind::Rule(it) => rule(out, it, trivia),
        DeclarationKind::Problem(it) => {
            out.head(&words(&["problem", &it.id.node]), trivia);
            out.clauses(&it.clauses, problem_clause);
        }
        DeclarationKind::Fix(it) => {
            out.head(&words(&["fix", &it.id.node]), trivia);
            out.clauses(&it.clauses, fix_clause);
        }
        DeclarationKind::Launcher(it) => {
            out.head(&words(&["launcher", &it.id.node]), trivia);
            out.clauses(&it.clauses, launcher_clause);
        }
        DeclarationKind::Extract(it) => out.head(&extract(it), trivia),
        DeclarationKind::Line(Line { kind, pattern: it }) => {
            out.head(&Doc::group(vec![Doc::text(format!("line {} ", kind.node)), pattern(&it.node)]), trivia);
        }
        DeclarationKind::Test(it) => {
            out.head(&worded("test ", quoted(&it.name.node)), trivia);
            out.clauses(&it.clauses, test_clause);
        }
        DeclarationKind::Disable(it) => {
            let mut parts = vec![words(&["disable", &it.kind.node, &it.name.node])];
            parts.extend(because(it.because.as_ref()));
            out.head(&Doc::group(parts), trivia);
        }
    }
}

fn words(words: &[&str]) -> Doc {
    Doc::text(words.join(" "))
}

fn worded(word: &str, doc: Doc) -> Doc {
    Doc::group(vec![Doc::text(word), doc])
}

fn names(word: &str, list: &[Name]) -> Doc {
    Doc::fill(word, list.iter().map(|it| Doc::text(it.node.clone())), "")
}

fn because(reason: Option<&Text>) -> Vec<Doc> {
    reason.map_or_else(Vec::new, |it| vec![Doc::Line, worded("because ", text(it))])
}

// ---- Facts

fn fact_head(word: &str, fact: &Fact) -> Doc {
    let star = if fact.family { ".*" } else { "" };
    let mut parts = vec![type_name(&format!("{word}{}{star}: ", fact.name.node), &fact.ty.node)];
    if let Some(it) = &fact.range {
        parts.push(worded(" in ", range(&it.node)));
    }
    Doc::group(parts)
}

fn type_name(before: &str, ty: &Type) -> Doc {
    match ty {
        Type::OneOf(list) => names(&format!("{before}one of "), list),
        Type::Set(item) => type_name(&format!("{before}set of "), item),
        Type::Bool => Doc::text(format!("{before}bool")),
        Type::Number => Doc::text(format!("{before}number")),
        Type::Size => Doc::text(format!("{before}size")),
        Type::Version => Doc::text(format!("{before}version")),
        Type::Text => Doc::text(format!("{before}text")),
        Type::Name => Doc::text(format!("{before}name")),
    }
}

fn fact_clause(clause: &FactClause) -> Doc {
    match clause {
        FactClause::Description(it) => text(it),
        FactClause::Ask(it) => worded("ask ", text(it)),
        FactClause::Probe(name) => words(&["probe", &name.node]),
    }
}

/// A description stands beside the record's name, other clauses before its fields, and probes behind them.
fn record(out: &mut Printer, record: &Record, trivia: &Trivia) {
    let name = format!("record {}", record.name.node);
    let is_plain =
        |it: &Clause<FactClause>| matches!(it.kind, FactClause::Description(_)) && it.trivia == Trivia::default();
    let (head, rest) = match record.clauses.split_first() {
        Some((first, rest)) if is_plain(first) => {
            (Doc::group(vec![Doc::text(name), Doc::Line, fact_clause(&first.kind)]), rest)
        }
        _ => (Doc::text(name), record.clauses.as_slice()),
    };
    out.head(&head, trivia);
    let is_probe = |it: &&Clause<FactClause>| matches!(it.kind, FactClause::Probe(_));
    for clause in rest.iter().filter(|it| !is_probe(it)) {
        out.clause(clause, fact_clause);
    }
    for field in &record.fields {
        let inner = field.kind.clauses.iter().flat_map(|it| {
            it.trivia
                .leading
                .iter()
                .cloned()
                .chain(it.trivia.trailing.iter().cloned().map(crate::ast::TriviaLine::Comment))
        });
        out.leading(&inner.collect::<Vec<_>>(), 2);
        out.clause(field, |it| {
            let mut parts = vec![fact_head("", it)];
            for clause in &it.clauses {
                parts.extend([Doc::Line, fact_clause(&clause.kind)]);
            }
            Doc::group(parts)
        });
    }
    for clause in rest.iter().filter(is_probe) {
        out.clause(clause, fact_clause);
    }
}

fn section(section: &Section) -> Doc {
    let which = if section.last { "last " } else { "first " };
    let mut parts = vec![Doc::text(format!("section {} from {which}", section.name.node)), edge(&section.from.node)];
    if let Some(to) = &section.to {
        parts.extend([Doc::Line, worded("to ", edge(&to.node))]);
    }
    Doc::group(parts)
}

fn edge(edge: &Edge) -> Doc {
    match edge {
        Edge::Pattern(it) => pattern(it),
        Edge::Error => Doc::text("error"),
        Edge::Start => Doc::text("start"),
        Edge::End => Doc::text("end"),
    }
}

fn table(out: &mut Printer, table: &Table, trivia: &Trivia) {
    out.head(&words(&["table", &table.fact.node, "from", &table.from.node]), trivia);
    out.clauses(&table.entries, |(key, value)| {
        Doc::group(vec![operand(&key.node), Doc::text(" -> "), operand(&value.node)])
    });
    if let Some(it) = &table.otherwise {
        out.clause(it, |name| words(&["otherwise", &name.node]));
    }
}

// ---- Rules

/// A rule without a name that has no comments in it stands on one line, if it fits.
fn rule(out: &mut Printer, rule: &Rule, trivia: &Trivia) {
    if let Some(name) = &rule.name {
        out.head(&words(&["rule", &name.node]), trivia);
        return out.clauses(&rule.clauses, rule_clause);
    }
    let Some((first, rest)) = rule.clauses.split_first() else { return };
    let mut trivia = trivia.clone();
    trivia.leading.extend(first.trivia.leading.iter().cloned());
    trivia.trailing = trivia.trailing.or_else(|| first.trivia.trailing.clone());
    // A second `when`, which the checker reports, is only seen at the beginning of a line.
    let may_follow =
        |it: &Clause<RuleClause>| it.trivia == Trivia::default() && !matches!(it.kind, RuleClause::When(_));
    if rest.iter().all(may_follow) {
        let mut parts = vec![rule_clause(&first.kind)];
        for clause in rest {
            parts.extend([Doc::Line, rule_clause(&clause.kind)]);
        }
        let line = Doc::group(parts);
        if line.fits() {
            return out.head(&line, &trivia);
        }
    }
    out.head(&rule_clause(&first.kind), &trivia);
    out.clauses(rest, rule_clause);
}

fn rule_clause(clause: &RuleClause) -> Doc {
    match clause {
        RuleClause::When(expr) => worded("when ", condition(expr)),
        RuleClause::Unless(expr) => worded("unless ", condition(expr)),
        RuleClause::Then(it) => action(it),
    }
}

fn action(action: &Action) -> Doc {
    let mut parts = match &action.kind.node {
        ActionKind::Diagnose(name) => vec![words(&["then diagnose", &name.node])],
        ActionKind::Suspect(name) => vec![words(&["then suspect", &name.node])],
        ActionKind::Avoid(name) => vec![words(&["then avoid", &name.node])],
        ActionKind::Conclude(fact, value) => {
            vec![Doc::text(format!("then conclude {} = ", fact.node)), operand(&value.node)]
        }
        ActionKind::Suggest(name, None) => vec![words(&["then suggest", &name.node])],
        ActionKind::Suggest(name, Some(priority)) => {
            vec![Doc::text(format!("then suggest {} priority {}", name.node, priority.node))]
        }
    };
    parts.extend(because(action.because.as_ref()));
    Doc::group(parts)
}

// ---- Entries

fn problem_clause(clause: &ProblemClause) -> Doc {
    match clause {
        ProblemClause::Title(it) => worded("title ", text(it)),
        ProblemClause::Category(it) => words(&["category", &it.node]),
        ProblemClause::Severity(it) => words(&["severity", &it.node]),
        ProblemClause::Summary(it) => worded("summary ", text(it)),
        ProblemClause::Cause(it) => worded("cause ", text(it)),
        ProblemClause::Keywords(it) => keywords(it),
        ProblemClause::Related(it) => names("related ", it),
        ProblemClause::Supersedes(it) => names("supersedes ", it),
        ProblemClause::Source(it) => source(it),
        ProblemClause::Verified(it) => words(&["verified", &it.node]),
        ProblemClause::Unverified(it) => worded("unverified ", text(it)),
    }
}

fn fix_clause(clause: &FixClause) -> Doc {
    match clause {
        FixClause::Title(it) => worded("title ", text(it)),
        FixClause::Summary(it) => worded("summary ", text(it)),
        FixClause::Requires(it) => worded("requires ", condition(it)),
        FixClause::Exclusive(it) => words(&["exclusive", &it.node]),
        FixClause::Step(it, when) => with_when(step(&it.node), when.as_ref()),
        FixClause::Risk(level, None) => words(&["risk", &level.node]),
        FixClause::Risk(level, Some(note)) => worded(&format!("risk {} ", level.node), text(note)),
        FixClause::Verify(it) => worded("verify ", text(it)),
        FixClause::Undo(it) => worded("undo ", text(it)),
        FixClause::Related(it) => names("related ", it),
        FixClause::Keywords(it) => keywords(it),
        FixClause::Source(it) => source(it),
        FixClause::Verified(it) => words(&["verified", &it.node]),
        FixClause::Unverified(it) => worded("unverified ", text(it)),
    }
}

fn launcher_clause(clause: &LauncherClause) -> Doc {
    match clause {
        LauncherClause::Title(it) => worded("title ", text(it)),
        LauncherClause::Template { name, text: it, when } => {
            with_when(vec![worded(&format!("{} ", name.node), text(it))], when.as_ref())
        }
    }
}

fn with_when(mut parts: Vec<Doc>, when: Option<&Expr>) -> Doc {
    if let Some(it) = when {
        parts.extend([Doc::Line, worded("when ", condition(it))]);
    }
    Doc::group(parts)
}

fn step(step: &Step) -> Vec<Doc> {
    match step {
        Step::Flag { flag, value, instead_of } => {
            let mut parts = vec![words(&["flag", &flag.node])];
            if let Some(it) = value {
                parts.extend([Doc::text(" "), operand(&it.node)]);
            }
            if !instead_of.is_empty() {
                parts.extend([Doc::Line, names("instead of ", instead_of)]);
            }
            parts
        }
        Step::FlagOff(list) => vec![names("flag off ", list)],
        Step::Env { name, value } => vec![Doc::text(format!("env {} = ", name.node)), operand(&value.node)],
        Step::EnvOff(name) => vec![words(&["env off", &name.node])],
        Step::Via { template, args } => vec![worded(&format!("via {} ", template.node), text(args))],
        Step::Run(it) => vec![worded("run ", text(it))],
        Step::Do(it) => vec![worded("do ", text(it))],
    }
}

fn keywords(list: &[Spanned<Quoted>]) -> Doc {
    Doc::fill("keywords ", list.iter().map(|it| quoted(&it.node)), "")
}

fn source(source: &SourceRef) -> Doc {
    let mut parts = vec![Doc::text(format!("source {} ", source.kind.node)), quoted(&source.title.node)];
    if let Some(url) = &source.url {
        parts.extend([Doc::Line, Doc::text(format!("<{}>", url.node))]);
    }
    Doc::group(parts)
}

// ---- Extractors and tests

fn extract(extract: &Extract) -> Doc {
    let mut parts = match &extract.from.node {
        ExtractFrom::Text(name, it) => extract_text(name, &it.node),
        ExtractFrom::Json(path) => vec![Doc::text("extract from json "), quoted(&path.node)],
    };
    if let Some(it) = &extract.binding {
        parts.extend([Doc::Line, binding(it)]);
    }
    Doc::group(parts)
}

fn extract_text(name: &Name, it: &Pattern) -> Vec<Doc> {
    vec![Doc::text(format!("extract from {} ", name.node)), pattern(it)]
}

fn binding(binding: &Binding) -> Doc {
    let fact = &binding.fact.node;
    match &binding.value {
        BindingValue::Literal(value) => worded(&format!("as {fact} = "), operand(&value.node)),
        BindingValue::Hole(None) => words(&["as", fact]),
        BindingValue::Hole(Some(ty)) => {
            let word = HOLE_TYPES.iter().find(|(_, it)| *it == ty.node).map_or("", |(word, _)| word);
            Doc::text(format!("as {fact}: {word}"))
        }
    }
}

fn test_clause(clause: &TestClause) -> Doc {
    match clause {
        TestClause::Given(list) => Doc::fill("given ", list.iter().map(given), ""),
        TestClause::GivenElement(record, list) => {
            Doc::fill(&format!("given {}: ", record.node), list.iter().map(given), "")
        }
        TestClause::GivenText { log, text } => worded(&format!("given {} ", given_kind(*log)), quoted(&text.node)),
        TestClause::GivenFile { log, path } => worded(&format!("given {} from ", given_kind(*log)), quoted(&path.node)),
        TestClause::Expect(it) => expectation(&it.node),
    }
}

fn given_kind(log: bool) -> &'static str {
    if log { "log" } else { "error" }
}

fn given(given: &Given) -> Doc {
    match &given.value {
        Some(value) => worded(&format!("{} = ", given.fact.node), operand(&value.node)),
        None => words(&[&given.fact.node, "is none"]),
    }
}

fn expectation(expectation: &Expectation) -> Doc {
    let no = |no: &bool| if *no { "no " } else { "" };
    match expectation {
        Expectation::Problem { no: it, id } => Doc::text(format!("expect {}problem {}", no(it), id.node)),
        Expectation::NoProblem => Doc::text("expect no problem"),
        Expectation::Possible(it) => words(&["expect possible", &it.node]),
        Expectation::Suggest { no: it, fix, first } => {
            let first = if *first { " first" } else { "" };
            Doc::text(format!("expect {}suggest {}{first}", no(it), fix.node))
        }
        Expectation::OnlySuggest(list) => names("expect only suggest ", list),
        Expectation::Avoid(it) => words(&["expect avoid", &it.node]),
        Expectation::Fact(fact, FactExpectation::Value(value)) => {
            worded(&format!("expect fact {} = ", fact.node), operand(&value.node))
        }
        Expectation::Fact(fact, FactExpectation::State(state)) => {
            words(&["expect fact", &fact.node, "is", state_word(*state)])
        }
    }
}
