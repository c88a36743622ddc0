//! The file systems that hold the folders that matter. Lists of disks leave out what lies in memory and on other
//! machines, and a folder there would seem to lie on the disk below.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Tree;
use crate::disk::{DiskReading, Place};
use crate::told::reason_of;

/// These disks, and the file systems that hold one of the places and are not among them.
pub fn with_mounts_of(tree: &dyn Tree, mut disks: Vec<DiskReading>, places: &[Place]) -> Vec<DiskReading> {
    let text = tree.line("/proc/self/mountinfo").unwrap_or_default();
    let mounts: Vec<(PathBuf, &str)> = text.lines().filter_map(mount).collect();
    let known: BTreeSet<PathBuf> = disks.iter().map(|disk| disk.mount.clone()).collect();
    let mut added = BTreeSet::new();
    for place in places {
        // Of those mounted over one another the last one is seen.
        let holding = mounts.iter().filter(|(point, _)| place.path.starts_with(point));
        let Some((point, kind)) = holding.max_by_key(|(point, _)| point.components().count()) else { continue };
        if !known.contains(point) && added.insert(point) {
            disks.push(disk(tree, point, kind));
        }
    }
    disks
}

fn disk(tree: &dyn Tree, point: &Path, kind: &str) -> DiskReading {
    let path = point.to_string_lossy();
    let space = tree.space(&path).map_err(|error| reason_of(&path, &error));
    DiskReading {
        mount: point.to_owned(),
        filesystem: Ok(Some(kind.to_owned())),
        total: space.as_ref().map(|space| Some(space.total)).map_err(Clone::clone),
        free: space.map(|space| Some(space.free)),
        removable: Ok(Some(false)),
    }
}

/// Where a file system is mounted, and its kind: `36 31 0:33 ROOT POINT … - KIND SOURCE OPTIONS`.
fn mount(line: &str) -> Option<(PathBuf, &str)> {
    let (own, kind) = line.split_once(" - ")?;
    Some((PathBuf::from(plain(own.split(' ').nth(4)?)), kind.split(' ').next()?))
}

/// The kernel writes blanks, line ends and strokes of a path as numbers: `\\040`.
fn plain(point: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(point.to_owned(), |point, (number, text)| point.replace(number, text))
}
