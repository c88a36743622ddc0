//! A diagnosis or explanation as a chat message: short, complete in itself, and safe to post.

use super::layout::shorten;
use super::prune::{self, Shown};
use super::text::{apart, withheld};
use super::{Detail, Style, nothing, tree};
use crate::diagnosis::{Certainty, Diagnosis, ProblemView, Status, Suggestion};
use crate::evidence::Place;
use crate::explanation::Explanation;
use crate::words::{self, Word};

/// Characters that a message may have: what chat programs take is 2 000.
const MESSAGE: usize = 1950;

/// Other kinds of install whose steps are shown.
const INSTALLS: usize = 3;

/// A diagnosis as Markdown. Unless all of it is asked for, it fits a chat message: the first fix in full, further ones as
/// far as they fit, and how many more there are.
#[must_use]
pub fn diagnosis(diagnosis: &Diagnosis, style: &Style<'_>) -> String {
    let mut message = Message::new(style);
    let problems = diagnosis.problems();
    match problems.first() {
        Some(primary) => {
            message.always(&problem(primary, style));
            fixes(&mut message, diagnosis, style);
        }
        None => message.always(&unknown(diagnosis, style)),
    }
    message
        .list(words::ALSO_FOUND, problems.iter().skip(1).filter(|p| p.covered_by().is_none()).map(|p| other(p, style)));
    let withheld = withheld(diagnosis, style.lang);
    message.list(
        words::NOT_OFFERED,
        withheld.iter().map(|group| {
            let titles = group.fixes.iter().map(|it| inline(&it.title(style.lang))).collect::<Vec<_>>();
            let reason = words::withheld(group.reason).get(style.lang);
            join(&[&titles.join(words::JOIN.get(style.lang)), reason, &inline(&group.because)])
        }),
    );
    let questions = diagnosis.questions();
    message.list(words::WOULD_HELP, questions.iter().take(style.limit(2)).map(|it| inline(&it.text(style.lang))));
    message.list(words::GOOD_TO_KNOW, diagnosis.notices().iter().map(|it| inline(&it.text(style.lang))));
    message.text
}

/// An explanation as Markdown: a tree as a nested list.
#[must_use]
pub fn explanation(it: &Explanation, style: &Style<'_>) -> String {
    let mut message = Message::new(style);
    let status = words::proof_status(it.status).get(style.lang);
    message.always(&format!("**{}** (`{}`): {status}\n", inline(&it.title), it.id));
    if !it.order.is_empty() {
        message.always(&labelled(words::ORDER, &it.order, style.lang));
    }
    message.list(
        words::LEAST_CHANGE,
        it.least_change
            .iter()
            .map(|change| join(&[&code(&change.fact), &format!("{} → {}", inline(&change.from), inline(&change.to))])),
    );
    let mut lines = Vec::new();
    node_lines(&prune::proof(&it.proof, style.detail), 0, style, &mut lines);
    message.lines(&lines);
    message.text
}

/// A text that grows as far as a message may.
struct Message<'a> {
    style: &'a Style<'a>,
    limit: usize,
    text: String,
}

impl<'a> Message<'a> {
    fn new(style: &'a Style<'a>) -> Self {
        let limit = if style.detail == Detail::Full { usize::MAX } else { MESSAGE };
        Self { style, limit, text: String::new() }
    }

    fn room(&self) -> usize {
        self.limit.saturating_sub(self.text.chars().count())
    }

    /// What must be said, cut at a line if it is longer than the message.
    fn always(&mut self, text: &str) {
        if text.chars().count() <= self.room() {
            self.text.push_str(text);
        } else {
            let lines: Vec<_> = text.lines().map(|line| format!("{line}\n")).collect();
            self.lines(&lines);
        }
    }

    /// What is said if there is room.
    fn perhaps(&mut self, text: &str) -> bool {
        let fits = text.chars().count() <= self.room();
        if fits {
            self.text.push_str(text);
        }
        fits
    }

    /// As many lines as there is room for, then how many more there are.
    fn lines(&mut self, lines: &[String]) {
        const RESERVE: usize = 40;
        for (index, line) in lines.iter().enumerate() {
            let last = index + 1 == lines.len();
            let reserve = if last { 0 } else { RESERVE };
            if line.chars().count() + reserve > self.room() {
                let more = words::AND_MORE.with(self.style.lang, &[&(lines.len() - index).to_string()]);
                self.perhaps(&format!("… {more}\n"));
                return;
            }
            self.text.push_str(line);
        }
    }

    /// A list under a heading, if it fits with one item at least.
    fn list(&mut self, heading: Word, items: impl Iterator<Item = String>) {
        let lines: Vec<_> = items.map(|item| format!("- {item}\n")).collect();
        let Some(first) = lines.first() else { return };
        let heading = format!("\n**{}**\n", heading.get(self.style.lang));
        let needed = heading.chars().count() + first.chars().count() + 40;
        if needed <= self.room() {
            self.text.push_str(&heading);
            self.lines(&lines);
        }
    }
}

fn problem(problem: &ProblemView<'_>, style: &Style<'_>) -> String {
    let possible = match problem.certainty() {
        Certainty::Certain => String::new(),
        Certainty::Possible => format!(" ({})", words::POSSIBLE_PROBLEM.get(style.lang)),
    };
    let mut text = format!("**{}**{possible}\n", inline(&problem.title(style.lang)));
    if let Some(place) = problem.evidence().first() {
        text.push_str(&quoted(place));
    }
    let told = problem.summary(style.lang).or_else(|| problem.cause(style.lang));
    for said in told.into_iter().chain(problem.because(style.lang)).take(style.limit(2)) {
        text.push_str(&format!("{}\n", inline(&said)));
    }
    text
}

fn quoted(place: &Place) -> String {
    format!("> {}\n\n", code(&shorten(&place.line_text, 160)))
}

fn other(problem: &ProblemView<'_>, style: &Style<'_>) -> String {
    let title = inline(&problem.title(style.lang));
    match problem.certainty() {
        Certainty::Certain => title,
        Certainty::Possible => format!("{title} ({})", words::POSSIBLE_PROBLEM.get(style.lang)),
    }
}

fn unknown(diagnosis: &Diagnosis, style: &Style<'_>) -> String {
    let mut text = format!("**{}**\n", nothing::headline(diagnosis).get(style.lang));
    let failure = diagnosis.headline();
    if !failure.is_empty() {
        text.push_str(&format!("> {}\n\n", code(&shorten(&failure, 160))));
    }
    let facts: Vec<_> = diagnosis
        .facts()
        .iter()
        .filter_map(|fact| Some(format!("{} {}", fact.name(), fact.value()?)))
        .take(12)
        .collect();
    if !facts.is_empty() {
        let facts: Vec<_> = facts.iter().map(|fact| code(&shorten(fact, 60))).collect();
        text.push_str(&format!("{}: {}\n", words::UNDERSTOOD.get(style.lang), facts.join(" ")));
    }
    let nearest = nothing::near_misses(diagnosis, style);
    if !nearest.is_empty() {
        text.push_str(&format!("\n**{}**\n", words::NEAREST.get(style.lang)));
        nearest.iter().for_each(|line| text.push_str(&format!("- {}\n", inline(line))));
    }
    text.push_str(&format!("\n**{}**\n", words::ADD_TO_PASTE.get(style.lang)));
    for word in nothing::missing(diagnosis) {
        text.push_str(&format!("- {}\n", word.get(style.lang)));
    }
    text
}

/// The first fix in full, the others in full while half the message is free, then by title.
fn fixes(message: &mut Message<'_>, diagnosis: &Diagnosis, style: &Style<'_>) {
    let suggestions = diagnosis.suggestions();
    let Some((first, others)) = suggestions.split_first() else { return };
    let heading = words::TRY_FIRST.get(style.lang);
    message.always(&format!(
        "\n**{heading}** · **{}** {}\n{}",
        inline(&first.title(style.lang)),
        status(first, style),
        body(first, style)
    ));
    if others.is_empty() {
        return;
    }
    message.perhaps(&format!("\n**{}**\n\n", words::THEN.get(style.lang)));
    let line =
        |it: &Suggestion<'_>| format!("{}. {} {}\n", it.rank(), inline(&it.title(style.lang)), status(it, style));
    let full = |it: &Suggestion<'_>| format!("{}{}", line(it), indented(&body(it, style)));
    let lines: Vec<_> = if style.detail == Detail::Full {
        others.iter().map(full).collect()
    } else {
        others.iter().take(9).map(line).collect()
    };
    message.lines(&lines);
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("   {line}\n")).collect()
}

fn status(it: &Suggestion<'_>, style: &Style<'_>) -> String {
    let status = match it.status() {
        Status::Recommended => words::RECOMMENDED,
        Status::Possible => words::POSSIBLE,
    };
    let mut notes = vec![status.get(style.lang).to_owned(), words::risk(it.risk()).get(style.lang).to_owned()];
    if !it.needs().is_empty() {
        let needs: Vec<_> = it.needs().iter().map(|need| code(need)).collect();
        notes.push(words::DEPENDS_ON.with(style.lang, &[&needs.join(", ")]));
    }
    words::NOTES.with(style.lang, &[&notes.join(words::COMMA.get(style.lang))])
}

fn body(it: &Suggestion<'_>, style: &Style<'_>) -> String {
    let lang = style.lang;
    let mut text = String::new();
    for because in it.because(lang).iter().take(style.limit(2)) {
        text.push_str(&format!("{}\n", inline(because)));
    }
    for caution in it.cautions(lang) {
        text.push_str(&format!("- {}", labelled(words::CAREFUL, &caution.text, lang)));
    }
    for step in it.steps(lang) {
        text.push_str(&format!("- {}\n", inline(apart(&step.text, step.command.as_deref(), lang))));
        if let Some(command) = &step.command {
            text.push_str(&block(command));
        }
        for other in step.alternatives.iter().take(style.limit(INSTALLS)) {
            text.push_str(&format!("  - {}: {}\n", inline(&other.launcher), inline(&other.text)));
        }
    }
    for (word, said) in
        [(words::CHECK, it.verify(lang)), (words::UNDO, it.undo(lang)), (words::COST, it.risk_note(lang))]
    {
        text.push_str(&said.map_or_else(String::new, |said| format!("- {}", labelled(word, &said, lang))));
    }
    if let Some(source) = it.sources().first() {
        let url = source.url.as_ref().map_or_else(String::new, |url| format!(" <{url}>"));
        let said = format!("{}{url}\n", inline(&source.title));
        text.push_str(&format!("- {}", words::LABELLED.with(lang, &[words::SOURCE.get(lang), &said])));
    }
    text
}

fn labelled(word: Word, said: &str, lang: &str) -> String {
    words::LABELLED.with(lang, &[word.get(lang), &format!("{}\n", inline(said))])
}

fn node_lines(it: &Shown<'_>, depth: usize, style: &Style<'_>, lines: &mut Vec<String>) {
    let (sign, _) = tree::sign(it.node.value);
    let most = if it.children.is_empty() { 200 } else { 80 };
    let mut parts = vec![format!("{sign} {}", inline(&shorten(&it.node.what, most)))];
    if !it.closed {
        let quote =
            |place: &Place| format!("{}:{} {}", inline(&place.input), place.line, code(&shorten(&place.text, 80)));
        parts.extend(tree::origin(it.node, style.lang));
        parts.extend(it.node.evidence.first().map(quote));
    }
    lines.push(format!("{}- {}\n", "  ".repeat(depth.min(8)), parts.join(" — ")));
    for child in &it.children {
        node_lines(child, depth + 1, style, lines);
    }
}

/// Parts with dashes between, empty ones left out.
fn join(parts: &[&str]) -> String {
    let parts: Vec<_> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(" — ")
}

/// A text as Markdown that shows it as it stands: signs of Markdown lose their meaning, pairs of backticks keep theirs,
/// and nobody is called by name.
fn inline(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ticks = text.matches('`').count();
    let mut out = String::new();
    let mut in_code = false;
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '`' if ticks.is_multiple_of(2) => in_code = !in_code,
            '_' if before.is_alphanumeric() => {}
            '`' | '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '#' if !in_code => out.push('\\'),
            _ => {}
        }
        out.push(c);
        if c == '@' && !in_code {
            out.push('\u{200b}');
        }
        before = c;
    }
    out
}

/// A text as a code span, whatever backticks it holds.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if super::markup::is_hidden(c) { ' ' } else { c }).collect();
    let text = text.trim();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A command as a block.
fn block(command: &str) -> String {
    let longest = command.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{}\n{fence}\n", command.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pasted_has_no_meaning_in_markdown() {
        assert_eq!(inline("*a* [b](c) @everyone"), "\\*a\\* \\[b\\](c) @\u{200b}everyone");
        assert_eq!(inline("use `--a_b` in python_embeded"), "use `--a_b` in python_embeded");
        assert_eq!(inline("one ` tick"), "one \\` tick");
    }

    #[test]
    fn code_holds_backticks() {
        assert_eq!(code("a `b` c"), "``a `b` c``");
        assert_eq!(code("`b`"), "`` `b` ``");
        assert_eq!(block("echo"), "```\necho\n```\n");
    }
}
