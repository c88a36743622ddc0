//! What single files of a Linux machine mean: control groups as they are seen from many places, cards that no bus of
//! graphics shows, names, processors.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a test that cannot go on ends; it makes a pipe"
)]

use std::path::Path;

use rulecheck::{Reading, Reason, Value};
use rulecheck_probes::linux::{self, Files, Recorded, Tree};
use rulecheck_probes::nvml::NvidiaReading;
use rulecheck_probes::{Fields, GpuReading, Vendor, memory_facts, system_facts};

fn gib(number: u64) -> Reading {
    Reading::Known(Value::Size(number << 30))
}

/// The facts of memory of a machine of 64 GiB, half of them free.
fn memory(files: &str) -> Fields {
    let machine = "== /proc/meminfo\nMemTotal: 67108864 kB\nMemAvailable: 33554432 kB\n";
    memory_facts(&linux::memory(&Recorded::parse(&format!("{machine}{files}")))).flat
}

/// A mount of the newer control groups, and the group of this program.
fn mounted(root: &str, own: &str) -> String {
    format!(
        "== /proc/self/mountinfo\n31 23 0:26 {root} /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n\
         == /proc/self/cgroup\n0::{own}\n== /sys/fs/cgroup/cgroup.procs\n"
    )
}

/// A group's limit and use, in GiB.
fn group(path: &str, file: &str, limit: u64, used: u64) -> String {
    let (limit, used) = (limit << 30, used << 30);
    format!("== /sys/fs/cgroup{path}/{file}\n{limit}\n== /sys/fs/cgroup{path}/memory.current\n{used}\n")
}

#[test]
fn the_group_with_least_left_bounds_what_is_free() {
    let own = group("/a/b", "memory.max", 8, 1);
    for (limit, used, left) in [(20, 10, 7), (10, 9, 1), (8, 8, 0), (9, 2, 7)] {
        let above = group("/a", "memory.max", limit, used);
        let facts = memory(&format!("{}{own}{above}", mounted("/", "/a/b")));
        assert_eq!((&facts["ram.limit"], &facts["ram.free"]), (&gib(8), &gib(left)), "{limit} {used}");
    }
}

#[test]
fn what_holds_a_program_back_limits_it_too() {
    let held_back = group("/a", "memory.high", 6, 5);
    let facts = memory(&format!("{}{held_back}== /sys/fs/cgroup/a/memory.max\nmax\n", mounted("/", "/a")));
    assert_eq!((&facts["ram.limit"], &facts["ram.free"]), (&gib(6), &gib(1)));
}

#[test]
fn a_group_that_is_not_to_be_seen_may_have_any_limit() {
    let mounts = |root: &str| mounted(root, "/");
    let only_the_top = "== /sys/fs/cgroup/memory/memory.limit_in_bytes\n9223372036854771712\n";
    let hidden = [
        // The machine's groups, seen from a name space of groups.
        mounts("/.."),
        mounts("/../.."),
        // A group without a folder below the mount.
        mounted("/", "/a/b"),
        // /proc was not handed in, and what is in the usual place may be of a group above.
        only_the_top.to_owned(),
        "== /proc/self/mountinfo refused\n== /proc/self/cgroup refused\n".to_owned(),
    ];
    for files in hidden {
        let facts = memory(&files);
        for name in ["ram.limit", "ram.free"] {
            assert!(
                matches!(facts[name], Reading::Unknown(Reason::NotPermitted(_))),
                "{files}{name}: {:?}",
                facts[name]
            );
        }
    }
    let limited = memory("== /sys/fs/cgroup/memory.max\n1073741824\n== /sys/fs/cgroup/memory.current\n0\n");
    assert_eq!((&limited["ram.limit"], &limited["ram.free"]), (&gib(1), &gib(1)));
    let own = mounted("/", "/");
    assert_eq!((&memory(&own)["ram.limit"], &memory(&own)["ram.free"]), (&Reading::None, &gib(32)));
}

fn gpus(files: &str) -> Result<Vec<GpuReading>, Reason> {
    let missing = Reason::NotPresent("no library of an NVIDIA driver".to_owned());
    linux::gpus(&Recorded::parse(files), NvidiaReading { cards: Vec::new(), rest: Some(missing) })
}

fn device(class: &str, id: &str) -> String {
    format!("== /sys/bus/pci/devices/0000:03:00.0/uevent\nPCI_CLASS={class}\nPCI_ID={id}\n")
}

#[test]
fn accelerators_of_those_who_make_cards_are_cards() {
    for (class, id, vendor) in [("120000", "1002:74A1", Vendor::Amd), ("30200", "10DE:2330", Vendor::Nvidia)] {
        assert_eq!(gpus(&device(class, id)).unwrap()[0].vendor, vendor, "{id}");
    }
    // Neural units of processors, network cards, and the screen of a virtual machine.
    for (class, id) in
        [("120000", "8086:643E"), ("118000", "1022:1502"), ("20000", "8086:15F3"), ("30000", "1234:1111")]
    {
        assert_eq!(gpus(&device(class, id)), Ok(Vec::new()), "{id}");
    }
}

#[test]
fn there_is_no_card_only_where_all_buses_are_to_be_seen() {
    assert_eq!(gpus("== /sys/bus/platform\n"), Ok(Vec::new()));
    assert!(matches!(gpus("== /sys/bus\n"), Err(Reason::NotPresent(_))));
    assert!(matches!(gpus("== /sys/bus/pci/devices refused\n"), Err(Reason::NotPermitted(_))));
    // Graphics of a chip, which are on no bus.
    let chip = "== /sys/bus/platform\n== /sys/class/drm/renderD128/device/uevent\n";
    let adreno = format!("{chip}OF_NAME=gpu\nOF_COMPATIBLE_0=qcom,adreno-730.1\n");
    assert!(matches!(gpus(&adreno), Err(Reason::NotPresent(_))));
    assert_eq!(gpus(&format!("{chip}DRIVER=vgem\n")), Ok(Vec::new()));
    assert!(matches!(gpus("== /sys/bus/platform\n== /dev/mali0\n"), Err(Reason::NotPresent(_))));
}

#[test]
fn a_card_is_called_as_it_is_sold() {
    let list = "== /usr/share/hwdata/pci.ids\n1002  Advanced Micro Devices, Inc. [AMD/ATI]\n\
                \t15bf  Phoenix1\n\t744c  Navi 31 [Radeon RX 7900 XT/7900 XTX]\n";
    let name = |id: &str, own: &str| gpus(&format!("{}{list}{own}", device("30000", id))).unwrap().remove(0).name;
    let own = |text: &str| format!("== /sys/bus/pci/devices/0000:03:00.0/product_name\n{text}\n");
    let listed = Ok(Some("AMD Radeon RX 7900 XT/7900 XTX".to_owned()));
    assert_eq!(name("1002:744C", ""), listed);
    // Older kernels have the file of every card, and nothing in it.
    assert_eq!(name("1002:744C", &own("")), listed);
    assert_eq!(name("1002:744C", &own("AMD Radeon PRO W7900")), Ok(Some("AMD Radeon PRO W7900".to_owned())));
    let Err(Reason::NotPresent(why)) = name("1002:15BF", "") else { panic!("a chip is no name") };
    assert!(why.contains("Phoenix1"), "{why}");
}

#[test]
fn processors_that_may_be_used_count() {
    let cores = |files: &str| system_facts(&linux::system(&Recorded::parse(files))).flat["cpu.cores"].clone();
    let number = |value: f64| Reading::Known(Value::Number(rulecheck::value::Number::new(value).unwrap()));
    let all = "== /proc/cpuinfo\nprocessor\t: 0\nprocessor\t: 1\n";
    assert_eq!(cores(all), number(2.0));
    assert_eq!(cores(&format!("{all}== /proc/self/status\nName:\tx\nCpus_allowed_list:\t1\n")), number(1.0));
    assert_eq!(cores("== /proc/self/status\nCpus_allowed_list:\t0-3,8,10-11\n"), number(7.0));
    assert_eq!(cores(&format!("{all}== /proc/self/status\nCpus_allowed_list:\t3-1\n")), number(2.0));
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let pipe = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pipe-of-files-{}", std::process::id()));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let found = Files.line(&pipe.to_string_lossy());
    std::fs::remove_file(pipe).unwrap();
    assert!(matches!(found, Err(Reason::Unreadable(_))), "{found:?}");
    assert!(matches!(Files.line("/dev/zero"), Err(Reason::Unreadable(_))));
}
