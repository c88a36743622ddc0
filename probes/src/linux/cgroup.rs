//! The limit of the control group this program is in: in a container it is the limit that counts.

use rulecheck::Reason;

use super::Tree;
use crate::told::{Told, not_present, reason_of};

/// What the control group says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// The smallest limit of the group and those above it; none where none is set.
    pub(crate) limit: Told<u64>,
    /// What of that limit is not left: a group above may have less left than the one with the smallest limit.
    pub(crate) used: Told<u64>,
    /// How often the kernel ended a program of the group for lack of memory.
    pub(crate) oom_kills: Told<u32>,
}

/// The names of one version's files.
#[derive(Debug, Clone, Copy)]
struct Names {
    /// What ends a program, and what holds it back until it stands still.
    limits: &'static [&'static str],
    used: &'static str,
    /// The entry of `memory.stat` that counts what was read from files and can be given back.
    spare: &'static str,
    kills: &'static str,
}

const V1: Names = Names {
    limits: &["memory.limit_in_bytes"],
    used: "memory.usage_in_bytes",
    spare: "total_inactive_file",
    kills: "memory.oom_control",
};

const V2: Names = Names {
    limits: &["memory.max", "memory.high"],
    used: "memory.current",
    spare: "inactive_file",
    kills: "memory.events",
};

/// The kernel's word for no limit in version 1: the largest number of whole pages.
const UNLIMITED: u64 = 1 << 62;

/// Where a group's files are.
struct Place {
    names: Names,
    /// Where the groups are mounted.
    top: String,
    /// The group's folder below.
    path: String,
    /// Whether this is known to be the group itself, and not one above it.
    own: bool,
}

/// A group's limit, and what is used of it.
type Limit = (u64, Result<u64, Reason>);

pub(crate) fn group(tree: &dyn Tree) -> Group {
    let place = match place(tree) {
        Ok(place) => place,
        Err(reason) => return Group { limit: Err(reason.clone()), used: Err(reason.clone()), oom_kills: Err(reason) },
    };
    let (limit, used) = match limits(tree, &place) {
        Ok(limits) if limits.is_empty() && !place.own => (Err(hidden()), Err(hidden())),
        Ok(limits) => together(&limits),
        Err(reason) => (Err(reason.clone()), Err(reason)),
    };
    let Place { names, top, path, .. } = place;
    let kills = tree.line(&format!("{top}{path}/{}", names.kills)).ok().and_then(|text| entry(&text, "oom_kill"));
    Group { limit, used, oom_kills: Ok(kills.and_then(|kills| u32::try_from(kills).ok())) }
}

fn hidden() -> Reason {
    Reason::NotPermitted("the control group of this program, and its limit".to_owned())
}

/// The limits of the group and of those above it, each with what is used of it.
fn limits(tree: &dyn Tree, place: &Place) -> Result<Vec<Limit>, Reason> {
    let Place { names, top, path, .. } = place;
    // The topmost group of version 2 has no file for a limit: an absent one is no limit where the folder is there.
    tree.list(top).map_err(|error| reason_of(top, &error))?;
    tree.list(&format!("{top}{path}")).map_err(|_| hidden())?;
    let mut limits = Vec::new();
    for folder in upwards(top, path) {
        let mut smallest = None;
        for name in names.limits {
            let limit = limit_in(tree, &format!("{folder}/{name}"))?;
            smallest = limit.into_iter().chain(smallest).min();
        }
        limits.extend(smallest.map(|limit| (limit, used_in(tree, &folder, names))));
    }
    Ok(limits)
}

/// The smallest limit, and what of it is not left by any of them.
fn together(limits: &[Limit]) -> (Told<u64>, Told<u64>) {
    let Some(smallest) = limits.iter().map(|(limit, _)| *limit).min() else { return (Ok(None), Ok(None)) };
    let known = |used: &Result<u64, Reason>| used.as_ref().copied().unwrap_or(0);
    let left = limits.iter().map(|(limit, used)| limit.saturating_sub(known(used))).min().unwrap_or(smallest);
    let untold = limits.iter().find_map(|(_, used)| used.as_ref().err().filter(|_| left >= smallest));
    let used = untold.map_or_else(|| Ok(Some(smallest.saturating_sub(left))), |reason| Err(reason.clone()));
    (Ok(Some(smallest)), used)
}

/// The version that rules memory here, its mount point, and the group's path below it. A mixed machine has memory in
/// version 1.
fn place(tree: &dyn Tree) -> Result<Place, Reason> {
    let (mounts, groups) = match (tree.line("/proc/self/mountinfo"), tree.line("/proc/self/cgroup")) {
        (Ok(mounts), Ok(groups)) => (mounts, groups),
        (Err(reason), _) | (_, Err(reason)) => return usual(tree, reason),
    };
    if let Some((root, top)) =
        mount(&mounts, |kind, options| kind == "cgroup" && options.split(',').any(|o| o == "memory"))
    {
        let own = groups.lines().find_map(|line| {
            let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
            controllers.split(',').any(|name| name == "memory").then_some(path)
        });
        return Ok(Place { names: V1, top, path: below(&root, own)?, own: true });
    }
    if let Some((root, top)) = mount(&mounts, |kind, _| kind == "cgroup2") {
        let own = groups.lines().find_map(|line| line.strip_prefix("0::"));
        return Ok(Place { names: V2, top, path: below(&root, own)?, own: true });
    }
    Err(not_present("no control group for memory is mounted"))
}

/// Without `/proc` the usual places are tried. They may be of a group above, so that no limit there says nothing.
fn usual(tree: &dyn Tree, reason: Reason) -> Result<Place, Reason> {
    let usual = [(V2, "/sys/fs/cgroup"), (V1, "/sys/fs/cgroup/memory")];
    let is_there = |(names, top): &(Names, &str)| names.limits.iter().any(|limit| tree.has(&format!("{top}/{limit}")));
    let found = usual.into_iter().find(is_there);
    found.map(|(names, top)| Place { names, top: top.to_owned(), path: String::new(), own: false }).ok_or(
        match reason {
            Reason::NotPermitted(_) => reason,
            // What is not shown may be limited all the same.
            _ => hidden(),
        },
    )
}

/// The root and the mount point of the first mount of this kind: `36 31 0:33 ROOT POINT … - KIND SOURCE OPTIONS`.
fn mount(mounts: &str, wanted: impl Fn(&str, &str) -> bool) -> Option<(String, String)> {
    mounts.lines().find_map(|line| {
        let (own, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let (name, _, options) = (kind.next()?, kind.next()?, kind.next()?);
        let mut own = own.split(' ').skip(3);
        let (root, point) = (own.next()?, own.next()?);
        wanted(name, options).then(|| (root.to_owned(), point.to_owned()))
    })
}

/// The group's path below the mount point. One that is not below the mounted root belongs to another namespace, and
/// the mount point is then the group itself; where the mounted root lies above the namespace nobody can say which of its
/// groups this is.
fn below(root: &str, own: Option<&str>) -> Result<String, Reason> {
    let own = own.ok_or_else(hidden)?;
    if [root, own].iter().any(|path| path.split('/').any(|part| part == "..")) {
        return Err(hidden());
    }
    let rest = if root == "/" { Some(own) } else { own.strip_prefix(root) };
    Ok(rest.unwrap_or_default().trim_end_matches('/').to_owned())
}

/// The group's folder and those above it, up to the mount point.
fn upwards(top: &str, path: &str) -> Vec<String> {
    let mut folders = Vec::new();
    let mut path = path;
    loop {
        folders.push(format!("{top}{path}"));
        match path.rsplit_once('/') {
            Some((above, _)) => path = above,
            None => return folders,
        }
    }
}

fn limit_in(tree: &dyn Tree, path: &str) -> Told<u64> {
    match tree.line(path) {
        Ok(line) if line == "max" => Ok(None),
        Ok(line) => match line.parse::<u64>() {
            Ok(limit) => Ok(Some(limit).filter(|limit| *limit < UNLIMITED)),
            Err(_) => Err(Reason::Unreadable(format!("{path}: `{line}` is no size"))),
        },
        Err(Reason::NotPresent(_)) => Ok(None),
        Err(reason) => Err(reason),
    }
}

fn used_in(tree: &dyn Tree, folder: &str, names: &Names) -> Result<u64, Reason> {
    let used = tree.number(&format!("{folder}/{}", names.used))?;
    let stat = tree.line(&format!("{folder}/memory.stat")).unwrap_or_default();
    Ok(used.saturating_sub(entry(&stat, names.spare).unwrap_or(0)))
}

fn entry(text: &str, key: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
}
