//! `rulecheck explain`

use std::path::PathBuf;

use rulecheck::explanation::{Explanation, ProofStatus};
use rulecheck::report::{self, Markup};
use rulecheck::{Diagnosis, Ruleset};

use super::Status;
use super::knowledge::nearest_id;
use crate::args::{self, Format};
use crate::config::Config;
use crate::failure::{Failure, Result};
use crate::{inputs, output, run, state};

/// What is to be explained, and of which texts.
struct Asked {
    what: What,
    files: Vec<PathBuf>,
}

enum What {
    All,
    Why(String),
    WhyNot(String),
}

pub(crate) fn run(asked: args::Explain, config: &Config) -> Result<Status> {
    config.only("explain", &[Format::Text, Format::Json, Format::Markdown])?;
    let encoding = asked.encoding.clone();
    let asked = asked_for(asked);
    let run = if asked.files.is_empty() {
        run::again(config, state::last()?)?
    } else {
        run::run(config, inputs::read(&asked.files)?, encoding.as_deref(), None)?
    };
    match &asked.what {
        What::All => all(&run.diagnosis, config),
        What::Why(id) => {
            let found = run.diagnosis.explain_in(id, config.lang);
            let explanation = found.ok_or_else(|| unknown(run.diagnosis.ruleset(), id))?;
            print(&explanation, config)?;
            Ok(Status::from(!matches!(explanation.status, ProofStatus::Absent | ProofStatus::Unknown)))
        }
        What::WhyNot(id) => {
            let found = run.diagnosis.why_not(id, config.lang);
            let explanation = found.ok_or_else(|| unknown(run.diagnosis.ruleset(), id))?;
            print(&explanation, config)?;
            Ok(Status::from(!matches!(
                explanation.status,
                ProofStatus::Absent | ProofStatus::Unknown | ProofStatus::Withheld
            )))
        }
    }
}

/// The first operand is the id, unless an option says what is to be explained.
fn asked_for(asked: args::Explain) -> Asked {
    let mut operands = asked.operands.into_iter();
    let what = match asked.why_not {
        Some(id) => What::WhyNot(id),
        None if asked.all => What::All,
        None => operands.next().map_or(What::All, What::Why),
    };
    Asked { what, files: operands.map(PathBuf::from).collect() }
}

fn all(diagnosis: &Diagnosis, config: &Config) -> Result<Status> {
    let explanations = diagnosis.explain_all(config.lang);
    let style = config.style();
    match config.format {
        Format::Json => output::text(&report::explanations_json(&explanations))?,
        Format::Markdown => {
            let texts: Vec<_> = explanations.iter().map(|it| report::explanation_markdown(it, &style)).collect();
            output::text(&texts.join("\n"))?;
        }
        Format::Text | Format::Ron => output::markup(&report::explanations_text(&explanations, &style), config.color)?,
    }
    Ok(Status::from(!explanations.is_empty()))
}

fn print(explanation: &Explanation, config: &Config) -> Result<()> {
    let style = config.style();
    match config.format {
        Format::Json => output::text(&report::explanation_json(explanation)),
        Format::Markdown => output::text(&report::explanation_markdown(explanation, &style)),
        Format::Text | Format::Ron => {
            let text: Markup = report::explanation_text(explanation, &style);
            output::markup(&text, config.color)
        }
    }
}

fn unknown(ruleset: &Ruleset, id: &str) -> Failure {
    let hint = match nearest_id(ruleset, id) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "`rulecheck list problems`, `fixes`, `rules` and `facts` show all ids".to_owned(),
    };
    Failure::line(format!("there is no problem, fix, rule or fact `{id}`; {hint}"))
}
