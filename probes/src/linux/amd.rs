//! AMD's graphics processors, through the files of their driver.

use super::Tree;
use super::pci::Device;
use crate::gpu::{GpuReading, Vendor, integrated_by_name};
use crate::told::{Told, left_of, not_present};
use rulecheck::Reason;

const NODES: &str = "/sys/class/kfd/kfd/topology/nodes";

/// What the compute driver says of one graphics processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) bus: String,
    gfx: String,
    /// The compute driver's own number of it.
    pub(crate) id: Option<String>,
}

/// The compute driver's graphics processors, in the order in which ROCm counts them.
pub(crate) fn nodes(tree: &dyn Tree) -> Vec<Node> {
    let mut names: Vec<u32> =
        tree.list(NODES).unwrap_or_default().iter().filter_map(|name| name.parse().ok()).collect();
    names.sort_unstable();
    let node = |name: u32| {
        node(&tree.read(&format!("{NODES}/{name}/properties")).ok()?, tree.line(&format!("{NODES}/{name}/gpu_id")).ok())
    };
    names.into_iter().filter_map(node).collect()
}

fn node(text: &str, id: Option<String>) -> Option<Node> {
    let entry = |key: &str| -> Option<u64> {
        text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
    };
    // A node without these is a processor.
    let version = entry("gfx_target_version").filter(|version| *version > 0)?;
    let (place, domain) = (entry("location_id")?, entry("domain").unwrap_or(0));
    let (bus, device, function) = (place >> 8 & 0xff, place >> 3 & 0x1f, place & 7);
    Some(Node {
        bus: format!("{domain:04x}:{bus:02x}:{device:02x}.{function}"),
        gfx: format!("gfx{}{:x}{:x}", version / 10_000, version / 100 % 100, version % 100),
        id,
    })
}

/// What the driver's files say of this one.
pub(crate) fn gpu(tree: &dyn Tree, device: &Device, name: Told<String>, nodes: &[Node]) -> GpuReading {
    let number = |file: &str| tree.number(&device.file(file));
    let left = |total: &str, used: &str| left_of(number(total)?, number(used)?);
    let place = nodes.iter().position(|node| node.bus == device.bus);
    let node = place.and_then(|place| nodes.get(place));
    let without_kfd = || not_present("AMD's compute driver does not list it");
    let integrated = integrated(tree, device, node, &name);
    GpuReading {
        vendor: Vendor::Amd,
        bus: Some(device.bus.clone()),
        uuid: None,
        index: place.and_then(|place| u32::try_from(place).ok()).map(Some).ok_or_else(without_kfd),
        name: tree.line(&device.file("product_name")).map_or(name, |own| Ok(Some(own).filter(|own| !own.is_empty()))),
        total: number("mem_info_vram_total").map(Some),
        free: left("mem_info_vram_total", "mem_info_vram_used"),
        shared_total: number("mem_info_gtt_total").map(Some),
        shared_free: left("mem_info_gtt_total", "mem_info_gtt_used"),
        driver: driver(tree),
        cuda: Ok(None),
        capability: Ok(None),
        gfx: node.map(|node| Some(node.gfx.clone())).ok_or_else(without_kfd),
        unified: integrated.clone(),
        integrated,
        working_set: Ok(None),
    }
}

/// A driver that came with the kernel has no version of its own.
fn driver(tree: &dyn Tree) -> Told<String> {
    match tree.line("/sys/module/amdgpu/version") {
        Ok(version) => Ok(Some(version)),
        Err(Reason::NotPresent(_)) => Ok(None),
        Err(reason) => Err(reason),
    }
}

/// By the instruction set; else by the voltage of the north bridge, which only a part of a processor has; else by name.
fn integrated(tree: &dyn Tree, device: &Device, node: Option<&Node>, name: &Told<String>) -> Told<bool> {
    const PARTS: [&str; 12] = [
        "gfx902", "gfx909", "gfx90c", "gfx1013", "gfx1033", "gfx1035", "gfx1036", "gfx1103", "gfx1150", "gfx1151",
        "gfx1152", "gfx1153",
    ];
    if let Some(node) = node {
        return Ok(Some(PARTS.contains(&node.gfx.as_str())));
    }
    let sensors = device.file("hwmon");
    let labels = tree.list(&sensors).unwrap_or_default();
    let mut labels = labels.iter().filter_map(|sensor| tree.line(&format!("{sensors}/{sensor}/in1_label")).ok());
    if labels.any(|label| label == "vddnb") {
        return Ok(Some(true));
    }
    let by_name = name.as_ref().ok().and_then(Option::as_ref).and_then(|name| integrated_by_name(Vendor::Amd, name));
    by_name.map(Some).ok_or_else(|| not_present("neither driver nor name tells it"))
}
