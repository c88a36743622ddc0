//! Memory of this Linux.

use rulecheck::Reason;

use super::Tree;
use super::cgroup::{self, Group};
use crate::memory::MemoryReading;
use crate::told::{Told, not_present, reason_of, unreadable};

const MEMINFO: &str = "/proc/meminfo";
const SHM: &str = "/dev/shm";

/// What this Linux says of its memory.
#[must_use]
pub fn memory(tree: &dyn Tree) -> MemoryReading {
    let text = tree.read(MEMINFO).map_err(|error| reason_of(MEMINFO, &error));
    let entry = |key: &str| entry(&text, key);
    let group = cgroup::group(tree);
    let (shm_total, shm_free) = shm(tree);
    MemoryReading {
        total: entry("MemTotal"),
        available: entry("MemAvailable"),
        swap_total: entry("SwapTotal"),
        swap_free: entry("SwapFree"),
        // A swap file or partition keeps the size it was made with.
        swap_managed: Ok(Some(false)),
        commit_limit: commit_limit(tree, entry("CommitLimit")),
        commit_used: entry("Committed_AS"),
        oom_kills: oom_kills(tree, &group),
        limit: group.limit,
        limit_used: group.used,
        shm_total,
        shm_free,
    }
}

fn entry(text: &Result<String, Reason>, key: &str) -> Told<u64> {
    let text = text.as_ref().map_err(Clone::clone)?;
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let value = value.ok_or_else(|| not_present(&format!("{MEMINFO} has no {key}")))?.trim();
    let kib = value.strip_suffix("kB").and_then(|number| number.trim().parse::<u64>().ok());
    let bytes = kib.and_then(|kib| kib.checked_mul(1024));
    bytes.map(Some).ok_or_else(|| unreadable(&format!("{MEMINFO}: {key} is given as `{value}`")))
}

/// The kernel counts what it promises, and refuses only where it was told to: elsewhere there is no limit.
fn commit_limit(tree: &dyn Tree, limit: Told<u64>) -> Told<u64> {
    match tree.number("/proc/sys/vm/overcommit_memory")? {
        2 => limit,
        _ => Ok(None),
    }
}

/// In a group with a limit the group's count says what its limit did; elsewhere the machine's, since it was started.
fn oom_kills(tree: &dyn Tree, group: &Group) -> Told<u32> {
    if let (Ok(Some(_)), Ok(Some(kills))) = (&group.limit, &group.oom_kills) {
        return Ok(Some(*kills));
    }
    let text = tree.line("/proc/vmstat")?;
    let value = text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok());
    value.map(Some).ok_or_else(|| unreadable("/proc/vmstat has no oom_kill"))
}

/// Shared memory, if `/dev/shm` is a file system of its own; else its figures would be those of another.
fn shm(tree: &dyn Tree) -> (Told<u64>, Told<u64>) {
    if let Ok(mounts) = tree.line("/proc/self/mountinfo")
        && !mounts.lines().any(|line| line.split(' ').nth(4) == Some(SHM))
    {
        return (Ok(None), Ok(None));
    }
    match tree.space(SHM) {
        Ok(space) => (Ok(Some(space.total)), Ok(Some(space.free))),
        Err(error) => (Err(reason_of(SHM, &error)), Err(reason_of(SHM, &error))),
    }
}
