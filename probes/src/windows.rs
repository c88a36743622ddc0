//! Windows: through sysinfo, and the memory figures it leaves out through winsafe.

use rulecheck::Reason;
use sysinfo::{Gpu, Gpus, MemoryRefreshKind, System};

use crate::common::{cores, cpu_name};
use crate::gpu::{GpuReading, Vendor, integrated_by_name};
use crate::memory::MemoryReading;
use crate::nvml::NvidiaReading;
use crate::system::{Family, SystemReading, arch_word};
use crate::told::{Told, not_present, not_zero};

/// What this Windows says of itself.
pub(crate) fn system() -> SystemReading {
    let told = |answer: Result<String, sysinfo::Error>| answer.map(Some).map_err(|e| Reason::Unreadable(e.to_string()));
    SystemReading {
        family: Family::Windows,
        version: told(System::os_version()),
        name: told(System::long_os_version()),
        build: told(System::kernel_version()),
        kernel: Ok(None),
        arch: Ok(Some(System::cpu_arch())),
        translated: Ok(Some(arch_word(&System::cpu_arch()) != arch_word(std::env::consts::ARCH))),
        container: Ok(Some(false)),
        cpu: cpu_name(),
        cores: cores(),
    }
}

/// What this Windows says of its memory.
pub(crate) fn memory() -> MemoryReading {
    let status =
        winsafe::GlobalMemoryStatusEx().map_err(|error| Reason::Unreadable(format!("GlobalMemoryStatusEx: {error}")));
    let figure =
        |read: fn(&winsafe::MEMORYSTATUSEX) -> u64| status.as_ref().map(|s| Some(read(s))).map_err(Clone::clone);
    let (swap_total, swap_free) = page_files();
    MemoryReading {
        total: figure(|status| status.ullTotalPhys),
        available: figure(|status| status.ullAvailPhys),
        swap_total,
        swap_free,
        commit_limit: figure(|status| status.ullTotalPageFile),
        commit_used: figure(|status| status.ullTotalPageFile.saturating_sub(status.ullAvailPageFile)),
        limit: Ok(None),
        limit_used: Ok(None),
        oom_kills: Ok(None),
        shm_total: Ok(None),
        shm_free: Ok(None),
    }
}

fn page_files() -> (Told<u64>, Told<u64>) {
    match System::new() {
        Ok(mut system) => {
            system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram().with_swap());
            if let Err(reason) = not_zero(system.total_memory(), "memory") {
                return (Err(reason.clone()), Err(reason));
            }
            (Ok(Some(system.total_swap())), Ok(Some(system.free_swap())))
        }
        Err(error) => {
            let reason = Reason::Unreadable(error.to_string());
            (Err(reason.clone()), Err(reason))
        }
    }
}

/// The adapters that Windows lists, with NVIDIA's own figures for those it told of.
pub(crate) fn gpus(nvidia: NvidiaReading) -> Result<Vec<GpuReading>, Reason> {
    let listed = Gpus::new_with_refreshed_list().map_err(|error| Reason::Unreadable(error.to_string()));
    let listed = match listed {
        Ok(listed) => listed,
        Err(reason) if nvidia.cards.is_empty() => return Err(reason),
        Err(_) => return Ok(nvidia.cards),
    };
    let adapters: Vec<GpuReading> = listed.iter().map(adapter).collect();
    Ok(crate::gpu::merged(nvidia, adapters))
}

fn adapter(gpu: &Gpu) -> GpuReading {
    let name = gpu.model().unwrap_or_default();
    let vendor = match Vendor::of_name(gpu.vendor().unwrap_or_default()) {
        Vendor::Other => Vendor::of_name(name),
        vendor => vendor,
    };
    let pci = gpu.pci();
    let reason = not_present("Windows tells it only of this program, not of the others");
    let integrated = integrated_by_name(vendor, name).map(Some).ok_or_else(|| not_present("its name does not tell it"));
    GpuReading {
        bus: Some(format!("{:04x}:{:02x}:{:02x}.{}", pci.domain, pci.bus, pci.device, pci.function)),
        name: Ok(Some(name.to_owned()).filter(|name| !name.is_empty())),
        total: gpu.total_memory().map(Some).ok_or_else(|| not_present("DXGI gave no memory")),
        unified: integrated.clone(),
        integrated,
        ..GpuReading::unknown(vendor, &reason)
    }
}
