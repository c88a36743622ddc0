//! Encodings, line ends and other damage that a file of text cannot hold; places; refusals.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

use rulecheck::Evidence;
use rulecheck_readers::{ReadError, Reader, read};

fn text(bytes: &[u8]) -> String {
    read("paste.txt", bytes).expect("text").text().to_owned()
}

fn utf16(text: &str, big: bool) -> Vec<u8> {
    text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

/// The clean text of a piece, and line, column and text of its place in the input.
fn place(evidence: &Evidence, piece: &str) -> (usize, usize, String) {
    let start = evidence.text().find(piece).expect("the piece is there");
    let place = evidence.place(&(start..start + piece.len())).expect("a place");
    (place.line, place.column, place.text)
}

#[test]
fn encodings_are_found() {
    let plain = "RuntimeError: 内存不足, Errno 28\n";
    assert_eq!(text(plain.as_bytes()), plain);
    assert_eq!(text(format!("\u{feff}{plain}").as_bytes()), plain);
    for big in [false, true] {
        assert_eq!(text(&utf16(&format!("\u{feff}{plain}"), big)), plain);
        assert_eq!(text(&utf16(plain, big)), plain);
    }
    let (gbk, ..) = encoding_rs::GBK.encode(plain);
    assert_eq!(text(&gbk), plain);
    // A few bytes of damage make no other encoding.
    assert_eq!(
        text(
            "内存不足 and 显存\n"
                .as_bytes()
                .split_last()
                .map(|(_, rest)| [rest, b"\xe5\n"].concat())
                .unwrap()
                .as_slice()
        ),
        "内存不足 and 显存\u{fffd}\n"
    );
    assert_eq!(text(b"caf\xe9 RuntimeError: bad\n"), "café RuntimeError: bad\n");
}

#[test]
fn an_encoding_can_be_given() {
    let (bytes, ..) = encoding_rs::BIG5.encode("記憶體不足\n");
    let evidence = Reader::new().encoding(Some("big5")).add("-", &bytes).unwrap().finish().unwrap();
    assert_eq!(evidence.text(), "記憶體不足\n");
    let error = Reader::new().encoding(Some("klingon")).add("-", b"x").unwrap_err();
    assert_eq!(error, ReadError::UnknownEncoding { label: "klingon".into() });
    assert!(error.to_string().contains("klingon"));
}

#[test]
fn line_ends_are_one() {
    assert_eq!(text(b"a\r\nb\rc\r\r\nd\n"), "a\nb\nc\nd\n");
    assert_eq!(
        text(b"  5%|#  | 1/20\r 10%|## | 2/20\r\nValueError: bad"),
        "  5%|#  | 1/20\n 10%|## | 2/20\nValueError: bad\n"
    );
    let evidence = read("-", b"100%|##| 20/20 [00:01<00:00,  9.1it/s]\rRuntimeError: bad\r\n").unwrap();
    assert_eq!(evidence.failures().len(), 1);
}

#[test]
fn invisible_damage_goes() {
    assert_eq!(text("Run\u{200b}time\0Error:\u{a0}bad\u{8}\u{7}\n".as_bytes()), "RuntimeError: bad\n");
    assert_eq!(text(b"\x1b]0;title\x07\x1b[2K\x1b[1mbold\x1b[0m\x1b(B end\n"), "bold end\n");
}

#[test]
fn places_are_those_of_the_input() {
    let evidence = read("-", "> \u{1b}[31m[ERROR]\u{1b}[0m first\r\n> RuntimeError：内存 full\r\n".as_bytes()).unwrap();
    assert_eq!(evidence.text(), "first\nRuntimeError:内存 full\n");
    assert_eq!(place(&evidence, "first"), (1, 20, "first".into()));
    assert_eq!(place(&evidence, "RuntimeError"), (2, 3, "RuntimeError".into()));
    assert_eq!(place(&evidence, ":"), (2, 15, "：".into()));
    assert_eq!(place(&evidence, "full"), (2, 19, "full".into()));
}

#[test]
fn places_in_json_are_those_of_the_input() {
    let input = "see\n{\"a\": \"x\\ny \\u5185 z\", \"b\": [1, \"tail\"]}\n";
    let evidence = read("-", input.as_bytes()).unwrap();
    assert_eq!(place(&evidence, "y "), (2, 11, "y ".into()));
    assert_eq!(place(&evidence, "内"), (2, 13, "\\u5185".into()));
    let scalar = &evidence.documents()[0].scalars[2];
    assert_eq!((scalar.path.as_str(), scalar.value.as_str(), evidence.slice(&scalar.span)), ("b[1]", "tail", "tail"));
    assert_eq!(evidence.place(&scalar.span).unwrap().column, 34);
}

#[test]
fn several_inputs_are_one_evidence() {
    let reader =
        Reader::new().add("stats.json", b"{\"system\": {\"os\": \"nt\"}, \"devices\": [{\"name\": \"cpu\"}]}").unwrap();
    let evidence = reader.add("log.txt", b"one\nValueError: bad").unwrap().finish().unwrap();
    assert_eq!(evidence.inputs().iter().map(|input| input.kind).collect::<Vec<_>>(), ["json", "text"]);
    assert_eq!(evidence.documents()[0].kind, "system-stats");
    let place = evidence.place(&evidence.failures()[0].span).unwrap();
    assert_eq!((place.input.as_ref(), place.line, place.text.as_str()), ("log.txt", 2, "ValueError: bad"));
}

#[test]
fn what_is_no_text_is_refused() {
    let refused = |bytes: &[u8]| read("x", bytes).unwrap_err();
    assert_eq!(refused(b""), ReadError::Empty { name: "x".into() });
    assert_eq!(refused(b" \r\n\x1b[0m \n"), ReadError::Empty { name: "x".into() });
    assert!(matches!(
        refused(b"PK\x03\x04\x00\x00\x08\x00"),
        ReadError::NotText { looks_like: "a ZIP archive or an Office document", .. }
    ));
    assert!(matches!(refused(&[0, 1, 2, 3, 200, 201, 5, 6, 7, 0, 0, 9]), ReadError::NotText { .. }));
    assert_eq!(Reader::new().finish().unwrap_err().to_string().lines().count(), 1);
}

fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    [&u32::try_from(data.len()).unwrap().to_be_bytes()[..], kind, data, b"crc?"].concat()
}

fn png(chunks: &[Vec<u8>]) -> Vec<u8> {
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &[0; 13]), chunks.concat(), chunk(b"IEND", b"")].concat()
}

#[test]
fn a_png_holds_its_workflow() {
    let prompt = br#"{"3": {"class_type": "KSampler", "inputs": {"steps": 20}}}"#;
    let workflow = br#"{"nodes": [{"id": 3, "type": "KSampler"}], "links": []}"#;
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(workflow, 6);
    let plain = chunk(b"tEXt", &[b"prompt\0", &prompt[..]].concat());
    for other in [
        chunk(b"tEXt", &[b"workflow\0", &workflow[..]].concat()),
        chunk(b"zTXt", &[b"workflow\0\0", &packed[..]].concat()),
        chunk(b"iTXt", &[b"workflow\0\x01\0en\0\0", &packed[..]].concat()),
        chunk(b"iTXt", &[b"workflow\0\0\0\0\0", &workflow[..]].concat()),
    ] {
        let evidence = read("out.png", &png(&[plain.clone(), other])).unwrap();
        assert_eq!(evidence.inputs()[0].kind, "png");
        assert_eq!(
            evidence.documents().iter().map(|document| document.kind).collect::<Vec<_>>(),
            ["prompt", "workflow"]
        );
        assert_eq!(evidence.documents()[1].scalars[1].value, "KSampler");
    }
    assert_eq!(read("out.png", &png(&[])).unwrap_err(), ReadError::NoWorkflow { name: "out.png".into() });
    // A picture cut off in the midst of the text still tells.
    let whole = png(&[plain]);
    let cut = &whole[..60];
    assert!(read("out.png", cut).is_ok());
}

#[test]
fn what_terminals_are_told_is_no_text() {
    assert_eq!(text(b"\x1b]0;C:\\cmd.exe\x07RuntimeError: bad\n"), "RuntimeError: bad\n");
    assert_eq!(text(b"\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\ RuntimeError: bad\n"), "here RuntimeError: bad\n");
    assert_eq!(text(b"a\x1bP1$r0m\x1b\\b\n\x1b]2;title\nc\n"), "ab\n\nc\n");
}

#[test]
fn a_wrapped_line_has_its_place_in_the_line_where_it_begins() {
    let head = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n";
    let evidence = read("-", format!("{head}RuntimeError: Sizes of tensors must match except in dimension 1. Expected\nsize 128 but got size 16 for tensor number 1 in the list.\n").as_bytes()).unwrap();
    let said = "Expected size 128 but got";
    assert_eq!(place(&evidence, said), (3, 66, "Expected\nsize 128 but got".to_owned()));
}

#[test]
fn a_long_input_keeps_its_failure_and_the_places() {
    let line = "model_type EPS, and a line that says nothing at all\n";
    let count = 400_000;
    let failure = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nValueError: once only\n";
    let log = [line.repeat(count).as_str(), failure, &line.repeat(count)].concat();
    assert!(log.len() > rulecheck_readers::WHOLE);
    let evidence = read("long.log", log.as_bytes()).unwrap();
    assert_eq!(evidence.failures().len(), 1);
    assert_eq!(place(&evidence, "once only"), (count + 3, 13, "once only".to_owned()));
    let input = &evidence.inputs()[0];
    assert_eq!(input.bytes, log.len() as u64);
    assert!(input.text.len() < 8 << 20 && input.lines_left_out > count);
}

#[test]
fn tags_of_a_page_are_no_text() {
    assert_eq!(
        text(b"<details><summary>log</summary>\n<p>File &quot;a.py&quot;, in &lt;module&gt;</p>\nin <module>\n"),
        "log\nFile \"a.py\", in <module>\nin <module>\n"
    );
}
