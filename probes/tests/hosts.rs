//! The host as a session sees it, and recorded Windows and macOS machines.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on ends")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use rulecheck::{FactSource, Reading, Reason, Value, Version};
use rulecheck_probes::nvml::NvidiaReading;
use rulecheck_probes::{
    FACTS, Facts, Family, GpuReading, Group, Host, MemoryReading, SystemReading, Vendor, gpu_facts, integrated_by_name,
    memory_facts, merged, system_facts,
};

fn size(gib: u64) -> Reading {
    Reading::Known(Value::Size(gib << 30))
}

fn version(text: &str) -> Reading {
    Reading::Known(Value::Version(Version::parse(text).unwrap()))
}

fn word(text: &str) -> Reading {
    Reading::Known(Value::text(text))
}

fn number(value: f64) -> Reading {
    Reading::Known(Value::Number(rulecheck::value::Number::new(value).unwrap()))
}

fn yes(value: bool) -> Reading {
    Reading::Known(Value::Bool(value))
}

fn some(text: &str) -> rulecheck_probes::Told<String> {
    Ok(Some(text.to_owned()))
}

fn reason() -> Reason {
    Reason::NotPresent("not in this test".to_owned())
}

fn memory(total: u64, available: u64) -> MemoryReading {
    MemoryReading {
        total: Ok(Some(total << 30)),
        available: Ok(Some(available << 30)),
        swap_total: Ok(Some(0)),
        swap_free: Ok(Some(0)),
        swap_managed: Ok(Some(false)),
        commit_limit: Ok(None),
        commit_used: Ok(None),
        limit: Ok(None),
        limit_used: Ok(None),
        oom_kills: Ok(None),
        shm_total: Ok(None),
        shm_free: Ok(None),
    }
}

fn windows(version: &str, build: &str) -> SystemReading {
    SystemReading {
        family: Family::Windows,
        version: some(version),
        name: some("Windows Pro"),
        build: some(build),
        kernel: Ok(None),
        arch: some("x86_64"),
        translated: Ok(Some(false)),
        container: Ok(Some(false)),
        cpu: some("AMD Ryzen 7 5800X 8-Core Processor"),
        cores: Ok(Some(16)),
    }
}

fn macos(version: &str, cpu: &str) -> SystemReading {
    SystemReading {
        family: Family::Macos,
        version: some(version),
        name: some("macOS"),
        build: Ok(None),
        kernel: some("23.5.0"),
        arch: some("arm64"),
        cpu: some(cpu),
        ..windows("", "")
    }
}

fn card(vendor: Vendor, name: &str, bus: &str, gib: u64) -> GpuReading {
    let integrated = integrated_by_name(vendor, name).map(Some).ok_or_else(reason);
    GpuReading {
        bus: Some(bus.to_owned()),
        name: some(name),
        total: Ok(Some(gib << 30)),
        unified: integrated.clone(),
        integrated,
        ..GpuReading::unknown(vendor, &reason())
    }
}

fn nobody() -> NvidiaReading {
    NvidiaReading { cards: Vec::new(), rest: Some(Reason::NotPresent("no driver".to_owned())) }
}

#[test]
fn windows_is_10_or_11_by_its_build() {
    for (said, build, expected) in [
        ("10 (19045)", "19045", "10"),
        ("11 (22631)", "22631", "11"),
        ("10 (22000)", "22000", "11"),
        ("10 (26100)", "26100", "11"),
    ] {
        let facts = system_facts(&windows(said, build));
        assert_eq!(facts.flat["os.version"], version(expected), "{build}");
        assert_eq!(facts.flat["os.build"], number(build.parse().unwrap()), "{build}");
        assert_eq!(facts.flat["os"], word("windows"));
        assert_eq!(facts.flat["wsl"], yes(false));
    }
}

#[test]
fn a_windows_without_its_build_is_told_by_its_version() {
    let refused = || Err(Reason::NotPermitted("the registry".to_owned()));
    let bracketed = SystemReading { build: refused(), ..windows("11 (22631)", "") };
    assert_eq!(system_facts(&bracketed).flat["os.build"], number(22_631.0));
    let nothing = SystemReading { version: refused(), build: refused(), ..windows("", "") };
    let facts = system_facts(&nothing);
    assert_eq!(facts.flat["os.version"], Reading::Unknown(Reason::NotPermitted("the registry".to_owned())));
    assert_eq!(facts.flat["os"], word("windows"));
}

#[test]
fn macs_of_many_years() {
    for (said, cpu) in [
        ("12.7.6", "Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz"),
        ("13.6.1", "Apple M1"),
        ("14.5", "Apple M2 Pro"),
        ("15.6.1", "Apple M4"),
        ("26.0", "Apple M4 Max"),
    ] {
        let facts = system_facts(&macos(said, cpu));
        assert_eq!(facts.flat["os"], word("macos"));
        assert_eq!(facts.flat["os.version"], version(said));
        assert_eq!(facts.flat["os.build"], Reading::None);
        assert_eq!(facts.flat["arch"], word("arm64"));
        assert_eq!(facts.flat["cpu.name"], word(cpu));
    }
}

#[test]
fn a_translated_program_is_told_apart_from_its_machine() {
    let facts = system_facts(&SystemReading { translated: Ok(Some(true)), ..macos("14.5", "Apple M1") });
    assert_eq!((&facts.flat["arch"], &facts.flat["os.translated"]), (&word("arm64"), &yes(true)));
}

#[test]
fn a_system_that_rules_do_not_speak_of_is_unknown() {
    let facts = system_facts(&SystemReading { family: Family::Other, ..windows("14.1", "") });
    assert!(matches!(facts.flat["os"], Reading::Unknown(Reason::NotPresent(_))));
}

#[test]
fn a_limit_bounds_what_is_free() {
    let limited = |limit: u64, used| MemoryReading { limit: Ok(Some(limit << 30)), limit_used: used, ..memory(64, 50) };
    let free = |reading: &MemoryReading| memory_facts(reading).flat["ram.free"].clone();
    assert_eq!(free(&limited(8, Ok(Some(5 << 30)))), size(3));
    assert_eq!(free(&limited(8, Ok(Some(9 << 30)))), size(0));
    assert_eq!(free(&limited(8, Err(reason()))), size(8));
    assert_eq!(free(&limited(60, Ok(Some(0)))), size(50));
    assert_eq!(memory_facts(&limited(8, Ok(None))).flat["ram.total"], size(64));
    assert_eq!(memory_facts(&limited(8, Ok(None))).flat["ram.limit"], size(8));
    // More than there is limits nothing.
    assert_eq!(memory_facts(&limited(128, Ok(None))).flat["ram.limit"], Reading::None);
    let blind = MemoryReading { total: Err(reason()), available: Err(reason()), ..limited(8, Ok(Some(1 << 30))) };
    assert_eq!((free(&blind), &memory_facts(&blind).flat["ram.limit"]), (size(7), &size(8)));
}

#[test]
fn windows_counts_what_it_promises() {
    let reading = MemoryReading {
        commit_limit: Ok(Some(20 << 30)),
        commit_used: Ok(Some(19 << 30)),
        swap_total: Ok(Some(4 << 30)),
        ..memory(16, 6)
    };
    let facts = memory_facts(&reading);
    assert_eq!((&facts.flat["commit.limit"], &facts.flat["commit.used"]), (&size(20), &size(19)));
    assert_eq!(facts.flat["shm.total"], Reading::None);
}

/// Cards with memory of their own.
const CARDS: [&str; 14] = [
    "NVIDIA GeForce RTX 4060 Laptop GPU",
    "NVIDIA RTX A2000",
    "Tesla T4",
    "AMD Radeon RX 7900 XTX",
    "AMD Radeon RX 6700M",
    "AMD Radeon RX Vega 64",
    "AMD Radeon PRO W7900",
    "AMD Radeon Pro 5500M",
    "AMD Instinct MI210",
    "Intel(R) Arc(TM) A770 Graphics",
    "Intel(R) Arc(TM) B580 Graphics",
    "Intel(R) Arc(TM) Pro B60 Graphics",
    "Intel(R) Data Center GPU Flex 170",
    "Intel(R) Data Center GPU Max 1100",
];

/// Parts of processors.
const PARTS: [&str; 13] = [
    "NVIDIA GB10",
    "Orin (nvgpu) NVIDIA",
    "AMD Radeon(TM) Graphics",
    "AMD Radeon Graphics",
    "AMD Radeon 780M Graphics",
    "AMD Radeon(TM) 8060S Graphics",
    "AMD Radeon(TM) RX Vega 10 Graphics",
    "AMD Radeon(TM) Vega 8 Graphics",
    "Intel(R) UHD Graphics 630",
    "Intel(R) Iris(R) Xe Graphics",
    "Intel(R) Arc(TM) Graphics",
    "Intel(R) Arc(TM) 140V GPU (16GB)",
    "Apple M1",
];

#[test]
fn names_tell_cards_from_parts_of_processors() {
    let told = |name: &str| integrated_by_name(Vendor::of_name(name), name);
    for card in CARDS {
        assert_eq!(told(card), Some(false), "{card}");
    }
    for part in PARTS {
        assert_eq!(told(part), Some(true), "{part}");
    }
    assert_eq!(told("AMD Radeon R9 200 Series"), None);
    assert_eq!(told("Microsoft Basic Render Driver"), None);
}

#[test]
fn a_hybrid_laptop_answers_with_its_card() {
    // DXGI lists what drives the screen first.
    let part = card(Vendor::Intel, "Intel(R) UHD Graphics", "0000:00:02.0", 0);
    let listed = card(Vendor::Nvidia, "NVIDIA GeForce RTX 4060 Laptop GPU", "0000:01:00.0", 8);
    let told = GpuReading { index: Ok(Some(0)), capability: some("8.9"), ..listed.clone() };
    let nvidia = NvidiaReading { cards: vec![told], rest: None };
    let gpus = merged(nvidia, vec![part.clone(), listed.clone()]);
    assert_eq!(gpus.len(), 2);
    let mut host = Host::of(move |_: Group| gpu_facts(Ok(gpus.clone())));
    assert_eq!(host.get("gpu.vendor").reading, word("nvidia"));
    assert_eq!(host.get("gpu.vram.total").reading, size(8));
    assert_eq!(host.elements("gpu").unwrap()[1].fields["gpu.vendor"].reading, word("intel"));

    let without = merged(nobody(), vec![part, listed]);
    let facts = gpu_facts(Ok(without));
    let first = &facts.records["gpu"].as_ref().unwrap()[0];
    assert_eq!((&first["gpu.vendor"], &first["gpu.vram.total"]), (&word("nvidia"), &size(8)));
    assert_eq!(first["gpu.driver"], Reading::Unknown(Reason::NotPresent("no driver".to_owned())));
}

#[test]
fn cuda_is_nothing_that_others_lack() {
    let facts = gpu_facts(Ok(vec![card(Vendor::Amd, "AMD Radeon RX 7900 XTX", "0000:03:00.0", 24)]));
    let first = &facts.records["gpu"].as_ref().unwrap()[0];
    assert_eq!((&first["gpu.capability"], &first["gpu.cuda"]), (&Reading::None, &Reading::None));
}

#[test]
fn a_machine_without_cards_has_none() {
    let mut host = Host::of(|_: Group| gpu_facts(Ok(Vec::new())));
    assert_eq!(host.get("gpu.vram.total").reading, Reading::None);
    assert_eq!(host.get("gpu").reading, Reading::None);
    assert_eq!(host.elements("gpu"), Ok(Vec::new()));
}

#[test]
fn nobody_asks_twice() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let mut host = Host::of(move |group: Group| {
        counted.fetch_add(1, Ordering::SeqCst);
        if group == Group::Memory { memory_facts(&memory(16, 8)) } else { Facts::default() }
    });
    assert_eq!(count.load(Ordering::SeqCst), 0);
    let first = host.get("ram.total");
    assert_eq!((&first.reading, &host.get("ram.free").reading), (&size(16), &size(8)));
    assert_eq!(host.get("ram.total"), first);
    assert_eq!(count.load(Ordering::SeqCst), 1);
    assert_eq!(host.asked().map(|(group, _)| group).collect::<Vec<_>>(), [Group::Memory]);
    let time = first.time.unwrap();
    assert!(time.len() == 20 && time.ends_with('Z') && time.as_bytes()[10] == b'T', "{time}");
}

#[test]
fn names_that_no_probe_knows_ask_nothing() {
    let mut host = Host::of(|_: Group| Facts::default());
    assert_eq!(host.get("node.type").reading, Reading::Unknown(Reason::NotStated));
    assert_eq!(host.elements("error"), Err(Reason::NotStated));
    assert_eq!(host.asked().count(), 0);
}

#[test]
fn a_group_that_hangs_is_unknown_and_the_others_answer() {
    let (keep, hang) = mpsc::channel::<()>();
    let hang = std::sync::Mutex::new(hang);
    let machine = move |group: Group| match group {
        Group::Gpus => {
            let _ = hang.lock().unwrap().recv();
            Facts::default()
        }
        _ => memory_facts(&memory(16, 8)),
    };
    let mut host = Host::of(machine).with_limit(Group::Gpus, Duration::from_millis(5));
    assert!(matches!(host.get("gpu.name").reading, Reading::Unknown(Reason::TimedOut(_))));
    assert!(matches!(host.elements("gpu"), Err(Reason::TimedOut(_))));
    assert_eq!(host.get("ram.total").reading, size(16));
    drop(keep);
}

#[test]
fn a_reading_that_breaks_is_unknown() {
    let mut host = Host::of(|_: Group| -> Facts { std::panic::resume_unwind(Box::new("broken")) });
    assert!(matches!(host.get("os").reading, Reading::Unknown(Reason::Unreadable(_))));
}

#[test]
fn this_machine_tells_every_fact_or_why_not() {
    let mut host = Host::new();
    let survey = host.survey();
    assert_eq!(survey.groups.len(), Group::ALL.len());
    let names: Vec<_> = survey.facts.iter().map(|fact| (&fact.name, fact.element)).collect();
    assert!(names.is_sorted());
    for fact in FACTS {
        let record = fact.name.split('.').next().unwrap_or_default();
        let prefix = fact.name.strip_suffix('*').unwrap_or(fact.name);
        assert!(names.iter().any(|(name, _)| *name == record || name.starts_with(prefix)), "{}", fact.name);
    }
    assert!(matches!(host.get("ram.total").reading, Reading::Known(Value::Size(1..))));
    assert_eq!(host.get("os").reading, word(std::env::consts::OS));
}
