//! Questions on the terminal, until nothing is left to decide.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};

use rulecheck::diagnosis::Question;
use rulecheck::{Diagnosis, Given, Ruleset, Type};

use crate::failure::{Failure, Result};
use crate::given::{Stated, Stating};
use crate::output;

/// The terminal's keyboard, whatever the standard input is.
const KEYBOARD: &str = if cfg!(windows) { "CONIN$" } else { "/dev/tty" };

/// Somebody who answers.
pub(crate) struct Asker {
    answers: Box<dyn BufRead>,
    lang: &'static str,
    /// The facts that were asked for already.
    asked: BTreeSet<String>,
}

/// What was typed.
enum Typed {
    /// A value of the fact.
    Value(String),
    /// That it is not known.
    Unknown,
    /// Nothing more.
    End,
}

impl Asker {
    /// Answers come from the standard input, or from the terminal where that held the text.
    pub(crate) fn new(text_is_standard: bool, lang: &'static str) -> Result<Self> {
        let answers: Box<dyn BufRead> = if text_is_standard {
            let keyboard = File::open(KEYBOARD).map_err(|_| {
                Failure::line("--ask has no terminal to ask on; name a FILE, and answer on the standard input")
            })?;
            Box::new(BufReader::new(keyboard))
        } else {
            Box::new(io::stdin().lock())
        };
        Ok(Self { answers, lang, asked: BTreeSet::new() })
    }

    /// The answer to the next question; `None` when nothing is left to ask, or nobody answers.
    pub(crate) fn next(&mut self, diagnosis: &Diagnosis) -> Result<Option<Stated>> {
        for question in diagnosis.questions() {
            if !self.asked.insert(question.fact().to_owned()) {
                continue;
            }
            match self.ask(diagnosis.ruleset(), &question)? {
                Typed::Value(value) => {
                    let (name, value) = (question.fact().to_owned(), Stating::Value(value));
                    return Ok(Some(Stated { name, value, origin: "--ask".to_owned(), lenient: false }));
                }
                Typed::Unknown => {}
                Typed::End => return Ok(None),
            }
        }
        if !self.asked.is_empty() {
            output::error("\n");
        }
        Ok(None)
    }

    /// Asks until the answer is one.
    fn ask(&mut self, ruleset: &Ruleset, question: &Question<'_>) -> Result<Typed> {
        output::error(&format!("\n{}\n  {}\n", question.text(self.lang), self.hint(question)));
        loop {
            output::error("> ");
            let mut line = String::new();
            let read = self.answers.read_line(&mut line);
            if read.map_err(|error| Failure::line(format!("the answer cannot be read: {error}")))? == 0 {
                output::error("\n");
                return Ok(Typed::End);
            }
            let answer = line.trim();
            if answer.is_empty() || answer == "?" {
                return Ok(Typed::Unknown);
            }
            let value = meant(answer, question);
            match Given::new().set(ruleset, question.fact(), &value) {
                Ok(()) => return Ok(Typed::Value(value)),
                Err(error) => output::error(&format!("  {error}\n")),
            }
        }
    }

    /// What an answer looks like.
    fn hint(&self, question: &Question<'_>) -> String {
        let either = |en: &str, zh: &str| if self.lang == "zh" { zh.to_owned() } else { en.to_owned() };
        let answers = match question.ty() {
            Some(Type::Bool) => either("yes, no", "是、否"),
            Some(Type::OneOf(words)) => words.join(if self.lang == "zh" { "、" } else { ", " }),
            Some(Type::Size) => either("such as 8 GiB", "例如 8 GiB"),
            Some(Type::Version) => either("such as 2.4.1", "例如 2.4.1"),
            Some(Type::Number) => either("a number", "一个数字"),
            Some(Type::Set(_)) => either("words with commas between them, or none", "用逗号隔开，没有则写 none"),
            Some(Type::Text | Type::Name) | None => either("as it is written there", "照原样写"),
        };
        let unknown = either("Enter alone: not known", "直接回车：不清楚");
        format!("({answers}; {unknown})")
    }
}

/// An answer as the fact is written: yes and no in words, the beginning of a word that no other begins with.
fn meant(answer: &str, question: &Question<'_>) -> String {
    let lower = answer.to_lowercase();
    match question.ty() {
        Some(Type::Bool) => match lower.as_str() {
            "y" | "yes" | "是" | "对" | "有" => "true".to_owned(),
            "n" | "no" | "否" | "不" | "不是" | "没有" => "false".to_owned(),
            _ => lower,
        },
        Some(Type::OneOf(words)) => {
            let mut begun = words.iter().filter(|word| word.starts_with(&lower));
            match (words.iter().any(|word| **word == *lower), begun.next(), begun.next()) {
                (false, Some(only), None) => only.to_string(),
                _ => lower,
            }
        }
        _ => answer.to_owned(),
    }
}
