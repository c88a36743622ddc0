//! This machine to facts: system, memory, graphics processors, disks and the program that runs.
//!
//! A [`Host`] is handed to a session, which asks it only for what an undecided rule needs. What is asked first reads
//! the group the fact belongs to, once, on a thread of its own with a time limit; a driver that hangs makes its facts
//! unknown and nothing else. No program is started, nothing is written, nothing is sent.
//!
//! What a machine says is kept as plain data (`SystemReading`, `MemoryReading`, …) and becomes facts in pure
//! functions, so that every machine can be tested without being there.

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
