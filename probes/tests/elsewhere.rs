//! Recorded Windows and macOS machines: what their interfaces said, and the facts that become of it.
//!
//! `UPDATE_EXPECT=1` writes the `.out` of each machine; a person reads it.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot go on ends; it writes what it expects"
)]

mod shown;

use std::path::Path;

use rulecheck::Reason;
use rulecheck_probes::nvml::NvidiaReading;
use rulecheck_probes::{
    Facts, Family, GpuReading, Group, MemoryReading, Selection, SystemReading, Told, UserReading, Vendor, gpu_facts,
    integrated_by_name, memory_facts, merged, numbered, system_facts, user_facts,
};
use shown::{differs, printed};

const READ: [Group; 4] = [Group::System, Group::Memory, Group::Gpus, Group::GpuPrograms];

/// A machine as it was read.
struct Elsewhere {
    name: &'static str,
    system: SystemReading,
    memory: MemoryReading,
    gpus: Result<Vec<GpuReading>, Reason>,
    users: Result<Vec<UserReading>, Reason>,
}

fn some(text: &str) -> Told<String> {
    Ok(Some(text.to_owned()))
}

fn gib(number: u64) -> Told<u64> {
    Ok(Some(number << 30))
}

fn not_present(why: &str) -> Reason {
    Reason::NotPresent(why.to_owned())
}

fn windows(version: &str, name: &str, build: &str, cpu: &str) -> SystemReading {
    SystemReading {
        family: Family::Windows,
        version: some(version),
        name: some(name),
        build: some(build),
        kernel: Ok(None),
        arch: some("x86_64"),
        translated: Ok(Some(false)),
        container: Ok(Some(false)),
        cpu: some(cpu),
        cores: Ok(Some(16)),
    }
}

fn macos(version: &str, name: &str, kernel: &str, cpu: &str) -> SystemReading {
    let arch = some(if cpu.starts_with("Apple") { "arm64" } else { "x86_64" });
    let (build, kernel) = (Ok(None), some(kernel));
    SystemReading { family: Family::Macos, build, kernel, arch, ..windows(version, name, "", cpu) }
}

/// Memory of Windows: what is there, what is free, the page file, what is promised.
fn committed(total: u64, free: u64, page_file: u64, used: u64) -> MemoryReading {
    MemoryReading {
        swap_total: gib(page_file),
        swap_free: gib(page_file),
        swap_managed: Ok(Some(true)),
        commit_limit: gib(total + page_file),
        commit_used: gib(used),
        ..unified(total, free)
    }
}

/// Memory of a Mac, which promises whatever is asked for.
fn unified(total: u64, free: u64) -> MemoryReading {
    MemoryReading {
        total: gib(total),
        available: gib(free),
        swap_total: Ok(Some(0)),
        swap_free: Ok(Some(0)),
        swap_managed: Ok(Some(true)),
        commit_limit: Ok(None),
        commit_used: Ok(None),
        limit: Ok(None),
        limit_used: Ok(None),
        oom_kills: Ok(None),
        shm_total: Ok(None),
        shm_free: Ok(None),
    }
}

/// An adapter as DXGI lists it.
fn adapter(name: &str, bus: &str, own: Told<u64>, shared: u64) -> GpuReading {
    let vendor = Vendor::of_name(name);
    let hidden = || Err(not_present("Windows tells it only of this program, not of the others"));
    let integrated = integrated_by_name(vendor, name).map(Some).ok_or_else(|| not_present("its name does not tell it"));
    GpuReading {
        bus: Some(bus.to_owned()),
        name: some(name),
        total: own,
        shared_total: gib(shared),
        unified: integrated.clone(),
        integrated,
        free: hidden(),
        shared_free: hidden(),
        ..GpuReading::unknown(vendor, &not_present("DXGI does not tell it"))
    }
}

/// The same card as its driver tells of it.
fn told(listed: &GpuReading, index: u32, capability: &str, free: u64) -> GpuReading {
    GpuReading {
        index: Ok(Some(index)),
        free: gib(free),
        driver: some("566.36"),
        cuda: some("12.7"),
        capability: some(capability),
        ..listed.clone()
    }
}

/// With the driver's cards, numbered as programs count them, and the shared memory that Windows tells of each.
fn with_driver(cards: Vec<GpuReading>, listed: Vec<GpuReading>, variables: &[(&str, &str)]) -> Vec<GpuReading> {
    let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    let gpus = merged(NvidiaReading { cards, rest: None }, listed);
    numbered(gpus, &Selection::of_variables(variable))
}

fn without_driver(listed: Vec<GpuReading>, reason: Reason) -> Vec<GpuReading> {
    merged(NvidiaReading { cards: Vec::new(), rest: Some(reason) }, listed)
}

fn no_driver() -> Reason {
    not_present("no library of an NVIDIA driver")
}

/// A card as Metal tells of it.
fn metal(name: &str, memory: &MemoryReading, advised: u64, own: Option<u64>) -> GpuReading {
    let hidden = not_present("Metal tells it only of this program, not of the others");
    let (total, free) = match own {
        Some(own) => (gib(own), Err(hidden)),
        None => (memory.total.clone(), memory.available.clone()),
    };
    GpuReading {
        index: Ok(Some(0)),
        name: some(name),
        total: total.clone(),
        free: free.clone(),
        shared_total: total,
        shared_free: free,
        integrated: Ok(Some(own.is_none())),
        unified: Ok(Some(own.is_none())),
        driver: Ok(None),
        working_set: gib(advised),
        ..GpuReading::unknown(Vendor::of_name(name), &not_present("Metal does not tell it"))
    }
}

fn user(id: u32, name: &str) -> UserReading {
    let memory = Err(not_present("the driver does not tell the memory of single programs"));
    UserReading { id, name: some(name), bus: Some("0000:01:00.0".to_owned()), memory }
}

fn windows_machines() -> Vec<Elsewhere> {
    let ten = || windows("10 (19045)", "Windows 10 Home", "19045", "Intel(R) Core(TM) i7-8700 CPU @ 3.20GHz");
    let eleven = || windows("11 (22631)", "Windows 11 Pro", "22631", "AMD Ryzen 7 5800X 8-Core Processor");
    let newest = || windows("11 (26100)", "Windows 11 Home", "26100", "Intel(R) Core(TM) Ultra 7 155H");
    let gtx = adapter("NVIDIA GeForce GTX 1060 6GB", "0000:01:00.0", gib(6), 8);
    let uhd = adapter("Intel(R) UHD Graphics", "0000:00:02.0", Ok(Some(128 << 20)), 8);
    let laptop = adapter("NVIDIA GeForce RTX 4060 Laptop GPU", "0000:01:00.0", gib(8), 8);
    let large = adapter("NVIDIA GeForce RTX 4090", "0000:01:00.0", gib(24), 32);
    let small = adapter("NVIDIA GeForce RTX 3060", "0000:04:00.0", gib(12), 32);
    let apu = adapter("AMD Radeon 780M Graphics", "0000:c1:00.0", Ok(Some(512 << 20)), 14);
    let arc = adapter("Intel(R) Arc(TM) A770 Graphics", "0000:03:00.0", gib(16), 16);
    let broken = GpuReading { total: gib(4), ..told(&laptop, 0, "8.9", 1) };
    let refused = || Err(Reason::NotPermitted("the registry".to_owned()));
    let two = [told(&small, 1, "8.6", 11), told(&large, 0, "8.9", 22)];
    let late = Reason::TimedOut("the NVIDIA driver did not answer within 4 s".to_owned());
    vec![
        Elsewhere {
            name: "windows-10-one-card",
            system: ten(),
            memory: committed(16, 7, 3, 12),
            gpus: Ok(with_driver(vec![told(&gtx, 0, "6.1", 5)], vec![gtx.clone()], &[])),
            users: Ok(vec![user(10, "dwm.exe"), user(11, "chrome.exe"), user(12, "chrome.exe")]),
        },
        Elsewhere {
            name: "windows-11-hybrid-laptop",
            system: newest(),
            memory: committed(16, 4, 30, 25),
            gpus: Ok(with_driver(vec![told(&laptop, 0, "8.9", 7)], vec![uhd.clone(), laptop.clone()], &[])),
            users: Ok(vec![user(20, "python.exe")]),
        },
        Elsewhere {
            name: "windows-11-hybrid-laptop-whose-driver-hangs",
            system: newest(),
            memory: committed(16, 4, 30, 25),
            gpus: Ok(without_driver(vec![uhd, laptop.clone()], late.clone())),
            users: Err(late),
        },
        Elsewhere {
            name: "windows-11-two-cards-in-cuda-order",
            system: eleven(),
            memory: committed(64, 50, 8, 20),
            gpus: Ok(with_driver(two.to_vec(), vec![large.clone(), small.clone()], &[])),
            users: Ok(Vec::new()),
        },
        Elsewhere {
            name: "windows-11-two-cards-in-bus-order-one-hidden",
            system: eleven(),
            memory: committed(64, 50, 8, 20),
            gpus: Ok(with_driver(
                two.to_vec(),
                vec![large, small],
                &[("CUDA_DEVICE_ORDER", "PCI_BUS_ID"), ("CUDA_VISIBLE_DEVICES", "1")],
            )),
            users: Ok(Vec::new()),
        },
        Elsewhere {
            name: "windows-11-apu-without-page-file",
            system: eleven(),
            memory: MemoryReading { swap_managed: Ok(Some(false)), ..committed(32, 20, 0, 30) },
            gpus: Ok(without_driver(vec![apu], no_driver())),
            users: Err(no_driver()),
        },
        Elsewhere {
            name: "windows-11-arc",
            system: eleven(),
            memory: committed(32, 20, 8, 15),
            gpus: Ok(without_driver(vec![arc], no_driver())),
            users: Err(no_driver()),
        },
        Elsewhere {
            name: "windows-11-arm-translated",
            system: SystemReading {
                arch: some("ARM64"),
                translated: Ok(Some(true)),
                ..windows("11 (26100)", "Windows 11 Home", "26100", "Snapdragon(R) X Elite - X1E78100")
            },
            memory: committed(16, 8, 4, 10),
            gpus: Ok(without_driver(
                vec![adapter("Qualcomm(R) Adreno(TM) X1-85 GPU", "0000:00:00.0", Ok(Some(0)), 8)],
                no_driver(),
            )),
            users: Err(no_driver()),
        },
        Elsewhere {
            name: "windows-server-without-cards",
            system: windows("10 (20348)", "Windows Server 2022 Standard", "20348", "Intel(R) Xeon(R) Gold 6338"),
            memory: committed(8, 6, 1, 2),
            gpus: Ok(without_driver(Vec::new(), no_driver())),
            users: Err(no_driver()),
        },
        Elsewhere {
            name: "windows-11-that-says-little-and-contradicts-itself",
            system: SystemReading { build: refused(), version: refused(), name: refused(), ..eleven() },
            memory: MemoryReading {
                available: gib(40),
                swap_managed: Err(Reason::NotPermitted("the registry's PagingFiles".to_owned())),
                ..committed(16, 0, 4, 10)
            },
            gpus: Ok(with_driver(vec![broken], vec![laptop], &[])),
            users: Err(Reason::Unreadable("the NVIDIA driver: unknown error".to_owned())),
        },
    ]
}

fn macs() -> Vec<Elsewhere> {
    let mac = |name, system, total: u64, free: u64, gpu: &str, advised| {
        let memory = unified(total, free);
        let gpus = Ok(vec![metal(gpu, &memory, advised, None)]);
        Elsewhere { name, system, memory, gpus, users: Err(not_present("this system does not tell it")) }
    };
    let old = macos("12.7.6", "macOS 12.7.6 Monterey", "21.6.0", "Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz");
    let memory = unified(16, 6);
    let parts =
        vec![metal("Intel(R) UHD Graphics 630", &memory, 1, None), metal("AMD Radeon Pro 5300M", &memory, 4, Some(4))];
    let m1 = macos("13.6.1", "macOS 13.6.1 Ventura", "22.6.0", "Apple M1");
    let m2 =
        SystemReading { translated: Ok(Some(true)), ..macos("14.5", "macOS 14.5 Sonoma", "23.5.0", "Apple M2 Pro") };
    vec![
        Elsewhere {
            name: "macos-12-intel-with-a-card",
            system: old,
            memory,
            gpus: Ok(parts),
            users: Err(not_present("this system does not tell it")),
        },
        mac("macos-13-m1", m1, 8, 2, "Apple M1", 5),
        mac("macos-14-m2-translated", m2, 16, 5, "Apple M2 Pro", 10),
        mac("macos-15-m4", macos("15.6.1", "macOS 15.6.1 Sequoia", "24.6.0", "Apple M4"), 24, 9, "Apple M4", 16),
        mac(
            "macos-26-m4-max",
            macos("26.0", "macOS 26.0 Tahoe", "25.0.0", "Apple M4 Max"),
            128,
            90,
            "Apple M4 Max",
            96,
        ),
    ]
}

#[test]
fn recorded_machines_become_their_facts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/elsewhere");
    let mut wrong = Vec::new();
    for Elsewhere { name, system, memory, gpus, users } in windows_machines().into_iter().chain(macs()) {
        let facts = move |group: Group| match group {
            Group::System => system_facts(&system),
            Group::Memory => memory_facts(&memory),
            Group::Gpus => gpu_facts(gpus.clone()),
            Group::GpuPrograms => user_facts(users.clone()),
            Group::Disks | Group::Processes => Facts::default(),
        };
        wrong.extend(differs(&folder.join(format!("{name}.out")), &printed(facts, &READ)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
