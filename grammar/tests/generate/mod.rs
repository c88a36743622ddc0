//! Strategies for whole syntax trees, as the parser makes them: flat chains, no empty phrase, no name that is a keyword.

mod expr;

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use rulecheck_grammar::ast::*;
use rulecheck_grammar::{SourceId, Span, Spanned};

pub use expr::{condition, pattern};

pub fn at<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn spanned<T: std::fmt::Debug>(it: impl Strategy<Value = T>) -> impl Strategy<Value = Spanned<T>> {
    it.prop_map(at)
}

/// A kebab-case id. The digit keeps it apart from every keyword.
pub fn id() -> impl Strategy<Value = Name> {
    spanned("[a-z]{1,4}[0-9](-[a-z0-9]{1,4}){0,2}")
}

pub fn fact_name() -> impl Strategy<Value = Name> {
    spanned("[a-z]{1,4}[0-9](\\.[a-z]{1,4}(-[a-z0-9]{1,3})?){0,2}")
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,4}[0-9](-[a-z0-9]{1,4}){0,2}",
        "--[a-z]{1,6}",
        "-?[0-9]{1,3}(\\.[0-9]{1,2})?",
        "\\.[a-z]{1,4}",
        Just("VAEDecodeTiled".to_owned()),
        Just("2.4.0+cu121".to_owned()),
        Just("true".to_owned()),
        Just("采样器".to_owned()),
    ]
}

pub fn operand() -> BoxedStrategy<Operand> {
    prop_oneof![
        4 => word().prop_map(Operand::Word),
        1 => ("[0-9]{1,3}(\\.[0-9])?", "B|KiB|MiB|GiB|TiB").prop_map(|(number, unit)| Operand::Size(number, unit)),
        1 => quoted().prop_map(Operand::Text),
    ]
    .boxed()
}

fn value() -> impl Strategy<Value = Spanned<Operand>> {
    spanned(operand())
}

/// Text with everything that has a meaning somewhere.
pub fn characters() -> BoxedStrategy<String> {
    let piece = prop_oneof![
        3 => "[a-zA-Z0-9 ]{1,8}".boxed(),
        1 => prop::sample::select(vec![
            "\"", "\\", "\\\\", "\\u{", "{", "}", "{x: size}", "\n", "\n\n", " # ", "#", "\t", "  ", "\"\"\"", "/", "and", "then ",
            "中文", "\u{a0}", "\u{3000}", "\r", "\u{7f}", "\u{2028}", "'", "“", "(", ")", "<", ">", "u{41}", "n",
        ]).prop_map(str::to_owned).boxed(),
    ];
    vec(piece, 0..6).prop_map(|it| it.concat()).boxed()
}

fn quoted() -> BoxedStrategy<Quoted> {
    (characters(), prop::bool::weighted(0.2)).prop_map(|(value, block)| Quoted { value, block }).boxed()
}

fn string() -> impl Strategy<Value = Spanned<Quoted>> {
    spanned(quoted())
}

fn text() -> BoxedStrategy<Text> {
    let language = spanned(prop::sample::select(vec!["zh", "en", "zh-TW", "yue"]).prop_map(str::to_owned));
    (string(), vec((language, string()), 0..3)).prop_map(|(base, translations)| Text { base, translations }).boxed()
}

fn comment() -> impl Strategy<Value = String> {
    "#( [a-z\"'(]{1,8}){0,4}( 注释)?"
}

fn lines() -> impl Strategy<Value = Vec<TriviaLine>> {
    let line = prop_oneof![2 => comment().prop_map(TriviaLine::Comment), 1 => Just(TriviaLine::Blank)];
    prop_oneof![4 => Just(Vec::new()), 1 => vec(line, 0..4)].prop_map(|mut it| {
        it.dedup_by(|a, b| *a == TriviaLine::Blank && *b == TriviaLine::Blank);
        it
    })
}

fn trivia() -> BoxedStrategy<Trivia> {
    (lines(), of(comment())).prop_map(|(leading, trailing)| Trivia { leading, trailing }).boxed()
}

pub fn clause<T: std::fmt::Debug>(kind: impl Strategy<Value = T>) -> impl Strategy<Value = Clause<T>> {
    (trivia(), kind).prop_map(|(trivia, kind)| Clause { span: Span::default(), trivia, kind })
}

fn plain<T: std::fmt::Debug>(kind: impl Strategy<Value = T>) -> impl Strategy<Value = Clause<T>> {
    kind.prop_map(|kind| Clause { span: Span::default(), trivia: Trivia::default(), kind })
}

fn fact_type() -> BoxedStrategy<Type> {
    let simple = prop_oneof![
        Just(Type::Bool),
        Just(Type::Number),
        Just(Type::Size),
        Just(Type::Version),
        Just(Type::Text),
        Just(Type::Name),
        vec(id(), 1..20).prop_map(Type::OneOf),
    ];
    (simple, any::<bool>()).prop_map(|(ty, set)| if set { Type::Set(Box::new(ty)) } else { ty }).boxed()
}

pub fn range() -> impl Strategy<Value = Range> {
    (value(), value()).prop_map(|(low, high)| Range { low, high })
}

fn description() -> impl Strategy<Value = FactClause> {
    prop_oneof![text().prop_map(FactClause::Description), text().prop_map(FactClause::Ask)]
}

fn probe() -> impl Strategy<Value = FactClause> {
    id().prop_map(FactClause::Probe)
}

fn fact_head() -> impl Strategy<Value = Fact> {
    (fact_name(), spanned(fact_type()), of(spanned(range()))).prop_map(|(name, ty, range)| Fact {
        name,
        family: false,
        ty,
        range,
        clauses: Vec::new(),
    })
}

fn fact() -> BoxedStrategy<Fact> {
    let clauses = vec(clause(prop_oneof![description(), probe()]), 0..4);
    (fact_head(), any::<bool>(), clauses).prop_map(|(fact, family, clauses)| Fact { family, clauses, ..fact }).boxed()
}

fn record() -> BoxedStrategy<Record> {
    let field = (fact_head(), vec(plain(prop_oneof![description(), probe()]), 0..3))
        .prop_map(|(fact, clauses)| Fact { clauses, ..fact });
    (fact_name(), vec(clause(description()), 0..3), vec(clause(probe()), 0..2), vec(clause(field), 0..4))
        .prop_map(|(name, mut clauses, probes, fields)| {
            clauses.extend(probes);
            Record { name, clauses, fields }
        })
        .boxed()
}

fn edge() -> impl Strategy<Value = Edge> {
    prop_oneof![pattern().prop_map(Edge::Pattern), Just(Edge::Error), Just(Edge::Start), Just(Edge::End)]
}

fn section() -> impl Strategy<Value = Section> {
    (fact_name(), any::<bool>(), spanned(edge()), of(spanned(edge()))).prop_map(|(name, last, from, to)| Section {
        name,
        last,
        from,
        to,
    })
}

fn table() -> BoxedStrategy<Table> {
    (fact_name(), fact_name(), vec(clause((value(), value())), 0..4), of(clause(fact_name())))
        .prop_map(|(fact, from, entries, otherwise)| Table { fact, from, entries, otherwise })
        .boxed()
}

fn action() -> BoxedStrategy<Action> {
    let kind = prop_oneof![
        id().prop_map(ActionKind::Diagnose),
        id().prop_map(ActionKind::Suspect),
        (fact_name(), value()).prop_map(|(fact, value)| ActionKind::Conclude(fact, value)),
        (id(), of((1..=9_u32).prop_map(at))).prop_map(|(fix, priority)| ActionKind::Suggest(fix, priority)),
        id().prop_map(ActionKind::Avoid),
    ];
    (spanned(kind), of(text())).prop_map(|(kind, because)| Action { kind, because }).boxed()
}

fn rule() -> BoxedStrategy<Rule> {
    let clause_kind = || {
        prop_oneof![
            1 => condition().prop_map(RuleClause::When),
            1 => condition().prop_map(RuleClause::Unless),
            3 => action().prop_map(RuleClause::Then),
        ]
    };
    let named = (id(), vec(clause(clause_kind()), 1..4)).prop_map(|(name, clauses)| Rule { name: Some(name), clauses });
    let bare = (plain(condition().prop_map(RuleClause::When)), vec(clause(clause_kind()), 0..3));
    prop_oneof![
        named,
        bare.prop_map(|(first, rest)| Rule { name: None, clauses: std::iter::once(first).chain(rest).collect() }),
    ]
    .boxed()
}

fn source() -> impl Strategy<Value = SourceRef> {
    let url = "https://[a-z]{1,8}\\.org/[a-z#()?]{0,40}";
    (id(), string(), of(spanned(url))).prop_map(|(kind, title, url)| SourceRef { kind, title, url })
}

fn problem_clause() -> BoxedStrategy<ProblemClause> {
    prop_oneof![
        text().prop_map(ProblemClause::Title),
        id().prop_map(ProblemClause::Category),
        text().prop_map(ProblemClause::Summary),
        text().prop_map(ProblemClause::Cause),
        vec(string(), 1..5).prop_map(ProblemClause::Keywords),
        vec(id(), 1..5).prop_map(ProblemClause::Related),
        vec(id(), 1..5).prop_map(ProblemClause::Supersedes),
        source().prop_map(ProblemClause::Source),
        spanned("20[0-9]{2}-0[1-9]-[0-2][1-8]").prop_map(ProblemClause::Verified),
        text().prop_map(ProblemClause::Unverified),
    ]
    .boxed()
}

fn step() -> BoxedStrategy<Step> {
    let flag = || spanned("--[a-z]{1,6}");
    prop_oneof![
        (flag(), of(value()), vec(flag(), 0..3)).prop_map(|(flag, value, instead_of)| Step::Flag {
            flag,
            value,
            instead_of
        }),
        vec(flag(), 1..4).prop_map(Step::FlagOff),
        (spanned("[A-Z]{1,4}_[A-Z]{1,4}"), value()).prop_map(|(name, value)| Step::Env { name, value }),
        spanned("[A-Z]{1,4}_[A-Z]{1,4}").prop_map(Step::EnvOff),
        (id(), text()).prop_map(|(template, args)| Step::Via { template, args }),
        text().prop_map(Step::Run),
        text().prop_map(Step::Do),
    ]
    .boxed()
}

fn fix_clause() -> BoxedStrategy<FixClause> {
    prop_oneof![
        text().prop_map(FixClause::Title),
        text().prop_map(FixClause::Summary),
        condition().prop_map(FixClause::Requires),
        id().prop_map(FixClause::Exclusive),
        (spanned(step()), of(condition())).prop_map(|(step, when)| FixClause::Step(step, when)),
        (id(), of(text())).prop_map(|(level, note)| FixClause::Risk(level, note)),
        text().prop_map(FixClause::Verify),
        text().prop_map(FixClause::Undo),
        vec(string(), 1..3).prop_map(FixClause::Keywords),
        source().prop_map(FixClause::Source),
    ]
    .boxed()
}

fn launcher_clause() -> BoxedStrategy<LauncherClause> {
    let name =
        prop_oneof![id(), prop::sample::select(vec!["flag", "env", "pip", "update"]).prop_map(|it| at(it.to_owned()))];
    prop_oneof![
        1 => text().prop_map(LauncherClause::Title),
        3 => (name, text(), of(condition())).prop_map(|(name, text, when)| LauncherClause::Template { name, text, when }),
    ]
    .boxed()
}

fn hole_type() -> impl Strategy<Value = HoleType> {
    prop::sample::select(vec![HoleType::Number, HoleType::Bytes, HoleType::Text, HoleType::List])
}

fn extract() -> BoxedStrategy<Extract> {
    let binding = || {
        let value = prop_oneof![
            value().prop_map(BindingValue::Literal),
            of(spanned(hole_type())).prop_map(BindingValue::Hole),
        ];
        (fact_name(), value).prop_map(|(fact, value)| Binding { fact, value })
    };
    prop_oneof![
        (fact_name(), spanned(pattern()), of(binding()))
            .prop_map(|(name, it, binding)| Extract { from: at(ExtractFrom::Text(name, it)), binding }),
        (string(), binding()).prop_map(|(path, it)| Extract { from: at(ExtractFrom::Json(path)), binding: Some(it) }),
    ]
    .boxed()
}

fn test_clause() -> BoxedStrategy<TestClause> {
    let givens = || vec((fact_name(), of(value())).prop_map(|(fact, value)| Given { fact, value }), 1..4);
    prop_oneof![
        givens().prop_map(TestClause::Given),
        (id(), givens()).prop_map(|(record, list)| TestClause::GivenElement(record, list)),
        (any::<bool>(), string()).prop_map(|(log, text)| TestClause::GivenText { log, text }),
        (any::<bool>(), string()).prop_map(|(log, path)| TestClause::GivenFile { log, path }),
        expectation().prop_map(|it| TestClause::Expect(at(it))),
    ]
    .boxed()
}

fn expectation() -> impl Strategy<Value = Expectation> {
    let fact = prop_oneof![
        value().prop_map(FactExpectation::Value),
        prop::sample::select(vec![State::Known, State::Unknown, State::None]).prop_map(FactExpectation::State),
    ];
    prop_oneof![
        (any::<bool>(), id()).prop_map(|(no, id)| Expectation::Problem { no, id }),
        Just(Expectation::NoProblem),
        id().prop_map(Expectation::Possible),
        (0..3, id()).prop_map(|(way, fix)| Expectation::Suggest { no: way == 1, fix, first: way == 2 }),
        vec(id(), 1..4).prop_map(Expectation::OnlySuggest),
        id().prop_map(Expectation::Avoid),
        (fact_name(), fact).prop_map(|(name, it)| Expectation::Fact(name, it)),
    ]
}

fn entry<T: std::fmt::Debug>(kind: impl Strategy<Value = T>) -> impl Strategy<Value = Entry<T>> {
    (id(), vec(clause(kind), 0..4)).prop_map(|(id, clauses)| Entry { id, clauses })
}

fn declaration() -> BoxedStrategy<Declaration> {
    let kind = prop_oneof![
        fact().prop_map(DeclarationKind::Fact),
        record().prop_map(DeclarationKind::Record),
        section().prop_map(DeclarationKind::Section),
        table().prop_map(DeclarationKind::Table),
        rule().prop_map(DeclarationKind::Rule),
        rule().prop_map(DeclarationKind::Rule),
        entry(problem_clause()).prop_map(DeclarationKind::Problem),
        entry(fix_clause()).prop_map(DeclarationKind::Fix),
        entry(launcher_clause()).prop_map(DeclarationKind::Launcher),
        extract().prop_map(DeclarationKind::Extract),
        (id(), spanned(pattern())).prop_map(|(kind, pattern)| DeclarationKind::Line(Line { kind, pattern })),
        (string(), vec(clause(test_clause()), 0..4))
            .prop_map(|(name, clauses)| DeclarationKind::Test(Test { name, clauses })),
        (id(), id(), of(text())).prop_map(|(kind, name, because)| DeclarationKind::Disable(Disable {
            kind,
            name,
            because
        })),
    ];
    (trivia(), kind)
        .prop_map(|(trivia, kind)| Declaration { span: Span::default(), partial: false, trivia, kind })
        .boxed()
}

/// A file. Blank lines at its start and end are no trivia.
pub fn file() -> impl Strategy<Value = File> {
    (vec(declaration(), 0..5), lines()).prop_map(|(mut declarations, mut trailing)| {
        let first = declarations.first_mut().map_or(&mut trailing, |it| &mut it.trivia.leading);
        if first.first() == Some(&TriviaLine::Blank) {
            first.remove(0);
        }
        if trailing.last() == Some(&TriviaLine::Blank) {
            trailing.pop();
        }
        File { source: SourceId::default(), declarations, trailing }
    })
}
