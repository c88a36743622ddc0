//! A diagnosis for a tired person: what is wrong, what was understood, then one change after the other.

use super::layout::{paragraph, shorten, spaces, width};
use super::markup::{Markup, Tone};
use super::quote::{self, quote};
use super::{Detail, Style, nothing};
use crate::diagnosis::{
    Certainty, Diagnosis, FactView, ProblemView, Status, StepText, Suggestion, Withheld, WithheldReason,
};
use crate::evidence::Place;
use crate::facts::Origin;
use crate::ir::{ProblemSeverity, Risk};
use crate::value::Type;
use crate::words::{self, Word};

/// Possible problems that are shown.
const POSSIBLE_PROBLEMS: usize = 5;
/// Suggestions that are shown.
const SUGGESTIONS: usize = 10;
/// Facts of one origin that are shown.
const FACTS: usize = 16;
/// Reasons for withholding that are shown.
const WITHHELD: usize = 6;

/// A diagnosis as text.
#[must_use]
pub fn diagnosis(diagnosis: &Diagnosis, style: &Style<'_>) -> Markup {
    let mut report = Report { diagnosis, style, out: Markup::new(), others_shown: false, rank_columns: 1 };
    if style.detail == Detail::Brief {
        report.brief();
    } else {
        report.usual();
    }
    report.out
}

/// A report as it is written.
pub(crate) struct Report<'a> {
    pub(crate) diagnosis: &'a Diagnosis,
    pub(crate) style: &'a Style<'a>,
    pub(crate) out: Markup,
    /// Whether it was shown how other installs do a step.
    others_shown: bool,
    /// The figures of the highest rank.
    rank_columns: usize,
}

impl Report<'_> {
    fn brief(&mut self) {
        for problem in self.diagnosis.problems().iter().filter(|problem| problem.covered_by().is_none()) {
            self.problem_line(problem, "");
        }
        let suggestions = self.diagnosis.suggestions();
        self.rank_columns = suggestions.len().min(SUGGESTIONS).to_string().len();
        for suggestion in suggestions.iter().take(SUGGESTIONS) {
            self.suggestion_title(suggestion, "");
        }
        if self.diagnosis.problems().is_empty() {
            let word = nothing::headline(self.diagnosis);
            self.line(Tone::Warn, self.word(word));
        }
    }

    fn usual(&mut self) {
        let problems = self.diagnosis.problems();
        match problems.split_first() {
            Some((primary, others)) => {
                self.primary(primary);
                self.others(others);
                self.understood();
                self.suggestions();
            }
            None => nothing::write(self),
        }
        self.withheld();
        self.questions();
        self.notices();
        self.ending();
    }

    pub(crate) fn word(&self, word: Word) -> &'static str {
        word.get(self.style.lang)
    }

    pub(crate) fn line(&mut self, tone: Tone, text: &str) {
        self.out.push(tone, text);
        self.out.end_line();
    }

    pub(crate) fn heading(&mut self, word: Word) {
        self.out.end_line();
        self.line(Tone::Heading, self.word(word));
    }

    pub(crate) fn paragraph(&mut self, first: &str, rest: &str, tone: Tone, text: &str) {
        paragraph(&mut self.out, (Tone::Plain, first), rest, (tone, text), self.style.width);
    }

    /// A list item.
    pub(crate) fn item(&mut self, text: &str) {
        self.paragraph("  - ", "    ", Tone::Plain, text);
    }

    fn primary(&mut self, problem: &ProblemView<'_>) {
        self.problem_line(problem, "");
        if problem.id() == "unnamed" {
            self.paragraph("  ", "  ", Tone::Plain, self.word(words::DECLARED_ONLY_BY_FIXES));
        }
        let lang = self.style.lang;
        let told = [problem.summary(lang), problem.cause(lang)];
        let because = problem.because(lang);
        for text in told.iter().flatten().chain(&because) {
            self.paragraph("  ", "  ", Tone::Plain, text);
        }
        let evidence = problem.evidence();
        if !evidence.is_empty() {
            self.out.end_line();
        }
        for place in evidence.iter().take(self.style.limit(2)) {
            self.quote(place, 2);
        }
    }

    /// Sign, title, certainty and id on one line, or as many as it takes.
    fn problem_line(&mut self, problem: &ProblemView<'_>, indent: &str) {
        let (sign, tone) = match problem.severity() {
            ProblemSeverity::Failure => ("✗ ", Tone::Bad),
            ProblemSeverity::Warning => ("! ", Tone::Warn),
            ProblemSeverity::Note => ("· ", Tone::Faint),
        };
        let mut notes = Vec::new();
        if problem.certainty() == Certainty::Possible {
            notes.push(self.word(words::certainty(problem.certainty())).to_owned());
            notes.extend(self.depends(problem.needs()));
        }
        if let Some(other) = problem.covered_by() {
            notes.push(words::COVERED_BY.with(self.style.lang, &[other]));
        }
        let title = problem.title(self.style.lang);
        // The shared problem of unnamed advice has the error's own line as its title, however long that is.
        let title = if problem.id() == "unnamed" { shorten(&title, 2 * self.style.width - 20) } else { title };
        self.titled((tone, &format!("{indent}{sign}")), &title, problem.id(), &notes);
    }

    fn depends(&self, needs: &[String]) -> Option<String> {
        let needs = needs.join(self.word(words::JOIN));
        (!needs.is_empty()).then(|| words::DEPENDS_ON.with(self.style.lang, &[&needs]))
    }

    /// A title, its id behind it where it fits, and notes about it on the line below.
    fn titled(&mut self, sign: (Tone, &str), title: &str, id: &str, notes: &[String]) {
        let rest = spaces(width(sign.1));
        let room = self.style.width.saturating_sub(width(&rest));
        let lines = super::layout::wrap(title, room);
        for (index, line) in lines.iter().enumerate() {
            self.out.push(sign.0, if index == 0 { sign.1 } else { &rest });
            self.out.push(Tone::Strong, line);
            if index + 1 == lines.len() && id != "unnamed" {
                let fits = width(line) + width(id) + 4 <= room;
                self.out.push(Tone::Faint, &if fits { format!("  [{id}]") } else { format!("\n{rest}[{id}]") });
            }
            self.out.end_line();
        }
        if !notes.is_empty() {
            self.paragraph(&rest, &rest, Tone::Faint, &notes.join(" · "));
        }
    }

    fn others(&mut self, problems: &[ProblemView<'_>]) {
        if problems.is_empty() {
            return;
        }
        self.heading(words::ALSO_FOUND);
        let (certain, possible): (Vec<_>, Vec<_>) = problems.iter().partition(|p| p.certainty() == Certainty::Certain);
        let limit = self.style.limit(POSSIBLE_PROBLEMS);
        for problem in certain.into_iter().chain(possible.iter().take(limit).copied()) {
            self.problem_line(problem, "  ");
        }
        self.and_more(possible.len().saturating_sub(limit));
    }

    pub(crate) fn and_more(&mut self, count: usize) {
        if count > 0 {
            let text = words::AND_MORE_VERBOSE.with(self.style.lang, &[&count.to_string()]);
            self.line(Tone::Faint, &format!("  … {text}"));
        }
    }

    /// A place and the user's own line with the matched part pointed at.
    pub(crate) fn quote(&mut self, place: &Place, depth: usize) {
        let margin = quote::margin(depth);
        self.line(Tone::Faint, &format!("{}{}", spaces(depth), quote::name(place)));
        let quoted = quote(place, self.style.width.saturating_sub(width(&margin)));
        for (tone, text) in [(Tone::Plain, quoted.line), (Tone::Pointer, quoted.pointer)] {
            self.out.push(Tone::Faint, &margin);
            self.line(tone, &text);
        }
        if quoted.more_lines > 0 {
            self.out.push(Tone::Faint, &margin);
            let text = words::MORE_LINES.with(self.style.lang, &[&quoted.more_lines.to_string()]);
            self.line(Tone::Faint, &text);
        }
    }

    /// What is known, by where it came from.
    pub(crate) fn understood(&mut self) {
        let facts = self.diagnosis.facts();
        let origins = [Origin::Given, Origin::Text, Origin::Rule, Origin::Probe];
        let column = origins.map(|origin| width(self.word(words::origin(origin)))).into_iter().max().unwrap_or(0) + 4;
        let mut first = true;
        for origin in origins {
            let shown = self.facts_of(&facts, origin);
            if shown.is_empty() {
                continue;
            }
            if std::mem::take(&mut first) {
                self.heading(words::UNDERSTOOD);
            }
            let name = self.word(words::origin(origin));
            self.flow(&format!("  {name}{}", spaces(column - 2 - width(name))), column, &shown);
        }
    }

    fn facts_of(&self, facts: &[FactView<'_>], origin: Origin) -> Vec<String> {
        let known: Vec<_> = facts.iter().filter(|fact| fact.origin() == origin && self.is_worth_saying(fact)).collect();
        let limit = self.style.limit(FACTS);
        let mut shown: Vec<_> = known.iter().take(limit).map(|fact| self.fact(fact.name(), fact.value())).collect();
        if known.len() > limit {
            let more = (known.len() - limit).to_string();
            shown.push(words::AND_MORE_VERBOSE.with(self.style.lang, &[&more]));
        }
        shown
    }

    /// The error's own texts are quoted already, and what rules found to have no value is no news.
    fn is_worth_saying(&self, fact: &FactView<'_>) -> bool {
        let quoted = fact.name().starts_with("error.") && fact.origin() == Origin::Text;
        let no_news = matches!(fact.origin(), Origin::Rule | Origin::Probe) && fact.value().is_none();
        self.style.detail == Detail::Full || !(quoted || no_news)
    }

    fn fact(&self, name: &str, value: Option<&crate::value::Value>) -> String {
        let value = value.map_or_else(|| self.word(words::NO_VALUE).to_owned(), ToString::to_string);
        let columns = if self.style.detail == Detail::Full { usize::MAX } else { 48 };
        format!("{name} {}", shorten(&value, columns))
    }

    /// Short texts one behind the other; each stays on one line if it can.
    fn flow(&mut self, first: &str, column: usize, items: &[String]) {
        let room = self.style.width.saturating_sub(column);
        let mut lines: Vec<String> = Vec::new();
        for item in items {
            match lines.last_mut() {
                Some(line) if width(line) + 3 + width(item) <= room => {
                    line.push_str(" · ");
                    line.push_str(item);
                }
                _ => lines.push(item.clone()),
            }
        }
        self.paragraph(first, &spaces(column), Tone::Plain, &lines.join("\n"));
    }

    fn suggestions(&mut self) {
        let suggestions = self.diagnosis.suggestions();
        if suggestions.is_empty() {
            return;
        }
        self.heading(words::TO_TRY);
        let limit = self.style.limit(SUGGESTIONS);
        self.rank_columns = suggestions.len().min(limit).to_string().len();
        for suggestion in suggestions.iter().take(limit) {
            self.out.end_line();
            self.suggestion(suggestion);
        }
        self.and_more(suggestions.len().saturating_sub(limit));
    }

    fn suggestion_title(&mut self, it: &Suggestion<'_>, indent: &str) {
        let (status, tone) = match it.status() {
            Status::Recommended => (words::RECOMMENDED, Tone::Good),
            Status::Possible => (words::POSSIBLE, Tone::Warn),
        };
        let brief = self.style.detail == Detail::Brief;
        let mut notes = Vec::new();
        if !brief || it.status() == Status::Possible {
            notes.push(self.word(status).to_owned());
            notes.extend(self.depends(it.needs()));
        }
        if !brief && it.risk() != Risk::Low {
            notes.push(self.word(words::risk(it.risk())).to_owned());
        }
        let rank = format!("{indent}{:>columns$}. ", it.rank(), columns = self.rank_columns);
        self.titled((tone, &rank), &it.title(self.style.lang), it.fix(), &notes);
    }

    fn suggestion(&mut self, it: &Suggestion<'_>) {
        let lang = self.style.lang;
        self.suggestion_title(it, "  ");
        for (index, text) in it.because(lang).iter().enumerate() {
            self.labelled(if index == 0 { self.word(words::WHY) } else { "" }, text);
        }
        if let Some(text) = it.risk_note(lang) {
            self.part(words::COST, &text);
        }
        for caution in it.cautions(lang) {
            self.part(words::CAREFUL, &caution.text);
        }
        self.steps(&it.steps(lang));
        for (word, text) in [(words::CHECK, it.verify(lang)), (words::UNDO, it.undo(lang))] {
            if let Some(text) = text {
                self.part(word, &text);
            }
        }
        let alternatives = it.alternatives().join(self.word(words::JOIN));
        if !alternatives.is_empty() {
            self.part(words::INSTEAD, &alternatives);
        }
        if self.style.detail == Detail::Full {
            self.background(it);
        }
    }

    /// Where the advice comes from.
    fn background(&mut self, it: &Suggestion<'_>) {
        self.part(words::RULES, &it.rules().join(self.word(words::JOIN)));
        for source in it.sources() {
            let url = source.url.as_ref().map_or_else(String::new, |url| format!(" {url}"));
            self.part(words::SOURCE, &format!("{} ({}){url}", source.title, source.kind));
        }
        if let Some(date) = it.verified() {
            self.part(words::VERIFIED, date);
        }
    }

    fn steps(&mut self, steps: &[StepText]) {
        for (index, step) in steps.iter().enumerate() {
            let text = apart(&step.text, step.command.as_deref(), self.style.lang);
            let text = if steps.len() > 1 { format!("{}) {text}", index + 1) } else { text.to_owned() };
            self.part(words::HOW, &text);
            self.command(step.command.as_deref());
        }
        let others: Vec<_> = steps.iter().flat_map(|step| &step.alternatives).collect();
        if others.is_empty() {
            return;
        }
        // Once is enough to see how it goes; the rest of the page stays readable.
        if std::mem::replace(&mut self.others_shown, true) && self.style.detail != Detail::Full {
            return;
        }
        for other in others {
            let text = apart(&other.text, other.command.as_deref(), self.style.lang);
            self.part(words::OR_ON, &format!("{}{}{text}", other.launcher, self.word(words::COLON)));
            self.command(other.command.as_deref());
        }
        self.labelled("", self.word(words::OTHER_INSTALLS));
    }

    /// A command on lines of its own, never broken, so that it can be copied.
    fn command(&mut self, command: Option<&str>) {
        for line in command.unwrap_or_default().lines() {
            self.out.push(Tone::Plain, &spaces(self.part_column() + 2));
            self.line(Tone::Code, line);
        }
    }

    /// A labelled part of a suggestion.
    fn part(&mut self, word: Word, text: &str) {
        self.labelled(self.word(word), text);
    }

    fn labelled(&mut self, label: &str, text: &str) {
        let column = self.part_column();
        let indent = spaces(self.rank_columns + 4);
        let gap = column.saturating_sub(width(&indent) + width(label)).max(1);
        let first = format!("{indent}{label}{}", spaces(gap));
        paragraph(&mut self.out, (Tone::Faint, &first), &spaces(column), (Tone::Plain, text), self.style.width);
    }

    fn part_column(&self) -> usize {
        let labels = [
            words::WHY,
            words::HOW,
            words::OR_ON,
            words::CHECK,
            words::UNDO,
            words::COST,
            words::CAREFUL,
            words::INSTEAD,
        ];
        labels.iter().map(|word| width(self.word(*word))).max().unwrap_or(0) + self.rank_columns + 6
    }

    fn withheld(&mut self) {
        let lang = self.style.lang;
        let groups = withheld(self.diagnosis, lang);
        if groups.is_empty() {
            return;
        }
        self.heading(words::NOT_OFFERED);
        let limit = self.style.limit(WITHHELD);
        for group in groups.iter().take(limit) {
            let fixes: Vec<_> = group.fixes.iter().map(|it| format!("{} [{}]", it.title(lang), it.fix())).collect();
            let reason = self.word(words::withheld(group.reason));
            let colon = if group.because.is_empty() { "" } else { self.word(words::COLON) };
            self.item(&format!("{} — {reason}{colon}{}", fixes.join(self.word(words::JOIN)), group.because));
        }
        self.and_more(groups.len().saturating_sub(limit));
    }

    pub(crate) fn questions(&mut self) {
        let questions = self.diagnosis.questions();
        let limit = self.style.limit(3);
        if questions.is_empty() {
            return;
        }
        self.heading(words::WOULD_HELP);
        for it in questions.iter().take(limit) {
            self.item(&it.text(self.style.lang));
            let answers = it.ty().map_or_else(String::new, answers);
            let mut hint = words::ANSWER_WITH.with(self.style.lang, &[it.fact(), &answers]);
            if self.style.detail == Detail::Full && !it.decides().is_empty() {
                let decides = it.decides().join(self.word(words::JOIN));
                hint = format!("{hint} · {}", words::DECIDES.with(self.style.lang, &[&decides]));
            }
            self.paragraph("    ", "    ", Tone::Faint, &hint);
        }
        self.and_more(questions.len().saturating_sub(limit));
    }

    fn notices(&mut self) {
        if self.diagnosis.notices().is_empty() {
            return;
        }
        self.heading(words::GOOD_TO_KNOW);
        for notice in self.diagnosis.notices() {
            self.item(&notice.text(self.style.lang));
        }
    }

    fn ending(&mut self) {
        let lang = self.style.lang;
        let first = self.diagnosis.suggestions().first().map(|it| it.fix().to_owned());
        let probes = self.diagnosis.rests_on_probes()
            || self.diagnosis.facts().iter().any(|fact| fact.origin() == Origin::Probe);
        if first.is_some() || probes {
            self.out.end_line();
        }
        if let Some(id) = first {
            self.paragraph("", "", Tone::Faint, &words::EXPLAIN_HINT.with(lang, &[&id]));
        }
        if probes {
            self.paragraph("", "", Tone::Faint, self.word(words::PROBES_OFF_HINT));
        }
    }
}

/// Fixes that are withheld for the same reason.
pub(crate) struct WithheldGroup<'a> {
    pub(crate) reason: WithheldReason,
    pub(crate) because: String,
    pub(crate) fixes: Vec<Withheld<'a>>,
}

/// What is withheld, by reason; what is in effect already comes first.
pub(crate) fn withheld<'a>(diagnosis: &'a Diagnosis, lang: &str) -> Vec<WithheldGroup<'a>> {
    let mut groups: Vec<WithheldGroup<'a>> = Vec::new();
    for it in diagnosis.withheld() {
        let (reason, because) = (it.reason(), it.because(lang).join(" "));
        match groups.iter_mut().find(|group| group.reason == reason && group.because == because) {
            Some(group) => group.fixes.push(it),
            None => groups.push(WithheldGroup { reason, because, fixes: vec![it] }),
        }
    }
    groups.sort_by_key(|group| group.reason != WithheldReason::InEffect);
    groups
}

/// How an answer is written, where there is a choice.
fn answers(ty: &Type) -> String {
    match ty {
        Type::Bool => "true|false".to_owned(),
        Type::OneOf(words) => words.join("|"),
        _ => "…".to_owned(),
    }
}

/// The text of a step whose command is shown on a line of its own.
pub(crate) fn apart<'a>(text: &'a str, command: Option<&str>, lang: &str) -> &'a str {
    match command {
        Some(command) if text == words::run(command, lang) => words::RUN_THIS.get(lang),
        _ => text,
    }
}
