//! Programs that run: ComfyUI itself, and what holds much memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rulecheck::{Reading, Reason, Value};

use crate::disk::Place;
use crate::facts::{Facts, Fields};
use crate::python::{self, PythonReading};
use crate::told::{self, not_present};

/// What is said of one program that runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProcessReading {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its file, if this user may see it.
    pub exe: Option<PathBuf>,
    /// What it was started with, the program first.
    pub args: Vec<String>,
    /// The folder it runs in.
    pub cwd: Option<PathBuf>,
    /// The memory it holds.
    pub memory: u64,
    /// Whether ComfyUI's own files lie beside the `main.py` that it runs; nothing where that cannot be looked at.
    pub comfyui: Option<bool>,
}

/// A ComfyUI that runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunReading {
    /// The program.
    pub process: ProcessReading,
    /// Its environment, or why this user may not see it.
    pub env: Vec<(String, String)>,
    /// Whether it runs in a container.
    pub container: bool,
    /// What lies around its Python.
    pub python: PythonReading,
}

/// Programs below this hold little.
const MUCH: u64 = 512 << 20;

/// As many programs as are worth naming.
const NAMED: usize = 8;

/// The facts of the programs that run, and of the ComfyUI among them.
#[must_use]
pub fn process_facts(processes: Result<&[ProcessReading], Reason>, run: Result<Option<&RunReading>, Reason>) -> Facts {
    let facts = match run {
        Ok(Some(run)) => run_facts(run),
        Ok(None) => without_run(&not_present("no ComfyUI runs here")),
        Err(reason) => without_run(&reason),
    };
    let records = BTreeMap::from([("process".to_owned(), processes.map(hogs))]);
    Facts { records, ..facts }
}

/// The ComfyUI among these, the largest if there are several.
#[must_use]
pub fn comfyui_of(processes: &[ProcessReading]) -> Option<&ProcessReading> {
    processes.iter().filter(|process| is_comfyui(process)).max_by_key(|process| process.memory)
}

/// The ComfyUI among these, if there is one.
///
/// # Errors
/// A program of another user may be one.
pub fn run_of(processes: &[ProcessReading]) -> Result<Option<&ProcessReading>, Reason> {
    let found = comfyui_of(processes);
    let may_be = |process: &ProcessReading| {
        let relative = main_of(process).is_some_and(|main| !main.starts_with('/') && !main.contains(['\\', ':']));
        process.comfyui.is_none() && process.cwd.is_none() && relative && is_python(process)
    };
    if found.is_none() && processes.iter().any(may_be) {
        return Err(Reason::NotPermitted("the folder in which another user runs a `main.py`".to_owned()));
    }
    Ok(found)
}

/// A Python that runs ComfyUI's `main.py`. Where its folder cannot be looked at, that of a folder of that name, or one
/// with arguments that ComfyUI alone has.
fn is_comfyui(process: &ProcessReading) -> bool {
    let Some(main) = main_of(process).filter(|_| is_python(process)) else { return false };
    if let Some(known) = process.comfyui {
        return known;
    }
    let cwd = process.cwd.as_ref().map(|cwd| cwd.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let own_flag = |arg: &String| {
        matches!(arg.as_str(), "--windows-standalone-build" | "--front-end-root" | "--extra-model-paths-config")
    };
    main.to_ascii_lowercase().contains("comfy") || cwd.contains("comfy") || process.args.iter().any(own_flag)
}

fn is_python(process: &ProcessReading) -> bool {
    process.args.first().is_some_and(|program| file_name(program).contains("python"))
        || process.exe.as_ref().is_some_and(|exe| file_name(&exe.to_string_lossy()).contains("python"))
}

/// The `main.py` that a program was started with, as it was typed.
pub(crate) fn main_of(process: &ProcessReading) -> Option<&String> {
    process.args.iter().find(|arg| file_name(arg) == "main.py")
}

/// The folders of a ComfyUI that runs: its own, its models, its output, as its arguments have moved them.
#[must_use]
pub fn folders_of(process: &ProcessReading) -> Vec<Place> {
    let (_, values) = arguments(&process.args);
    let cwd = process.cwd.clone().unwrap_or_default();
    let given = |name: &str| values.get(name).map(|path| cwd.join(path));
    let main = main_of(process).map(|main| cwd.join(main));
    let own = main.and_then(|main| main.parent().map(Path::to_owned)).unwrap_or_else(|| cwd.clone());
    let base = given("base-directory").unwrap_or_else(|| own.clone());
    let models = given("models-directory").unwrap_or_else(|| base.join("models"));
    let output = given("output-directory").unwrap_or_else(|| base.join("output"));
    let temp = given("temp-directory").unwrap_or(base).join("temp");
    [("comfyui", own), ("models", models), ("output", output), ("temp", temp)]
        .map(|(word, path)| Place { word, path })
        .into()
}

/// The last part of a path of any system, in lower case.
fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase()
}

/// The facts of a run that stand alone.
const RUN: [&str; 6] = ["app.port", "install", "launch.args", "python.arch", "python.path", "python.version"];

fn without_run(reason: &Reason) -> Facts {
    let unknown = || Reading::Unknown(reason.clone());
    let mut facts = RUN.iter().fold(Facts::default(), |facts, name| facts.with(name, unknown()));
    facts.families = ["env.", "launch.arg."].map(|prefix| (prefix.to_owned(), unknown())).into();
    facts
}

fn run_facts(run: &RunReading) -> Facts {
    let (flags, values) = arguments(&run.process.args);
    let exe = run.process.exe.clone().ok_or_else(|| Reason::NotPermitted("the file of the running ComfyUI".to_owned()));
    let version = exe.clone().and_then(|exe| python::version(&exe, &run.python));
    let arch = python::arch(&run.python);
    let mut facts = Facts::default()
        .with("app.port", told::number(&port(&values)))
        .with("launch.args", Reading::Known(Value::Set(flags)))
        .with("install", told::word(install(run)))
        .with("python.arch", told::text(&arch))
        .with("python.path", told::text(&exe.map(|exe| Some(exe.to_string_lossy().into_owned()))))
        .with("python.version", told::version(&version));
    for (name, value) in values {
        let known = ARGUMENTS.contains(&name.as_str()) && !is_secret(&value);
        let reading = if known { told::word(&value) } else { private("arguments") };
        facts = facts.with(&format!("launch.arg.{name}"), reading);
    }
    for (name, value) in run.env.iter().filter(|(name, _)| speaks_of(name)) {
        let reading = if is_secret(value) { private("variables") } else { told::word(value) };
        facts = facts.with(&format!("env.{name}"), reading);
    }
    // Some systems do not show the environment of other programs: an empty one is not believed.
    let env = if run.env.is_empty() {
        Reading::Unknown(Reason::NotPermitted("the environment of the running ComfyUI".to_owned()))
    } else {
        Reading::None
    };
    facts.families = [("env.".to_owned(), env), ("launch.arg.".to_owned(), Reading::None)].into();
    facts
}

/// The port it listens on: 8188 where nothing says otherwise.
fn port(values: &BTreeMap<String, String>) -> told::Told<u32> {
    let Some(text) = values.get("port") else { return Ok(Some(8188)) };
    text.parse().map(Some).map_err(|_| told::unreadable("what stands behind `--port` is no number"))
}

/// The values of a ComfyUI's arguments, by their names.
pub(crate) fn values_of(args: &[String]) -> BTreeMap<String, String> {
    arguments(args).1
}

/// The flags behind `main.py`, and the values of those that have any. Of a flag that is given twice the last one counts.
fn arguments(args: &[String]) -> (BTreeSet<Value>, BTreeMap<String, String>) {
    let (mut flags, mut values) = (BTreeSet::new(), BTreeMap::<String, String>::new());
    let mut open: Option<String> = None;
    for arg in args.iter().skip_while(|arg| file_name(arg) != "main.py").skip(1) {
        if let Some(body) = arg.strip_prefix("--") {
            let (name, value) = body.split_once('=').map_or((body, None), |(name, value)| (name, Some(value)));
            flags.insert(Value::text(format!("--{name}")));
            values.remove(name);
            if let Some(value) = value {
                values.insert(name.to_owned(), value.to_owned());
            }
            open = Some(name.to_owned());
        } else if let Some(name) = &open {
            let value = values.entry(name.clone()).or_default();
            if !value.is_empty() {
                value.push(' ');
            }
            value.push_str(arg);
        }
    }
    (flags, values)
}

/// Which kind of install a running ComfyUI is, by the paths it was started with. What its arguments name besides lies
/// elsewhere.
fn install(run: &RunReading) -> &'static str {
    const KINDS: [(&str, &[&str]); 5] = [
        ("aki", &["/comfyui-aki"]),
        ("portable", &["/python_embeded/", "/comfyui_windows_portable"]),
        ("stability-matrix", &["/stabilitymatrix/", "/stability-matrix/", "/data/packages/comfyui"]),
        ("pinokio", &["/pinokio/", "/pinokio.app/"]),
        (
            "desktop",
            &[
                "comfyorgcomfyui-electron",
                "comfyui.app/contents",
                "/programs/comfyui/resources",
                "comfyui-installs",
                "comfy-desktop",
            ],
        ),
    ];
    let process = &run.process;
    let typed = process.args.first().into_iter().chain(main_of(process)).cloned();
    let paths = process.exe.iter().chain(&process.cwd).map(|path| path.to_string_lossy().into_owned());
    let plain = |path: String| format!("/{}/", path.replace('\\', "/").to_ascii_lowercase());
    let paths: Vec<String> = typed.chain(paths).map(plain).collect();
    let values = values_of(&process.args);
    let bundled = values.get("front-end-root").is_some_and(|root| root.contains("web_custom_versions"));
    let is = |signs: &[&str]| signs.iter().any(|sign| paths.iter().any(|path| path.contains(sign)));
    match KINDS.iter().find(|(_, signs)| is(signs)) {
        Some((kind, _)) => kind,
        None if process.args.iter().any(|arg| arg == "--windows-standalone-build") => "portable",
        None if bundled => "desktop",
        None if paths.iter().any(|path| is_comfy_cli(path)) => "comfy-cli",
        None if run.container => "docker",
        None => "manual",
    }
}

/// `comfy install` puts it into `comfy/ComfyUI` below the home folder or its documents. Who is called comfy has such a
/// folder too.
fn is_comfy_cli(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let below = |part: Option<&&str>, names: &[&str]| part.is_some_and(|part| names.contains(part));
    parts.windows(2).enumerate().any(|(at, pair)| {
        let above = |steps: usize| at.checked_sub(steps).and_then(|at| parts.get(at));
        pair == ["comfy", "comfyui"]
            && (below(above(2), &["home", "users"]) || below(above(1), &["root", "documents", "workspace"]))
    })
}

/// The arguments of ComfyUI whose values choose how it works. What others hold is not shown: keys, addresses, names.
const ARGUMENTS: [&str; 27] = [
    "async-offload",
    "auto-launch",
    "base-directory",
    "cache-lru",
    "cache-ram",
    "cuda-device",
    "default-device",
    "default-hashing-function",
    "directml",
    "extra-model-paths-config",
    "fast",
    "front-end-root",
    "front-end-version",
    "input-directory",
    "listen",
    "log-stdout",
    "max-upload-size",
    "models-directory",
    "oneapi-device-selector",
    "output-directory",
    "port",
    "preview-method",
    "preview-size",
    "reserve-vram",
    "temp-directory",
    "user-directory",
    "verbose",
];

/// Whether a value looks like something that nobody but its owner is to see, wherever it stands: an address with a
/// password in it, or a key as its makers mark theirs.
fn is_secret(value: &str) -> bool {
    const MARKS: [&str; 10] = ["hf_", "sk-", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "eyJ", "AKIA"];
    let marked = |word: &str| word.len() > 15 && MARKS.iter().any(|mark| word.starts_with(mark));
    let address = value.split_once("://").is_some_and(|(_, rest)| rest.contains('@') || rest.contains('?'));
    let comfy = value
        .split(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c)))
        .any(|word| marked(word) || word.strip_prefix("comfyui-").is_some_and(|key| key.len() >= 32 && is_hex(key)));
    address || comfy
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn private(what: &str) -> Reading {
    Reading::Unknown(Reason::NotPermitted(format!("{what} that may hold what is private are not read")))
}

/// The families of variables that rules may ask for: those of PyTorch, the drivers and what lies around them.
const FAMILIES: [&str; 24] = [
    "PYTORCH_",
    "TORCH_",
    "TORCHINDUCTOR_",
    "CUDA_",
    "CUBLAS_",
    "CUDNN_",
    "NVIDIA_",
    "HIP_",
    "HSA_",
    "ROCM_",
    "ROCR_",
    "MIOPEN_",
    "AMD_",
    "ZE_",
    "UR_",
    "SYCL_",
    "IGC_",
    "ONEAPI_",
    "IPEX_",
    "OMP_",
    "MKL_",
    "XFORMERS_",
    "FLASH_ATTENTION_",
    "TRITON_",
];

/// Single variables that rules may ask for, in capitals.
const VARIABLES: [&str; 21] = [
    "COMFYUI_MODEL_PATH",
    "COMFYUI_PATH",
    "HF_ENDPOINT",
    "HF_HOME",
    "HF_HUB_CACHE",
    "HF_HUB_DISABLE_XET",
    "HF_HUB_DOWNLOAD_TIMEOUT",
    "HF_HUB_ENABLE_HF_TRANSFER",
    "HF_HUB_OFFLINE",
    "STABLE_DIFFUSION_REPO",
    "GIT_PYTHON_REFRESH",
    "TEMP",
    "TMP",
    "TMPDIR",
    "GPU_MAX_HW_QUEUES",
    "PYTHONUTF8",
    "PYTHONIOENCODING",
    "PYTHONPATH",
    "PYTHONHOME",
    "MALLOC_TRIM_THRESHOLD_",
    "OVERRIDEDEFAULTFP64SETTINGS",
];

/// What the name of a variable holds that nobody but its owner is to see.
const SECRETS: [&str; 9] = ["TOKEN", "KEY", "SECRET", "PASS", "CREDENTIAL", "AUTH", "PWD", "COOKIE", "SESSION"];

/// Whether rules may ask for a variable.
pub(crate) fn speaks_of(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let secret = SECRETS.iter().any(|secret| name.contains(secret));
    !secret && (VARIABLES.contains(&name.as_str()) || FAMILIES.iter().any(|family| name.starts_with(family)))
}

/// The programs that hold much memory, those of one name together, the largest first.
fn hogs(processes: &[ProcessReading]) -> Vec<Fields> {
    let mut sums = BTreeMap::<&str, u64>::new();
    for process in processes {
        let sum = sums.entry(process.name.as_str()).or_default();
        *sum = sum.saturating_add(process.memory);
    }
    let mut sums: Vec<_> = sums.into_iter().filter(|(_, memory)| *memory >= MUCH).collect();
    sums.sort_by_key(|(name, memory)| (std::cmp::Reverse(*memory), *name));
    sums.truncate(NAMED);
    let fields = |(name, memory): (&str, u64)| {
        Fields::from([
            ("process.name".to_owned(), told::word(name)),
            ("process.ram".to_owned(), told::size(&Ok(Some(memory)))),
        ])
    };
    sums.into_iter().map(fields).collect()
}
