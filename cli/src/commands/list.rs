//! `rulecheck list`

use rulecheck::Ruleset;
use rulecheck::ir::{EntryInfo, Program};
use rulecheck::report::{Markup, Tone};
use serde_json::{Value as Json, json};

use super::{Status, knowledge};
use crate::args::{Format, Listed};
use crate::config::Config;
use crate::failure::Result;
use crate::{output, packs};

/// A line of a list.
struct Row {
    id: String,
    text: String,
    place: String,
}

pub(crate) fn run(what: Listed, config: &Config) -> Result<Status> {
    config.only("list", &[Format::Text, Format::Json, Format::Markdown])?;
    let ruleset = packs::ruleset(config, &config.rules, config.only_rules)?;
    print(&rows(&ruleset, what, config.lang), name(what), config)?;
    Ok(Status::Yes)
}

const fn name(what: Listed) -> &'static str {
    match what {
        Listed::Problems => "problems",
        Listed::Fixes => "fixes",
        Listed::Rules => "rules",
        Listed::Facts => "facts",
        Listed::Launchers => "launchers",
    }
}

fn rows(ruleset: &Ruleset, what: Listed, lang: &str) -> Vec<Row> {
    let program = ruleset.program();
    match what {
        Listed::Problems => program.problems.iter().map(|it| entry(program, &it.info, lang)).collect(),
        Listed::Fixes => program.fixes.iter().map(|it| entry(program, &it.info, lang)).collect(),
        Listed::Rules => program
            .rules
            .iter()
            .map(|rule| Row {
                id: rule.name.to_string(),
                text: ruleset.quote(rule.when.site),
                place: knowledge::place(program, rule.site),
            })
            .collect(),
        Listed::Facts => facts(program, lang),
        Listed::Launchers => program
            .launchers
            .iter()
            .map(|it| Row {
                id: it.id.to_string(),
                text: knowledge::text(program, &it.title, lang),
                place: knowledge::place(program, it.site),
            })
            .collect(),
    }
}

fn entry(program: &Program, info: &EntryInfo, lang: &str) -> Row {
    Row {
        id: info.id.to_string(),
        text: knowledge::title(program, info, lang),
        place: knowledge::place(program, info.site),
    }
}

fn facts(program: &Program, lang: &str) -> Vec<Row> {
    let facts = program.facts.iter().map(|fact| Row {
        id: fact.name.to_string(),
        text: join(&fact.ty.to_string(), &knowledge::text(program, &fact.description, lang)),
        place: knowledge::place(program, fact.site),
    });
    let families = program.families.iter().map(|family| Row {
        id: format!("{}*", family.prefix),
        text: join(&family.ty.to_string(), &knowledge::text(program, &family.description, lang)),
        place: knowledge::place(program, family.site),
    });
    let mut rows: Vec<_> = facts.chain(families).collect();
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    rows
}

fn join(ty: &str, description: &str) -> String {
    if description.is_empty() { ty.to_owned() } else { format!("{description} ({ty})") }
}

fn print(rows: &[Row], name: &str, config: &Config) -> Result<()> {
    match config.format {
        Format::Json => {
            let list: Vec<_> =
                rows.iter().map(|row| json!({ "id": row.id, "text": row.text, "place": row.place })).collect();
            let mut object = json!({ "schema": 1 });
            object.as_object_mut().and_then(|object| object.insert(name.to_owned(), Json::Array(list)));
            output::text(&format!("{object:#}\n"))
        }
        Format::Markdown => {
            output::text(&rows.iter().map(|row| format!("- `{}` {}\n", row.id, row.text)).collect::<String>())
        }
        Format::Text | Format::Ron => output::markup(&table(rows), config.color),
    }
}

/// Ids in a column as wide as most of them need.
fn table(rows: &[Row]) -> Markup {
    const MOST: usize = 32;
    let column = rows.iter().map(|row| row.id.len()).filter(|&len| len <= MOST).max().unwrap_or(0) + 2;
    let mut out = Markup::new();
    for row in rows {
        out.push(Tone::Strong, &row.id);
        out.push(Tone::Plain, &" ".repeat(column.saturating_sub(row.id.len()).max(2)));
        out.push(Tone::Plain, &row.text);
        out.end_line();
    }
    out
}
