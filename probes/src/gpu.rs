//! Graphics processors.

use rulecheck::value::is_name;
use rulecheck::{Reading, Reason, Value};

use crate::facts::{Facts, Fields};
use crate::nvml::NvidiaReading;
use crate::told::{self, Told, not_present, reading};

/// Who made a graphics processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vendor {
    /// NVIDIA.
    Nvidia,
    /// AMD.
    Amd,
    /// Intel.
    Intel,
    /// Apple.
    Apple,
    /// Anyone else.
    Other,
}

impl Vendor {
    /// The vendor of a PCI number.
    #[must_use]
    pub const fn of_pci(id: u32) -> Self {
        match id {
            0x10de => Self::Nvidia,
            0x1002 | 0x1022 => Self::Amd,
            0x8086 => Self::Intel,
            0x106b => Self::Apple,
            _ => Self::Other,
        }
    }

    /// The vendor whose name this text holds.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let holds = |words: &[&str]| words.iter().any(|word| name.contains(word));
        if holds(&["nvidia", "geforce", "quadro", "tesla"]) {
            Self::Nvidia
        } else if holds(&["amd", "radeon", "advanced micro devices", "ati technologies"]) {
            Self::Amd
        } else if holds(&["intel"]) {
            Self::Intel
        } else if holds(&["apple"]) {
            Self::Apple
        } else {
            Self::Other
        }
    }

    /// The word of the catalogue.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nvidia => "nvidia",
            Self::Amd => "amd",
            Self::Intel => "intel",
            Self::Apple => "apple",
            Self::Other => "other",
        }
    }
}

/// What is said of one graphics processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GpuReading {
    /// Who made it.
    pub vendor: Vendor,
    /// Its place on the bus, which tells two cards of one kind apart: `0000:01:00.0`.
    pub bus: Option<String>,
    /// Its own number, by which variables name it beside its place in the order.
    pub uuid: Option<String>,
    /// Its number in its own interface (`cuda:N`); none where a variable hides it.
    pub index: Told<u32>,
    /// Its name.
    pub name: Told<String>,
    /// Memory of its own; on Apple chips, which have none, the whole memory, as PyTorch programs print it.
    pub total: Told<u64>,
    /// What of that is free, for all programs.
    pub free: Told<u64>,
    /// Memory of the machine that it may use besides.
    pub shared_total: Told<u64>,
    /// What of that is free.
    pub shared_free: Told<u64>,
    /// The version of its driver.
    pub driver: Told<String>,
    /// The newest CUDA that the driver runs.
    pub cuda: Told<String>,
    /// Compute capability.
    pub capability: Told<String>,
    /// AMD's name of its instruction set: `gfx1100`.
    pub gfx: Told<String>,
    /// Whether it is part of the processor.
    pub integrated: Told<bool>,
    /// Whether it and the processor use one memory.
    pub unified: Told<bool>,
    /// How much it may hold at a time without becoming slow, as Metal advises and as a person may have set it.
    pub working_set: Told<u64>,
}

impl GpuReading {
    /// One of which only the vendor is known, and why.
    #[must_use]
    pub fn unknown(vendor: Vendor, reason: &Reason) -> Self {
        Self {
            vendor,
            bus: None,
            uuid: None,
            index: Err(reason.clone()),
            name: Err(reason.clone()),
            total: Err(reason.clone()),
            free: Err(reason.clone()),
            shared_total: Err(reason.clone()),
            shared_free: Err(reason.clone()),
            driver: Err(reason.clone()),
            cuda: cuda_only(vendor, reason),
            capability: cuda_only(vendor, reason),
            gfx: if vendor == Vendor::Amd { Err(reason.clone()) } else { Ok(None) },
            integrated: Err(reason.clone()),
            unified: Err(reason.clone()),
            working_set: if vendor == Vendor::Apple { Err(reason.clone()) } else { Ok(None) },
        }
    }
}

/// CUDA's figures exist for NVIDIA alone.
fn cuda_only(vendor: Vendor, reason: &Reason) -> Told<String> {
    if vendor == Vendor::Nvidia { Err(reason.clone()) } else { Ok(None) }
}

/// NVIDIA's own figures for the cards its library told of, and what the system lists besides. A card that the system
/// lists and the library does not is kept, with the library's reason for what only it could have told.
#[must_use]
pub fn merged(nvidia: NvidiaReading, listed: Vec<GpuReading>) -> Vec<GpuReading> {
    let NvidiaReading { mut cards, rest } = nvidia;
    cards.iter_mut().for_each(|card| agreed(card, &listed));
    let told: Vec<_> = cards.iter().filter_map(|card| card.bus.clone()).collect();
    let mut others: Vec<_> =
        listed.into_iter().filter(|gpu| gpu.bus.as_ref().is_none_or(|bus| !told.contains(bus))).collect();
    // A card that was lost while it was read does not say where it is: it is one that is listed and was not told.
    for card in cards.iter_mut().filter(|card| card.bus.is_none()) {
        if let Some(place) = others.iter().position(|gpu| gpu.vendor == Vendor::Nvidia) {
            found_again(card, others.remove(place));
        }
    }
    let reason = rest.unwrap_or_else(|| not_present("the NVIDIA driver does not list this card"));
    cards.extend(others.into_iter().map(|gpu| if gpu.vendor == Vendor::Nvidia { untold(gpu, &reason) } else { gpu }));
    cards
}

/// What the driver and the system say of one card's memory differs by what each holds back, never by a quarter.
fn agreed(card: &mut GpuReading, listed: &[GpuReading]) {
    let same = listed.iter().find(|gpu| gpu.bus.is_some() && gpu.bus == card.bus);
    let Some(Ok(Some(other))) = same.map(|gpu| &gpu.total) else { return };
    // Shared memory is no memory of the card: chips that have little of their own are told in two ways.
    if card.unified == Ok(Some(true)) {
        return;
    }
    if let Ok(Some(own)) = card.total
        && own.abs_diff(*other) > own.max(*other) / 4
    {
        let (own, other) = (Value::Size(own), Value::Size(*other));
        card.total = Err(Reason::Contradicted(format!("the NVIDIA driver says {own}, the system {other}")));
    }
}

/// What the system still says of a card that its driver has lost.
fn found_again(card: &mut GpuReading, listed: GpuReading) {
    card.bus = listed.bus;
    if card.name.is_err() {
        card.name = listed.name;
        card.integrated = listed.integrated;
        card.unified = listed.unified;
    }
    if card.total.is_err() && listed.total.is_ok() {
        card.total = listed.total;
    }
}

/// An NVIDIA card of which its own library did not tell.
fn untold(gpu: GpuReading, reason: &Reason) -> GpuReading {
    let GpuReading { bus, name, total, integrated, unified, .. } = gpu;
    let total = total.map_err(|_| reason.clone());
    let (integrated, unified) = (integrated.map_err(|_| reason.clone()), unified.map_err(|_| reason.clone()));
    GpuReading { bus, name, total, integrated, unified, ..GpuReading::unknown(Vendor::Nvidia, reason) }
}

/// The facts of the graphics processors. The list is complete, or it is the reason why nobody can say.
///
/// Discrete ones come first, as PyTorch prefers them, then by their own number.
#[must_use]
pub fn gpu_facts(gpus: Result<Vec<GpuReading>, Reason>) -> Facts {
    let elements = gpus.map(|mut gpus| {
        // A card may be known by nothing but its place, so that it keeps the place it was found at.
        gpus.sort_by_key(|gpu| (gpu.integrated == Ok(Some(true)), place(gpu)));
        gpus.iter().map(fields).collect()
    });
    Facts::record("gpu", elements)
}

/// Behind those that programs count come those whose number cannot be told, and those that are hidden from them.
fn place(gpu: &GpuReading) -> (u8, u32) {
    match gpu.index {
        Ok(Some(index)) => (0, index),
        Err(_) => (1, 0),
        Ok(None) => (2, 0),
    }
}

fn fields(gpu: &GpuReading) -> Fields {
    let name = |told: &Told<String>| reading(told, |text| is_name(text).then(|| Value::text(text.as_str())));
    let fields: [(&str, Reading); 15] = [
        ("gpu.vendor", told::word(gpu.vendor.as_str())),
        ("gpu.index", told::number(&gpu.index)),
        ("gpu.name", told::text(&gpu.name)),
        ("gpu.vram.total", told::size(&gpu.total)),
        ("gpu.vram.free", told::free_of(&gpu.free, &gpu.total)),
        ("gpu.shared.total", told::size(&gpu.shared_total)),
        ("gpu.shared.free", told::free_of(&gpu.shared_free, &gpu.shared_total)),
        ("gpu.driver", told::version(&gpu.driver)),
        ("gpu.cuda", told::version(&gpu.cuda)),
        ("gpu.capability", told::version(&gpu.capability)),
        ("gpu.arch", name(&gpu.gfx)),
        ("gpu.integrated", told::bool(&gpu.integrated)),
        ("gpu.unified", told::bool(&gpu.unified)),
        ("gpu.working-set", told::size(&gpu.working_set)),
        ("gpu.bus", told::text(&Ok(gpu.bus.clone()))),
    ];
    fields.into_iter().map(|(name, reading)| (name.to_owned(), reading)).collect()
}

/// Whether a name alone says that a graphics processor is part of the main one.
#[must_use]
pub fn integrated_by_name(vendor: Vendor, name: &str) -> Option<bool> {
    match vendor {
        Vendor::Apple => Some(true),
        Vendor::Nvidia => Some(nvidia_shares_memory(name)),
        Vendor::Intel => Some(!intel_card(name)),
        Vendor::Amd => amd_by_name(name),
        Vendor::Other => None,
    }
}

/// NVIDIA's chips that hold the processor too: Jetson, DGX Spark.
#[must_use]
pub fn nvidia_shares_memory(name: &str) -> bool {
    ["GB10", "Tegra", "Orin", "Xavier", "Thor"].iter().any(|chip| name.contains(chip))
}

/// Cards are called `Arc A770` or `Arc B580`, `Arc Pro B60`, data centre ones `Flex` and `Max`; `Arc Graphics` and
/// `Arc 140V` are parts of processors.
fn intel_card(name: &str) -> bool {
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let model = |word: &&str| {
        let digits = word.strip_prefix(['A', 'B']).and_then(|rest| rest.get(..2));
        digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let arc = words.contains(&"Arc") && words.iter().any(model);
    arc || words.contains(&"Flex") || (words.contains(&"Data") && words.contains(&"Max"))
}

/// `Radeon RX …` and `Instinct` are cards, but for `RX Vega 10 Graphics`; `Radeon Graphics`, `Vega 8 Graphics`, `780M`
/// and `8060S` are parts of processors; the rest does not say.
fn amd_by_name(name: &str) -> Option<bool> {
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let numbered = |word: &&str, end: char, digits: usize| {
        word.strip_suffix(end).is_some_and(|rest| rest.len() == digits && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    if words.contains(&"Vega") && words.contains(&"Graphics") {
        return Some(true);
    }
    if words.iter().any(|word| matches!(*word, "RX" | "Instinct" | "FirePro" | "VII" | "PRO" | "Pro")) {
        return Some(false);
    }
    let part = words.iter().any(|word| numbered(word, 'M', 3) || numbered(word, 'S', 4));
    let plain = words.ends_with(&["Radeon", "Graphics"]) || words.ends_with(&["Radeon", "TM", "Graphics"]);
    (part || plain).then_some(true)
}
