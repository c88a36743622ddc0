//! NVIDIA's cards, through the library of their driver, which is loaded while running.

use std::ffi::OsString;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use nvml_wrapper::enums::device::UsedGpuMemory;
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::struct_wrappers::device::ProcessInfo;
use nvml_wrapper::{Device, Nvml};
use rulecheck::Reason;

use crate::bounded::within;
use crate::gpu::{GpuReading, Vendor, nvidia_shares_memory};
use crate::told::{Told, not_present};
use crate::user::UserReading;

/// The cards that NVML told of, and why it did not tell of more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NvidiaReading {
    /// The cards, in NVML's order.
    pub cards: Vec<GpuReading>,
    /// Why the list may be incomplete.
    pub rest: Option<Reason>,
}

/// Where the library is looked for. On Windows by full path only: a bare name would also be looked for in the folder
/// the program was started in.
#[must_use]
pub fn libraries() -> Vec<OsString> {
    if cfg!(windows) {
        let folder = |variable: &str, below: &str| {
            std::env::var_os(variable).map(|mut folder| {
                folder.push(below);
                folder
            })
        };
        [folder("SystemRoot", r"\System32\nvml.dll"), folder("ProgramW6432", r"\NVIDIA Corporation\NVSMI\nvml.dll")]
            .into_iter()
            .flatten()
            .collect()
    } else if cfg!(target_os = "linux") {
        // The last one is where Windows puts it for the Linux inside.
        ["libnvidia-ml.so.1", "libnvidia-ml.so", "/usr/lib/wsl/lib/libnvidia-ml.so.1"].map(OsString::from).into()
    } else {
        Vec::new()
    }
}

/// Asks NVML for its cards, at most `limit` long. Each card is handed on as it is read, so that one that hangs takes
/// only itself and those behind it away.
#[must_use]
pub fn read(libraries: Vec<OsString>, limit: Duration) -> NvidiaReading {
    let (sender, receiver) = mpsc::channel();
    let started = thread::Builder::new().name("probe nvml".to_owned()).spawn(move || tell(&libraries, &sender));
    if let Err(error) = started {
        let reason = Reason::Unreadable(format!("no thread to ask the NVIDIA driver on ({error})"));
        return NvidiaReading { cards: Vec::new(), rest: Some(reason) };
    }
    let end = Instant::now() + limit;
    let mut cards = Vec::new();
    loop {
        match receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(Message::Card(card)) => cards.push(*card),
            Ok(Message::End(rest)) => return NvidiaReading { cards, rest },
            Err(RecvTimeoutError::Timeout) => {
                let why = format!("the NVIDIA driver did not answer within {} s", limit.as_secs_f64());
                return NvidiaReading { cards, rest: Some(Reason::TimedOut(why)) };
            }
            Err(RecvTimeoutError::Disconnected) => {
                let why = "the NVIDIA driver's answer broke off".to_owned();
                return NvidiaReading { cards, rest: Some(Reason::Unreadable(why)) };
            }
        }
    }
}

enum Message {
    Card(Box<GpuReading>),
    End(Option<Reason>),
}

fn tell(libraries: &[OsString], to: &Sender<Message>) {
    let rest = open(libraries).and_then(|nvml| {
        let count = nvml.device_count().map_err(|error| reason(&error))?;
        let system = System { driver: told(nvml.sys_driver_version()), cuda: cuda(&nvml) };
        for index in 0..count {
            // Nobody may be waiting for it any more.
            if to.send(Message::Card(Box::new(card(&nvml, index, &system)))).is_err() {
                break;
            }
        }
        Ok(())
    });
    drop(to.send(Message::End(rest.err())));
}

/// What is the same for all cards.
struct System {
    driver: Told<String>,
    cuda: Told<String>,
}

fn open(libraries: &[OsString]) -> Result<Nvml, Reason> {
    let mut first = None;
    for library in libraries {
        match Nvml::builder().lib_path(library).init() {
            Ok(nvml) => return Ok(nvml),
            // A library that is there and refuses says more than one that is not there.
            Err(NvmlError::LibloadingError(error)) => {
                first.get_or_insert_with(|| missing(&error.to_string()));
            }
            Err(error) => return Err(reason(&error)),
        }
    }
    Err(first.unwrap_or_else(|| missing("this system has none")))
}

/// A library that does not load is mostly one that is not there; one of another architecture or without rights is.
fn missing(error: &str) -> Reason {
    let absent = ["No such file", "cannot find", "not find", "this system has none"];
    if absent.iter().any(|words| error.contains(words)) {
        Reason::NotPresent("no library of an NVIDIA driver".to_owned())
    } else if error.contains("ermission denied") {
        Reason::NotPermitted("the library of the NVIDIA driver".to_owned())
    } else {
        Reason::NotPresent(format!("the library of the NVIDIA driver does not load: {error}"))
    }
}

fn cuda(nvml: &Nvml) -> Told<String> {
    let version = nvml.sys_cuda_driver_version().map_err(|error| reason(&error))?;
    Ok(Some(format!("{}.{}", version / 1000, version % 1000 / 10)))
}

/// The programs that use NVIDIA's cards, with the memory of the card that each holds, by their numbers.
///
/// # Errors
/// The library is not there or does not answer.
pub fn programs(libraries: Vec<OsString>, limit: Duration) -> Result<Vec<UserReading>, Reason> {
    within(limit, "the NVIDIA driver", move || {
        let nvml = open(&libraries)?;
        let count = nvml.device_count().map_err(|error| reason(&error))?;
        Ok((0..count).flat_map(|index| users(&nvml, index)).collect())
    })?
}

/// The programs of one card. One that does not tell them stands for all of its own, with the reason.
fn users(nvml: &Nvml, index: u32) -> Vec<UserReading> {
    let told = nvml.device_by_index(index).and_then(|device| {
        let bus = device.pci_info().ok().map(|pci| short_bus(&pci.bus_id));
        let found = device.running_compute_processes()?.into_iter().chain(device.running_graphics_processes()?);
        Ok(found.map(|process| user(&process, bus.clone())).collect())
    });
    told.unwrap_or_else(|error| vec![UserReading::untold(None, &reason(&error))])
}

/// Windows keeps the figures of single programs to itself.
fn user(process: &ProcessInfo, bus: Option<String>) -> UserReading {
    let memory = match process.used_gpu_memory {
        UsedGpuMemory::Used(bytes) => Ok(Some(bytes)),
        UsedGpuMemory::Unavailable => Err(not_present("the driver does not tell the memory of single programs")),
    };
    UserReading { id: process.pid, name: Err(not_present("it was not looked up")), bus, memory }
}

fn card(nvml: &Nvml, index: u32, system: &System) -> GpuReading {
    let blank = match nvml.device_by_index(index) {
        Ok(device) => of_device(&device),
        Err(error) => GpuReading::unknown(Vendor::Nvidia, &reason(&error)),
    };
    GpuReading { index: Ok(Some(index)), driver: system.driver.clone(), cuda: system.cuda.clone(), ..blank }
}

fn of_device(device: &Device<'_>) -> GpuReading {
    let name = told(device.name());
    let memory = device.memory_info().map_err(|error| reason(&error));
    let capability = device.cuda_compute_capability();
    let integrated = match &name {
        Ok(name) => Ok(name.as_deref().map(nvidia_shares_memory)),
        Err(reason) => Err(reason.clone()),
    };
    GpuReading {
        vendor: Vendor::Nvidia,
        bus: device.pci_info().ok().map(|pci| short_bus(&pci.bus_id)),
        uuid: device.uuid().ok(),
        index: Ok(None),
        name,
        total: memory.as_ref().map(|memory| Some(memory.total)).map_err(Clone::clone),
        free: memory.map(|memory| Some(memory.free)),
        shared_total: Err(Reason::NotPresent("NVML does not tell it".to_owned())),
        shared_free: Err(Reason::NotPresent("NVML does not tell it".to_owned())),
        driver: Ok(None),
        cuda: Ok(None),
        capability: told(capability.map(|capability| format!("{}.{}", capability.major, capability.minor))),
        gfx: Ok(None),
        unified: integrated.clone(),
        integrated,
        working_set: Ok(None),
    }
}

/// NVML writes the domain with eight digits, Linux with four.
fn short_bus(bus: &str) -> String {
    let bus = bus.to_ascii_lowercase();
    match bus.split_once(':') {
        Some((domain, rest)) if domain.len() == 8 => format!("{}:{rest}", domain.get(4..).unwrap_or(domain)),
        _ => bus,
    }
}

fn told(answer: Result<String, NvmlError>) -> Told<String> {
    answer.map(Some).map_err(|error| reason(&error))
}

/// Why NVML did not tell something.
fn reason(error: &NvmlError) -> Reason {
    match error {
        NvmlError::LibloadingError(error) => missing(&error.to_string()),
        NvmlError::DriverNotLoaded | NvmlError::LibraryNotFound => {
            Reason::NotPresent("the NVIDIA driver is not loaded".to_owned())
        }
        NvmlError::FailedToLoadSymbol(_) | NvmlError::FunctionNotFound => {
            Reason::NotPresent("the NVIDIA driver is too old to tell it".to_owned())
        }
        NvmlError::NotSupported => Reason::NotPresent("this card does not tell it".to_owned()),
        NvmlError::NoPermission | NvmlError::OperatingSystem => Reason::NotPermitted("the NVIDIA driver".to_owned()),
        NvmlError::Timeout => Reason::TimedOut("the NVIDIA driver".to_owned()),
        NvmlError::LibRmVersionMismatch => Reason::Unreadable(
            "the NVIDIA driver was updated and the old one is still loaded: restart the computer".to_owned(),
        ),
        NvmlError::GpuLost => Reason::Unreadable("the card does not answer any more (fallen off the bus)".to_owned()),
        error => Reason::Unreadable(format!("the NVIDIA driver: {error}")),
    }
}
