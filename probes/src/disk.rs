//! Disks, and what lies on them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rulecheck::{Reading, Reason, Value};

use crate::facts::{Facts, Fields};
use crate::told::{self, Told};

/// What is said of one mounted disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskReading {
    /// Where it is mounted: `/`, `C:\`.
    pub mount: PathBuf,
    /// Its file system.
    pub filesystem: Told<String>,
    /// Its size.
    pub total: Told<u64>,
    /// What this user may still write.
    pub free: Told<u64>,
    /// Whether it can be taken out.
    pub removable: Told<bool>,
}

/// A folder that matters, by the word of `disk.holds`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// What it is: `temp`, `home`, `cache`, `comfyui`, …
    pub word: &'static str,
    /// Where it is.
    pub path: PathBuf,
}

/// The facts of the disks: those that hold a folder that matters first, then by mount point.
#[must_use]
pub fn disk_facts(disks: Result<Vec<DiskReading>, Reason>, places: &[Place]) -> Facts {
    let elements = disks.map(|mut disks| {
        disks.sort_by(|a, b| a.mount.cmp(&b.mount));
        // One file system that is mounted twice at one place is one disk.
        disks.dedup_by(|a, b| a.mount == b.mount);
        let mut held: Vec<_> = disks.iter().map(|disk| (holds(disk, &disks, places), disk)).collect();
        held.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        held.into_iter().map(|(words, disk)| fields(disk, words)).collect()
    });
    Facts::record("disk", elements)
}

/// What lies on this disk and on none that is mounted deeper.
fn holds(disk: &DiskReading, all: &[DiskReading], places: &[Place]) -> BTreeSet<Value> {
    let depth = |mount: &Path| mount.components().count();
    let on = |place: &&Place| {
        let home = all.iter().filter(|disk| place.path.starts_with(&disk.mount)).max_by_key(|disk| depth(&disk.mount));
        home.is_some_and(|home| home.mount == disk.mount)
    };
    places.iter().filter(on).map(|place| Value::text(place.word)).collect()
}

fn fields(disk: &DiskReading, holds: BTreeSet<Value>) -> Fields {
    let fields: [(&str, Reading); 6] = [
        ("disk.mount", told::word(&disk.mount.to_string_lossy())),
        ("disk.filesystem", told::text(&disk.filesystem)),
        ("disk.total", told::size(&disk.total)),
        ("disk.free", told::free_of(&disk.free, &disk.total)),
        ("disk.removable", told::bool(&disk.removable)),
        ("disk.holds", Reading::Known(Value::Set(holds))),
    ];
    fields.into_iter().map(|(name, reading)| (name.to_owned(), reading)).collect()
}
