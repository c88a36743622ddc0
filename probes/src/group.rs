//! Groups of readings: what one look at the machine gives.

use std::fmt;
use std::time::Duration;

/// A group of facts that are read together: the word behind `probe` in a rule file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// System, version, architecture, processor.
    System,
    /// Memory, swap, commit, the limit of a container.
    Memory,
    /// Graphics processors.
    Gpus,
    /// Programs that use a graphics processor.
    GpuPrograms,
    /// Mounted disks.
    Disks,
    /// Programs that run.
    Processes,
}

impl Group {
    /// All groups, in the order in which a survey reads them.
    pub const ALL: [Self; 6] =
        [Self::System, Self::Memory, Self::Gpus, Self::GpuPrograms, Self::Disks, Self::Processes];

    /// The word in rule files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Memory => "memory",
            Self::Gpus => "gpus",
            Self::GpuPrograms => "gpu-programs",
            Self::Disks => "disks",
            Self::Processes => "processes",
        }
    }

    /// The group of this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.as_str() == word)
    }

    /// Where its facts come from on this system.
    #[must_use]
    pub const fn source(self) -> &'static str {
        let (windows, macos) = (cfg!(windows), cfg!(target_os = "macos"));
        match self {
            Self::System if windows => "the registry",
            Self::System if macos => "sysctl",
            Self::System => "/etc/os-release, /proc",
            Self::Memory if windows => "GlobalMemoryStatusEx, performance counters, the registry",
            Self::Memory if macos => "sysctl, the Mach kernel",
            Self::Memory => "/proc/meminfo, the control group, /dev/shm",
            Self::Gpus if windows => "the NVIDIA driver, DXGI",
            Self::Gpus if macos => "Metal, sysctl",
            Self::Gpus => "the NVIDIA driver, /sys",
            Self::GpuPrograms if windows => "the NVIDIA driver",
            Self::GpuPrograms if macos => "nothing",
            Self::GpuPrograms => "the NVIDIA driver, /proc, /sys",
            Self::Disks => "the list of mounted disks",
            Self::Processes => "the list of programs",
        }
    }

    /// How long a session waits for it. A driver may have to wake a card, a disk may have to spin up.
    #[must_use]
    pub const fn limit(self) -> Duration {
        match self {
            Self::System | Self::Memory => Duration::from_secs(2),
            Self::Gpus | Self::GpuPrograms => Duration::from_secs(6),
            Self::Disks | Self::Processes => Duration::from_secs(4),
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
