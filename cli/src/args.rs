//! What was typed, and nothing that follows from it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Reads error text from ComfyUI, PyTorch and their like, says what is wrong, what to try in which order, and why.
#[derive(Debug, Parser)]
#[command(name = "rulecheck", version, max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct LowArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options that mean the same everywhere.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options that mean the same everywhere")]
pub(crate) struct Common {
    /// Rules beside the built-in ones: a pack, a folder of packs, or one .rules file; may be repeated
    #[arg(long, value_name = "PATH", global = true)]
    pub(crate) rules: Vec<PathBuf>,
    /// Leave the built-in packs out, except `core`, which gives no advice
    #[arg(long, global = true)]
    pub(crate) only_rules: bool,
    /// A fact: sets with commas, sizes such as `8 GiB` or in bytes, `none`; may be repeated
    #[arg(long, value_name = "NAME=VALUE", global = true)]
    pub(crate) fact: Vec<String>,
    /// Facts from a file, .ron or .json
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) facts: Vec<PathBuf>,
    /// Whether to ask this computer for facts
    #[arg(long, value_enum, default_value_t = Probe::Auto, global = true)]
    pub(crate) probe: Probe,
    /// The language of the answer; else the locale's
    #[arg(long, value_enum, global = true)]
    pub(crate) lang: Option<Lang>,
    /// The form of the answer
    #[arg(long, value_enum, default_value_t = Format::Text, global = true)]
    pub(crate) format: Format,
    /// Whether to use colour
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true)]
    pub(crate) color: Color,
    /// Say only the most important
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say everything
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Probe {
    /// Only for facts that an undecided rule needs, and only while nothing says that it failed elsewhere
    Auto,
    /// Not at all
    Never,
    /// Everything, at once
    Always,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lang {
    En,
    Zh,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Markdown,
    /// For `probe` only: what --facts reads
    Ron,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Never,
    Always,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Read error text, and print what is wrong and what to try, in order
    Diagnose {
        /// Files with the text; standard input when there is none or `-`
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The encoding of the text, where it is not recognised: gbk, shift_jis, …
        #[arg(long, value_name = "LABEL")]
        encoding: Option<String>,
        /// Ask on the terminal for what is not known, until nothing is left to decide
        #[arg(long)]
        ask: bool,
    },
    /// Print the proof of a suggestion, problem, fact, rule or withheld fix
    Explain(Explain),
    /// Parse, type and lint packs
    Check {
        /// Count warnings as errors, and ask for more
        #[arg(long)]
        strict: bool,
        /// Packs, folders of packs or .rules files; else those of --rules, of this folder, or the built-in ones
        #[arg(value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Run the tests that stand beside the rules
    Test {
        /// Also list the rules that no test makes true
        #[arg(long)]
        coverage: bool,
        /// Packs, folders of packs or .rules files; else those of --rules, of this folder, or the built-in ones
        #[arg(value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Lay rule files out in the one layout there is
    Fmt {
        /// Change nothing; say which files would be changed
        #[arg(long)]
        check: bool,
        /// Files and folders, or `-` for standard input to standard output; else this folder
        #[arg(value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Print what this computer says of itself, or why it is unknown
    Probe {
        /// Leave out what may show who or where somebody is: paths, and values of arguments and variables
        #[arg(long)]
        mask: bool,
    },
    /// List the problems, fixes, rules, facts or launchers that are known
    List {
        #[arg(value_enum)]
        what: Listed,
    },
    /// Print everything about a problem, fix, rule, fact or launcher, or what a finding's code means
    Show {
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Find problems and fixes by words
    Search {
        #[arg(value_name = "WORDS", required = true)]
        words: Vec<String>,
    },
    /// Print a completion script for a shell
    Completions {
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// What kept it from coming up, and the least that would have to be different
    #[arg(long, value_name = "ID", conflicts_with = "all")]
    pub(crate) why_not: Option<String>,
    /// Everything that came up
    #[arg(long)]
    pub(crate) all: bool,
    /// The encoding of the text, where it is not recognised: gbk, shift_jis, …
    #[arg(long, value_name = "LABEL")]
    pub(crate) encoding: Option<String>,
    /// An id (a rule as `rule:NAME` where the id is not enough), then files with the text; without a file the last
    /// diagnosis that was printed to a terminal. With --why-not and --all only files
    #[arg(value_name = "ID] [FILE")]
    pub(crate) operands: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Listed {
    Problems,
    Fixes,
    Rules,
    Facts,
    Launchers,
}
