//! Linux: all from `/proc` and `/sys`, so that each figure has a file and each failure its reason.

mod amd;
mod cgroup;
mod gpus;
mod memory;
mod pci;
mod system;
mod tree;
mod users;

pub use gpus::gpus;
pub use memory::memory;
pub use system::{in_container, system};
pub use tree::{Files, Recorded, Tree};
pub use users::users;
