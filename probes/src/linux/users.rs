//! The programs that use a graphics processor: those that hold one of its devices open say how much of its memory
//! they use, and AMD's compute driver says it of its own.

use std::collections::BTreeSet;
use std::io;

use rulecheck::Reason;

use super::{Tree, amd, gpus, in_container, pci};
use crate::gpu::Vendor;
use crate::told::{Told, not_present};
use crate::user::UserReading;

const COMPUTE: &str = "/sys/class/kfd/kfd/proc";

/// The programs that use a graphics processor, but for this one. `nvidia` is asked only where its answer counts.
///
/// # Errors
/// Nobody can say which do.
pub fn users(
    tree: &dyn Tree,
    nvidia: impl FnOnce() -> Result<Vec<UserReading>, Reason>,
) -> Result<Vec<UserReading>, Reason> {
    if in_container(tree) == Ok(Some(true)) {
        return Err(not_present("inside a container the programs outside do not show"));
    }
    let devices = pci::devices(tree)?;
    let mut found = match nvidia() {
        Ok(users) => users,
        Err(reason) if gpus::may_hide_nvidia(tree, &devices) => vec![UserReading::untold(None, &reason)],
        // Where there is no such card its driver has nothing to tell.
        Err(Reason::NotPresent(_)) => Vec::new(),
        Err(reason) => vec![UserReading::untold(None, &reason)],
    };
    found.iter_mut().filter(|user| user.id != 0).for_each(|user| user.name = name(tree, user.id));
    // Only cards of other makers tell through files, and looking through all programs costs.
    if devices.iter().any(|device| device.vendor() != Vendor::Nvidia) {
        found.extend(opened(tree)?);
        found.extend(computing(tree));
    }
    found.retain(|user| user.id != std::process::id());
    Ok(found)
}

fn name(tree: &dyn Tree, id: u32) -> Told<String> {
    tree.line(&format!("/proc/{id}/comm")).map(Some)
}

/// The programs that hold a device of a graphics processor open.
fn opened(tree: &dyn Tree) -> Result<Vec<UserReading>, Reason> {
    let names = tree.list("/proc").map_err(|error| crate::told::reason_of("/proc", &error))?;
    let (mut found, mut refused, mut clients) = (Vec::new(), false, BTreeSet::new());
    for id in names.iter().filter_map(|name| name.parse::<u32>().ok()) {
        match tree.list(&format!("/proc/{id}/fd")) {
            Ok(files) => found.extend(files.iter().filter_map(|file| client(tree, id, file, &mut clients))),
            // The kernel's own threads, which have no command line, hold nothing open.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                refused |= tree.line(&format!("/proc/{id}/cmdline")).is_ok_and(|line| !line.is_empty());
            }
            // A program may end while it is looked at.
            Err(_) => {}
        }
    }
    if refused {
        let reason = Reason::NotPermitted("the programs of other users".to_owned());
        found.push(UserReading::untold(None, &reason));
    }
    Ok(found)
}

/// What one open file says, if it is a device of a graphics processor and does not say again what another said: a
/// client may be open several times.
fn client(tree: &dyn Tree, id: u32, file: &str, clients: &mut BTreeSet<(String, String)>) -> Option<UserReading> {
    let device = tree.link(&format!("/proc/{id}/fd/{file}")).ok()?;
    device.starts_with("/dev/dri/").then_some(())?;
    let text = tree.read(&format!("/proc/{id}/fdinfo/{file}")).ok()?;
    let entry = |key: &str| text.lines().find_map(|line| Some(line.strip_prefix(key)?.strip_prefix(':')?.trim()));
    // Drivers that say nothing of memory or of the place have nothing to add.
    let (bus, number) = (entry("drm-pdev")?.to_owned(), entry("drm-client-id")?.to_owned());
    clients.insert((bus.clone(), number)).then_some(())?;
    let memory = memory(&text).map(Some).ok_or_else(|| not_present("its driver does not tell it"));
    Some(UserReading { id, name: name(tree, id), bus: Some(bus), memory })
}

/// What lies in the card's own memory: `drm-resident-vram0` of Intel's newer driver, `local0` of the older one,
/// `drm-memory-vram` of AMD's and older kernels.
fn memory(text: &str) -> Option<u64> {
    let region = |line: &str, kind: &str| -> Option<u64> {
        let (region, value) = line.strip_prefix(kind)?.split_once(':')?;
        (region.starts_with("vram") || region.starts_with("local")).then(|| bytes(value))?
    };
    let sum = |kind: &str| {
        let found: Vec<u64> = text.lines().filter_map(|line| region(line, kind)).collect();
        (!found.is_empty()).then(|| found.iter().sum())
    };
    ["drm-resident-", "drm-memory-", "drm-total-"].iter().find_map(|kind| sum(kind))
}

/// `23992 KiB`, `16 MiB`, or bytes.
fn bytes(value: &str) -> Option<u64> {
    let mut words = value.split_whitespace();
    let number: u64 = words.next()?.parse().ok()?;
    let unit = match words.next() {
        None => 1,
        Some("KiB") => 1 << 10,
        Some("MiB") => 1 << 20,
        Some("GiB") => 1 << 30,
        Some(_) => return None,
    };
    number.checked_mul(unit)
}

/// What AMD's compute driver says of the programs that compute.
fn computing(tree: &dyn Tree) -> Vec<UserReading> {
    let nodes = amd::nodes(tree);
    let ids = tree.list(COMPUTE).unwrap_or_default();
    let ids = ids.iter().filter_map(|id| id.parse::<u32>().ok());
    let on = |id: u32, node: &amd::Node| {
        let memory =
            tree.number(&format!("{COMPUTE}/{id}/vram_{}", node.id.as_ref()?)).ok().filter(|held| *held > 0)?;
        Some(UserReading { id, name: name(tree, id), bus: Some(node.bus.clone()), memory: Ok(Some(memory)) })
    };
    ids.flat_map(|id| nodes.iter().filter_map(move |node| on(id, node)).collect::<Vec<_>>()).collect()
}
