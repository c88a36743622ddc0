//! `rulecheck show`

use rulecheck::Ruleset;
use rulecheck::ir::{ActionKind, EntryInfo, Fact, Fix, FixId, Launcher, Problem, ProblemId, Program, Rule, Site, Text};
use rulecheck::report::{Markup, Tone};
use serde_json::{Map, Value as Json, json};

use super::{Status, code, knowledge};
use crate::args::Format;
use crate::config::Config;
use crate::failure::{Failure, Result};
use crate::{output, packs};

/// What there is to say of an id: a title and labelled lines.
struct Page {
    kind: &'static str,
    id: String,
    title: String,
    parts: Vec<(&'static str, Vec<String>)>,
}

pub(crate) fn run(id: &str, config: &Config) -> Result<Status> {
    config.only("show", &[Format::Text, Format::Json, Format::Markdown])?;
    if code::is_code(id) {
        return code::show(id, config);
    }
    let ruleset = packs::ruleset(config, &config.rules, config.only_rules)?;
    let pages = Shelf { ruleset: &ruleset, program: ruleset.program(), lang: config.lang }.pages(id);
    if pages.is_empty() {
        let hint = match knowledge::nearest_id(&ruleset, id) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "`rulecheck search WORDS` finds problems and fixes".to_owned(),
        };
        return Err(Failure::line(format!("there is no problem, fix, rule, fact or launcher `{id}`; {hint}")));
    }
    match config.format {
        Format::Json => output::text(&json(&pages))?,
        Format::Markdown => output::text(&pages.iter().map(markdown).collect::<String>())?,
        Format::Text | Format::Ron => output::markup(&text(&pages), config.color)?,
    }
    Ok(Status::Yes)
}

struct Shelf<'a> {
    ruleset: &'a Ruleset,
    program: &'a Program,
    lang: &'a str,
}

impl Shelf<'_> {
    /// All that has this id; a rule may share it with a problem or fix, and is meant alone by `rule:NAME`.
    fn pages(&self, id: &str) -> Vec<Page> {
        let program = self.program;
        let rule_name = id.strip_prefix("rule:");
        let rules =
            program.rules.iter().filter(|rule| &*rule.name == rule_name.unwrap_or(id)).map(|rule| self.rule(rule));
        if rule_name.is_some() {
            return rules.collect();
        }
        let problems = program
            .problems
            .iter()
            .zip(0..)
            .filter(|(it, _)| &*it.info.id == id)
            .map(|(it, n)| self.problem(it, ProblemId(n)));
        let fixes =
            program.fixes.iter().zip(0..).filter(|(it, _)| &*it.info.id == id).map(|(it, n)| self.fix(it, FixId(n)));
        let facts = program.facts.iter().filter(|fact| &*fact.name == id).map(|fact| self.fact(fact));
        let launchers = program.launchers.iter().filter(|it| &*it.id == id).map(|it| self.launcher(it));
        problems.chain(fixes).chain(rules).chain(facts).chain(launchers).collect()
    }

    fn text(&self, text: Option<&Text>) -> Vec<String> {
        text.map(|text| knowledge::text(self.program, text, self.lang)).into_iter().collect()
    }

    fn place(&self, site: Site) -> Vec<String> {
        vec![knowledge::place(self.program, site)]
    }

    /// The declaration as it stands in its file: its line, and the indented lines below.
    fn source(&self, site: Site) -> Vec<String> {
        let Some(source) = self.program.sources.get(site.source.0 as usize) else { return Vec::new() };
        let first = source.position(site.span.start).line.saturating_sub(1);
        let mut lines = source.text.lines().skip(first);
        let head = lines.next().map(ToOwned::to_owned);
        let body = lines.take_while(|line| line.is_empty() || line.starts_with([' ', '\t', '\u{a0}', '\u{3000}']));
        let mut all: Vec<_> = head.into_iter().chain(body.map(ToOwned::to_owned)).collect();
        while all.last().is_some_and(|line| line.trim().is_empty()) {
            all.pop();
        }
        all
    }

    fn rules(&self, wanted: impl Fn(&ActionKind) -> bool) -> Vec<String> {
        let acts = |rule: &&Rule| rule.actions.iter().any(|action| wanted(&action.kind));
        self.program.rules.iter().filter(acts).map(|rule| rule.name.to_string()).collect()
    }

    fn entry(&self, kind: &'static str, info: &EntryInfo, parts: Vec<(&'static str, Vec<String>)>) -> Page {
        let sources = info.sources.iter().map(|it| {
            let url = it.url.as_ref().map_or_else(String::new, |url| format!(" <{url}>"));
            format!("{} ({}){url}", it.title, it.kind)
        });
        let mut all = vec![("summary", self.text(info.summary.as_ref()))];
        all.extend(parts);
        all.push(("keywords", info.keywords.iter().map(ToString::to_string).collect()));
        all.push(("related", info.related.iter().map(ToString::to_string).collect()));
        all.push(("sources", sources.collect()));
        all.push(("verified", info.verified.iter().map(ToString::to_string).collect()));
        all.push(("unverified", self.text(info.unverified.as_ref())));
        all.push(("place", self.place(info.site)));
        Page { kind, id: info.id.to_string(), title: knowledge::title(self.program, info, self.lang), parts: all }
    }

    fn problem(&self, it: &Problem, id: ProblemId) -> Page {
        let supersedes = it.supersedes.iter().filter_map(|id| self.program.problems.get(id.index()));
        let rules =
            self.rules(|kind| matches!(kind, ActionKind::Diagnose(other) | ActionKind::Suspect(other) if *other == id));
        let advice = self.program.rules.iter().filter(|rule| rule.problems.contains(&id));
        let mut fixes: Vec<String> = Vec::new();
        for action in advice.flat_map(|rule| &rule.actions) {
            if let ActionKind::Suggest(fix, _) = action.kind
                && let Some(fix) = self.program.fixes.get(fix.index())
                && !fixes.contains(&fix.info.id.to_string())
            {
                fixes.push(fix.info.id.to_string());
            }
        }
        self.entry(
            "problem",
            &it.info,
            vec![
                ("cause", self.text(it.cause.as_ref())),
                ("severity", vec![format!("{:?}", it.severity).to_lowercase()]),
                ("category", it.category.iter().map(ToString::to_string).collect()),
                ("supersedes", supersedes.map(|it| it.info.id.to_string()).collect()),
                ("fixes", fixes),
                ("rules", rules),
            ],
        )
    }

    fn fix(&self, it: &Fix, id: FixId) -> Page {
        let mut risk = vec![format!("{:?}", it.risk).to_lowercase()];
        risk.extend(self.text(it.risk_note.as_ref()));
        self.entry(
            "fix",
            &it.info,
            vec![
                ("requires", it.requires.iter().map(|condition| self.ruleset.quote(condition.site)).collect()),
                ("steps", it.steps.iter().map(|step| self.ruleset.quote(step.site)).collect()),
                ("risk", risk),
                ("verify", self.text(it.verify.as_ref())),
                ("undo", self.text(it.undo.as_ref())),
                ("exclusive", it.exclusive.iter().map(ToString::to_string).collect()),
                ("suggested by", self.rules(|kind| matches!(kind, ActionKind::Suggest(other, _) if *other == id))),
                ("avoided by", self.rules(|kind| matches!(kind, ActionKind::Avoid(other) if *other == id))),
            ],
        )
    }

    fn rule(&self, it: &Rule) -> Page {
        let parts = vec![("place", self.place(it.site)), ("text", self.source(it.site))];
        Page { kind: "rule", id: it.name.to_string(), title: String::new(), parts }
    }

    fn fact(&self, it: &Fact) -> Page {
        let parts = vec![
            ("type", vec![it.ty.to_string()]),
            ("range", it.range.iter().map(|(from, to)| format!("{from} to {to}")).collect()),
            ("question", self.text(it.ask.as_ref())),
            ("probe", it.probe.iter().map(ToString::to_string).collect()),
            ("place", self.place(it.site)),
        ];
        Page {
            kind: "fact",
            id: it.name.to_string(),
            title: knowledge::text(self.program, &it.description, self.lang),
            parts,
        }
    }

    fn launcher(&self, it: &Launcher) -> Page {
        let template = |template: &rulecheck::ir::Template| {
            let text = knowledge::text(self.program, &template.text, self.lang);
            format!("{}: {text}", template.name)
        };
        let parts = vec![("templates", it.templates.iter().map(template).collect()), ("place", self.place(it.site))];
        Page {
            kind: "launcher",
            id: it.id.to_string(),
            title: knowledge::text(self.program, &it.title, self.lang),
            parts,
        }
    }
}

fn text(pages: &[Page]) -> Markup {
    const COLUMN: usize = 14;
    let mut out = Markup::new();
    for page in pages {
        if !out.is_empty() {
            out.end_line();
        }
        out.push(Tone::Faint, page.kind);
        out.push(Tone::Strong, &format!(" {}", page.id));
        out.push(Tone::Plain, if page.title.is_empty() { "" } else { "  " });
        out.push(Tone::Plain, &page.title);
        out.end_line();
        for (label, lines) in &page.parts {
            for (index, line) in lines.iter().filter(|line| !line.is_empty()).enumerate() {
                let label = if index == 0 { label } else { "" };
                out.push(Tone::Faint, &format!("  {label:COLUMN$}"));
                out.push(Tone::Plain, line);
                out.end_line();
            }
        }
    }
    out
}

fn markdown(page: &Page) -> String {
    let mut out = format!("**{} `{}`** {}\n", page.kind, page.id, page.title);
    for (label, lines) in page.parts.iter().filter(|(_, lines)| !lines.is_empty()) {
        let joined = if *label == "text" { format!("\n```\n{}\n```", lines.join("\n")) } else { lines.join("; ") };
        out.push_str(&format!("- {label}: {joined}\n"));
    }
    out
}

fn json(pages: &[Page]) -> String {
    let page = |page: &Page| {
        let mut object = Map::new();
        object.insert("kind".to_owned(), page.kind.into());
        object.insert("id".to_owned(), page.id.clone().into());
        object.insert("title".to_owned(), page.title.clone().into());
        for (label, lines) in &page.parts {
            object.insert(label.replace(' ', "_"), lines.clone().into());
        }
        Json::Object(object)
    };
    format!("{:#}\n", json!({ "schema": 1, "entries": pages.iter().map(page).collect::<Vec<_>>() }))
}
