//! The rule engine: rulesets are checked, compiled into one decision graph, and evaluated over facts; every conclusion
//! carries its proof.
//!
//! Pure: no files, clock, environment, threads or network. A caller hands sources, evidence and facts in.

pub mod check;
mod coverage;
pub mod diagnosis;
pub mod evidence;
mod explain;
pub mod explanation;
pub mod facts;
mod given;
mod graph;
mod image;
mod index;
pub mod ir;
mod list;
mod outcome;
mod pattern;
mod read;
pub mod report;
mod ruleset;
mod session;
mod spoken;
mod steps;
pub mod testing;
pub mod value;
mod version;
mod words;

pub use check::PackSource;
pub use diagnosis::Diagnosis;
pub use evidence::Evidence;
pub use explanation::Explanation;
pub use facts::{Answer, Element, FactSource, Nobody, Origin, Reading, Reason};
pub use given::{Given, GivenError};
pub use image::ImageError;
pub use list::List;
pub use rulecheck_grammar::{Diagnostic, Diagnostics, Severity, Source, SourceId};
pub use ruleset::{LimitError, MAX_TEXT, RulesError, Ruleset};
pub use value::{Type, Value};
pub use version::Version;
