//! Prints what this machine tells, and what reading each group cost, first and median of ten fresh hosts.

#![allow(clippy::print_stdout, reason = "printing is what this example is for")]

use std::time::{Duration, Instant};

use rulecheck::{FactSource, Reading};
use rulecheck_probes::{Group, Host};

fn main() {
    let start = Instant::now();
    let mut host = Host::new();
    println!("{:<24} {:?}", "a host that is not asked", start.elapsed());
    let survey = host.survey();
    for fact in &survey.facts {
        let name = fact.element.map_or_else(|| fact.name.clone(), |element| format!("{} #{element}", fact.name));
        let said = match &fact.answer.reading {
            Reading::Known(value) => value.to_string(),
            Reading::None => "none".to_owned(),
            Reading::Unknown(reason) => format!("unknown: {reason}"),
        };
        println!("{name:<24} {said}");
    }
    for group in &survey.groups {
        println!(
            "{:<24} first {:>10.1?}   median of ten {:>10.1?}",
            group.group.as_str(),
            group.cost,
            median(group.group)
        );
    }
}

fn median(group: Group) -> Duration {
    let name = match group {
        Group::System => "os",
        Group::Memory => "ram.total",
        Group::Gpus => "gpu.name",
        Group::GpuPrograms => "gpu-program.name",
        Group::Disks => "disk.mount",
        Group::Processes => "launch.args",
    };
    let mut costs: Vec<Duration> = (0..10)
        .map(|_| {
            let (mut host, start) = (Host::new(), Instant::now());
            host.get(name);
            start.elapsed()
        })
        .collect();
    costs.sort();
    costs.get(5).copied().unwrap_or_default()
}
