//! Long logs: time and peak memory of a diagnosis, beside `wc -l` and `rg -c` on the same file.
//!
//! ```text
//! cargo build --release -p rulecheck-cli
//! cargo build --release --manifest-path bench/Cargo.toml
//! bench/target/release/scale target/release/rulecheck [MIB [FOLDER]]
//! ```
//! The files (1024 MiB each unless told otherwise) are generated in the folder, one after the other, and deleted. Peak
//! memory is read from `/proc`; where there is none it is not shown.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

const BANNER: &str = "Total VRAM 8192 MB, total RAM 32600 MB\npytorch version: 2.4.1+cu121\nDevice: cuda:0 NVIDIA GeForce RTX 3060 : cudaMallocAsync\nStarting server\n";
const FAILURE: &str = "!!! Exception during processing !!! Allocation on device\nTraceback (most recent call last):\n  File \"/x/nodes.py\", line 299, in decode\n    images = vae.decode(samples)\ntorch.OutOfMemoryError: Allocation on device\n\n";

/// A file to be generated: its name, and what stands where.
const FILES: [(&str, Kind); 7] = [
    ("never fails", Kind::Log { starts: 1, failure: None }),
    ("fails at the start", Kind::Log { starts: 1, failure: Some(0) }),
    ("fails in the middle", Kind::Log { starts: 1, failure: Some(50) }),
    ("fails at the end", Kind::Log { starts: 1, failure: Some(100) }),
    ("200 starts, all fail", Kind::Log { starts: 200, failure: Some(50) }),
    ("one line", Kind::Line),
    ("progress bars", Kind::Bars),
];

#[derive(Clone, Copy)]
enum Kind {
    /// Runs after starts; each start fails behind so many of a hundred parts of its runs.
    Log { starts: u64, failure: Option<u64> },
    /// No line end at all, and a failure in the middle.
    Line,
    /// Carriage returns, and a failure glued to the last bar.
    Bars,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let program = PathBuf::from(arguments.next().ok_or("usage: scale PROGRAM [MIB [FOLDER]]")?).canonicalize()?;
    let mib: u64 = arguments.next().map_or(Ok(1024), |text| text.to_string_lossy().parse())?;
    let folder = arguments.next().map_or_else(env::temp_dir, PathBuf::from);
    let path = folder.join("rulecheck-scale.log");
    println!("{:24}{:>26}{:>22}{:>22}   found", format!("{mib} MiB"), "rulecheck", "wc -l", "rg -c");
    for (name, kind) in FILES {
        generate(&path, kind, mib << 20)?;
        let (ours, answer) = run(Command::new(&program).args(["diagnose", "--probe", "never", "--format", "json"]).arg(&path))?;
        let wc = run(Command::new("wc").arg("-l").arg(&path)).map(|(usage, _)| usage);
        let rg = run(Command::new("rg").args(["-c", "-a", "Allocation on device"]).arg(&path)).map(|(usage, _)| usage);
        let [wc, rg] = [wc, rg].map(|usage| usage.map_or_else(|_| "not installed".to_owned(), |usage| usage.to_string()));
        println!("{name:24}{:>26}{wc:>22}{rg:>22}   {}", ours.to_string(), primary(&answer));
    }
    fs::remove_file(&path)?;
    Ok(())
}

/// The id of the first problem in an answer.
fn primary(answer: &str) -> &str {
    let problems = answer.split_once("\"problems\": [").map_or("", |(_, rest)| rest);
    let id = problems.split_once("\"id\": \"").and_then(|(before, rest)| (!before.contains(']')).then_some(rest));
    id.and_then(|rest| rest.split('"').next()).unwrap_or("no problem")
}

struct Usage {
    time: Duration,
    /// In KiB; 0 where the system does not tell.
    peak: u64,
}

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} s, {} MiB", self.time.as_secs_f64(), self.peak >> 10)
    }
}

/// Runs a command to its end; its time, its greatest memory, and what it printed.
fn run(command: &mut Command) -> io::Result<(Usage, String)> {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let out = child.stdout.take().map(|out| thread::spawn(move || io::read_to_string(out)));
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        peak = peak.max(high_water(child.id()).unwrap_or(0));
        thread::sleep(Duration::from_millis(5));
    }
    let time = start.elapsed();
    let text = out.and_then(|out| out.join().ok()).transpose()?.unwrap_or_default();
    Ok((Usage { time, peak }, text))
}

fn high_water(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

fn generate(path: &Path, kind: Kind, bytes: u64) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut random = Random(1);
    match kind {
        Kind::Log { starts, failure } => {
            for _ in 0..starts {
                file.write_all(BANNER.as_bytes())?;
                let part = bytes / starts;
                let first = part / 100 * failure.unwrap_or(0);
                runs(&mut file, first, &mut random)?;
                if failure.is_some() {
                    file.write_all(FAILURE.as_bytes())?;
                }
                runs(&mut file, part - first, &mut random)?;
            }
        }
        Kind::Line => {
            words(&mut file, bytes / 2, &mut random)?;
            file.write_all(b"RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB ")?;
            words(&mut file, bytes / 2, &mut random)?;
        }
        Kind::Bars => {
            file.write_all(BANNER.as_bytes())?;
            bars(&mut file, bytes, &mut random)?;
            file.write_all(FAILURE.as_bytes())?;
        }
    }
    file.flush()
}

fn runs(file: &mut impl Write, bytes: u64, random: &mut Random) -> io::Result<()> {
    let mut written = 0;
    while written < bytes {
        let text = format!(
            "got prompt\nmodel weight dtype torch.float16, manual cast: None\nmodel_type EPS\nRequested to load SDXL\nloaded completely {}.{} 4897.05 True\n100%|██████████| 20/20 [00:0{}<00:00,  1.{}it/s]\nPrompt executed in {}.04 seconds\n",
            random.below(9999), random.below(100), random.below(9), random.below(100), random.below(300),
        );
        written += text.len() as u64;
        file.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn words(file: &mut impl Write, bytes: u64, random: &mut Random) -> io::Result<()> {
    let mut written = 0;
    while written < bytes {
        let text = format!("word{:x} and others ", random.below(u64::MAX));
        written += text.len() as u64;
        file.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn bars(file: &mut impl Write, bytes: u64, random: &mut Random) -> io::Result<()> {
    let mut written = 0;
    while written < bytes {
        let part = random.below(10) as usize;
        let text = format!("\r{:3}%|{}{}| {part}/10 [00:0{part}<00:09,  1.{}it/s]", part * 10, "█".repeat(part), " ".repeat(10 - part), random.below(100));
        written += text.len() as u64;
        file.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Xorshift: the same files in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
