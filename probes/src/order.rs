//! The order in which programs count cards, which variables and arguments change.

use std::cmp::Reverse;

use crate::gpu::{GpuReading, Vendor};
use crate::process::{RunReading, values_of};
use crate::told::not_present;

/// What changes the order: the variables and arguments of the ComfyUI that runs, else the variables of this program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// `CUDA_VISIBLE_DEVICES`.
    pub cuda: Option<String>,
    /// `CUDA_DEVICE_ORDER`.
    pub cuda_order: Option<String>,
    /// `HIP_VISIBLE_DEVICES`; without it AMD's library heeds the variable of CUDA.
    pub hip: Option<String>,
    /// `ROCR_VISIBLE_DEVICES`, which hides cards before the others are heeded.
    pub rocr: Option<String>,
}

impl Selection {
    /// By these variables.
    pub fn of_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        Self {
            cuda: variable("CUDA_VISIBLE_DEVICES"),
            cuda_order: variable("CUDA_DEVICE_ORDER"),
            hip: variable("HIP_VISIBLE_DEVICES"),
            rocr: variable("ROCR_VISIBLE_DEVICES"),
        }
    }

    /// By a ComfyUI that runs, which turns its arguments into these variables before it asks for cards.
    #[must_use]
    pub fn of_run(run: &RunReading) -> Self {
        let variable = |name: &str| run.env.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        let own = Self::of_variables(variable);
        let values = values_of(&run.process.args);
        let list = values.get("cuda-device").filter(|list| *list != "all").cloned();
        let first = || values.get("default-device").and_then(|first| Some(put_first(first.parse().ok()?)));
        match list.or_else(first) {
            Some(list) => Self { cuda: Some(list.clone()), hip: Some(list), ..own },
            None => own,
        }
    }
}

/// `--default-device 2` names all devices, that one first.
fn put_first(first: u32) -> String {
    let numbers = std::iter::once(first).chain((0..32).filter(|number| *number != first));
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}

/// Whether there are several cards of one maker, so that an order is to be told.
#[must_use]
pub fn are_several(gpus: &[GpuReading]) -> bool {
    [Vendor::Nvidia, Vendor::Amd].iter().any(|vendor| gpus.iter().filter(|gpu| gpu.vendor == *vendor).count() > 1)
}

/// The cards with the numbers that programs give them.
#[must_use]
pub fn numbered(mut gpus: Vec<GpuReading>, selection: &Selection) -> Vec<GpuReading> {
    // The fastest card is mostly the newest and largest: where CUDA's own order is not known this one is told first.
    if counts_fastest_first(&gpus, selection) {
        gpus.sort_by_key(|gpu| {
            let known = |told: &crate::Told<u64>| told.as_ref().ok().copied().flatten();
            let capability = gpu.capability.as_ref().ok().and_then(|text| rulecheck::Version::parse(text.as_deref()?));
            (gpu.vendor != Vendor::Nvidia, Reverse(capability), Reverse(known(&gpu.total)))
        });
        number_unordered(&mut gpus, selection);
    } else {
        number(&mut gpus, Vendor::Nvidia, selection.cuda.as_deref());
    }
    number(&mut gpus, Vendor::Amd, selection.rocr.as_deref());
    number(&mut gpus, Vendor::Amd, selection.hip.as_deref().or(selection.cuda.as_deref()));
    gpus
}

/// CUDA counts the fastest card first and does not say how it finds it, unless it is told to go by the bus. Cards of
/// one name are alike.
fn counts_fastest_first(gpus: &[GpuReading], selection: &Selection) -> bool {
    let mut names = gpus.iter().filter(|gpu| gpu.vendor == Vendor::Nvidia).map(|gpu| &gpu.name);
    let first = names.next();
    selection.cuda_order.as_deref() != Some("PCI_BUS_ID") && names.any(|name| Some(name) != first)
}

/// Where CUDA's order is not known only a card that is named by its own number has one; a list that begins with no
/// number hides all others.
fn number_unordered(gpus: &mut [GpuReading], selection: &Selection) {
    let list =
        selection.cuda.as_deref().filter(|list| list.split(',').any(|entry| entry.trim().parse::<u32>().is_err()));
    if list.is_some() {
        return number(gpus, Vendor::Nvidia, list);
    }
    let reason = not_present("CUDA counts the fastest card first, unless CUDA_DEVICE_ORDER=PCI_BUS_ID is set");
    for gpu in gpus.iter_mut().filter(|gpu| gpu.vendor == Vendor::Nvidia) {
        gpu.index = Err(reason.clone());
    }
}

/// Numbers the cards of one maker by a list of their numbers: a card that is not in it is hidden, and a number that is
/// none ends the list.
fn number(gpus: &mut [GpuReading], vendor: Vendor, list: Option<&str>) {
    let Some(list) = list else { return };
    let named = |gpu: &GpuReading, entry: &str| match entry.parse::<u32>() {
        Ok(number) => gpu.index == Ok(Some(number)),
        Err(_) => gpu.uuid.as_ref().is_some_and(|uuid| entry.len() > 4 && uuid.starts_with(entry)),
    };
    let own = |gpu: &&GpuReading| gpu.vendor == vendor;
    let place = |entry: &str| gpus.iter().filter(own).position(|gpu| named(gpu, entry.trim()));
    let order: Vec<usize> = list.split(',').map_while(place).collect();
    for (at, gpu) in gpus.iter_mut().filter(|gpu| gpu.vendor == vendor).enumerate() {
        let shown = order.iter().position(|place| *place == at).and_then(|number| u32::try_from(number).ok());
        if shown.is_some() || gpu.index.is_ok() {
            gpu.index = Ok(shown);
        }
    }
}
