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
    /// Mounted disks.
    Disks,
    /// Programs that run.
    Processes,
}

impl Group {
    /// All groups, by name.
    pub const ALL: [Self; 5] = [Self::Disks, Self::Gpus, Self::Memory, Self::Processes, Self::System];

    /// The word in rule files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Memory => "memory",
            Self::Gpus => "gpus",
            Self::Disks => "disks",
            Self::Processes => "processes",
        }
    }

    /// The group of this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.as_str() == word)
    }

    /// How long a session waits for it. A driver may have to wake a card, a disk may have to spin up.
    #[must_use]
    pub const fn limit(self) -> Duration {
        match self {
            Self::System | Self::Memory => Duration::from_secs(2),
            Self::Gpus => Duration::from_secs(6),
            Self::Disks | Self::Processes => Duration::from_secs(4),
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
