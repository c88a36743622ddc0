//! Windows: through sysinfo, and what it leaves out (commit, page files, the memory that adapters share) through
//! winsafe.

use rulecheck::Reason;
use sysinfo::{Gpu, Gpus, MemoryRefreshKind, System};
use winsafe::prelude::*;
use winsafe::{CreateDXGIFactory1, DXGI_ADAPTER_DESC1, HKEY, RegistryValue, co};

use crate::common::{cores, cpu_name};
use crate::disk::Place;
use crate::gpu::{GpuReading, Vendor, integrated_by_name};
use crate::memory::MemoryReading;
use crate::nvml::NvidiaReading;
use crate::page_file;
use crate::system::{Family, SystemReading, arch_word};
use crate::told::{Told, not_present, not_zero, unreadable};

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
        swap_managed: page_file_setting("PagingFiles").map(|entries| Some(page_file::is_managed(&entries))),
        commit_limit: figure(|status| status.ullTotalPageFile),
        commit_used: figure(|status| status.ullTotalPageFile.saturating_sub(status.ullAvailPageFile)),
        limit: Ok(None),
        limit_used: Ok(None),
        oom_kills: Ok(None),
        shm_total: Ok(None),
        shm_free: Ok(None),
    }
}

/// The folders of the page files that are there.
pub(crate) fn page_file_places() -> Vec<Place> {
    let found = page_file_setting("ExistingPageFiles").map(|entries| page_file::existing(&entries));
    found.unwrap_or_default().into_iter().map(|path| Place { word: "page-file", path }).collect()
}

fn page_file_setting(name: &str) -> Result<Vec<String>, Reason> {
    const KEY: &str = r"SYSTEM\CurrentControlSet\Control\Session Manager\Memory Management";
    match HKEY::LOCAL_MACHINE.RegGetValue(Some(KEY), Some(name), co::RRF::RT_REG_MULTI_SZ) {
        Ok(RegistryValue::MultiSz(entries)) => Ok(entries),
        Ok(_) => Err(unreadable(&format!("the registry's {name} is no list"))),
        Err(co::ERROR::FILE_NOT_FOUND) => Err(not_present(&format!("the registry has no {name}"))),
        Err(co::ERROR::ACCESS_DENIED) => Err(Reason::NotPermitted(format!("the registry's {name}"))),
        Err(error) => Err(unreadable(&format!("the registry's {name}: {error}"))),
    }
}

/// What is left of the page files is counted by what is promised: Windows tells no program how full they are.
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
    let described = described();
    let mut gpus = crate::gpu::merged(nvidia, listed.iter().map(adapter).collect());
    for gpu in &mut gpus {
        gpu.shared_total = shared(gpu, &described);
    }
    Ok(gpus)
}

/// What DXGI says of each adapter.
fn described() -> Result<Vec<DXGI_ADAPTER_DESC1>, Reason> {
    let unreadable = |error: co::HRESULT| Reason::Unreadable(format!("DXGI: {error}"));
    let factory = CreateDXGIFactory1().map_err(unreadable)?;
    factory.EnumAdapters1().map(|adapter| adapter?.GetDesc1()).collect::<Result<_, _>>().map_err(unreadable)
}

/// The memory of the machine that an adapter may use besides its own: the same for adapters of one name.
fn shared(gpu: &GpuReading, described: &Result<Vec<DXGI_ADAPTER_DESC1>, Reason>) -> Told<u64> {
    let described = described.as_ref().map_err(Clone::clone)?;
    let name = gpu.name.as_ref().ok().and_then(Option::as_deref);
    let found = described.iter().find(|adapter| Some(adapter.Description().as_str()) == name);
    let found = found.ok_or_else(|| not_present("DXGI does not list this card"))?;
    Ok(u64::try_from(found.SharedSystemMemory).ok())
}

fn adapter(gpu: &Gpu) -> GpuReading {
    let name = gpu.model().unwrap_or_default();
    let vendor = match Vendor::of_name(gpu.vendor().unwrap_or_default()) {
        Vendor::Other => Vendor::of_name(name),
        vendor => vendor,
    };
    let pci = gpu.pci();
    let hidden = || Err(not_present("Windows tells it only of this program, not of the others"));
    let integrated = integrated_by_name(vendor, name).map(Some).ok_or_else(|| not_present("its name does not tell it"));
    GpuReading {
        bus: Some(format!("{:04x}:{:02x}:{:02x}.{}", pci.domain, pci.bus, pci.device, pci.function)),
        name: Ok(Some(name.to_owned()).filter(|name| !name.is_empty())),
        free: hidden(),
        shared_free: hidden(),
        total: gpu.total_memory().map(Some).ok_or_else(|| not_present("DXGI gave no memory")),
        unified: integrated.clone(),
        integrated,
        ..GpuReading::unknown(vendor, &not_present("DXGI does not tell it"))
    }
}
