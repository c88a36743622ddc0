//! NVIDIA's cards through a stand-in for the library of their driver, in all its moods.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a test that cannot go on ends; it builds the stand-in with the C compiler"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rulecheck::{Reason, Value, Version};
use rulecheck_probes::nvml::{self, NvidiaReading};
use rulecheck_probes::{
    Fields, GpuReading, Group, Machine, Selection, ThisMachine, UserReading, gpu_facts, linux, numbered, user_facts,
};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(50);

/// The stand-in in this mood, built anew: each test uses its own.
fn standin(mood: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nvml/standin.c");
    static BUILT: AtomicUsize = AtomicUsize::new(0);
    let (process, number) = (std::process::id(), BUILT.fetch_add(1, Ordering::Relaxed));
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("nvml-{process}-{number}.so"));
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .args([format!("-DMOOD={mood}"), format!("-DMOOD_{mood}")])
        .arg(source)
        .status()
        .expect("a C compiler");
    assert!(status.success(), "the stand-in builds");
    library
}

fn read(mood: &str, limit: Duration) -> NvidiaReading {
    let library = standin(mood);
    let reading = nvml::read(vec![library.clone().into()], limit);
    std::fs::remove_file(library).expect("the stand-in can be removed");
    reading
}

fn card(name: &str, bus: &str, capability: &str, total: u64, free: u64) -> GpuReading {
    let not_told = || Err(Reason::NotPresent("NVML does not tell it".to_owned()));
    GpuReading {
        vendor: rulecheck_probes::Vendor::Nvidia,
        bus: Some(bus.to_owned()),
        uuid: None,
        index: Ok(None),
        name: Ok(Some(name.to_owned())),
        total: Ok(Some(total << 20)),
        free: Ok(Some(free << 20)),
        shared_total: not_told(),
        shared_free: not_told(),
        driver: Ok(Some("560.35.03".to_owned())),
        cuda: Ok(Some("12.6".to_owned())),
        capability: Ok(Some(capability.to_owned())),
        gfx: Ok(None),
        integrated: Ok(Some(false)),
        unified: Ok(Some(false)),
        working_set: Ok(None),
    }
}

#[test]
fn two_cards_tell_all() {
    let found = read("TWO_CARDS", LONG);
    let first = card("NVIDIA GeForce RTX 4090", "0000:01:00.0", "8.9", 24_564, 22_932);
    let second = card("NVIDIA GeForce GTX 1080 Ti", "0000:21:00.0", "6.1", 11_264, 174);
    let uuid = |text: &str| Some(text.to_owned());
    let expected = vec![
        GpuReading { index: Ok(Some(0)), uuid: uuid("GPU-11111111-2222-3333-4444-555555555555"), ..first },
        GpuReading { index: Ok(Some(1)), uuid: uuid("GPU-aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"), ..second },
    ];
    assert_eq!(found, NvidiaReading { cards: expected, rest: None });
}

#[test]
fn a_driver_without_cards_is_no_failure() {
    assert_eq!(read("NO_CARDS", LONG), NvidiaReading { cards: Vec::new(), rest: None });
}

#[test]
fn a_card_that_is_lost_while_it_is_read_takes_only_itself_away() {
    for mood in ["LOST", "LOST_HANDLE"] {
        let found = read(mood, LONG);
        let lost = Reason::Unreadable("the card does not answer any more (fallen off the bus)".to_owned());
        assert_eq!(found.cards.len(), 2, "{mood}");
        assert!(found.cards[0].total.is_ok(), "{mood}");
        assert_eq!(found.cards[1].total, Err(lost.clone()), "{mood}");
        assert_eq!(found.cards[1].name, Err(lost), "{mood}");
        assert_eq!(found.cards[1].index, Ok(Some(1)), "{mood}");
    }
}

#[test]
fn a_lost_card_is_still_on_the_bus() {
    let tree = linux::Recorded::parse(include_str!("machines/ubuntu-24.04-two-nvidia.txt"));
    let gpus = linux::gpus(&tree, read("LOST", LONG)).unwrap();
    assert_eq!(gpus.len(), 2);
    assert_eq!(gpus[1].bus.as_deref(), Some("0000:21:00.0"));
    assert_eq!(gpus[1].name, Ok(Some("NVIDIA GeForce GTX 1080 Ti".to_owned())));
    assert!(gpus[1].total.is_err());
}

#[test]
fn inside_windows_the_driver_alone_tells_of_cards() {
    let tree = linux::Recorded::parse(include_str!("machines/wsl2-without-nvidia.txt"));
    let gpus = linux::gpus(&tree, read("TWO_CARDS", LONG)).unwrap();
    assert_eq!(gpus.len(), 2);
    assert!(matches!(linux::gpus(&tree, read("NO_CARDS", LONG)), Err(Reason::NotPresent(_))));
}

#[test]
fn a_driver_that_does_not_answer_may_have_cards() {
    let tree = linux::Recorded::parse(include_str!("machines/kubernetes-pod.txt"));
    let gpus = |mood, limit| linux::gpus(&tree, read(mood, limit));
    assert!(matches!(gpus("HANGS", SHORT), Err(Reason::TimedOut(_))));
    assert!(matches!(gpus("NO_PERMISSION", LONG), Err(Reason::NotPermitted(_))));
    assert!(matches!(gpus("MISMATCH", LONG), Err(Reason::Unreadable(_))));
    assert_eq!(gpus("NOT_LOADED", LONG), Ok(Vec::new()));
}

#[test]
fn a_driver_that_hangs_is_waited_for_once() {
    let library = standin("HANGS");
    let limit = Duration::from_secs(1);
    let start = std::time::Instant::now();
    let machine = ThisMachine::default().with_nvml(library.clone(), limit);
    for group in [Group::Gpus, Group::Gpus, Group::GpuPrograms, Group::GpuPrograms, Group::Gpus] {
        machine.read(group);
    }
    assert!(start.elapsed() < limit * 3, "{:?}", start.elapsed());
    std::fs::remove_file(library).expect("the stand-in can be removed");
}

#[test]
fn other_cards_are_told_while_this_driver_hangs() {
    let tree = linux::Recorded::parse(include_str!("machines/fedora-41-laptop-nouveau.txt"));
    let gpus = linux::gpus(&tree, read("HANGS", SHORT)).unwrap();
    assert_eq!(gpus.len(), 2);
    let nvidia = gpus.iter().find(|gpu| gpu.vendor == rulecheck_probes::Vendor::Nvidia).unwrap();
    assert!(matches!(nvidia.driver, Err(Reason::TimedOut(_))));
    assert_eq!(nvidia.name, Ok(Some("NVIDIA GeForce RTX 4060 Max-Q / Mobile".to_owned())));
}

#[test]
fn an_old_driver_lacks_only_what_it_lacks() {
    let found = read("OLD", LONG);
    let old = Reason::NotPresent("the NVIDIA driver is too old to tell it".to_owned());
    assert_eq!(found.cards[0].total, Err(old));
    assert_eq!(found.cards[0].name, Ok(Some("NVIDIA GeForce RTX 4090".to_owned())));
    assert_eq!(found.cards[0].driver, Ok(Some("470.256.02".to_owned())));
    assert_eq!(found.cards[0].cuda, Ok(Some("11.4".to_owned())));
}

#[test]
fn a_library_that_refuses_says_why() {
    let why = |mood| read(mood, LONG).rest.unwrap();
    assert_eq!(why("NOT_LOADED"), Reason::NotPresent("the NVIDIA driver is not loaded".to_owned()));
    assert_eq!(why("NO_PERMISSION"), Reason::NotPermitted("the NVIDIA driver".to_owned()));
    let mismatch = "the NVIDIA driver was updated and the old one is still loaded: restart the computer";
    assert_eq!(why("MISMATCH"), Reason::Unreadable(mismatch.to_owned()));
}

#[test]
fn a_chip_without_memory_of_its_own_says_so() {
    let found = read("SHARED", LONG);
    assert_eq!(found.cards[0].total, Err(Reason::NotPresent("this card does not tell it".to_owned())));
    assert_eq!(found.cards[0].unified, Ok(Some(true)));
}

#[test]
fn what_cannot_be_is_unreadable() {
    assert!(matches!(read("BAD_TEXT", LONG).cards[0].name, Err(Reason::Unreadable(_))));
    assert!(matches!(read("BREAKS", LONG).cards[0].total, Err(Reason::Unreadable(_))));
}

#[test]
fn a_driver_that_hangs_is_left_alone() {
    let late = Reason::TimedOut("the NVIDIA driver did not answer within 0.05 s".to_owned());
    assert_eq!(read("HANGS", SHORT), NvidiaReading { cards: Vec::new(), rest: Some(late.clone()) });
}

#[test]
fn a_card_that_hangs_leaves_those_before_it() {
    // The first card is waited for as long as it takes; only then does the time for the second one count.
    let found = (1..).map(|tries| read("HANGS_AT_TWO", SHORT * tries)).find(|found| !found.cards.is_empty()).unwrap();
    assert_eq!(found.cards.len(), 1);
    assert!(matches!(found.rest, Some(Reason::TimedOut(_))));
}

#[test]
fn a_library_that_is_not_there_is_no_driver() {
    let found = nvml::read(vec!["/nowhere/libnvidia-ml.so.1".into()], LONG);
    assert_eq!(found.rest, Some(Reason::NotPresent("no library of an NVIDIA driver".to_owned())));
}

#[test]
fn a_file_that_is_no_library_does_not_load() {
    let found = nvml::read(vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").into()], LONG);
    let Some(Reason::NotPresent(why)) = found.rest else { panic!("{:?}", found.rest) };
    assert!(why.starts_with("the library of the NVIDIA driver does not load: "), "{why}");
}

/// The programs that a driver in this mood tells of.
fn programs(mood: &str, limit: Duration) -> Result<Vec<UserReading>, Reason> {
    let library = standin(mood);
    let found = nvml::programs(vec![library.clone().into()], limit);
    std::fs::remove_file(library).expect("the stand-in can be removed");
    found
}

/// A machine on which the programs that the stand-in tells of have names.
fn named() -> linux::Recorded {
    linux::Recorded::parse("== /sys/bus/pci\n== /proc/4711/comm\npython\n== /proc/4712/comm\nblender\n")
}

#[test]
fn programs_of_a_card_are_named_and_counted_once() {
    let facts = user_facts(linux::users(&named(), || programs("TWO_CARDS", LONG)));
    let found = facts.records["gpu-program"].as_ref().unwrap();
    let size = |mib: u64| rulecheck::Reading::Known(Value::Size(mib << 20));
    let text = |text: &str| rulecheck::Reading::Known(Value::text(text));
    let told: Vec<_> = found.iter().map(|user| [&user["gpu-program.name"], &user["gpu-program.vram"]]).collect();
    assert_eq!(told, [[&text("python"), &size(9000)], [&text("blender"), &size(800)]]);
    assert_eq!(found[0]["gpu-program.bus"], text("0000:01:00.0"));
}

#[test]
fn a_driver_may_name_programs_without_their_memory() {
    let found = programs("NO_FIGURES", LONG).unwrap();
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|user| matches!(user.memory, Err(Reason::NotPresent(_)))));
    assert_eq!(programs("NO_CARDS", LONG), Ok(Vec::new()));
}

#[test]
fn programs_that_are_not_told_say_why() {
    let old = Reason::NotPresent("the NVIDIA driver is too old to tell it".to_owned());
    assert!(programs("OLD", LONG).unwrap().iter().all(|user| user.name == Err(old.clone())));
    let lost = programs("LOST", LONG).unwrap();
    assert!(matches!(lost.last().unwrap().name, Err(Reason::Unreadable(_))));
    assert!(matches!(programs("HANGS", SHORT), Err(Reason::TimedOut(_))));
    assert!(matches!(programs("NO_PERMISSION", LONG), Err(Reason::NotPermitted(_))));
    let hangs = user_facts(linux::users(&named(), || programs("HANGS", SHORT)));
    let found = hangs.records["gpu-program"].as_ref().unwrap();
    assert!(matches!(found[0]["gpu-program.name"], rulecheck::Reading::Unknown(Reason::TimedOut(_))));
}

#[test]
fn driver_and_system_may_contradict_each_other() {
    let mut cards = read("TWO_CARDS", LONG).cards;
    let listed = |gib: u64| GpuReading { total: Ok(Some(gib << 30)), index: Ok(None), ..cards[0].clone() };
    let (near, far) = (listed(23), listed(4));
    let merge = |listed: &GpuReading| {
        let nvidia = NvidiaReading { cards: cards.clone(), rest: None };
        rulecheck_probes::merged(nvidia, vec![listed.clone()]).remove(0).total
    };
    assert_eq!(merge(&near), Ok(Some(24_564 << 20)));
    let why = "the NVIDIA driver says 23.99 GiB, the system 4 GiB".to_owned();
    assert_eq!(merge(&far), Err(Reason::Contradicted(why)));
    cards[0].free = Ok(Some(30 << 30));
    let facts = gpu_facts(Ok(cards));
    let free = &facts.records["gpu"].as_ref().unwrap()[0]["gpu.vram.free"];
    assert!(matches!(free, rulecheck::Reading::Unknown(Reason::Contradicted(_))), "{free:?}");
}

#[test]
fn cards_are_numbered_as_programs_count_them() {
    let cards = read("TWO_CARDS", LONG).cards;
    let with = |cuda: Option<&str>, order: Option<&str>| {
        let text = |text: &str| text.to_owned();
        let selection = Selection { cuda: cuda.map(text), cuda_order: order.map(text), ..Selection::default() };
        let found = numbered(cards.clone(), &selection);
        found.into_iter().map(|gpu| gpu.index.map_err(|_| ())).collect::<Vec<_>>()
    };
    let bus = Some("PCI_BUS_ID");
    assert_eq!(with(None, bus), [Ok(Some(0)), Ok(Some(1))]);
    assert_eq!(with(Some("1,0"), bus), [Ok(Some(1)), Ok(Some(0))]);
    assert_eq!(with(Some("1"), bus), [Ok(None), Ok(Some(0))]);
    assert_eq!(with(Some("1,-1,0"), bus), [Ok(None), Ok(Some(0))]);
    assert_eq!(with(Some(""), None), [Ok(None), Ok(None)]);
    // Two kinds of cards: which one CUDA finds faster is its own secret.
    assert_eq!(with(None, None), [Err(()), Err(())]);
    assert_eq!(with(Some("0"), None), [Err(()), Err(())]);
    assert_eq!(with(Some("GPU-aaaa"), None), [Ok(None), Ok(Some(0))]);
    // Of one kind there is nothing to tell them apart by.
    let alike: Vec<_> = cards.iter().map(|card| GpuReading { name: cards[0].name.clone(), ..card.clone() }).collect();
    let found = numbered(alike, &Selection { cuda: Some("1".to_owned()), ..Selection::default() });
    assert_eq!(found[1].index, Ok(Some(0)));
    let facts = gpu_facts(Ok(found));
    let first = &facts.records["gpu"].as_ref().unwrap()[0]["gpu.bus"];
    assert_eq!(first, &rulecheck::Reading::Known(Value::text("0000:21:00.0")));
}

#[test]
fn cards_become_facts() {
    let facts = gpu_facts(Ok(read("TWO_CARDS", LONG).cards));
    let gpus: &Vec<Fields> = facts.records["gpu"].as_ref().unwrap();
    let known = |name: &str| rulecheck::Reading::Known(Value::Version(Version::parse(name).unwrap()));
    assert_eq!(gpus[0]["gpu.capability"], known("8.9"));
    assert_eq!(gpus[0]["gpu.driver"], known("560.35.03"));
    assert_eq!(gpus[0]["gpu.vram.total"], rulecheck::Reading::Known(Value::Size(24_564 << 20)));
    assert_eq!(gpus[1]["gpu.vram.free"], rulecheck::Reading::Known(Value::Size(174 << 20)));
}
