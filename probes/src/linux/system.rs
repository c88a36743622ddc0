//! The distribution, the kernel, the processor.

use super::Tree;
use crate::system::{Family, SystemReading};
use crate::told::{Told, not_present};

/// What this Linux says of itself.
#[must_use]
pub fn system(tree: &dyn Tree) -> SystemReading {
    let cpu = tree.line("/proc/cpuinfo");
    SystemReading {
        family: Family::Linux,
        version: release(tree, "VERSION_ID"),
        name: release(tree, "PRETTY_NAME"),
        build: Ok(None),
        kernel: tree.line("/proc/sys/kernel/osrelease").map(Some),
        arch: Ok(Some(tree.arch())),
        translated: Err(not_present("Linux does not tell it")),
        container: in_container(tree),
        cpu: cpu.clone().and_then(|text| model_name(&text)),
        cores: allowed(tree).map_or_else(|| cpu.map(|text| listed(&text)), |count| Ok(Some(count))),
    }
}

/// How many processors this program may use: `0-3,8`.
fn allowed(tree: &dyn Tree) -> Option<u32> {
    let text = tree.line("/proc/self/status").ok()?;
    let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let count = |range: &str| -> Option<u32> {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        last.checked_sub(first)?.checked_add(1)
    };
    list.split(',').map(count).try_fold(0, |sum: u32, count| sum.checked_add(count?))
}

fn listed(cpuinfo: &str) -> Option<u32> {
    let count = cpuinfo.lines().filter(|line| line.starts_with("processor") && line.contains(':')).count();
    u32::try_from(count).ok().filter(|count| *count > 0)
}

/// One entry of the distribution's description. Distributions without versions leave theirs out.
fn release(tree: &dyn Tree, key: &str) -> Told<String> {
    let text = tree.line("/etc/os-release").or_else(|_| tree.line("/usr/lib/os-release"))?;
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    Ok(value.map(|value| value.trim_matches(['"', '\'']).to_owned()).filter(|value| !value.is_empty()))
}

/// The processor's name. ARM processors have numbers in its place, and some boards a name of their own.
fn model_name(cpuinfo: &str) -> Told<String> {
    let entry = |key: &str| {
        cpuinfo.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == key).then(|| value.trim().to_owned())
        })
    };
    let name = entry("model name").or_else(|| entry("Model"));
    name.map(Some).ok_or_else(|| not_present("/proc/cpuinfo names no model"))
}

/// Whether this program runs in a container: Docker and Podman leave a mark, the others show by what the root is
/// laid over.
///
/// # Errors
/// Neither can be looked at.
pub fn in_container(tree: &dyn Tree) -> Told<bool> {
    if ["/.dockerenv", "/run/.containerenv"].into_iter().any(|mark| tree.has(mark)) {
        return Ok(Some(true));
    }
    let mounts = tree.line("/proc/self/mountinfo")?;
    let root = mounts.lines().find(|line| line.split(' ').nth(4) == Some("/")).unwrap_or_default();
    let makers = ["/docker/", "containerd", "/containers/storage", "/lib/containers", "/buildkit/"];
    Ok(Some(root.contains(" - overlay ") && makers.iter().any(|maker| root.contains(maker))))
}
