//! The system and its processor.

use rulecheck::{Reading, Value};

use crate::facts::Facts;
use crate::told::{self, Told, not_present, reading, unreadable};

/// The family of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Windows 10 and 11.
    Windows,
    /// macOS.
    Macos,
    /// Linux, with or without Windows around it.
    Linux,
    /// Anything else, which rules do not speak of.
    Other,
}

/// What a machine says of its system, as it says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemReading {
    /// The family.
    pub family: Family,
    /// The version: of Windows, of macOS, of the distribution. Windows adds its build: `11 (22631)`.
    pub version: Told<String>,
    /// The name for people: `Windows 11 Pro`, `macOS 14.5 Sonoma`, `Ubuntu 24.04.1 LTS`.
    pub name: Told<String>,
    /// The build of Windows: `22631`.
    pub build: Told<String>,
    /// The version of the kernel.
    pub kernel: Told<String>,
    /// The machine's instruction set, by any of its names.
    pub arch: Told<String>,
    /// Whether this program runs translated: an x86 program on an Apple or ARM machine.
    pub translated: Told<bool>,
    /// Whether this program runs in a container.
    pub container: Told<bool>,
    /// The processor.
    pub cpu: Told<String>,
    /// How many processors programs may use.
    pub cores: Told<u32>,
}

/// The facts of a system.
#[must_use]
pub fn system_facts(system: &SystemReading) -> Facts {
    Facts::default()
        .with("os", os(system.family))
        .with("os.version", os_version(system))
        .with("os.name", told::text(&system.name))
        .with("os.build", os_build(system))
        .with("os.kernel", told::version(&system.kernel))
        .with("wsl", wsl(system))
        .with("os.container", told::bool(&system.container))
        .with("os.translated", told::bool(&system.translated))
        .with("arch", reading(&system.arch, |arch| Some(Value::text(arch_word(arch)))))
        .with("cpu.name", told::text(&system.cpu))
        .with("cpu.cores", told::number(&system.cores))
}

fn os(family: Family) -> Reading {
    match family {
        Family::Windows => told::word("windows"),
        Family::Macos => told::word("macos"),
        Family::Linux => told::word("linux"),
        Family::Other => Reading::Unknown(not_present("neither Windows, macOS nor Linux")),
    }
}

/// The version as people say it. Windows itself goes on saying 10: from build 22000 on it is 11.
fn os_version(system: &SystemReading) -> Reading {
    if system.family != Family::Windows {
        return told::version(&system.version);
    }
    let said = reading(&system.version, |version| {
        let number = version.split_whitespace().next()?;
        rulecheck::Version::parse(number).map(Value::Version)
    });
    match (windows_build(system), said) {
        (Some(22_000..), _) => told::version(&Ok(Some("11".to_owned()))),
        (Some(10_240..), _) => told::version(&Ok(Some("10".to_owned()))),
        (_, said) => said,
    }
}

/// The build where it is a number, which it is on Windows alone: macOS has `23F79`.
fn os_build(system: &SystemReading) -> Reading {
    match (system.family, windows_build(system)) {
        (Family::Windows, Some(build)) => told::number(&Ok(Some(build))),
        (Family::Windows, None) => match &system.build {
            Ok(_) => Reading::Unknown(unreadable("Windows gave no build")),
            Err(reason) => Reading::Unknown(reason.clone()),
        },
        _ => Reading::None,
    }
}

/// The build from where it stands: by itself, or in brackets behind the version.
fn windows_build(system: &SystemReading) -> Option<u32> {
    let number = |text: &String| text.trim().split('.').next()?.parse().ok();
    let by_itself = system.build.as_ref().ok().and_then(Option::as_ref).and_then(number);
    by_itself.or_else(|| {
        let version = system.version.as_ref().ok()?.as_ref()?;
        version.split_once('(')?.1.strip_suffix(')')?.trim().parse().ok()
    })
}

/// Linux inside Windows names Microsoft in its kernel's version.
fn wsl(system: &SystemReading) -> Reading {
    if system.family != Family::Linux {
        return told::bool(&Ok(Some(false)));
    }
    match &system.kernel {
        Ok(Some(kernel)) => told::bool(&Ok(Some(kernel.to_ascii_lowercase().contains("microsoft")))),
        Ok(None) => Reading::Unknown(unreadable("the kernel has no version")),
        Err(reason) => Reading::Unknown(reason.clone()),
    }
}

/// The word for an instruction set, which every system names in its own way.
pub(crate) fn arch_word(arch: &str) -> &'static str {
    match arch.to_ascii_lowercase().as_str() {
        "x86_64" | "amd64" | "x64" => "x86-64",
        "aarch64" | "arm64" | "arm64e" => "arm64",
        _ => "other",
    }
}
