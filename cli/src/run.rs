//! From inputs, rules and facts to a diagnosis.

use rulecheck::{Diagnosis, Evidence, FactSource, Nobody, Ruleset};
use rulecheck_probes::Host;

use crate::args::Probe;
use crate::ask::Asker;
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

/// Diagnoses inputs; with somebody to ask, until nothing is left to decide.
pub(crate) fn run(
    config: &Config,
    inputs: Vec<Input>,
    encoding: Option<&str>,
    asker: Option<&mut Asker>,
) -> Result<Run> {
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
        Probe::Never => make(config, last, &mut Nobody, asker),
        Probe::Auto => make(config, last, &mut host, asker),
        Probe::Always => {
            host.survey();
            make(config, last, &mut host, asker)
        }
    }
}

/// Makes the last diagnosis again, with what was given then and what is given now.
pub(crate) fn again(config: &Config, mut last: Last) -> Result<Run> {
    last.stated.extend(given::stated(&config.fact_files, &config.facts)?);
    last.rules.extend(config.rules.iter().cloned());
    last.only_rules |= config.only_rules;
    let mut record = last.record.clone();
    make(config, last, &mut record, None)
}

fn make(config: &Config, mut last: Last, host: &mut dyn FactSource, asker: Option<&mut Asker>) -> Result<Run> {
    let ruleset = packs::ruleset(config, &last.rules, last.only_rules)?;
    let evidence = inputs::evidence(&last.inputs, last.encoding.as_deref())?;
    let mut recorder = Recorder::new(host, config.probe == Probe::Always);
    let mut diagnosis = diagnose(&ruleset, &evidence, &last, &mut recorder)?;
    if let Some(asker) = asker {
        while let Some(answer) = asker.next(&diagnosis)? {
            last.stated.push(answer);
            diagnosis = diagnose(&ruleset, &evidence, &last, &mut recorder)?;
        }
    }
    last.record = recorder.record;
    Ok(Run { diagnosis, last })
}

fn diagnose(ruleset: &Ruleset, evidence: &Evidence, last: &Last, host: &mut dyn FactSource) -> Result<Diagnosis> {
    let given = given::given(ruleset, &last.stated)?;
    ruleset.diagnose_with(evidence, &given, host).map_err(Failure::line)
}
