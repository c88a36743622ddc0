//! Memory, and what limits it.

use rulecheck::{Reading, Reason};

use crate::facts::Facts;
use crate::told::{self, Told};

/// What a machine says of its memory, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryReading {
    /// What is built in, or given to a virtual machine.
    pub total: Told<u64>,
    /// What programs can still get without swapping.
    pub available: Told<u64>,
    /// Swap space, page files.
    pub swap_total: Told<u64>,
    /// Swap space that is not in use.
    pub swap_free: Told<u64>,
    /// Whether the system itself makes them larger and smaller as it needs.
    pub swap_managed: Told<bool>,
    /// What may be promised to programs in all.
    pub commit_limit: Told<u64>,
    /// What has been promised.
    pub commit_used: Told<u64>,
    /// The limit of the control group this program is in: none where the machine itself is the limit.
    pub limit: Told<u64>,
    /// What that group uses and cannot give back.
    pub limit_used: Told<u64>,
    /// How often the kernel ended a program of that group for lack of memory.
    pub oom_kills: Told<u32>,
    /// `/dev/shm`, through which data loaders hand on what they read.
    pub shm_total: Told<u64>,
    /// What is free in it.
    pub shm_free: Told<u64>,
}

/// The facts of memory.
///
/// `ram.total` is the machine's, also in a container, since programs report that one; `ram.limit` is the container's,
/// and `ram.free` is what both leave.
#[must_use]
pub fn memory_facts(memory: &MemoryReading) -> Facts {
    Facts::default()
        .with("ram.total", told::size(&memory.total))
        .with("ram.free", told::free_of(&free(memory), &memory.total))
        .with("ram.limit", limit(memory))
        .with("ram.oom-kills", told::number(&memory.oom_kills))
        .with("swap.managed", told::bool(&memory.swap_managed))
        .with("swap.total", told::size(&memory.swap_total))
        .with("swap.free", told::free_of(&memory.swap_free, &memory.swap_total))
        .with("commit.limit", told::size(&memory.commit_limit))
        .with("commit.used", told::size(&memory.commit_used))
        .with("shm.total", told::size(&memory.shm_total))
        .with("shm.free", told::free_of(&memory.shm_free, &memory.shm_total))
}

/// A limit above the memory that is there limits nothing.
fn effective_limit(memory: &MemoryReading) -> Told<u64> {
    let limit = memory.limit.clone()?;
    let total = memory.total.as_ref().ok().copied().flatten();
    Ok(limit.filter(|limit| total.is_none_or(|total| *limit < total)))
}

fn limit(memory: &MemoryReading) -> Reading {
    told::size(&effective_limit(memory))
}

fn free(memory: &MemoryReading) -> Told<u64> {
    let limit = match effective_limit(memory) {
        Ok(Some(limit)) => limit,
        // Where control groups are not to be seen there mostly are none.
        Ok(None) | Err(Reason::NotPresent(_)) => return memory.available.clone(),
        // A limit that is hidden may be anything.
        Err(reason) => return memory.available.clone().and(Err(reason)),
    };
    let left = memory.limit_used.as_ref().ok().copied().flatten().map(|used| limit.saturating_sub(used));
    match (&memory.available, left) {
        (Ok(Some(available)), Some(left)) => Ok(Some(left.min(*available))),
        (Err(_), Some(left)) => Ok(Some(left)),
        // Without the use of the group its limit is all that bounds the machine's figure.
        (Ok(Some(available)), None) => Ok(Some(limit.min(*available))),
        (told, None | Some(_)) => told.clone(),
    }
}
