//! What the program needs, from what was typed and from where it runs.

use std::env;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use rulecheck::report::{Detail, Style};

use crate::args::{Color, Common, Format, Lang, Probe};
use crate::failure::{Failure, Result};
use crate::locale;

/// What all commands need.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) rules: Vec<PathBuf>,
    pub(crate) only_rules: bool,
    /// `NAME=VALUE`, as typed.
    pub(crate) facts: Vec<String>,
    pub(crate) fact_files: Vec<PathBuf>,
    pub(crate) probe: Probe,
    pub(crate) lang: &'static str,
    pub(crate) format: Format,
    pub(crate) detail: Detail,
    /// Whether the answer goes to a terminal.
    pub(crate) terminal: bool,
    /// Whether standard output takes colour.
    pub(crate) color: bool,
    /// Whether standard error takes colour.
    pub(crate) error_color: bool,
}

impl Config {
    pub(crate) fn new(common: Common) -> Self {
        let terminal = io::stdout().is_terminal();
        let detail = match (common.quiet, common.verbose) {
            (true, _) => Detail::Brief,
            (_, true) => Detail::Full,
            _ => Detail::Usual,
        };
        Self {
            rules: common.rules,
            only_rules: common.only_rules,
            facts: common.fact,
            fact_files: common.facts,
            probe: common.probe,
            lang: common.lang.map_or_else(locale::language, lang_name),
            format: common.format,
            detail,
            terminal,
            color: wants_color(common.color, terminal),
            error_color: wants_color(common.color, io::stderr().is_terminal()),
        }
    }

    /// How reports for people are written.
    pub(crate) const fn style(&self) -> Style<'static> {
        let mut style = Style::new(self.lang);
        style.detail = self.detail;
        style
    }

    /// Refuses a form that the command does not have.
    pub(crate) fn only(&self, command: &str, formats: &[Format]) -> Result<()> {
        if formats.contains(&self.format) {
            return Ok(());
        }
        let names: Vec<_> = formats.iter().map(|format| format_name(*format)).collect();
        let asked = format_name(self.format);
        Err(Failure::line(format!("`{command}` has no `--format {asked}`; it has {}", names.join(", "))))
    }
}

const fn lang_name(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "en",
        Lang::Zh => "zh",
    }
}

const fn format_name(format: Format) -> &'static str {
    match format {
        Format::Text => "text",
        Format::Json => "json",
        Format::Markdown => "markdown",
        Format::Ron => "ron",
    }
}

/// `NO_COLOR` and dumb terminals are heeded, unless colour was asked for.
fn wants_color(color: Color, terminal: bool) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
            terminal && !no_color && !dumb
        }
    }
}
