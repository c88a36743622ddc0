//! macOS: through sysinfo, and the kernel's own names and Metal where that leaves something out.

use objc2::rc::autoreleasepool;
use objc2::runtime::ProtocolObject;
use objc2_metal::{MTLCopyAllDevices, MTLDevice};
use rulecheck::Reason;
use sysctl::{Ctl, CtlValue, Sysctl};
use sysinfo::{MemoryRefreshKind, System};

use crate::common::{cores, cpu_name};
use crate::gpu::{GpuReading, Vendor};
use crate::memory::MemoryReading;
use crate::system::{Family, SystemReading};
use crate::told::{Told, not_present, not_zero};

/// What this macOS says of itself.
pub(crate) fn system() -> SystemReading {
    let told = |answer: Result<String, sysinfo::Error>| answer.map(Some).map_err(|e| Reason::Unreadable(e.to_string()));
    SystemReading {
        family: Family::Macos,
        version: told(System::os_version()),
        name: told(System::long_os_version()),
        build: Ok(None),
        kernel: told(System::kernel_version()),
        arch: Ok(Some(if apple_chip() { "arm64".to_owned() } else { System::cpu_arch() })),
        translated: translated(),
        container: Ok(Some(false)),
        cpu: cpu_name(),
        cores: cores(),
    }
}

/// A translated program is told that the machine is an x86 one; this name tells the truth.
fn apple_chip() -> bool {
    number("hw.optional.arm64") == Ok(Some(1))
}

/// The name is not there on machines that cannot translate.
fn translated() -> Told<bool> {
    match number("sysctl.proc_translated") {
        Ok(value) => Ok(value.map(|value| value == 1)),
        Err(Reason::NotPresent(_)) => Ok(Some(false)),
        Err(reason) => Err(reason),
    }
}

/// What this macOS says of its memory. It promises programs what they ask for, so that there is no commit limit.
pub(crate) fn memory() -> MemoryReading {
    let (total, available, swap_total, swap_free) = figures();
    MemoryReading {
        total,
        available,
        swap_total,
        swap_free,
        // macOS makes and removes swap files as it needs.
        swap_managed: Ok(Some(true)),
        commit_limit: Ok(None),
        commit_used: Ok(None),
        limit: Ok(None),
        limit_used: Ok(None),
        oom_kills: Ok(None),
        shm_total: Ok(None),
        shm_free: Ok(None),
    }
}

fn figures() -> (Told<u64>, Told<u64>, Told<u64>, Told<u64>) {
    match System::new() {
        Ok(mut system) => {
            system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram().with_swap());
            let total = not_zero(system.total_memory(), "memory");
            let available = not_zero(system.available_memory(), "free memory");
            (total, available, Ok(Some(system.total_swap())), Ok(Some(system.free_swap())))
        }
        Err(error) => {
            let reason = Reason::Unreadable(error.to_string());
            (Err(reason.clone()), Err(reason.clone()), Err(reason.clone()), Err(reason))
        }
    }
}

/// The graphics processors, as Metal lists them.
pub(crate) fn gpus() -> Result<Vec<GpuReading>, Reason> {
    autoreleasepool(|_| {
        let devices: Vec<GpuReading> = MTLCopyAllDevices().iter().map(|device| gpu(&device)).collect();
        // A session without a screen may be given none, though every Mac has one.
        if devices.is_empty() { Err(not_present("Metal lists no graphics processor")) } else { Ok(devices) }
    })
}

/// Apple's share the memory, so that their figures are those of the machine; the cards of older Macs have their own.
fn gpu(device: &ProtocolObject<dyn MTLDevice>) -> GpuReading {
    let name = device.name().to_string();
    let vendor = Vendor::of_name(&name);
    let unified = device.hasUnifiedMemory();
    let advised = Some(device.recommendedMaxWorkingSetSize()).filter(|bytes| *bytes > 0);
    let (total, available, ..) = figures();
    let own = || advised.map(Some).ok_or_else(|| not_present("Metal does not tell it"));
    let hidden = || Err(not_present("Metal tells it only of this program, not of the others"));
    GpuReading {
        index: if vendor == Vendor::Apple { Ok(Some(0)) } else { Err(not_present("only Apple's are counted")) },
        name: Ok(Some(name)),
        total: if unified { total.clone() } else { own() },
        free: if unified { available.clone() } else { hidden() },
        shared_total: if unified { total } else { Err(not_present("Metal does not tell it")) },
        shared_free: if unified { available } else { hidden() },
        integrated: Ok(Some(unified || device.isLowPower())),
        unified: Ok(Some(unified)),
        // The driver is a part of macOS.
        driver: Ok(None),
        working_set: own(),
        ..GpuReading::unknown(vendor, &not_present("Metal does not tell it"))
    }
}

fn value(name: &str) -> Result<CtlValue, Reason> {
    let unreadable = |error: sysctl::SysctlError| match error {
        sysctl::SysctlError::NotFound(_) => Reason::NotPresent(name.to_owned()),
        sysctl::SysctlError::IoError(error) => crate::told::reason_of(name, &error),
        error => Reason::Unreadable(format!("{name}: {error}")),
    };
    Ctl::new(name).and_then(|ctl| ctl.value()).map_err(unreadable)
}

fn number(name: &str) -> Told<u64> {
    let number = match value(name)? {
        CtlValue::Int(value) | CtlValue::S32(value) => u64::try_from(value).ok(),
        CtlValue::Uint(value) | CtlValue::U32(value) => Some(u64::from(value)),
        CtlValue::Long(value) | CtlValue::S64(value) => u64::try_from(value).ok(),
        CtlValue::Ulong(value) | CtlValue::U64(value) => Some(value),
        _ => None,
    };
    number.map(Some).ok_or_else(|| Reason::Unreadable(format!("{name} is no number")))
}
