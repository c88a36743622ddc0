//! The facts that probes can tell.

use crate::group::Group;

/// A fact that a probe can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fact {
    /// Its full name; a family ends in `.*`.
    pub name: &'static str,
    /// Its type, as rule files write it.
    pub ty: &'static str,
    /// The group it is read with.
    pub group: Group,
    /// Whether it may show who or where somebody is: paths and what was typed.
    pub private: bool,
}

const fn fact(name: &'static str, ty: &'static str, group: Group) -> Fact {
    Fact { name, ty, group, private: false }
}

const fn private(name: &'static str, ty: &'static str, group: Group) -> Fact {
    Fact { name, ty, group, private: true }
}

/// The records: their names, and the group each is read with.
pub(crate) const RECORDS: [(&str, Group); 4] =
    [("disk", Group::Disks), ("gpu", Group::Gpus), ("gpu-program", Group::GpuPrograms), ("process", Group::Processes)];

/// All facts that probes can tell, by name.
pub const FACTS: &[Fact] = &[
    fact("app.port", "number", Group::Processes),
    fact("arch", "one of x86-64, arm64, other", Group::System),
    fact("commit.limit", "size", Group::Memory),
    fact("commit.used", "size", Group::Memory),
    fact("cpu.cores", "number", Group::System),
    fact("cpu.name", "text", Group::System),
    fact("disk.filesystem", "text", Group::Disks),
    fact("disk.free", "size", Group::Disks),
    fact("disk.holds", "set of name", Group::Disks),
    private("disk.mount", "text", Group::Disks),
    fact("disk.removable", "bool", Group::Disks),
    fact("disk.total", "size", Group::Disks),
    private("env.*", "text", Group::Processes),
    fact("gpu-program.bus", "text", Group::GpuPrograms),
    fact("gpu-program.name", "text", Group::GpuPrograms),
    fact("gpu-program.vram", "size", Group::GpuPrograms),
    fact("gpu.arch", "name", Group::Gpus),
    fact("gpu.bus", "text", Group::Gpus),
    fact("gpu.capability", "version", Group::Gpus),
    fact("gpu.cuda", "version", Group::Gpus),
    fact("gpu.driver", "version", Group::Gpus),
    fact("gpu.index", "number", Group::Gpus),
    fact("gpu.integrated", "bool", Group::Gpus),
    fact("gpu.name", "text", Group::Gpus),
    fact("gpu.shared.free", "size", Group::Gpus),
    fact("gpu.shared.total", "size", Group::Gpus),
    fact("gpu.unified", "bool", Group::Gpus),
    fact("gpu.vendor", "one of nvidia, amd, intel, apple, other", Group::Gpus),
    fact("gpu.vram.free", "size", Group::Gpus),
    fact("gpu.vram.total", "size", Group::Gpus),
    fact("gpu.working-set", "size", Group::Gpus),
    fact(
        "install",
        "one of portable, desktop, manual, stability-matrix, pinokio, docker, aki, comfy-cli, other",
        Group::Processes,
    ),
    private("launch.arg.*", "text", Group::Processes),
    fact("launch.args", "set of text", Group::Processes),
    fact("os", "one of windows, macos, linux", Group::System),
    fact("os.build", "number", Group::System),
    fact("os.container", "bool", Group::System),
    fact("os.kernel", "version", Group::System),
    fact("os.name", "text", Group::System),
    fact("os.translated", "bool", Group::System),
    fact("os.version", "version", Group::System),
    fact("process.name", "text", Group::Processes),
    fact("process.ram", "size", Group::Processes),
    fact("python.arch", "one of x86-64, arm64, other", Group::Processes),
    private("python.path", "text", Group::Processes),
    fact("python.version", "version", Group::Processes),
    fact("ram.free", "size", Group::Memory),
    fact("ram.limit", "size", Group::Memory),
    fact("ram.oom-kills", "number", Group::Memory),
    fact("ram.total", "size", Group::Memory),
    fact("shm.free", "size", Group::Memory),
    fact("shm.total", "size", Group::Memory),
    fact("swap.free", "size", Group::Memory),
    fact("swap.managed", "bool", Group::Memory),
    fact("swap.total", "size", Group::Memory),
    fact("wsl", "bool", Group::System),
];

/// The fact or the family of this name.
pub(crate) fn find(name: &str) -> Option<&'static Fact> {
    FACTS.iter().find(|fact| match fact.name.strip_suffix('*') {
        Some(prefix) => name.len() > prefix.len() && name.starts_with(prefix),
        None => fact.name == name,
    })
}

/// The record a field belongs to.
pub(crate) fn record_of(field: &str) -> Option<&'static str> {
    let (record, _) = field.split_once('.')?;
    RECORDS.iter().map(|(name, _)| *name).find(|name| *name == record)
}

/// The group a record is read with.
pub(crate) fn group_of(record: &str) -> Option<Group> {
    RECORDS.iter().find(|(name, _)| *name == record).map(|(_, group)| *group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_differ() {
        assert!(FACTS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn a_family_is_found_by_its_members() {
        assert_eq!(find("env.CUDA_VISIBLE_DEVICES").map(|fact| fact.name), Some("env.*"));
        assert_eq!(find("env."), None);
        assert_eq!(find("gpu.vram.total").map(|fact| fact.group), Some(Group::Gpus));
        assert_eq!(find("gpu.colour"), None);
    }

    #[test]
    fn a_field_is_read_with_its_record() {
        for fact in FACTS {
            if let Some(record) = record_of(fact.name) {
                assert_eq!(group_of(record), Some(fact.group), "{}", fact.name);
            }
        }
    }
}
