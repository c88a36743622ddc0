//! ComfyUI as it runs on many installs, programs that hold memory, and disks.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on ends")]

use std::collections::BTreeSet;
use std::path::PathBuf;

use rulecheck::{FactSource, Reading, Reason, Value};
use rulecheck_probes::{
    DiskReading, Facts, Group, Host, Place, ProcessReading, PythonReading, RunReading, Selection, comfyui_of,
    disk_facts, folders_of, process_facts,
};

fn word(text: &str) -> Reading {
    Reading::Known(Value::text(text))
}

fn set(words: &[&str]) -> Reading {
    Reading::Known(Value::Set(words.iter().map(|word| Value::text(*word)).collect::<BTreeSet<_>>()))
}

fn process(exe: &str, cwd: &str, args: &str) -> ProcessReading {
    ProcessReading {
        id: 7,
        name: "python".to_owned(),
        exe: Some(PathBuf::from(exe)),
        args: args.split(' ').map(str::to_owned).collect(),
        cwd: Some(PathBuf::from(cwd)),
        memory: 1 << 30,
    }
}

fn facts(process: &ProcessReading, container: bool) -> Facts {
    let found = comfyui_of(std::slice::from_ref(process)).cloned().unwrap();
    let run = RunReading {
        process: found,
        env: vec![("LANG".to_owned(), "C".to_owned())],
        container,
        ..RunReading::default()
    };
    process_facts(Ok(&[]), Ok(Some(&run)))
}

/// The Python that runs, its folder, its arguments, and the kind of install.
const INSTALLS: [(&str, &str, &str, &str); 8] = [
    (
        r"D:\AI\ComfyUI_windows_portable\python_embeded\python.exe",
        r"D:\AI\ComfyUI_windows_portable",
        r".\python_embeded\python.exe -s ComfyUI\main.py --windows-standalone-build",
        "portable",
    ),
    (
        r"D:\ComfyUI-aki-v1.6\python\python.exe",
        r"D:\ComfyUI-aki-v1.6\ComfyUI",
        r"D:\ComfyUI-aki-v1.6\python\python.exe main.py --auto-launch",
        "aki",
    ),
    (
        r"C:\Users\me\Documents\ComfyUI\.venv\Scripts\python.exe",
        r"C:\Users\me",
        r"python.exe C:\Users\me\AppData\Local\Programs\@comfyorgcomfyui-electron\resources\ComfyUI\main.py --listen 127.0.0.1 --port 8000",
        "desktop",
    ),
    (
        "/Users/me/Documents/ComfyUI/.venv/bin/python",
        "/",
        "python /Applications/ComfyUI.app/Contents/Resources/ComfyUI/main.py --log-stdout",
        "desktop",
    ),
    (
        r"E:\StabilityMatrix\Data\Packages\ComfyUI\venv\Scripts\python.exe",
        r"E:\StabilityMatrix\Data\Packages\ComfyUI",
        r"python.exe -u main.py --lowvram",
        "stability-matrix",
    ),
    (r"C:\pinokio\bin\miniconda\python.exe", r"C:\pinokio\api\comfy.git\app", "python main.py", "pinokio"),
    ("/home/me/comfy/ComfyUI/.venv/bin/python", "/home/me/comfy/ComfyUI", "python main.py", "comfy-cli"),
    ("/home/me/ComfyUI/venv/bin/python3.12", "/home/me/ComfyUI", "python3 main.py --lowvram", "manual"),
];

#[test]
fn installs_are_told_by_their_paths() {
    for (exe, cwd, args, expected) in INSTALLS {
        let found = facts(&process(exe, cwd, args), false);
        assert_eq!(found.flat["install"], word(expected), "{exe}");
        assert_eq!(found.flat["python.path"], word(exe));
    }
    let inside = facts(&process("/opt/venv/bin/python", "/opt/ComfyUI", "python main.py"), true);
    assert_eq!(inside.flat["install"], word("docker"));
}

#[test]
fn arguments_are_flags_and_their_values() {
    let run = process(
        "/v/bin/python",
        "/home/me/ComfyUI",
        "python -s main.py --lowvram --reserve-vram 2 --port=8188 --fast fp16_accumulation cublas_ops",
    );
    let found = facts(&run, false);
    assert_eq!(found.flat["launch.args"], set(&["--lowvram", "--reserve-vram", "--port", "--fast"]));
    assert_eq!(found.flat["launch.arg.reserve-vram"], word("2"));
    assert_eq!(found.flat["launch.arg.port"], word("8188"));
    assert_eq!(found.flat["launch.arg.fast"], word("fp16_accumulation cublas_ops"));
    let mut host = Host::of(move |_: Group| found.clone());
    assert_eq!(host.get("launch.arg.cache-lru").reading, Reading::None);
    assert_eq!(host.get("env.PYTORCH_CUDA_ALLOC_CONF").reading, Reading::None);
}

#[test]
fn other_programs_are_no_comfyui() {
    let other = [
        process("/usr/bin/python3", "/srv/app", "python3 main.py"),
        process("/usr/bin/vim", "/home/me/ComfyUI", "vim main.py"),
        process("/usr/bin/python3", "/home/me/ComfyUI", "python3 cm-cli.py"),
    ];
    assert_eq!(comfyui_of(&other), None);
}

#[test]
fn of_several_the_largest_counts() {
    let small = process("/v/bin/python", "/home/me/ComfyUI", "python main.py --port 1");
    let large = ProcessReading { id: 8, memory: 9 << 30, ..small.clone() };
    assert_eq!(comfyui_of(&[small.clone(), large, small]).map(|process| process.id), Some(8));
}

#[test]
fn without_a_run_nothing_is_known_of_it() {
    let found = process_facts(Ok(&[]), Ok(None));
    let mut host = Host::of(move |_: Group| found.clone());
    let absent = Reading::Unknown(Reason::NotPresent("no ComfyUI runs here".to_owned()));
    for name in ["launch.args", "launch.arg.port", "install", "env.HF_HOME"] {
        assert_eq!(host.get(name).reading, absent, "{name}");
    }
}

#[test]
fn secrets_are_no_facts() {
    let pairs =
        [("HF_TOKEN", "x"), ("HF_HOME", "/data"), ("AWS_SECRET_ACCESS_KEY", "x"), ("CUDA_VISIBLE_DEVICES", "1")];
    let env = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let run =
        RunReading { process: process("/v/bin/python", "/ComfyUI", "python main.py"), env, ..RunReading::default() };
    let found = process_facts(Ok(&[]), Ok(Some(&run)));
    let names: Vec<_> = found.flat.keys().filter(|name| name.starts_with("env.")).collect();
    assert_eq!(names, ["env.CUDA_VISIBLE_DEVICES", "env.HF_HOME"]);
}

#[test]
fn an_environment_that_is_not_shown_is_not_empty() {
    let run = RunReading { process: process("/v/bin/python", "/ComfyUI", "python main.py"), ..RunReading::default() };
    let found = process_facts(Ok(&[]), Ok(Some(&run)));
    assert!(matches!(found.families["env."], Reading::Unknown(Reason::NotPermitted(_))));
}

#[test]
fn programs_of_one_name_count_together() {
    let named = |name: &str, memory| ProcessReading { name: name.to_owned(), memory, ..ProcessReading::default() };
    let found = [named("chrome", 400 << 20), named("sh", 1 << 20), named("chrome", 300 << 20), named("java", 2 << 30)];
    let facts = process_facts(Ok(&found), Ok(None));
    let hogs = facts.records["process"].as_ref().unwrap();
    let names: Vec<_> = hogs.iter().map(|hog| hog["process.name"].clone()).collect();
    assert_eq!(names, [word("java"), word("chrome")]);
    assert_eq!(hogs[1]["process.ram"], Reading::Known(Value::Size(700 << 20)));
}

#[test]
fn a_folder_lies_on_the_deepest_disk() {
    let disk = |mount: &str| DiskReading {
        mount: PathBuf::from(mount),
        filesystem: Ok(Some("ext4".to_owned())),
        total: Ok(Some(100)),
        free: Ok(Some(10)),
        removable: Ok(Some(false)),
    };
    let place = |word, path: &str| Place { word, path: PathBuf::from(path) };
    let places = [place("temp", "/tmp"), place("home", "/home/me"), place("cache", "/home/me/.cache/huggingface")];
    let facts = disk_facts(Ok(vec![disk("/mnt/data"), disk("/"), disk("/home"), disk("/")]), &places);
    let disks = facts.records["disk"].as_ref().unwrap();
    let found: Vec<_> = disks.iter().map(|disk| (disk["disk.mount"].clone(), disk["disk.holds"].clone())).collect();
    let expected = [("/home", set(&["cache", "home"])), ("/", set(&["temp"])), ("/mnt/data", set(&[]))];
    assert_eq!(found, expected.map(|(mount, holds)| (word(mount), holds)));
}

#[test]
fn folders_are_where_the_arguments_put_them() {
    let found = |args: &str| -> Vec<(&str, PathBuf)> {
        let places = folders_of(&process("/v/bin/python", "/home/me/ComfyUI", args));
        places.into_iter().map(|place| (place.word, place.path)).collect()
    };
    let at = |own: &str, models: &str, output: &str, temp: &str| {
        [("comfyui", own), ("models", models), ("output", output), ("temp", temp)]
            .map(|(word, path)| (word, PathBuf::from(path)))
            .to_vec()
    };
    let (own, models) = ("/home/me/ComfyUI", "/home/me/ComfyUI/models");
    let (output, temp) = ("/home/me/ComfyUI/output", "/home/me/ComfyUI/temp");
    assert_eq!(found("python main.py"), at(own, models, output, temp));
    assert_eq!(found("python main.py --output-directory /mnt/out"), at(own, models, "/mnt/out", temp));
    assert_eq!(found("python main.py --models-directory /m --temp-directory /t"), at(own, "/m", output, "/t/temp"));
    let moved = at("/app", "/data/models", "/data/output", "/data/temp");
    assert_eq!(found("python /app/main.py --base-directory /data"), moved);
}

#[test]
fn a_run_says_where_it_listens_and_what_runs_it() {
    let found = |args: &str| facts(&process("/v/bin/python3.12", "/home/me/ComfyUI", args), false).flat;
    let number = |value: f64| Reading::Known(Value::Number(rulecheck::value::Number::new(value).unwrap()));
    assert_eq!(found("python main.py")["app.port"], number(8188.0));
    assert_eq!(found("python main.py --port 9000")["app.port"], number(9000.0));
    assert!(matches!(found("python main.py --port x")["app.port"], Reading::Unknown(Reason::Unreadable(_))));
    let version = Reading::Known(Value::Version(rulecheck::Version::parse("3.12").unwrap()));
    assert_eq!(found("python main.py")["python.version"], version);
    assert!(matches!(found("python main.py")["python.arch"], Reading::Unknown(Reason::NotPresent(_))));
    let head = Ok(vec![0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1]);
    let python = PythonReading { head, ..PythonReading::default() };
    let run =
        RunReading { process: process("/v/bin/python", "/ComfyUI", "python main.py"), python, ..RunReading::default() };
    assert_eq!(process_facts(Ok(&[]), Ok(Some(&run))).flat["python.arch"], word("x86-64"));
}

#[test]
fn arguments_of_a_run_choose_cards() {
    let of = |args: &str| {
        let env = vec![("CUDA_VISIBLE_DEVICES".to_owned(), "3".to_owned())];
        let run = RunReading { process: process("/v/bin/python", "/ComfyUI", args), env, ..RunReading::default() };
        Selection::of_run(&run).cuda.unwrap()
    };
    assert_eq!(of("python main.py"), "3");
    assert_eq!(of("python main.py --cuda-device 1"), "1");
    assert_eq!(of("python main.py --cuda-device all"), "3");
    assert!(of("python main.py --default-device 2").starts_with("2,0,1,3,4,"));
}
