//! What sysinfo tells alike on every system: disks and programs.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rulecheck::Reason;
use sysinfo::{Disk, DiskRefreshKind, Disks, Process, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

use crate::disk::{DiskReading, Place, disk_facts};
use crate::facts::Facts;
use crate::process::{ProcessReading, RunReading, comfyui_of, folders_of, process_facts};
use crate::python::PythonReading;
use crate::told::{reason_of, unreadable};
#[cfg(not(target_os = "macos"))]
use crate::{
    gpu::GpuReading,
    order::{self, Selection, are_several},
};

/// The disks, and which of them hold what a run writes and reads.
pub(crate) fn disks() -> Facts {
    let disks = Disks::new_with_refreshed_list_specifics(DiskRefreshKind::nothing().with_storage());
    let disks = disks.map_err(|error| Reason::Unreadable(error.to_string())).and_then(|disks| {
        let found: Vec<_> = disks.iter().map(disk).collect();
        // There is always one: none means that the list could not be read.
        if found.is_empty() { Err(unreadable("the list of disks is empty")) } else { Ok(found) }
    });
    disk_facts(disks, &places())
}

fn disk(disk: &Disk) -> DiskReading {
    let total = disk.total_space();
    // A disk that could not be looked at is given without a size, and then its free space says nothing either.
    let figure = |bytes: u64| if total == 0 { Err(unreadable("the disk tells no size")) } else { Ok(Some(bytes)) };
    DiskReading {
        mount: disk.mount_point().to_owned(),
        filesystem: Ok(Some(disk.file_system().to_string_lossy().into_owned()).filter(|name| !name.is_empty())),
        total: figure(total),
        free: figure(disk.available_space()),
        removable: Ok(Some(disk.is_removable())),
    }
}

/// The folders that every run uses, and those of the ComfyUI that runs.
fn places() -> Vec<Place> {
    let home = std::env::home_dir();
    let cache = std::env::var_os("HF_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| home.as_ref().map(|home| home.join(".cache/huggingface")));
    let always = [("temp", Some(std::env::temp_dir())), ("home", home), ("cache", cache)];
    let always = always.into_iter().filter_map(|(word, path)| Some(Place { word, path: path? }));
    let running = programs().map(|(_, found)| comfyui_of(&found).map(folders_of).unwrap_or_default());
    // A link may lead to another disk.
    let real = |place: Place| {
        let path = existing(&place.path).and_then(|path| plain(&path)).unwrap_or(place.path);
        Place { word: place.word, path }
    };
    let mut places: Vec<Place> = always.chain(running.unwrap_or_default()).map(real).collect();
    #[cfg(windows)]
    places.extend(crate::windows::page_file_places());
    places.dedup();
    places
}

/// The folder itself, or the nearest above it that is there.
fn existing(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|path| path.exists()).map(Path::to_owned)
}

/// The folder behind links. Windows writes such paths in a form that no mount point has.
fn plain(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    let text = path.to_str()?;
    Some(text.strip_prefix(r"\\?\").map_or_else(|| path.clone(), PathBuf::from))
}

/// The programs, and the ComfyUI among them.
pub(crate) fn processes(container: bool) -> Facts {
    match programs() {
        Ok((mut system, found)) => {
            let run = comfyui_of(&found).map(|process| run(&mut system, process.clone(), container));
            process_facts(Ok(&found), Ok(run.as_ref()))
        }
        Err(reason) => process_facts(Err(reason.clone()), Err(reason)),
    }
}

/// The programs that run, by number. Their files and folders are looked up of those alone that may be ComfyUI: of
/// hundreds of programs each look costs.
fn programs() -> Result<(System, Vec<ProcessReading>), Reason> {
    let mut system = System::new().map_err(|error| Reason::Unreadable(error.to_string()))?;
    let once = UpdateKind::OnlyIfNotSet;
    let kind = ProcessRefreshKind::nothing().without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, kind.with_memory().with_cmd(once));
    let runs_main = |process: &&Process| process.cmd().iter().any(|arg| arg.to_string_lossy().ends_with("main.py"));
    let candidates: Vec<_> = system.processes().values().filter(runs_main).map(Process::pid).collect();
    let kind = kind.with_exe(once).with_cwd(once);
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&candidates), false, kind);
    let mut found: Vec<_> = system.processes().values().map(process).collect();
    found.sort_by_key(|process| process.id);
    // This program runs, so that an empty list is one that could not be read.
    if found.is_empty() { Err(unreadable("the list of programs is empty")) } else { Ok((system, found)) }
}

fn process(process: &Process) -> ProcessReading {
    ProcessReading {
        id: process.pid().as_u32(),
        name: process.name().to_string_lossy().into_owned(),
        exe: process.exe().map(Path::to_owned),
        args: process.cmd().iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
        cwd: process.cwd().map(Path::to_owned),
        memory: process.memory(),
    }
}

/// The environment is read of the one program that is asked about, and of no other.
fn run(system: &mut System, process: ProcessReading, container: bool) -> RunReading {
    let id = sysinfo::Pid::from_u32(process.id);
    let kind = ProcessRefreshKind::nothing().with_environ(UpdateKind::Always);
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[id]), false, kind);
    let environ = system.process(id).map(Process::environ).unwrap_or_default();
    let pair = |entry: &std::ffi::OsString| {
        let (name, value) = entry.to_str()?.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    };
    let env = environ.iter().filter_map(pair).collect();
    RunReading { env, python: python(&process), process, container }
}

/// What lies around a program's Python. A link of an environment leads away from it, so that what was typed is looked
/// at before the file behind it.
fn python(process: &ProcessReading) -> PythonReading {
    let typed = process.args.first().filter(|typed| typed.contains(['/', '\\']));
    let typed = typed.map(|typed| process.cwd.clone().unwrap_or_default().join(typed));
    let files: Vec<&Path> = typed.iter().chain(&process.exe).map(PathBuf::as_path).collect();
    let folders = files.iter().flat_map(|file| file.ancestors().skip(1).take(2));
    let mut settings = folders.filter_map(|folder| std::fs::read_to_string(folder.join("pyvenv.cfg")).ok());
    let beside = process.exe.as_deref().and_then(Path::parent).and_then(|folder| std::fs::read_dir(folder).ok());
    let beside =
        beside.into_iter().flatten().take(BESIDE).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    PythonReading { settings: settings.next(), beside: beside.collect(), head: head(process.exe.as_deref()) }
}

/// As many files as are looked at beside a Python: `/usr/bin` has thousands, and none of use.
const BESIDE: usize = 256;

/// The first bytes of a program, where it says what it is built for.
fn head(exe: Option<&Path>) -> Result<Vec<u8>, Reason> {
    let exe = exe.ok_or_else(|| Reason::NotPermitted("the file of the running ComfyUI".to_owned()))?;
    let reason = |error: std::io::Error| reason_of("the file of the running ComfyUI", &error);
    let (mut head, file) = (Vec::new(), File::open(exe).map_err(reason)?);
    file.take(4096).read_to_end(&mut head).map_err(reason)?;
    Ok(head)
}

/// The cards with the numbers that programs give them. Looking for a ComfyUI costs, so that it is done where there are several.
#[cfg(not(target_os = "macos"))]
pub(crate) fn numbered(gpus: Vec<GpuReading>) -> Vec<GpuReading> {
    if !are_several(&gpus) {
        return gpus;
    }
    let run = programs().ok().and_then(|(mut system, found)| {
        let process = comfyui_of(&found)?.clone();
        Some(run(&mut system, process, false))
    });
    let selection =
        run.map_or_else(|| Selection::of_variables(|name| std::env::var(name).ok()), |run| Selection::of_run(&run));
    order::numbered(gpus, &selection)
}

/// The names of these programs.
#[cfg(windows)]
pub(crate) fn named(mut users: Vec<crate::UserReading>) -> Result<Vec<crate::UserReading>, Reason> {
    let mut system = System::new().map_err(|error| Reason::Unreadable(error.to_string()))?;
    let ids: Vec<_> = users.iter().map(|user| sysinfo::Pid::from_u32(user.id)).collect();
    let kind = ProcessRefreshKind::nothing().without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&ids), false, kind);
    for user in users.iter_mut().filter(|user| user.id != 0) {
        let process = system.process(sysinfo::Pid::from_u32(user.id));
        let name = process.map(|process| process.name().to_string_lossy().into_owned());
        user.name = name.map(Some).ok_or_else(|| Reason::NotPermitted("the name of a program".to_owned()));
    }
    users.retain(|user| user.id != std::process::id());
    Ok(users)
}

/// The processor's name.
#[cfg(any(windows, target_os = "macos"))]
pub(crate) fn cpu_name() -> crate::Told<String> {
    let mut system = System::new().map_err(|error| Reason::Unreadable(error.to_string()))?;
    system.refresh_cpu_list(sysinfo::CpuRefreshKind::nothing());
    let name = system.cpus().first().map(|cpu| cpu.brand().trim().to_owned());
    name.filter(|name| !name.is_empty()).map(Some).ok_or_else(|| unreadable("the processor has no name"))
}

/// How many processors programs may use.
#[cfg(any(windows, target_os = "macos"))]
pub(crate) fn cores() -> crate::Told<u32> {
    let found = std::thread::available_parallelism().map_err(|error| Reason::Unreadable(error.to_string()))?;
    Ok(u32::try_from(found.get()).ok())
}
