//! This machine to facts: system, memory, graphics processors, disks and the program that runs.
//!
//! A [`Host`] is handed to a session, which asks it only for what an undecided rule needs. What is asked first reads
//! the group the fact belongs to, once, on a thread of its own with a time limit; a driver that hangs makes its facts
//! unknown and nothing else. No program is started, nothing is written, nothing is sent.
//!
//! What a machine says is kept as plain data (`SystemReading`, `MemoryReading`, …) and becomes facts in pure
//! functions, so that every machine can be tested without being there. Sources that contradict each other tell nothing:
//! the fact is unknown, and both figures are its reason.
//!
//! # What was only type-checked
//! Linux is read by the tests, and NVIDIA's library through a stand-in. These were compiled for their systems and never
//! run; they read, and leave it to the tested functions what follows from it:
//! - `windows.rs`: the registry (version, edition, build, page files), `GlobalMemoryStatusEx`, the adapters of DXGI;
//! - `macos.rs`: `sysctl`, Metal's list of devices;
//! - `machine.rs`, `common.rs`: which of these answers for a group, the names of programs by their numbers on Windows.

mod bounded;
mod clock;
mod common;
mod disk;
mod fact;
mod facts;
mod gpu;
mod group;
mod host;
#[cfg(target_os = "linux")]
pub mod linux;
mod machine;
#[cfg(target_os = "macos")]
mod macos;
mod memory;
pub mod nvml;
mod order;
mod page_file;
mod process;
mod python;
mod survey;
mod system;
mod told;
mod user;
#[cfg(windows)]
mod windows;

pub use disk::{DiskReading, Place, disk_facts};
pub use fact::{FACTS, Fact};
pub use facts::{Facts, Fields};
pub use gpu::{GpuReading, Vendor, gpu_facts, integrated_by_name, merged};
pub use group::Group;
pub use host::Host;
pub use machine::{Machine, ThisMachine};
pub use memory::{MemoryReading, memory_facts};
pub use order::{Selection, are_several, numbered};
pub use page_file::{existing as existing_page_files, is_managed as page_files_are_managed};
pub use process::{ProcessReading, RunReading, comfyui_of, folders_of, process_facts};
pub use python::PythonReading;
pub use survey::{Cost, Survey, Surveyed};
pub use system::{Family, SystemReading, system_facts};
pub use told::Told;
pub use user::{UserReading, user_facts};
