//! The machine this program runs on.

use std::ffi::OsString;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rulecheck::Reason;

use crate::facts::Facts;
use crate::group::Group;
use crate::nvml;

/// A machine whose groups can be read. Reading may take long or hang: the host waits no longer than it is told to.
pub trait Machine: Send + Sync {
    /// Reads one group, now.
    fn read(&self, group: Group) -> Facts;
}

/// Every function of the kind that reads a group is a machine.
impl<F: Fn(Group) -> Facts + Send + Sync> Machine for F {
    fn read(&self, group: Group) -> Facts {
        self(group)
    }
}

/// The machine this program runs on.
#[derive(Debug, Clone)]
#[cfg_attr(target_os = "macos", allow(dead_code, reason = "NVIDIA makes no drivers for macOS any more"))]
pub struct ThisMachine {
    nvml: Vec<OsString>,
    nvml_limit: Duration,
    /// Why the NVIDIA driver is not asked again: whoever waited for it once has waited enough.
    hangs: Arc<OnceLock<Reason>>,
}

impl Default for ThisMachine {
    fn default() -> Self {
        // Less than the group has, so that the other cards are told when this driver hangs.
        Self { nvml: nvml::libraries(), nvml_limit: Duration::from_secs(4), hangs: Arc::default() }
    }
}

impl ThisMachine {
    /// With another library in place of that of the NVIDIA driver, and another limit for its answer.
    #[must_use]
    pub fn with_nvml(mut self, library: impl Into<OsString>, limit: Duration) -> Self {
        self.nvml = vec![library.into()];
        self.nvml_limit = limit;
        self
    }

    #[cfg(not(target_os = "macos"))]
    fn nvidia(&self) -> nvml::NvidiaReading {
        if let Some(reason) = self.hangs.get() {
            return nvml::NvidiaReading { cards: Vec::new(), rest: Some(reason.clone()) };
        }
        let found = nvml::read(self.nvml.clone(), self.nvml_limit);
        self.remember(found.rest.as_ref());
        found
    }

    #[cfg(not(target_os = "macos"))]
    fn nvidia_programs(&self) -> Result<Vec<crate::UserReading>, Reason> {
        if let Some(reason) = self.hangs.get() {
            return Err(reason.clone());
        }
        let found = nvml::programs(self.nvml.clone(), self.nvml_limit);
        self.remember(found.as_ref().err());
        found
    }

    #[cfg(not(target_os = "macos"))]
    fn remember(&self, reason: Option<&Reason>) {
        if let Some(reason @ Reason::TimedOut(_)) = reason {
            self.hangs.get_or_init(|| reason.clone());
        }
    }
}

#[cfg(target_os = "linux")]
impl Machine for ThisMachine {
    fn read(&self, group: Group) -> Facts {
        use crate::linux::{self, Files};
        match group {
            Group::System => crate::system_facts(&linux::system(&Files)),
            Group::Memory => crate::memory_facts(&linux::memory(&Files)),
            Group::Gpus => crate::gpu_facts(linux::gpus(&Files, self.nvidia()).map(crate::common::numbered)),
            Group::GpuPrograms => crate::user_facts(linux::users(&Files, || self.nvidia_programs())),
            Group::Disks => crate::common::disks(),
            Group::Processes => crate::common::processes(linux::in_container(&Files) == Ok(Some(true))),
        }
    }
}

#[cfg(windows)]
impl Machine for ThisMachine {
    fn read(&self, group: Group) -> Facts {
        use crate::windows;
        match group {
            Group::System => crate::system_facts(&windows::system()),
            Group::Memory => crate::memory_facts(&windows::memory()),
            Group::Gpus => crate::gpu_facts(windows::gpus(self.nvidia()).map(crate::common::numbered)),
            Group::GpuPrograms => crate::user_facts(self.nvidia_programs().and_then(crate::common::named)),
            Group::Disks => crate::common::disks(),
            Group::Processes => crate::common::processes(false),
        }
    }
}

#[cfg(target_os = "macos")]
impl Machine for ThisMachine {
    fn read(&self, group: Group) -> Facts {
        use crate::macos;
        match group {
            Group::System => crate::system_facts(&macos::system()),
            Group::Memory => crate::memory_facts(&macos::memory()),
            Group::Gpus => crate::gpu_facts(macos::gpus()),
            Group::GpuPrograms => crate::Facts::default(),
            Group::Disks => crate::common::disks(),
            Group::Processes => crate::common::processes(false),
        }
    }
}

/// Rules speak of Windows, macOS and Linux alone.
#[cfg(not(any(windows, target_os = "macos", target_os = "linux")))]
impl Machine for ThisMachine {
    fn read(&self, group: Group) -> Facts {
        let _ = (group, self.nvidia(), self.nvidia_programs());
        Facts::default()
    }
}
