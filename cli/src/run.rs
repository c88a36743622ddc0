//! From inputs, rules and facts to a diagnosis.

use rulecheck::{Diagnosis, FactSource, Nobody};
use rulecheck_probes::Host;

use crate::args::Probe;
use crate::config::Config;
use crate::failure::{Failure, Result};
use crate::inputs::Input;
use crate::recorder::{Record, Recorder};
use crate::state::Last;
use crate::{given, inputs, packs};

/// A diagnosis, and what it takes to make it again.
pub(crate) struct Run {
    pub(crate) diagnosis: Diagnosis,
    pub(crate) last: Last,
}

/// Diagnoses inputs.
pub(crate) fn run(config: &Config, inputs: Vec<Input>, encoding: Option<&str>) -> Result<Run> {
    let last = Last {
        inputs,
        encoding: encoding.map(ToOwned::to_owned),
        stated: given::stated(&config.fact_files, &config.facts)?,
        rules: config.rules.clone(),
        only_rules: config.only_rules,
        record: Record::default(),
    };
    let mut host = Host::new();
    match config.probe {
        Probe::Never => make(config, last, &mut Nobody),
        Probe::Auto => make(config, last, &mut host),
        Probe::Always => {
            host.survey();
            make(config, last, &mut host)
        }
    }
}

/// Makes the last diagnosis again, with what was given then and what is given now.
pub(crate) fn again(config: &Config, mut last: Last) -> Result<Run> {
    last.stated.extend(given::stated(&config.fact_files, &config.facts)?);
    last.rules.extend(config.rules.iter().cloned());
    last.only_rules |= config.only_rules;
    let mut record = last.record.clone();
    make(config, last, &mut record)
}

fn make(config: &Config, mut last: Last, host: &mut dyn FactSource) -> Result<Run> {
    let ruleset = packs::ruleset(config, &last.rules, last.only_rules)?;
    let evidence = inputs::evidence(&last.inputs, last.encoding.as_deref())?;
    let given = given::given(&ruleset, &last.stated)?;
    let mut recorder = Recorder::new(host, config.probe == Probe::Always);
    let diagnosis = ruleset.diagnose_with(&evidence, &given, &mut recorder).map_err(Failure::line)?;
    last.record = recorder.record;
    Ok(Run { diagnosis, last })
}
