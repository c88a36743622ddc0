//! Every declaration that the language's description shows, beside the facts it uses.

use super::{Checked, core, pack};
use crate::check::PackSource;
use rulecheck_grammar::{Severity, Source};

const FACTS: &str = r#"
fact stage: one of startup, validate, load, text-encode, sample, vae-encode, vae-decode, upscale, custom-node, save, install
  "Where in the workflow it failed" zh "工作流停在哪个阶段"
  ask "Which node was outlined in red when it stopped?" zh "停下时哪个节点是红框？"

fact launch.args: set of text
fact package.*: version
fact alloc.limit: size in 1 MiB..64 TiB          # a reading outside is no reading: programs print sentinels
record gpu "A graphics processor"
  name: text
  vendor: one of nvidia, amd, intel, apple, other
  vram.total: size
  capability: version
  probe gpus
section log.run from last "got prompt" to error    # a part of the text
table pip.name from module.missing                 # declares the fact pip.name; `otherwise FACT` may end a table
  cv2 -> opencv-python-headless
  PIL -> pillow

fact os: one of windows, macos, linux
fact os.version: version
fact app: one of comfyui, other
fact resource: one of vram, unified
fact node.type: name
fact alloc.requested: size
fact ram.total: size
fact module.missing: name
"#;

const RULES: &str = r#"
when error matches MPS backend out of memory and os = macos >= 14.5 then suggest force-upcast-attention priority 3

rule mps-out-of-memory
  when error matches "MPS backend out of memory"
  then diagnose mps-out-of-memory
  then conclude resource = unified

rule mps-at-vae-decode
  when problem = mps-out-of-memory and stage in [vae-encode, vae-decode]
  unless node.type = VAEDecodeTiled
  then suggest tiled-vae-decode priority 1
    because "{alloc.requested} was asked for at once while decoding; tiles need less, and on a Mac ComfyUI does not retry with them by itself."
  then avoid free-disk-space because "Disk space is not what ran out."

problem mps-out-of-memory
  title "Apple Silicon: MPS backend out of memory" zh "苹果芯片：MPS 内存不足"
  category hardware
  severity failure                     # note, warning or failure (the default)
  summary "…" zh "…"
  cause "Memory is unified: GPU and programs share it." zh "…"
  keywords "MPS backend out of memory", "PYTORCH_MPS_HIGH_WATERMARK_RATIO"
  related mps-invalid-buffer-size
  supersedes out-of-memory             # what this is the exact form or the cause of
  source official-issue "KSampler MPS backend out of memory (ComfyUI #5810)" <https://github.com/Comfy-Org/ComfyUI/issues/5810>
  verified 2026-09-26

fix cpu-vae
  title "Decode the image on the CPU" zh "VAE 放到 CPU"
  requires app = comfyui
  flag --cpu-vae
  risk low "Decoding takes longer." zh "解码变慢。"
  verify "The same workflow finishes and the image is whole." zh "…"
  undo "Take the flag out again." zh "…"

fix install-missing-module
  title "Install the missing Python module" zh "安装缺少的 Python 模块"
  via pip "install {pip.name}" when pip.name is known
  do "Install the package that provides the module {module.missing}; its name may differ." when pip.name is none

launcher portable
  title "Windows portable package" zh "便携包"
  flag "Open the run_*.bat you start with in an editor and add {flag} at the end of the python line; keep what is there."
  env "Add a line `set {name}={value}` above the python line."
  pip ".\python_embeded\python.exe -m pip {args}"

extract from log "Total VRAM {gpu.vram.total: size}, total RAM {ram.total: size}"
extract from log "got prompt" as app = comfyui
extract from json "system.ram_total" as ram.total: bytes
line run "got prompt"
line start "Total VRAM {*} total RAM"
line progress "{*}it/s]"
line retry "Ran out of memory when regular VAE decoding, retrying with tiled VAE decoding"
line import "Cannot import {*} module for custom nodes"

test "8 GB Mac at the MPS limit"
  given os = macos, os.version = 14.5, ram.total = 8 GiB
  given gpu: vendor = apple, name = "Apple M1"
  given error "MPS backend out of memory (MPS allocated: 8.72 GB, other allocations: 110.16 MB, max allowed: 9.07 GB). Tried to allocate 405.00 MB on private pool."
  expect problem mps-out-of-memory
  expect suggest lower-resolution first
  expect no suggest lowvram-mode
"#;

#[test]
fn the_declarations_of_the_description_are_sound() {
    let manifest = super::MANIFEST;
    let checked = Checked::of(
        &[pack(manifest, &[("facts.rules", FACTS)]), PackSource::single(Source::new("spec.rules", RULES))],
        false,
    );
    assert!(
        checked.findings.iter().all(|it| it.severity == Severity::Warning && it.code.0 == "RC0204"),
        "{:#?}",
        checked.listed()
    );
    let program = checked.program;
    assert_eq!((program.rules.len(), program.tests.len(), program.extractors.len(), program.lines.len()), (3, 1, 3, 5));
}

#[test]
fn the_bundled_form_of_a_test_gives_facts_elements_and_texts() {
    let rules = "problem p\n  title \"p\"\nfix f\n  do \"x\"\nrule r\n  when fp16\n  then diagnose p\n  then suggest f\n\
                 test \"t\"\n  given os = macos, ram.total is none, launch.args = [--a, --b]\n  given gpu: vendor = apple, name = \"M1\"\n  given disk is none\n  \
                 given log \"abc\"\n  given log from \"cases/x.txt\"\n  given error \"e\"\n  expect problem p\n  expect no problem p\n  \
                 expect possible f\n  expect possible p\n  expect suggest f first\n  expect only suggest f\n  expect avoid f\n  \
                 expect fact stage = sample\n  expect fact stage is unknown\n  expect no problem\n";
    let checked = Checked::of(&[core(), PackSource::single(Source::new("t.rules", rules))], false);
    assert!(checked.findings.is_empty(), "{:#?}", checked.listed());
    let test = &checked.program.tests[0];
    assert_eq!(
        (test.facts.len(), test.elements.len(), test.absent.len(), test.texts.len(), test.expectations.len()),
        (3, 1, 1, 3, 10)
    );
}

#[test]
fn tests_speak_of_what_exists() {
    let test = |clause: &str| format!("test \"t\"\n  {clause}\n  expect no problem\n");
    super::finds(&test("given oss = macos"), "RC0201", "oss", &[]);
    super::finds(&test("given os = macoss"), "RC0303", "macoss", &[]);
    super::finds(&test("given gpu = 3"), "RC0420", "gpu", &["is a record"]);
    super::finds(&test("given gpu: vendr = apple"), "RC0205", "vendr", &["`vendor`"]);
    super::finds("test \"t\"\n  given os = macos\n", "RC0420", "\"t\"", &["expects nothing"]);
}
