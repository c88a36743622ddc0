//! What texts say, by small programs made by hand.

use super::*;
use crate::evidence::{Document, Failure, Form, Input, Raised, Scalar, Segment};
use crate::ir::{
    Condition, ConditionId, ConditionKind, Edge, ExtractFrom, Extractor, Family, Give, Hole, LineClass, Matching,
    PackId, Rule, Section, SectionId, Site, Test,
};
use crate::pattern::testing::{add_extractor, add_fact, add_line, add_pattern};
use crate::value::Type;

/// Evidence as a reader would make it: an own small notation. A line `!TYPE: MESSAGE` is a failure of its own,
/// `#TYPE: MESSAGE` one that a report names; lines of two more blanks before it are its trace. `>` continues the message,
/// and `+TYPE: MESSAGE` the chain. The signs are no part of the text.
fn evidence(notation: &str) -> Evidence {
    let mut text = String::new();
    let mut failures: Vec<Failure> = Vec::new();
    let mut trace: Vec<Range<usize>> = Vec::new();
    for line in notation.lines() {
        let sign = line.chars().next().filter(|sign| "!#+>".contains(*sign));
        let line = if sign.is_some() { line.get(1..).unwrap() } else { line };
        let at = text.len();
        text.push_str(line);
        let end = text.len();
        text.push('\n');
        let colon = line.find(": ").map(|colon| at + colon);
        let error_type = colon.map(|colon| at..colon).or_else(|| sign.is_some().then_some(at..end));
        let raised = || Raised {
            error_type,
            message: colon.map(|colon| colon + 2..end).into_iter().collect(),
            trace: trace.clone(),
        };
        match sign {
            Some('>') => {
                let failure = failures.last_mut().unwrap();
                failure.span.end = end;
                failure.chain.last_mut().unwrap().message.push(at..end);
            }
            Some('+') => {
                let raised = raised();
                let failure = failures.last_mut().unwrap();
                failure.span.end = end;
                failure.chain.push(raised);
            }
            Some(sign) => {
                let form = if sign == '#' { Form::Report } else { Form::Traceback };
                let start = trace.first().map_or(at, |first| first.start);
                failures.push(Failure { form, span: start..end, chain: vec![raised()] });
            }
            None => {}
        }
        if sign.is_none() && line.starts_with("  ") {
            trace.push(at..end);
        } else {
            trace.clear();
        }
    }
    parts(text, failures, Vec::new())
}

fn parts(text: String, failures: Vec<Failure>, documents: Vec<Document>) -> Evidence {
    let input = Input {
        name: "-".into(),
        kind: "text",
        bytes: 0,
        text: text.as_str().into(),
        gaps: Vec::new(),
        lines_left_out: 0,
    };
    let segment = Segment { clean: 0, clean_len: text.len(), input: 0, original: 0, original_len: text.len() };
    Evidence::from(crate::evidence::Parts { inputs: vec![input], text, segments: vec![segment], failures, documents })
}

fn program() -> Program {
    let mut program = Program::default();
    add_line(&mut program, LineClass::Run, "got prompt");
    add_line(&mut program, LineClass::Start, "Total VRAM {*} total RAM");
    add_line(&mut program, LineClass::Progress, "{*}it/s]");
    add_line(&mut program, LineClass::Banner, "Python version");
    add_line(&mut program, LineClass::Warning, "UserWarning");
    add_line(&mut program, LineClass::Retry, "retrying with tiled VAE decoding");
    add_line(&mut program, LineClass::Import, "Cannot import {*} module for custom nodes");
    program
}

fn read(program: &Program, evidence: &Evidence) -> Texts {
    Texts::read(program, &Matcher::new(program), evidence)
}

/// Asks for a pattern in a text, as a rule would.
fn ask(program: &mut Program, text: TextRef, source: &str) -> PatternId {
    let pattern = add_pattern(program, source);
    let test = Test::Matches(Matching { text, patterns: vec![pattern], followed_by: None, times: 1 });
    let when = Condition { id: ConditionId(0), site: Site::default(), kind: ConditionKind::Test(test) };
    program.rules.push(Rule {
        name: "r".into(),
        named: true,
        pack: PackId(0),
        site: Site::default(),
        when,
        unless: None,
        actions: Vec::new(),
        problems: Vec::new(),
    });
    pattern
}

fn failure_text(notation: &str) -> Option<String> {
    let evidence = evidence(notation);
    read(&program(), &evidence).failure_span().map(|span| evidence.slice(&span).to_owned())
}

fn places(texts: &Texts, hits: &[Hit]) -> Vec<String> {
    hits.iter().map(|hit| texts.evidence().slice(&hit.span).to_owned()).collect()
}

#[test]
fn the_failure_is_the_first_of_the_last_run_that_holds_one() {
    let runs = "!E: none yet\ngot prompt\n!A: one\ngot prompt\n!B: two\n!C: three\ngot prompt\nfine";
    assert_eq!(failure_text(runs).as_deref(), Some("B: two"));
    let starts = "Total VRAM 1 MB, total RAM 2\n!A: one\nTotal VRAM 1 MB, total RAM 2\n!B: two\n!C: three";
    assert_eq!(failure_text(starts).as_deref(), Some("B: two"));
    assert_eq!(failure_text("!A: one\n!B: two").as_deref(), Some("A: one"));
    // A run ends where the program starts anew.
    let restarted = "got prompt\n!A: one\nTotal VRAM 1 MB, total RAM 2\n!B: two";
    assert_eq!(failure_text(restarted).as_deref(), Some("A: one"));
}

#[test]
fn what_a_report_names_goes_before_all() {
    assert_eq!(failure_text("#R: named\ngot prompt\n!A: one").as_deref(), Some("R: named"));
    assert_eq!(failure_text("got prompt\n!A: one\n#R: named").as_deref(), Some("R: named"));
}

#[test]
fn handled_failures_and_imports_are_not_it() {
    assert_eq!(
        failure_text("!E: Ran out of memory, retrying with tiled VAE decoding\n!A: one").as_deref(),
        Some("A: one")
    );
    assert_eq!(failure_text("!UserWarning: old\n!A: one").as_deref(), Some("A: one"));
    let import = "!ModuleNotFoundError: No module named 'x'\n\nCannot import C:\\x module for custom nodes: y\n";
    assert_eq!(failure_text(&format!("{import}!A: one")).as_deref(), Some("A: one"));
    assert_eq!(
        failure_text(&format!("{import}!ImportError: z\nCannot import /y module for custom nodes: z")).as_deref(),
        Some("ModuleNotFoundError: No module named 'x'")
    );
    // A warning that happens to stand behind a failure says nothing of it.
    assert_eq!(failure_text("!A: one\nUserWarning: old").as_deref(), Some("A: one"));
    assert_eq!(
        failure_text("Cannot import /y module for custom nodes: z\n").as_deref(),
        Some("Cannot import /y module for custom nodes: z")
    );
}

#[test]
fn lines_that_nothing_recognises_are_the_failure_where_none_shows() {
    assert_eq!(failure_text("MPS backend out of memory").as_deref(), Some("MPS backend out of memory"));
    assert_eq!(failure_text("got prompt\n 5%|  | 1/20 2.5it/s]\nPython version: 3\n").as_deref(), None);
    assert_eq!(failure_text("got prompt\nit went black\n---\nPython version: 3\n").as_deref(), Some("it went black"));
    assert_eq!(failure_text("").as_deref(), None);
    assert_eq!(failure_text("\n\n").as_deref(), None);
    assert_eq!(failure_text("!UserWarning: handled\nall else\ngot prompt").as_deref(), Some("all else"));

    let mut program = program();
    let inside = ask(&mut program, TextRef::Error, "out of memory");
    let message = ask(&mut program, TextRef::ErrorMessage, "out of memory");
    let each = ask(&mut program, TextRef::EachError(ErrorPart::Message), "out of memory");
    let kind = ask(&mut program, TextRef::ErrorType, "out of memory");
    let texts = read(&program, &evidence("got prompt out of memory\nMPS out\nof memory\n"));
    assert_eq!(places(&texts, texts.hits(&TextRef::Error, inside)), ["out\nof memory"]);
    assert_eq!(texts.hits(&TextRef::ErrorMessage, message).len(), 1);
    assert_eq!((texts.error_count(), texts.error_hits(0, ErrorPart::Message, each).len()), (1, 1));
    assert!(texts.hits(&TextRef::ErrorType, kind).is_empty() && texts.is_missing(&TextRef::ErrorType));
    assert!(!texts.is_missing(&TextRef::Error) && !texts.is_missing(&TextRef::Log));
    let texts = read(&program, &evidence(""));
    assert!(texts.is_missing(&TextRef::Error) && texts.is_missing(&TextRef::Log));
}

#[test]
fn others_say_why_they_are_not_it() {
    let evidence = evidence(
        "!UserWarning: w\n!A: x\ngot prompt\n!B: y\n!C: z\n#B: y\n!I: i\nCannot import a module for custom nodes\n",
    );
    let texts = read(&program(), &evidence);
    assert_eq!(texts.failure(), Some(4));
    let standings: Vec<Standing> = texts.others().iter().map(|other| other.standing).collect();
    use Standing::{Earlier, Handled, Import, Same};
    assert_eq!(standings, [Handled, Earlier, Same, Earlier, Import]);
}

#[test]
fn the_parts_of_a_chain_are_texts_of_their_own() {
    let mut program = program();
    let of = |program: &mut Program, text: TextRef| ask(program, text, "/^.*$/");
    let asked: Vec<(TextRef, PatternId)> =
        [TextRef::Error, TextRef::ErrorType, TextRef::ErrorMessage, TextRef::ErrorCause, TextRef::Trace]
            .into_iter()
            .map(|text| (text.clone(), of(&mut program, text)))
            .collect();
    let composed = ask(&mut program, TextRef::Error, "ValueError: bad {w: word}");
    let texts = read(
        &program,
        &evidence("noise\n  File x\n  File y\n!ValueError: bad value\n>hint here\n+RuntimeError: it failed\n"),
    );
    let found: Vec<Vec<String>> =
        asked.iter().map(|(text, pattern)| places(&texts, texts.hits(text, *pattern))).collect();
    assert_eq!(found[0], ["ValueError: bad value", "hint here", "RuntimeError: it failed"]);
    assert_eq!(found[1], ["ValueError"]);
    assert_eq!(found[2], ["bad value", "hint here"]);
    assert_eq!(found[3], ["RuntimeError: it failed"]);
    assert_eq!(found[4], ["  File x", "  File y"]);
    let hit = &texts.hits(&TextRef::Error, composed)[0];
    assert_eq!(texts.evidence().slice(&hit.captures[0].as_ref().unwrap().span), "value");
    let member = |name: &str| texts.members()[name].value.to_string();
    assert_eq!(member("error.type"), "ValueError");
    assert_eq!(member("error.message"), "bad value\nhint here");
    assert_eq!(member("error.cause"), "RuntimeError: it failed");
}

#[test]
fn error_is_type_and_message_in_whatever_order_they_are_printed() {
    let text = "message: out of memory\ntype: OOMError\n";
    let failure = Failure {
        form: Form::Report,
        span: 0..text.len() - 1,
        chain: vec![Raised { error_type: Some(29..37), message: std::iter::once(9..22).collect(), trace: Vec::new() }],
    };
    let mut program = program();
    let pattern = ask(&mut program, TextRef::Error, "OOMError: out of memory");
    let texts = read(&program, &parts(text.into(), vec![failure], Vec::new()));
    assert_eq!(places(&texts, texts.hits(&TextRef::Error, pattern)), ["out of memory"]);
}

#[test]
fn any_error_reaches_every_failure() {
    let mut program = program();
    let pattern = ask(&mut program, TextRef::EachError(ErrorPart::Message), "two");
    let texts = read(&program, &evidence("!A: one\n!B: two\n!UserWarning: two\n"));
    let counts: Vec<usize> =
        (0..texts.error_count()).map(|index| texts.error_hits(index, ErrorPart::Message, pattern).len()).collect();
    assert_eq!(counts, [0, 1, 1]);
    assert!(texts.is_error_missing(0, ErrorPart::Cause) && !texts.is_error_missing(0, ErrorPart::Type));
}

#[test]
fn sections_begin_at_the_last_start_before_the_failure() {
    let mut program = program();
    let start = add_pattern(&mut program, "got prompt");
    let section = |name: &str, to: Edge, last: bool| Section {
        name: name.into(),
        last,
        from: Edge::Pattern(start),
        to,
        site: Site::default(),
    };
    program.sections = vec![section("log.run", Edge::Error, true), section("rest", Edge::End, false)];
    let (run, rest) = (TextRef::Section(SectionId(0)), TextRef::Section(SectionId(1)));
    let in_run = ask(&mut program, run.clone(), "x");
    let in_rest = ask(&mut program, rest.clone(), "x");
    let texts = read(&program, &evidence("x\ngot prompt x\ngot prompt x\nx x\n!A: x\ngot prompt x\n"));
    assert_eq!((texts.hits(&run, in_run).len(), texts.hits(&rest, in_rest).len()), (3, 6));
    assert_eq!(texts.evidence().slice(&texts.range(&run).unwrap()), "got prompt x\nx x\n");
    assert!(read(&program, &evidence("!A: x\n")).is_missing(&run));
    let texts = read(&program, &evidence("!A: x\ngot prompt x"));
    assert!(texts.is_missing(&run), "what comes behind the failure is no run of it");
    let texts = read(&program, &evidence("#A: x\ngot prompt x\n!A: x\ngot prompt\n"));
    assert_eq!(texts.evidence().slice(&texts.range(&run).unwrap()), "got prompt x\n");
    let texts = read(&program, &evidence("got prompt x\ngot prompt y\n"));
    assert_eq!(texts.evidence().slice(&texts.range(&run).unwrap()), "got prompt y\n");
}

fn value_of(texts: &Texts, fact: FactId) -> Option<String> {
    texts.facts().get(&fact).map(|stated| stated.value.to_string())
}

#[test]
fn of_several_statements_the_nearest_counts() {
    let mut program = program();
    let size = add_fact(&mut program, "size", Type::Size, Some((Value::Size(1 << 20), Value::Size(1 << 46))));
    add_extractor(&mut program, TextRef::Log, "took {size: size}", &[size]);
    add_extractor(&mut program, TextRef::Log, "gave {size: size}", &[size]);
    let of = |notation: &str| value_of(&read(&program, &evidence(notation)), size);
    assert_eq!(of("took 1 MB\n!A: took 2 MB\ntook 3 MB").as_deref(), Some("2 MiB"));
    assert_eq!(of("took 1 MB\ntook 2 MB\n!A: x\ntook 3 MB").as_deref(), Some("2 MiB"));
    assert_eq!(of("!A: x\ntook 3 MB\ntook 4 MB").as_deref(), Some("3 MiB"));
    assert_eq!(of("took 1 MB\ngot prompt\ntook 2 MB").as_deref(), Some("2 MiB"), "without a failure the last");
    assert_eq!(
        of("took 1 MB\n!A: took 17179869184.00 TiB\n").as_deref(),
        Some("1 MiB"),
        "a reading outside is no reading"
    );
    assert_eq!(
        of("gave 1 MB took 2 MB\n!A: x\n").as_deref(),
        Some("2 MiB"),
        "equally near: the extractor declared first"
    );
    assert_eq!(of("took 1 MB\ngave 2 MB\n!A: x\n").as_deref(), Some("2 MiB"));
    let texts = read(&program, &evidence("took 1 MB\ntook 2 MB\n!A: x\n"));
    let other = &texts.disagreements()[0];
    assert_eq!((&other.taken.0, &other.other.0), (&Value::Size(2 << 20), &Value::Size(1 << 20)));
    let texts = read(&program, &evidence("took 1 MB\nTotal VRAM 1 total RAM\ntook 2 MB\n!A: x\n"));
    assert!(texts.disagreements().is_empty(), "another start is another time");
}

#[test]
fn values_fit_their_type_or_are_none() {
    let mut program = program();
    let stage = add_fact(&mut program, "stage", Type::OneOf(["sample".into(), "load".into()].into()), None);
    let version = add_fact(&mut program, "torch.version", Type::Version, None);
    add_extractor(&mut program, TextRef::Log, "stage {stage: word}", &[stage]);
    add_extractor(&mut program, TextRef::Log, "/torch (?<torch.version>[0-9][^ ]*)/", &[version]);
    let texts = read(&program, &evidence("!A: x\nstage Load\nstage sleep\ntorch 2.4.0+cu121 x"));
    assert_eq!(
        (value_of(&texts, stage).as_deref(), value_of(&texts, version).as_deref()),
        (Some("load"), Some("2.4.0+cu121"))
    );
}

#[test]
fn sets_take_all_of_the_last_start() {
    let mut program = program();
    let args = add_fact(&mut program, "launch.args", Type::Set(Type::Text.into()), None);
    let reserve = add_fact(&mut program, "launch.arg.reserve-vram", Type::Number, None);
    program.families.push(Family {
        prefix: "launch.arg.".into(),
        ty: Type::Text,
        description: crate::ir::Text::default(),
        probe: None,
        site: Site::default(),
    });
    add_extractor(&mut program, TextRef::Log, "Args: {a: list}", &[args]);
    let log = "Total VRAM 1 total RAM\nArgs: --old\nTotal VRAM 1 total RAM\nArgs: ['main.py', '--port=8188']\nArgs: --reserve-vram 2 --lowvram\n!A: x\nTotal VRAM 1 total RAM\nArgs: --new";
    let texts = read(&program, &evidence(log));
    assert_eq!(value_of(&texts, args).as_deref(), Some("--lowvram, --port, --reserve-vram"));
    assert_eq!(value_of(&texts, reserve).as_deref(), Some("2"));
    assert_eq!(texts.members()["launch.arg.port"].value, Value::text("8188"));
    assert_eq!(texts.facts()[&args].provenance.spans.len(), 2);
    let texts = read(&program, &evidence("Args: --old\nTotal VRAM 1 total RAM\nx"));
    assert_eq!(value_of(&texts, args).as_deref(), Some("--old"));
}

#[test]
fn documents_give_facts_by_path() {
    let mut program = program();
    let ram = add_fact(&mut program, "ram.total", Type::Size, None);
    let app = add_fact(&mut program, "app", Type::Text, None);
    let from = || ExtractFrom::Json("system.ram_total".into());
    let extractor = |give: Give| Extractor { from: from(), gives: vec![give], site: Site::default() };
    program.extractors.push(extractor(Give::Hole(ram, 0, Some(Hole::Bytes))));
    program.extractors.push(extractor(Give::Value(app, Value::text("comfyui"))));
    let text = "{\"system\":{\"ram_total\":17179869184}}";
    let scalar = Scalar { path: "system.ram_total".into(), value: "17179869184".into(), span: 23..34 };
    let document = Document { kind: "system-stats", scalars: vec![scalar] };
    let texts = read(&program, &parts(text.into(), Vec::new(), vec![document]));
    assert_eq!((value_of(&texts, ram).as_deref(), value_of(&texts, app).as_deref()), (Some("16 GiB"), Some("comfyui")));
    assert_eq!(texts.failure_span(), None, "a document is no failure");
}

#[test]
fn distances_count_lines_to_the_failure() {
    let program = program();
    let texts = read(&program, &evidence("one\ntwo\nthree\n!A: x\nfive\nsix\n"));
    let at = |word: &str| {
        let start = texts.evidence().text().find(word).unwrap();
        texts.line_distance(&(start..start + word.len()))
    };
    assert_eq!((at("one"), at("three"), at("A: x"), at("six")), (Some(3), Some(1), Some(0), Some(2)));
    let long = "line\n".repeat(5000) + "!A: x\n" + &"line\n".repeat(5000);
    let texts = read(&program, &evidence(&long));
    assert_eq!(texts.line_distance(&(0..4)), Some(5000));
    let end = texts.evidence().text().len();
    assert_eq!(texts.line_distance(&(end - 1..end)), Some(5000));
}

#[test]
fn a_large_log_costs_what_it_holds() {
    let mut program = program();
    let size = add_fact(&mut program, "size", Type::Size, None);
    add_extractor(&mut program, TextRef::Log, "took {size: size}", &[size]);
    let mut log = "took 1 MB of it\n 5%| 2.5it/s]\n".repeat(20_000);
    log.push_str("!A: took 2 MB\n");
    log.push_str(&"took 1 MB of it\n".repeat(20_000));
    let texts = read(&program, &evidence(&log));
    assert_eq!(value_of(&texts, size).as_deref(), Some("2 MiB"));
}

#[test]
fn all_places_are_places_of_the_text() {
    use crate::pattern::testing::Random;
    let mut program = program();
    let size = add_fact(&mut program, "size", Type::Size, None);
    let words = add_fact(&mut program, "words", Type::Set(Type::Text.into()), None);
    add_extractor(&mut program, TextRef::Error, "took {size: size}", &[size]);
    add_extractor(&mut program, TextRef::Log, "with {words: list}", &[words]);
    let start = add_pattern(&mut program, "got prompt");
    program.sections = vec![Section {
        name: "s".into(),
        last: true,
        from: Edge::Pattern(start),
        to: Edge::Error,
        site: Site::default(),
    }];
    let texts = [
        TextRef::Error,
        TextRef::ErrorMessage,
        TextRef::ErrorCause,
        TextRef::Trace,
        TextRef::Log,
        TextRef::Section(SectionId(0)),
    ];
    let asked: Vec<_> = texts
        .iter()
        .flat_map(|text| {
            ["x", "took", "/[a-z]+: /", "{t: text} took"]
                .map(|source| (text.clone(), ask(&mut program, text.clone(), source)))
        })
        .collect();
    let matcher = Matcher::new(&program);
    let lines = [
        "got prompt",
        "!E: x",
        "#R: x took 1 MB",
        ">took 2 MB x",
        "+C: x took 3 GiB",
        "  File x",
        "",
        "x took 5 MB",
        "with --a, b",
        "!内: 存",
        "Total VRAM 1 total RAM",
        "UserWarning: x",
        "!UserWarning: x",
        "Cannot import x module for custom nodes",
        "2it/s]",
        "---",
        "retrying with tiled VAE decoding",
    ];
    let mut random = Random(3);
    for _ in 0..1500 {
        // A continuation needs something to continue.
        let mut notation = String::from(random.pick(&["", "!E: x\n", "#R: x\n", "x\n"]));
        for _ in 0..random.below(12) {
            let line = random.pick(&lines);
            if !line.starts_with(['>', '+']) || notation.contains(['!', '#']) {
                notation.push_str(line);
                notation.push('\n');
            }
        }
        let texts = Texts::read(&program, &matcher, &evidence(&notation));
        let clean = texts.evidence().text();
        let is_place = |span: &Range<usize>| {
            assert!(clean.get(span.clone()).is_some_and(|text| !text.is_empty()), "{span:?} in {notation:?}");
        };
        texts.failure_span().iter().for_each(is_place);
        texts.range(&TextRef::Section(SectionId(0))).iter().for_each(is_place);
        texts
            .facts()
            .values()
            .chain(texts.members().values())
            .flat_map(|stated| &stated.provenance.spans)
            .for_each(is_place);
        for (text, pattern) in &asked {
            let hits = texts.hits(text, *pattern);
            assert!(hits.is_empty() || !texts.is_missing(text), "{text:?} in {notation:?}");
            hits.iter().for_each(|hit| is_place(&hit.span));
            hits.iter().flat_map(|hit| hit.captures.iter().flatten()).for_each(|captured| is_place(&captured.span));
        }
    }
}
