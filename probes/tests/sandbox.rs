//! This machine, read from places where part of it cannot be seen: without `/sys`, without `/proc`, with a limit of
//! memory. The test program starts itself there. Where a sandbox cannot be made the test says so and goes on.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a test that cannot go on ends; it starts itself in a sandbox"
)]

mod shown;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use std::{env, fs};

use rulecheck_probes::{Group, ThisMachine};

/// Says that the test program runs in a sandbox, and that what it finds there is to be printed.
const INSIDE: &str = "RULECHECK_INSIDE";

/// What a sandbox shows. Outside of one: that every group answers.
#[test]
fn this_machine_as_it_is_seen_here() {
    let found = shown::printed(ThisMachine::default(), &Group::ALL);
    if env::var_os(INSIDE).is_some() {
        println!("{found}");
    }
    for name in ["os: linux", "arch: ", "ram.total: ", "gpu", "disk", "launch.args: "] {
        assert!(found.lines().any(|line| line.starts_with(name)), "{name} in {found}");
    }
}

/// The facts that are told behind these commands; nothing where they are refused. Reading must not hang.
fn inside(sandbox: &mut Command, commands: &str) -> Option<String> {
    let own = env::current_exe().unwrap();
    let test = "this_machine_as_it_is_seen_here";
    let script = format!("{commands} && exec \"$0\" --exact {test} --nocapture");
    let start = Instant::now();
    let Output { status, stdout, stderr } = sandbox.args(["-c", &script]).arg(own).env(INSIDE, "1").output().ok()?;
    let text = String::from_utf8_lossy(&stdout).into_owned();
    if !text.contains("running 1 test") {
        eprintln!("no sandbox here: {}", String::from_utf8_lossy(&stderr).trim());
        return None;
    }
    assert!(status.success(), "{text}\n{}", String::from_utf8_lossy(&stderr));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    Some(text)
}

/// A name space of one's own, in which mounts change nothing outside.
fn unshared(commands: &str) -> Option<String> {
    inside(Command::new("unshare").args(["--user", "--map-root-user", "--mount", "sh"]), commands)
}

fn line<'a>(text: &'a str, name: &str) -> &'a str {
    text.lines().find(|line| line.starts_with(name)).unwrap_or_default()
}

#[test]
fn without_sys_cards_are_unknown_and_the_rest_is_told() {
    let Some(text) = unshared("mount -t tmpfs none /sys") else { return };
    assert_eq!(line(&text, "gpu: "), "gpu: unknown, not present: /sys/bus/pci/devices");
    assert!(line(&text, "gpu-program").contains("unknown, not present: "), "{text}");
    assert!(line(&text, "ram.total: ").ends_with("iB"), "{text}");
}

#[test]
fn without_proc_memory_and_programs_are_unknown() {
    let Some(text) = unshared("mount -t tmpfs none /proc") else { return };
    assert_eq!(line(&text, "ram.total: "), "ram.total: unknown, not present: /proc/meminfo");
    assert_eq!(line(&text, "os.kernel: "), "os.kernel: unknown, not present: /proc/sys/kernel/osrelease");
    assert!(line(&text, "process: ").starts_with("process: unknown, unreadable: "), "{text}");
    assert!(line(&text, "launch.args: ").starts_with("launch.args: unknown, unreadable: "), "{text}");
    assert!(line(&text, "disk: ").starts_with("disk: unknown, unreadable: "), "{text}");
}

#[test]
fn a_file_that_is_empty_says_so() {
    let Some(text) = unshared("mount --bind /dev/null /proc/meminfo") else { return };
    assert_eq!(line(&text, "ram.total: "), "ram.total: unknown, not present: /proc/meminfo has no MemTotal");
}

/// A control group of its own with this limit, as the machine has them; gone when the test is.
struct Limited(PathBuf);

impl Limited {
    fn new(bytes: u64) -> Option<Self> {
        let name = format!("rulecheck-test-{}", std::process::id());
        // The older kind, and the newer one.
        for (top, limit) in [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")] {
            let folder = Path::new(top).join(&name);
            if !Path::new(top).join("cgroup.procs").exists() || fs::create_dir(&folder).is_err() {
                continue;
            }
            let limited = Self(folder);
            if fs::write(limited.0.join(limit), bytes.to_string()).is_ok() {
                return Some(limited);
            }
        }
        eprintln!("no control group can be made here");
        None
    }
}

impl Drop for Limited {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn in_a_control_group_its_limit_counts() {
    let Some(limited) = Limited::new(256 << 20) else { return };
    let commands = format!("echo $$ > '{}'", limited.0.join("cgroup.procs").display());
    let Some(text) = inside(&mut Command::new("sh"), &commands) else { return };
    assert_eq!(line(&text, "ram.limit: "), "ram.limit: 256 MiB");
    let free = line(&text, "ram.free: ");
    assert!(free.ends_with(" MiB"), "{free}");
    assert_eq!(line(&text, "ram.oom-kills: "), "ram.oom-kills: 0");
}
