//! `rulecheck search`

use rulecheck::ir::{EntryInfo, Program, Text};
use rulecheck::report::{Markup, Tone};
use serde_json::json;

use super::{Status, knowledge};
use crate::args::Format;
use crate::config::Config;
use crate::failure::Result;
use crate::{output, packs};

/// An entry that has all the words, and how well it fits.
struct Hit {
    kind: &'static str,
    id: String,
    title: String,
    score: usize,
}

pub(crate) fn run(words: &[String], config: &Config) -> Result<Status> {
    config.only("search", &[Format::Text, Format::Json, Format::Markdown])?;
    let ruleset = packs::ruleset(config, &config.rules, config.only_rules)?;
    let words: Vec<_> = words.iter().flat_map(|word| word.split_whitespace()).map(str::to_lowercase).collect();
    let mut hits = hits(ruleset.program(), &words, config.lang);
    // The order of declaration stays among equals.
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.score));
    print(&hits, config)?;
    Ok(Status::from(!hits.is_empty()))
}

fn hits(program: &Program, words: &[String], lang: &str) -> Vec<Hit> {
    let problems = program.problems.iter().map(|it| ("problem", &it.info, it.cause.as_ref()));
    let fixes = program.fixes.iter().map(|it| ("fix", &it.info, None));
    let hit = |(kind, info, cause): (&'static str, &EntryInfo, Option<&Text>)| {
        let score = score(program, info, cause, words)?;
        Some(Hit { kind, id: info.id.to_string(), title: knowledge::title(program, info, lang), score })
    };
    problems.chain(fixes).filter_map(hit).collect()
}

/// Each word counts where it stands first: id and title before keywords before running text. `None` if one is nowhere.
fn score(program: &Program, info: &EntryInfo, cause: Option<&Text>, words: &[String]) -> Option<usize> {
    let all = |text: &Text| {
        let texts = text.languages.iter().map(|(lang, _)| knowledge::text(program, text, lang));
        texts.collect::<Vec<_>>().join("\n").to_lowercase()
    };
    let name = format!("{}\n{}", info.id, all(&info.title));
    let keywords = info.keywords.join("\n").to_lowercase();
    let running = [info.summary.as_ref(), cause].into_iter().flatten().map(all).collect::<Vec<_>>().join("\n");
    let one = |word: &String| {
        let weights = [(&name, 4), (&keywords, 3), (&running, 1)];
        weights.into_iter().find(|(text, _)| text.contains(word.as_str())).map(|(_, weight)| weight)
    };
    words.iter().map(one).sum()
}

fn print(hits: &[Hit], config: &Config) -> Result<()> {
    match config.format {
        Format::Json => {
            let hits: Vec<_> =
                hits.iter().map(|hit| json!({ "kind": hit.kind, "id": hit.id, "title": hit.title })).collect();
            output::text(&format!("{:#}\n", json!({ "schema": 1, "hits": hits })))
        }
        Format::Markdown => output::text(
            &hits.iter().map(|hit| format!("- {} `{}`: {}\n", hit.kind, hit.id, hit.title)).collect::<String>(),
        ),
        Format::Text | Format::Ron => output::markup(&text(hits), config.color),
    }
}

fn text(hits: &[Hit]) -> Markup {
    let mut out = Markup::new();
    for hit in hits {
        out.push(Tone::Faint, &format!("{:8}", hit.kind));
        out.push(Tone::Strong, &hit.id);
        out.push(Tone::Plain, &format!("  {}", hit.title));
        out.end_line();
    }
    if hits.is_empty() {
        out.push(Tone::Plain, "nothing has all these words; try fewer\n");
    }
    out
}
