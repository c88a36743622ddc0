//! A program that looks like ComfyUI is started, and the probes find what it runs with. It is a shell under the name of
//! a Python, so that none is needed.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a test that cannot go on ends; it starts the program that is looked for"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rulecheck::{FactSource, Reading, Reason, Value, Version};
use rulecheck_probes::Host;

/// The program, and its folder. Both are gone when the test is.
struct Running {
    child: Child,
    folder: PathBuf,
}

impl Running {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ComfyUI-{}", std::process::id()));
        let bin = folder.join("venv/bin");
        fs::create_dir_all(&bin).unwrap();
        fs::create_dir_all(folder.join("models")).unwrap();
        fs::copy("/bin/sh", bin.join("python3")).unwrap();
        fs::write(folder.join("venv/pyvenv.cfg"), "home = /usr/bin\nversion = 3.12.3\n").unwrap();
        // It waits for a line that never comes.
        fs::write(folder.join("main.py"), "echo started\nread line\n").unwrap();
        let mut child = Command::new(bin.join("python3"))
            .args(["main.py", "--lowvram", "--port", "8189", "--cuda-device", "1"])
            .env_clear()
            .envs([("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"), ("HF_TOKEN", "hidden"), ("LANG", "C")])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Only when it has begun is it the program that it was started as.
        let mut started = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut started).unwrap();
        Self { child, folder }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_comfyui_that_runs_says_what_it_runs_with() {
    let mut running = Running::new();
    if running.child.try_wait().unwrap().is_some() {
        eprintln!("the shell of this system does not run under another name");
        return;
    }
    let mut host = Host::new();
    let mut told = |name: &str| host.get(name).reading;
    let text = |text: &str| Reading::Known(Value::text(text));
    let flags: BTreeSet<Value> = ["--lowvram", "--port", "--cuda-device"].into_iter().map(Value::text).collect();
    assert_eq!(told("launch.args"), Reading::Known(Value::Set(flags)));
    assert_eq!(told("app.port"), Reading::Known(Value::Number(rulecheck::value::Number::new(8189.0).unwrap())));
    assert_eq!(told("env.PYTORCH_CUDA_ALLOC_CONF"), text("expandable_segments:True"));
    assert_eq!(told("env.HF_HOME"), Reading::None);
    assert!(matches!(told("env.HF_TOKEN"), Reading::Unknown(Reason::NotPermitted(_))));
    assert_eq!(told("python.version"), Reading::Known(Value::Version(Version::parse("3.12.3").unwrap())));
    assert_eq!(told("python.path"), text(&running.folder.join("venv/bin/python3").to_string_lossy()));
    let arch = if cfg!(target_arch = "x86_64") { "x86-64" } else { "arm64" };
    assert_eq!(told("python.arch"), text(arch));
    let disks = host.elements("disk").unwrap();
    let holds = |word: &str| {
        let word = Value::text(word);
        disks.iter().any(|disk| {
            disk.fields
                .get("disk.holds")
                .is_some_and(|held| matches!(&held.reading, Reading::Known(Value::Set(held)) if held.contains(&word)))
        })
    };
    for word in ["comfyui", "models", "output", "temp", "home"] {
        assert!(holds(word), "{word}");
    }
}
