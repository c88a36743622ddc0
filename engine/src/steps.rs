//! How to do a fix on this install: its steps through the launcher's templates, in the user's shell.

use crate::explanation::Truth;
use crate::facts::State;
use crate::ir::{Fix, FixId, Launcher, StepKind, Template, Text};
use crate::ruleset::Ruleset;
use crate::session::Session;
use crate::value::Value;
use crate::{spoken, words};

/// The launcher that is shown first where the install is not known.
const MANUAL: &str = "manual";

/// A command line interpreter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shell {
    /// `sh` and its kin.
    Sh,
    /// The Windows command prompt.
    Cmd,
    /// PowerShell.
    PowerShell,
}

impl Shell {
    /// The word of the contract.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sh => "sh",
            Self::Cmd => "cmd",
            Self::PowerShell => "powershell",
        }
    }

    /// How this shell sets a variable.
    fn set(self, name: &str, value: &str) -> String {
        match self {
            Self::Sh => format!("export {name}={}", quoted(value)),
            Self::Cmd => format!("set {name}={value}"),
            Self::PowerShell => format!("$env:{name}=\"{value}\""),
        }
    }

    /// How this shell takes a variable back.
    fn unset(self, name: &str) -> String {
        match self {
            Self::Sh => format!("unset {name}"),
            Self::Cmd => format!("set {name}="),
            Self::PowerShell => format!("Remove-Item Env:{name}"),
        }
    }
}

/// A step in words, and the command if it is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepText {
    /// What to do.
    pub text: String,
    /// The command line, if the step is one.
    pub command: Option<String>,
    /// The shell it is for.
    pub shell: Option<Shell>,
    /// How other installs do the same, where the install is not known.
    pub alternatives: Vec<Alternative>,
}

/// How another install does the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// The title of the launcher.
    pub launcher: String,
    /// What to do.
    pub text: String,
    /// The command line, if it is one.
    pub command: Option<String>,
    /// The shell it is for.
    pub shell: Option<Shell>,
}

/// The steps of a fix that apply, in a language.
#[must_use]
pub fn render(ruleset: &Ruleset, session: &Session, fix: FixId, lang: &str) -> Vec<StepText> {
    let renderer = Renderer { ruleset, session, lang };
    let mut steps = Vec::new();
    for step in &ruleset.fix(fix).steps {
        let applies = step.when.as_ref().map_or(Truth::True, |when| session.holds(ruleset, when));
        if applies == Truth::False {
            continue;
        }
        let mut text = renderer.step(&step.kind);
        if let (Truth::Unknown, Some(when)) = (applies, &step.when) {
            text.text = words::only_if(&spoken::condition(ruleset, session, when, lang), &text.text, lang);
        }
        steps.push(text);
    }
    steps
}

/// The steps whose condition is not false.
fn applying<'a>(ruleset: &'a Ruleset, session: &'a Session, fix: FixId) -> impl Iterator<Item = &'a crate::ir::Step> {
    let may =
        |step: &&crate::ir::Step| step.when.as_ref().is_none_or(|when| session.holds(ruleset, when) != Truth::False);
    ruleset.fix(fix).steps.iter().filter(may)
}

/// Whether a fix has steps and none of them is for this machine.
pub(crate) fn none_applies(ruleset: &Ruleset, session: &Session, fix: FixId) -> bool {
    !ruleset.fix(fix).steps.is_empty() && applying(ruleset, session, fix).next().is_none()
}

/// Whether all that a fix changes is so already, as far as that is known. What is unknown withholds nothing.
#[must_use]
pub fn in_effect(ruleset: &Ruleset, session: &Session, fix: FixId) -> bool {
    let mut applying = applying(ruleset, session, fix).peekable();
    applying.peek().is_some() && applying.all(|step| step_in_effect(ruleset, session, &step.kind))
}

fn step_in_effect(ruleset: &Ruleset, session: &Session, step: &StepKind) -> bool {
    let arguments = Arguments { ruleset, session };
    match step {
        StepKind::Flag { flag, value, instead_of } => {
            let set = match value {
                Some(value) => {
                    arguments.value(flag).is_some_and(|current| current.to_string().eq_ignore_ascii_case(value))
                }
                None => arguments.has(flag) == Some(true),
            };
            set && instead_of.iter().all(|other| arguments.has(other) == Some(false))
        }
        StepKind::FlagOff(flags) => flags.iter().all(|flag| arguments.has(flag) == Some(false)),
        StepKind::Env { name, value } => {
            arguments.variable(name).is_some_and(|current| current.to_string().eq_ignore_ascii_case(value))
        }
        StepKind::EnvOff(name) => matches!(session.fact_named(ruleset, &format!("env.{name}")), Some(State::None(_))),
        StepKind::Via { .. } | StepKind::Run(_) | StepKind::Do(_) => false,
    }
}

/// What the steps of a fix set, as it is written on a command line.
pub(crate) fn changes(fix: &Fix) -> impl Iterator<Item = String> {
    fix.steps.iter().filter_map(|step| match &step.kind {
        StepKind::Flag { flag, value: Some(value), .. } => Some(format!("{flag} {value}")),
        StepKind::Flag { flag, value: None, .. } => Some(flag.to_string()),
        StepKind::Env { name, value } => Some(format!("{name}={value}")),
        // What is to be taken out is in effect where it is not there: nothing to show.
        StepKind::FlagOff(_) | StepKind::EnvOff(_) | StepKind::Via { .. } | StepKind::Run(_) | StepKind::Do(_) => None,
    })
}

/// What is known of the launch arguments and environment of the failed run.
struct Arguments<'a> {
    ruleset: &'a Ruleset,
    session: &'a Session,
}

impl Arguments<'_> {
    /// Whether a flag is set; `None` where the arguments are not known.
    fn has(&self, flag: &str) -> Option<bool> {
        match self.session.fact_named(self.ruleset, "launch.args")? {
            State::Known(Value::Set(items), _) => {
                Some(items.iter().any(|item| matches!(item, Value::Text(text) if &**text == flag)))
            }
            State::None(_) => Some(false),
            _ => None,
        }
    }

    fn value(&self, flag: &str) -> Option<Value> {
        self.session.value_named(self.ruleset, &format!("launch.arg.{}", flag.trim_start_matches('-')))
    }

    fn variable(&self, name: &str) -> Option<Value> {
        self.session.value_named(self.ruleset, &format!("env.{name}"))
    }
}

struct Renderer<'a> {
    ruleset: &'a Ruleset,
    session: &'a Session,
    lang: &'a str,
}

impl<'a> Renderer<'a> {
    fn step(&self, step: &StepKind) -> StepText {
        match step {
            StepKind::Flag { flag, value, instead_of } => self.flag(flag, value.as_deref(), instead_of),
            StepKind::FlagOff(flags) => {
                // What is known not to be there need not be taken out.
                let arguments = Arguments { ruleset: self.ruleset, session: self.session };
                let there: Vec<&str> =
                    flags.iter().map(|flag| &**flag).filter(|flag| arguments.has(flag) != Some(false)).collect();
                let flags = there.join(" ");
                self.through("flag-off", &[("flag", &flags)], |lang| words::remove_flag(&flags, lang))
            }
            StepKind::Env { name, value } => self.env(name, value),
            StepKind::EnvOff(name) => {
                let set = self.shell().unwrap_or(Shell::Sh).unset(name);
                self.through("env-off", &[("name", name), ("set", &set)], |lang| words::remove_variable(name, lang))
            }
            StepKind::Via { template, args } => {
                let args = self.command(args);
                self.through(template, &[("args", &args)], |_| format!("{template} {args}"))
            }
            StepKind::Run(text) => {
                let command = self.command(text);
                StepText {
                    text: words::run(&command, self.lang),
                    command: Some(command),
                    shell: self.shell(),
                    alternatives: Vec::new(),
                }
            }
            StepKind::Do(text) => plain(self.session.render(text, self.lang)),
        }
    }

    fn flag(&self, flag: &str, value: Option<&str>, instead_of: &[std::sync::Arc<str>]) -> StepText {
        let arguments = Arguments { ruleset: self.ruleset, session: self.session };
        let full = value.map_or_else(|| flag.to_owned(), |value| format!("{flag} {value}"));
        let other = arguments
            .value(flag)
            .filter(|current| value.is_some_and(|value| !current.to_string().eq_ignore_ascii_case(value)));
        if let Some(current) = other {
            return self.through("flag-change", &[("flag", &full)], |lang| {
                words::change_flag(&format!("{flag} {current}"), &full, lang)
            });
        }
        let mut step = self.through("flag", &[("flag", &full)], |lang| words::add_flag(&full, lang));
        let in_the_way: Vec<&str> =
            instead_of.iter().filter(|other| arguments.has(other) != Some(false)).map(|other| &**other).collect();
        if !in_the_way.is_empty() {
            let known = in_the_way.iter().any(|other| arguments.has(other) == Some(true));
            step.text = words::instead_of(&step.text, &in_the_way.join(" "), known, self.lang);
        }
        step
    }

    fn env(&self, name: &str, value: &str) -> StepText {
        let set = match self.shell() {
            Some(shell) => shell.set(name, value),
            None => words::set_by_system(&Shell::Sh.set(name, value), &Shell::Cmd.set(name, value), self.lang),
        };
        self.through("env", &[("name", name), ("value", value), ("set", &set)], |lang| {
            words::set_variable(name, value, lang)
        })
    }

    /// A step through the launcher of this install; where that is not known, the manual form and then the others.
    fn through(&self, template: &str, slots: &[(&str, &str)], otherwise: impl Fn(&str) -> String) -> StepText {
        let install = self.session.value_named(self.ruleset, "install").map(|value| value.to_string());
        let launchers = &self.ruleset.program().launchers;
        let is_command = !matches!(template, "flag" | "env" | "flag-off" | "env-off" | "flag-change");
        let filled = |launcher: &'a Launcher| {
            let template = self.template(launcher, template)?;
            let text = self.session.render_slots(&template.text, self.lang, slots);
            Some(if is_command { (words::run(&text, self.lang), Some(text)) } else { (text, None) })
        };
        let known = install.as_ref().and_then(|install| launchers.iter().find(|launcher| *launcher.id == **install));
        let first = known.or_else(|| launchers.iter().find(|launcher| &*launcher.id == MANUAL)).and_then(filled);
        let (text, command) = first.unwrap_or_else(|| (otherwise(self.lang), None));
        let shell = command.as_ref().and_then(|_| self.shell());
        let others = launchers.iter().filter(|launcher| known.is_none() && &*launcher.id != MANUAL);
        let alternatives = others
            .filter_map(|launcher| {
                let (text, command) = filled(launcher)?;
                let shell = command.as_ref().and_then(|_| self.shell());
                Some(Alternative { launcher: self.session.render(&launcher.title, self.lang), text, command, shell })
            })
            .collect();
        StepText { text, command, shell, alternatives }
    }

    /// The first template of a name whose condition holds, or else may hold.
    fn template(&self, launcher: &'a Launcher, name: &str) -> Option<&'a Template> {
        let value = |template: &&Template| {
            template.when.as_ref().map_or(Truth::True, |when| self.session.holds(self.ruleset, when))
        };
        let of_name = || launcher.templates.iter().filter(|template| &*template.name == name);
        of_name()
            .find(|template| value(template) == Truth::True)
            .or_else(|| of_name().find(|template| value(template) == Truth::Unknown))
    }

    /// A command: values are quoted for the shell where they hold anything but plain characters.
    fn command(&self, text: &Text) -> String {
        self.session.render_quoted(text, self.lang, &quoted)
    }

    fn shell(&self) -> Option<Shell> {
        let word = |name| self.session.value_named(self.ruleset, name).map(|value| value.to_string());
        match (word("shell").as_deref(), word("os").as_deref()) {
            (Some("sh"), _) => Some(Shell::Sh),
            (Some("cmd"), _) => Some(Shell::Cmd),
            (Some("powershell"), _) => Some(Shell::PowerShell),
            (_, Some("windows")) => Some(Shell::Cmd),
            (_, Some(_)) => Some(Shell::Sh),
            _ => None,
        }
    }
}

fn plain(text: String) -> StepText {
    StepText { text, command: None, shell: None, alternatives: Vec::new() }
}

/// A value as one word of a command line.
fn quoted(value: &str) -> String {
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '=' | ':' | '@' | '%' | '+' | ',');
    if !value.is_empty() && value.chars().all(is_plain) {
        value.to_owned()
    } else {
        format!("'{}'", value.replace('\'', r"'\''"))
    }
}
