//! The graphics processors of this Linux: the bus says which are there, their drivers what they are.

use rulecheck::Reason;

use super::pci::{self, Device, Names};
use super::{Tree, amd};
use crate::gpu::{GpuReading, Vendor, integrated_by_name, merged};
use crate::nvml::NvidiaReading;
use crate::told::not_present;

/// The devices through which NVIDIA's cards are reached where no bus shows them: in a sandbox, on a Jetson.
const NVIDIA_DEVICES: [&str; 4] = ["/dev/nvidiactl", "/dev/nvidia0", "/dev/nvhost-gpu", "/dev/nvgpu"];

/// The graphics processors; an empty list is known to be complete.
///
/// # Errors
/// Nobody can say which there are.
pub fn gpus(tree: &dyn Tree, nvidia: NvidiaReading) -> Result<Vec<GpuReading>, Reason> {
    let found = match pci::devices(tree) {
        Ok(found) => found,
        Err(reason) if nvidia.cards.is_empty() => return Err(reason),
        Err(_) => Vec::new(),
    };
    if found.is_empty() && nvidia.cards.is_empty() {
        return hidden(tree, nvidia.rest.as_ref()).map(Vec::from_iter);
    }
    let listed = listed(tree, &found, &nvidia);
    Ok(merged(nvidia, listed))
}

/// What the bus shows. The names are looked up only where something else does not tell them.
fn listed(tree: &dyn Tree, found: &[Device], nvidia: &NvidiaReading) -> Vec<GpuReading> {
    let told = |device: &Device| nvidia.cards.iter().any(|card| card.bus.as_ref() == Some(&device.bus));
    let untold: Vec<&Device> = found.iter().filter(|device| !told(device)).collect();
    if untold.is_empty() {
        return Vec::new();
    }
    let (names, nodes) = (Names::read(tree), amd::nodes(tree));
    untold.into_iter().map(|device| other(tree, device, &names, &nodes)).collect()
}

/// Cards that no bus shows.
fn hidden(tree: &dyn Tree, reason: Option<&Reason>) -> Result<Option<GpuReading>, Reason> {
    if tree.has("/dev/dxg") {
        return Err(not_present("inside Windows only the NVIDIA driver tells of graphics processors, and none did"));
    }
    // A driver that is there and does not answer may have cards.
    if let Some(reason) = reason.filter(|reason| !matches!(reason, Reason::NotPresent(_))) {
        return Err(reason.clone());
    }
    let nvidia = NVIDIA_DEVICES.iter().any(|device| tree.has(device));
    let reason = reason.cloned().unwrap_or_else(|| not_present("the NVIDIA driver lists no card"));
    Ok(nvidia.then(|| GpuReading::unknown(Vendor::Nvidia, &reason)))
}

/// Whether there may be a card that NVIDIA's library alone tells of.
pub(crate) fn may_hide_nvidia(tree: &dyn Tree, found: &[Device]) -> bool {
    found.iter().any(|device| device.vendor() == Vendor::Nvidia)
        || tree.has("/dev/dxg")
        || NVIDIA_DEVICES.iter().any(|device| tree.has(device))
}

fn other(tree: &dyn Tree, device: &Device, names: &Names, nodes: &[amd::Node]) -> GpuReading {
    let name = names.name(device);
    match device.vendor() {
        Vendor::Amd => amd::gpu(tree, device, name, nodes),
        Vendor::Intel => intel(tree, device, name),
        // What NVIDIA's library did not tell of its cards is said when both are put together.
        Vendor::Nvidia | Vendor::Apple | Vendor::Other => {
            named(device, name, &not_present("nothing tells of cards of this maker"))
        }
    }
}

fn named(device: &Device, name: crate::Told<String>, reason: &Reason) -> GpuReading {
    let vendor = device.vendor();
    let known = name.as_ref().ok().and_then(Option::as_ref);
    let integrated = known.and_then(|name| integrated_by_name(vendor, name)).map(Some).ok_or_else(|| reason.clone());
    let unified = integrated.clone();
    GpuReading { bus: Some(device.bus.clone()), name, integrated, unified, ..GpuReading::unknown(vendor, reason) }
}

/// Intel's newer driver tells the memory of each of a card's tiles, the older one none, unless it is Intel's own build.
/// Processor graphics always sit at the same place.
fn intel(tree: &dyn Tree, device: &Device, name: crate::Told<String>) -> GpuReading {
    let integrated = device.bus.ends_with(":00:02.0");
    let reason = not_present("the Intel driver has no file for it");
    let total = if integrated { Err(not_present("it has no memory of its own")) } else { intel_memory(tree, device) };
    GpuReading {
        integrated: Ok(Some(integrated)),
        unified: Ok(Some(integrated)),
        driver: Ok(None),
        total,
        free: Err(not_present("Intel's driver tells what single programs use, not what is free")),
        ..named(device, name, &reason)
    }
}

fn intel_memory(tree: &dyn Tree, device: &Device) -> crate::Told<u64> {
    let tile = |tile: u8| tree.number(&device.file(&format!("tile{tile}/physical_vram_size_bytes"))).ok();
    let tiles: Vec<u64> = (0..4).map_while(tile).collect();
    if !tiles.is_empty() {
        return Ok(Some(tiles.iter().sum()));
    }
    let cards = tree.list(&device.file("drm")).unwrap_or_default();
    let mut cards = cards.iter().map(|card| tree.number(&device.file(&format!("drm/{card}/lmem_total_bytes"))));
    cards.find_map(Result::ok).map(Some).ok_or_else(|| not_present("this Intel driver has no file for it"))
}
