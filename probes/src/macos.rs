//! macOS: through sysinfo, and the kernel's own names where that leaves something out.

use rulecheck::Reason;
use sysctl::{Ctl, CtlValue, Sysctl};
use sysinfo::{Gpu, Gpus, MemoryRefreshKind, System};

use crate::common::{cores, cpu_name};
use crate::gpu::{GpuReading, Vendor, integrated_by_name};
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

/// The graphics processors. Apple's share the memory, so that their figures are those of the machine.
pub(crate) fn gpus() -> Result<Vec<GpuReading>, Reason> {
    let listed = Gpus::new_with_refreshed_list().map_err(|error| Reason::Unreadable(error.to_string()))?;
    Ok(listed.iter().map(gpu).collect())
}

fn gpu(gpu: &Gpu) -> GpuReading {
    let name = gpu.model().unwrap_or_default();
    let vendor = match Vendor::of_name(gpu.vendor().unwrap_or_default()) {
        Vendor::Other => Vendor::of_name(name),
        vendor => vendor,
    };
    let integrated = integrated_by_name(vendor, name).map(Some).ok_or_else(|| not_present("its name does not tell it"));
    let reading = GpuReading {
        name: Ok(Some(name.to_owned()).filter(|name| !name.is_empty())),
        unified: integrated.clone(),
        integrated,
        // The driver is a part of macOS.
        driver: Ok(None),
        ..GpuReading::unknown(vendor, &not_present("Metal alone tells it"))
    };
    if vendor == Vendor::Apple { apple(reading) } else { reading }
}

fn apple(reading: GpuReading) -> GpuReading {
    let (total, available, ..) = figures();
    GpuReading {
        index: Ok(Some(0)),
        total: total.clone(),
        free: available.clone(),
        shared_total: total,
        shared_free: available,
        working_set: working_set(),
        ..reading
    }
}

/// The limit that a person has set; without one the system's own, which Metal alone tells.
fn working_set() -> Told<u64> {
    let by_hand = number("iogpu.wired_limit_mb").or_else(|_| number("debug.iogpu.wired_limit"))?;
    match by_hand {
        Some(0) | None => Err(not_present("nobody has set a limit, and the system's own is told by Metal alone")),
        Some(mib) => Ok(mib.checked_mul(1 << 20)),
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
