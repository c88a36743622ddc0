//! What patterns match, and that it takes no longer than it should.

use super::testing::{Random, program_of};
use super::*;

fn found(pattern: &str, text: &str) -> Vec<String> {
    let matcher = Matcher::new(&program_of(&[pattern]));
    let hits = matcher.find(PatternId(0), text);
    assert_eq!(scanned(&matcher, 1, text)[0], hits, "{pattern:?} in {text:?}");
    hits.iter().map(|hit| text.get(hit.span.clone()).unwrap().to_owned()).collect()
}

/// What the one scan for all patterns finds, for each pattern.
fn scanned(matcher: &Matcher, count: u32, text: &str) -> Vec<Vec<Hit>> {
    let mut all = Patterns::default();
    (0..count).for_each(|id| all.insert(PatternId(id)));
    let mut hits = vec![Vec::new(); count as usize];
    for (pattern, found) in matcher.scan(text, &all, &mut Room::default()) {
        hits[pattern.index()] = found;
    }
    hits
}

fn read(pattern: &str, text: &str) -> Vec<String> {
    let matcher = Matcher::new(&program_of(&[pattern]));
    let hits = matcher.find(PatternId(0), text);
    assert_eq!(scanned(&matcher, 1, text)[0], hits, "{pattern:?} in {text:?}");
    let Some(hit) = hits.first() else { return Vec::new() };
    hit.captures.iter().flatten().map(|captured| captured.value.to_string()).collect()
}

#[test]
fn phrases_ignore_case_and_kinds_of_white_space() {
    assert_eq!(
        found("MPS backend out of memory", "x mps BACKEND\n  out\u{3000}of\u{a0}memory."),
        ["mps BACKEND\n  out\u{3000}of\u{a0}memory"]
    );
    assert_eq!(found("out of memory", "out ofmemory"), [""; 0]);
    assert_eq!(found("显存 不足", "错误：显存\u{3000}不足！"), ["显存\u{3000}不足"]);
    assert_eq!(found("aa", "aaaa aa"), ["aa"]);
    assert_eq!(found("ошибка памяти", "Рано: ОШИБКА  Памяти!"), ["ОШИБКА  Памяти"]);
    assert_eq!(found("Échec de l'allocation", "échec DE L'ALLOCATION."), ["échec DE L'ALLOCATION"]);
    assert_eq!(read("Größe {n: number} ß", "GRÖSSE 1 ß größe 2 ß"), ["2"]);
    assert_eq!(read("{w: word} Раз", "abc раз"), ["abc"]);
}

#[test]
fn words_end_at_the_edges_of_a_phrase() {
    assert_eq!(found("OOM", "zoom OOM_x OOM1 (oom)"), ["oom"]);
    assert_eq!(found("it/s]", "2.5it/s]"), [""; 0]);
    assert_eq!(found("{*}it/s]", "2.5it/s]"), ["it/s]"]);
    assert_eq!(found("/s]", "2.5it/s]x"), ["/s]"]);
    assert_eq!(found("内存", "的内存x"), ["内存"]);
    assert_eq!(found("WinError 126{*}", "WinError 1265"), ["WinError 126"]);
    assert_eq!(found("WinError 126", "WinError 1265"), [""; 0]);
}

#[test]
fn gaps_stay_on_their_line_and_white_space_beside_them_may_lack_on_one_side() {
    assert_eq!(found("a {*} b", "a b, a x b, ax b, a xb"), ["a b", "a x b", "ax b", "a xb"]);
    assert_eq!(found("a {*} b", "ab axb a"), [""; 0]);
    assert_eq!(found("a{*}b", "ab axb a\nb"), ["ab", "axb"]);
    assert_eq!(found("a {*} b", "a x\ny b"), [""; 0]);
    assert_eq!(found("a {*} b", "a x\n b"), ["a x\n b"]);
    assert_eq!(
        found("Total VRAM {*} total RAM", "Total VRAM 24564 MB, total RAM 65277 MB"),
        ["Total VRAM 24564 MB, total RAM"]
    );
    assert_eq!(
        found("Cannot import {*} module for custom nodes", "Cannot import C:\\x y module for custom nodes: z"),
        ["Cannot import C:\\x y module for custom nodes"]
    );
    assert_eq!(found("a {*} b {*} c", "a a b b c c"), ["a a b b c"]);
}

#[test]
fn holes_read_what_fits_their_type() {
    assert_eq!(read("Tried to allocate {w: size} on", "Tried to allocate 405.00 MB on private pool"), ["405 MiB"]);
    assert_eq!(read("Tried to allocate {w: size}.", "Tried to allocate 2.00 GiB. GPU"), ["2 GiB"]);
    assert_eq!(
        read("Total VRAM {v: size}, total RAM {r: size}", "Total VRAM 8192MB, total RAM 32 GB"),
        ["8 GiB", "32 GiB"]
    );
    assert_eq!(read("Tried to allocate {w: size}", "Tried to allocate much"), [""; 0]);
    assert_eq!(read("exit code {n: number}", "exit code 3221225477 (0xC0000005)"), ["3221225477"]);
    assert_eq!(read("code ({n: number})", "code (0xC0000005)"), ["3221225477"]);
    assert_eq!(read("is {n: number}", "is 2.4.0"), [""; 0]);
    assert_eq!(read("{a: number}.{b: number} x", "3.5 x"), ["3", "5"]);
    assert_eq!(read("ram_total: {b: bytes}", "ram_total: 17179869184,"), ["16 GiB"]);
    assert_eq!(read("{b: mib}MiB / {t: mib}MiB", "|   512MiB / 24564MiB |"), ["512 MiB", "23.99 GiB"]);
    assert_eq!(read("pytorch version: {v: version}", "pytorch version: 2.4.0+cu121\n"), ["2.4.0+cu121"]);
    assert_eq!(read("version {v: version}", "version v0.3.30."), ["v0.3.30"]);
    assert_eq!(read("torch {v: version}+cu{n: number}", "torch 2.4.0+cu121"), ["2.4.0", "121"]);
    assert_eq!(read("No module named {m: quoted}", "No module named 'cv2'"), ["cv2"]);
    assert_eq!(read("No module named '{m: name}'", "No module named 'a.b-c'"), ["a.b-c"]);
    assert_eq!(read("executing {m: name}:", "Error occurred when executing KSampler:"), ["KSampler"]);
    assert_eq!(read("module {m: name}", "module cv2."), ["cv2"]);
    assert_eq!(read("node {m: word} failed", "node 采样器#3 failed"), ["采样器#3"]);
    assert_eq!(read("{k: word}={v: word}", "x a=b c"), ["a", "b"]);
    assert_eq!(read("Device: {d: line}", "Device:  cuda:0 NVIDIA \nnext"), ["cuda:0 NVIDIA"]);
    assert_eq!(read("Device: {d: text} : native", "Device: cuda:0 RTX : native : x"), ["cuda:0 RTX"]);
    assert_eq!(read("Device: {d: text} : native", "Device: cuda:0\nRTX : native"), [""; 0]);
    assert_eq!(read("{what: text} is not available", "Hm.\n Metal is not available"), ["Metal"]);
}

#[test]
fn paths_and_lists_end_where_they_should() {
    assert_eq!(
        read("File \"{p: path}\", line {n: number}", "  File \"C:\\My AI\\x.py\", line 12, in f"),
        ["C:\\My AI\\x.py", "12"]
    );
    assert_eq!(read("File {p: path}, line", "  File \"/a b/x.py\", line 12"), ["/a b/x.py"]);
    assert_eq!(read("import {p: path} module for", "import C:\\AI stuff\\node module for"), ["C:\\AI stuff\\node"]);
    assert_eq!(read("import {p: path} module for", "import the node module for"), [""; 0]);
    assert_eq!(read("open {p: path}", "open /x/y.safetensors."), ["/x/y.safetensors"]);
    assert_eq!(read("open '{p: path}", "open '/x y/z.bin' now"), ["/x y/z.bin"]);
    assert_eq!(
        read("Arguments: {a: list}", "- **Arguments: ['main.py',\n '--lowvram', '--port=1']"),
        ["--lowvram, --port"]
    );
    assert_eq!(read("capabilities {a: list} are", "capabilities sm_50 sm_60, sm_70 are"), ["sm_50, sm_60, sm_70"]);
    assert_eq!(read("with: {a: list}", "with: main.py --reserve-vram 2\nx"), ["--reserve-vram"]);
}

#[test]
fn expressions_match_on_their_lines() {
    assert_eq!(found("/exit code [0-9]+/i", "Exit Code 137\nexit code x"), ["Exit Code 137"]);
    assert_eq!(found("/^b.*$/", "ab\nbcd\nb"), ["bcd", "b"]);
    assert_eq!(found(r"/out\s+of\s+memory/", "out\n  of memory"), ["out\n  of memory"]);
    assert_eq!(found(r"/[a-z]+\d/", "ab1 c2\nd"), ["ab1", "c2"]);
    assert_eq!(found("/x*/", "axx"), ["xx"]);
    assert_eq!(found("/foo|bar/", "bar foo\nfoo"), ["bar", "foo", "foo"]);
    assert_eq!(read(r"/reserved (?<alloc.reserved_x>\d+) (?<u>MB|GB)?/", "reserved 12 "), ["12"]);
    let matcher = Matcher::new(&program_of(&["/(/", "/a{1000}{1000}/"]));
    assert!(matcher.is_faulty(PatternId(0)) && matcher.is_faulty(PatternId(1)));
    assert!(matcher.find(PatternId(0), "(").is_empty());
}

#[test]
fn expressions_reach_over_lines_as_far_as_they_say() {
    let near = format!("begin\n{}end", "x\n".repeat(scan::REACH - 1));
    assert_eq!(found(r"/begin[^#]*end/", &near).len(), 1);
    let matcher = Matcher::new(&program_of(&[r"/begin[^#]*end/"]));
    let far = format!("begin\n{}end", "x\n".repeat(scan::REACH * 3));
    assert!(scanned(&matcher, 1, &far)[0].is_empty());
}

const SPACE: &str = r"[ \t\n\r\x0B\x0C\u{a0}\u{3000}]";

/// The regular expression that means the same as a phrase of words, gaps and `text` and `number` holes.
fn equivalent(phrase: &str) -> regex::Regex {
    let mut made = String::from("(?m)");
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    if edge(phrase.chars().next()) {
        made.push_str(r"(?-u:\b)");
    }
    let mut rest = phrase;
    while let Some(c) = rest.chars().next() {
        let pieces = [
            (" {*} ", format!(r"(?:{SPACE}+[^\n]*?{SPACE}*|[^\n]*?{SPACE}+)")),
            ("{*}", r"[^\n]*?".to_owned()),
            (" {t: text} ", format!(r"{SPACE}+([^ \t\n\r\x0B\x0C\u{{a0}}\u{{3000}}][^\n]*?){SPACE}+")),
            (" {n: number} ", format!(r"{SPACE}+(-?[0-9]+(?:\.[0-9]+)?){SPACE}+")),
            (" ", format!("{SPACE}+")),
        ];
        if let Some((piece, meaning)) = pieces.into_iter().find(|(piece, _)| rest.starts_with(piece)) {
            made.push_str(&meaning);
            rest = rest.get(piece.len()..).unwrap();
        } else {
            match c {
                'a'..='z' | 'A'..='Z' => {
                    made.push_str(&format!("[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase()));
                }
                'é' | 'É' => made.push_str("[éÉ]"),
                _ => made.push_str(&regex::escape(&c.to_string())),
            }
            rest = rest.get(c.len_utf8()..).unwrap();
        }
    }
    if edge(phrase.chars().next_back()) {
        made.push_str(r"(?-u:\b)");
    }
    regex::Regex::new(&made).unwrap()
}

fn random_phrase(random: &mut Random) -> String {
    let words = ["a", "b", "ab", "ba", "a-", "_", "-b", "内", "bab", "B内", "é", "aÉb"];
    let mut phrase = random.pick(&words).to_owned();
    for _ in 0..random.below(4) {
        phrase.push_str(random.pick(&[" ", " ", " {*} ", "{*}", " {t: text} ", " {n: number} "]));
        phrase.push_str(random.pick(&words));
    }
    phrase
}

fn random_text(random: &mut Random, length: usize) -> String {
    let pieces = [
        "a", "b", "A", "B", "ab", " ", " ", " ", "\n", "  ", "\u{3000}", "1", "2.5", "-", "_", "内", " \n ", "a b",
        "\u{a0}", "é", "É",
    ];
    (0..length).map(|_| random.pick(&pieces)).collect()
}

#[test]
fn phrases_match_as_the_expressions_that_mean_the_same() {
    let mut random = Random(1);
    for _ in 0..1000 {
        let phrases: Vec<String> = (0..6).map(|_| random_phrase(&mut random)).collect();
        let sources: Vec<&str> = phrases.iter().map(String::as_str).collect();
        let length = random.below(60);
        let text = random_text(&mut random, length);
        let matcher = Matcher::new(&program_of(&sources));
        let scanned = scanned(&matcher, 6, &text);
        for ((phrase, hits), id) in phrases.iter().zip(scanned).zip(0..) {
            let hits: Vec<_> = hits.into_iter().map(|hit| hit.span).collect();
            let alone: Vec<_> = matcher.find(PatternId(id), &text).into_iter().map(|hit| hit.span).collect();
            let expected: Vec<_> = equivalent(phrase).find_iter(&text).map(|found| found.range()).collect();
            assert_eq!(alone, expected, "{phrase:?} in {text:?}");
            assert_eq!(hits, expected, "scan: {phrase:?} in {text:?}");
        }
    }
}

#[test]
fn what_a_scan_finds_does_not_depend_on_other_patterns() {
    let sources = [
        "{a: size} of {b: size}",
        "{w: word}: {t: text} failed",
        "'{q: name}' {p: path}",
        "{n: number}{*}x",
        "x{v: version}",
        "{l: list} end",
        "{q: quoted}",
        "/a+b/i",
        r"/\d+ (?<x>a|b)/",
        "/[ab]\\s[ab]/",
        "{t: text} b",
        "{p: path}, a",
        "a {l: line}",
    ];
    let matcher = Matcher::new(&program_of(&sources));
    let pieces = [
        "a", "b", "x", " ", "\n", "1", "2.5", "MB", "GiB", " of ", "'", "\"", "/", "\\", ":", "failed", "end", ",",
        "[", "]", "é", "“", "”", "--f", "=", ".",
    ];
    let mut random = Random(2);
    for _ in 0..1500 {
        let text: String = (0..random.below(40)).map(|_| random.pick(&pieces)).collect();
        for (hits, id) in scanned(&matcher, u32::try_from(sources.len()).unwrap(), &text).into_iter().zip(0..) {
            assert_eq!(hits, matcher.find(PatternId(id), &text), "{:?} in {text:?}", sources[id as usize]);
            for hit in hits {
                assert!(text.get(hit.span.clone()).is_some_and(|found| !found.is_empty()));
                hit.captures.iter().flatten().for_each(|captured| assert!(text.get(captured.span.clone()).is_some()));
            }
        }
    }
}

/// Work of all patterns on a text of this many pieces, per byte.
fn steps_per_byte(sources: &[&str], piece: &str, count: usize) -> f64 {
    let matcher = Matcher::new(&program_of(sources));
    let mut all = Patterns::default();
    (0..u32::try_from(sources.len()).unwrap()).for_each(|id| all.insert(PatternId(id)));
    let mut room = Room::default();
    let text = piece.repeat(count);
    matcher.scan(&text, &all, &mut room);
    f64::from(u32::try_from(room.steps).unwrap()) / f64::from(u32::try_from(text.len()).unwrap())
}

#[test]
fn texts_made_to_hurt_take_no_more_than_their_length() {
    let sources = [
        "a {*} b",
        "a {*} b {*} c",
        "a {t: text} b {u: text} c",
        "x {*} a {*} q",
        "{w: word}=a{n: number}",
        "{t: text} a {*} b",
        "{n: number} a",
        "a a a a b",
        "{p: path} a q",
        "{l: list} a q",
        "{q: quoted} a",
        "{m: name}.q",
        "a{v: version}q",
        "a {s: size} q",
        "a{*}{n: number}",
        "/a.*q/",
        r"/a\s+a\s+q/",
    ];
    for piece in [
        "a ",
        "a",
        "a b ",
        "a\n",
        " ",
        "=a",
        "1",
        "1.",
        "'",
        "\"a ",
        "a a b b ",
        "x a b c ",
        "a 1 ",
        "/a ",
        "aaaa,",
        "[a,",
        "a.b-",
        "\n",
        "\u{3000}a",
    ] {
        for source in sources {
            let small = steps_per_byte(&[source], piece, 1_500);
            let large = steps_per_byte(&[source], piece, 9_000);
            assert!(
                large < 80.0 && large < small * 2.0 + 1.0,
                "{source:?} on {piece:?}: {small} then {large} steps a byte"
            );
        }
    }
}
