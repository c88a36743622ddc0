//! The limit of the control group this program is in: in a container it is the limit that counts.

use rulecheck::Reason;

use super::Tree;
use crate::told::{Told, not_present, reason_of};

/// What the control group says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// The smallest limit of the group and those above it; none where none is set.
    pub(crate) limit: Told<u64>,
    /// What the group with that limit uses and cannot give back.
    pub(crate) used: Told<u64>,
    /// How often the kernel ended a program of the group for lack of memory.
    pub(crate) oom_kills: Told<u32>,
}

/// The names of one version's files.
struct Names {
    limit: &'static str,
    used: &'static str,
    /// The entry of `memory.stat` that counts what was read from files and can be given back.
    spare: &'static str,
    kills: &'static str,
}

const V1: Names = Names {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    spare: "total_inactive_file",
    kills: "memory.oom_control",
};

const V2: Names = Names { limit: "memory.max", used: "memory.current", spare: "inactive_file", kills: "memory.events" };

/// The kernel's word for no limit in version 1: the largest number of whole pages.
const UNLIMITED: u64 = 1 << 62;

pub(crate) fn group(tree: &dyn Tree) -> Group {
    let Some((names, top, path)) = place(tree) else {
        let refused =
            tree.line("/proc/self/mountinfo").err().filter(|reason| matches!(reason, Reason::NotPermitted(_)));
        let reason = refused.unwrap_or_else(|| not_present("no control group for memory is mounted"));
        return Group { limit: Err(reason.clone()), used: Err(reason.clone()), oom_kills: Err(reason) };
    };
    let (limit, folder) = match smallest(tree, &top, &path, &names) {
        Ok(Some((limit, folder))) => (Ok(Some(limit)), Some(folder)),
        Ok(None) => (Ok(None), None),
        Err(reason) => (Err(reason), None),
    };
    let kills = tree.line(&format!("{top}{path}/{}", names.kills)).ok().and_then(|text| entry(&text, "oom_kill"));
    Group {
        limit,
        used: folder.map_or(Ok(None), |folder| used_in(tree, &folder, &names)),
        oom_kills: Ok(kills.and_then(|kills| u32::try_from(kills).ok())),
    }
}

/// The smallest limit of the group and those above it, and whose it is.
fn smallest(tree: &dyn Tree, top: &str, path: &str, names: &Names) -> Told<(u64, String)> {
    // The topmost group of version 2 has no file for a limit: an absent one is no limit where the folder is there.
    tree.list(top).map_err(|error| reason_of(top, &error))?;
    let mut smallest: Option<(u64, String)> = None;
    for folder in upwards(top, path) {
        if let Some(limit) = limit_in(tree, &folder, names)?
            && smallest.as_ref().is_none_or(|(found, _)| limit < *found)
        {
            smallest = Some((limit, folder));
        }
    }
    Ok(smallest)
}

/// The version that rules memory here, its mount point, and the group's path below it. A mixed machine has memory in
/// version 1.
fn place(tree: &dyn Tree) -> Option<(Names, String, String)> {
    let mounts = tree.read("/proc/self/mountinfo").unwrap_or_default();
    let groups = tree.read("/proc/self/cgroup").unwrap_or_default();
    if let Some((root, top)) =
        mount(&mounts, |kind, options| kind == "cgroup" && options.split(',').any(|o| o == "memory"))
    {
        let own = groups.lines().find_map(|line| {
            let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
            controllers.split(',').any(|name| name == "memory").then_some(path)
        });
        return Some((V1, top, below(&root, own)));
    }
    if let Some((root, top)) = mount(&mounts, |kind, _| kind == "cgroup2") {
        let own = groups.lines().find_map(|line| line.strip_prefix("0::"));
        return Some((V2, top, below(&root, own)));
    }
    // Without /proc the usual places are tried.
    let usual = [(V2, "/sys/fs/cgroup"), (V1, "/sys/fs/cgroup/memory")];
    usual.into_iter().find_map(|(names, top)| {
        tree.has(&format!("{top}/{}", names.limit)).then(|| (names, top.to_owned(), String::new()))
    })
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
/// the mount point is then the group itself.
fn below(root: &str, own: Option<&str>) -> String {
    let own = own.unwrap_or("/");
    let rest = if root == "/" { Some(own) } else { own.strip_prefix(root) };
    match rest {
        Some(rest) if !rest.contains("..") => rest.trim_end_matches('/').to_owned(),
        _ => String::new(),
    }
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

fn limit_in(tree: &dyn Tree, folder: &str, names: &Names) -> Told<u64> {
    let path = format!("{folder}/{}", names.limit);
    match tree.line(&path) {
        Ok(line) if line == "max" => Ok(None),
        Ok(line) => match line.parse::<u64>() {
            Ok(limit) => Ok(Some(limit).filter(|limit| *limit < UNLIMITED)),
            Err(_) => Err(Reason::Unreadable(format!("{path}: `{line}` is no size"))),
        },
        Err(Reason::NotPresent(_)) => Ok(None),
        Err(reason) => Err(reason),
    }
}

fn used_in(tree: &dyn Tree, folder: &str, names: &Names) -> Told<u64> {
    let used = tree.number(&format!("{folder}/{}", names.used))?;
    let stat = tree.line(&format!("{folder}/memory.stat")).unwrap_or_default();
    Ok(Some(used.saturating_sub(entry(&stat, names.spare).unwrap_or(0))))
}

fn entry(text: &str, key: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
}
