//! Graphics processors on the PCI bus, and their names.

use std::io;

use super::Tree;
use crate::gpu::Vendor;
use crate::told::{Told, not_present, reason_of};
use rulecheck::Reason;

pub(crate) const DEVICES: &str = "/sys/bus/pci/devices";

/// A graphics processor on the bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Device {
    /// Its place: `0000:01:00.0`.
    pub(crate) bus: String,
    pub(crate) vendor_id: u32,
    pub(crate) device_id: u32,
}

impl Device {
    pub(crate) const fn vendor(&self) -> Vendor {
        Vendor::of_pci(self.vendor_id)
    }

    /// A file of this device.
    pub(crate) fn file(&self, name: &str) -> String {
        format!("{DEVICES}/{}/{name}", self.bus)
    }
}

/// Those who make what only shows a picture: management chips of servers, and the screens of virtual machines.
const PICTURE_ONLY: [u32; 9] = [0x1a03, 0x102b, 0x1af4, 0x15ad, 0x1234, 0x1013, 0x1b36, 0x80ee, 0x1414];

/// The graphics processors on the bus; none where there is no such bus.
///
/// # Errors
/// The bus cannot be looked at.
pub(crate) fn devices(tree: &dyn Tree) -> Result<Vec<Device>, Reason> {
    let names = match tree.list(DEVICES) {
        Ok(names) => names,
        // An empty folder of buses is one that was not handed in.
        Err(error) if error.kind() == io::ErrorKind::NotFound && has_buses(tree) => return Ok(Vec::new()),
        Err(error) => return Err(reason_of(DEVICES, &error)),
    };
    Ok(names.into_iter().filter_map(|bus| device(tree, bus)).collect())
}

fn has_buses(tree: &dyn Tree) -> bool {
    tree.list("/sys/bus").is_ok_and(|buses| !buses.is_empty())
}

/// 03 is the class of all that shows or computes a picture. 12 is that of accelerators: AMD's data centre cards, and the
/// neural units of other makers' processors.
const fn is_graphics(class: u32, vendor_id: u32) -> bool {
    match class >> 16 {
        0x03 => true,
        0x12 => matches!(vendor_id, 0x1002 | 0x10de),
        _ => false,
    }
}

fn device(tree: &dyn Tree, bus: String) -> Option<Device> {
    let text = tree.read(&format!("{DEVICES}/{bus}/uevent")).ok()?;
    let entry = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    let class = u32::from_str_radix(entry("PCI_CLASS")?, 16).ok()?;
    let (vendor, device) = entry("PCI_ID")?.split_once(':')?;
    let vendor_id = u32::from_str_radix(vendor, 16).ok()?;
    (is_graphics(class, vendor_id) && !PICTURE_ONLY.contains(&vendor_id)).then_some(())?;
    let device_id = u32::from_str_radix(device, 16).ok()?;
    Some(Device { bus, vendor_id, device_id })
}

/// The list of names that distributions ship.
pub(crate) struct Names(Option<String>);

impl Names {
    pub(crate) fn read(tree: &dyn Tree) -> Self {
        let places = ["/usr/share/hwdata/pci.ids", "/usr/share/misc/pci.ids"];
        Self(places.into_iter().find_map(|place| tree.read(place).ok()))
    }

    /// The name of a device, with its maker's in front: `AMD Radeon RX 7900 XTX`.
    pub(crate) fn name(&self, device: &Device) -> Told<String> {
        let id = format!("{:04x}:{:04x}", device.vendor_id, device.device_id);
        let list = self.0.as_ref().ok_or_else(|| not_present(&format!("no list of PCI names for {id}")))?;
        let name = look_up(list, device.vendor_id, device.device_id);
        let name = name.ok_or_else(|| not_present(&format!("the list of PCI names lacks {id}")))?;
        let maker = match device.vendor() {
            Vendor::Nvidia => "NVIDIA ",
            Vendor::Amd => "AMD ",
            Vendor::Intel => "Intel ",
            Vendor::Apple | Vendor::Other => "",
        };
        // What is sold stands in brackets behind the chip's name.
        let sold = name.rsplit_once('[').and_then(|(_, sold)| sold.strip_suffix(']'));
        match (sold, device.vendor()) {
            // A chip is sold under many names, and programs say those.
            (None, Vendor::Amd) => {
                Err(not_present(&format!("the list of PCI names tells only the chip of {id}, {name}")))
            }
            (sold, _) => Ok(Some(format!("{maker}{}", sold.unwrap_or(name)))),
        }
    }
}

/// Vendors stand at the line's start, their devices behind one tab, parts behind two.
fn look_up(list: &str, vendor: u32, device: u32) -> Option<&str> {
    let (vendor, device) = (format!("{vendor:04x}  "), format!("\t{device:04x}  "));
    let mut lines = list.lines().skip_while(|line| !line.starts_with(&vendor)).skip(1);
    lines.by_ref().take_while(|line| line.starts_with(['\t', '#'])).find_map(|line| line.strip_prefix(&device))
}
