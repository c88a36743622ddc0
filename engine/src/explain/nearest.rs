//! How far a rule is from holding, and the rules that came nearest where none did.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::diagnosis::Diagnosis;
use crate::explanation::Truth;
use crate::ir::{ActionKind, Condition, ConditionKind, Matching, PatternId, Rule, RuleId, Test};
use crate::session::Context;
use crate::spoken;

/// The most conditions that a near miss may lack.
const MOST_OPEN: usize = 2;
/// The most near misses that are named.
const MOST_NAMED: usize = 10;
/// Of a hundred words of a phrase, those that a text must hold to be like it.
const LIKE: usize = 60;
/// The bytes of a text that are looked at for that.
const MOST_BYTES: usize = 16 << 10;

/// A rule that would have come up if one or two of its conditions had been otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMiss {
    /// The rule.
    pub rule: String,
    /// The problems and fixes that it names.
    pub decides: Vec<String>,
    /// The titles of those.
    pub titles: Vec<String>,
    /// What it would take, in words.
    pub needs: Vec<String>,
    /// Whether the text speaks for it: a pattern of the rule is found in it, or most words of one are. Else only other
    /// facts do.
    pub by_text: bool,
}

/// What keeps a condition from holding.
#[derive(Debug, Default)]
struct Distance<'r> {
    /// The least conditions that would have to turn, each with the value that it would need.
    open: Vec<(&'r Condition, bool)>,
    /// Tests that are as they have to be.
    held: usize,
    /// Patterns among them that were found.
    found: usize,
}

impl<'r> Distance<'r> {
    fn and(mut self, other: Self) -> Self {
        self.open.extend(other.open);
        Self { open: self.open, held: self.held + other.held, found: self.found + other.found }
    }
}

impl Diagnosis {
    /// The rules that are one or two conditions away from diagnosing, suspecting or suggesting something, the best first;
    /// empty where any did. For a text that no rule knows.
    #[must_use]
    pub fn near_misses(&self, lang: &str) -> Vec<NearMiss> {
        if !self.outcome.problems.is_empty() {
            return Vec::new();
        }
        let words = self.words_of_failure();
        let program = self.ruleset.program();
        let mut ranked: Vec<_> = program
            .rules
            .iter()
            .enumerate()
            .filter(|(_, rule)| rule.actions.iter().any(|action| is_told(&action.kind)))
            .filter_map(|(index, rule)| {
                let distance = self.rule_distance(rule);
                let likeness = self.likeness(&distance, &words);
                let by_text = distance.found > 0 || likeness >= LIKE;
                let near = (1..=MOST_OPEN).contains(&distance.open.len()) && (by_text || distance.held > 0);
                let key = (!by_text, distance.open.len(), Reverse(distance.held), Reverse(likeness), index);
                near.then_some((key, rule, distance))
            })
            .collect();
        ranked.sort_by_key(|(key, ..)| *key);
        ranked.truncate(MOST_NAMED);
        ranked.into_iter().map(|(key, rule, distance)| self.near_miss(rule, &distance, !key.0, &words, lang)).collect()
    }

    fn near_miss(
        &self,
        rule: &Rule,
        distance: &Distance<'_>,
        by_text: bool,
        words: &BTreeSet<String>,
        lang: &str,
    ) -> NearMiss {
        let program = self.ruleset.program();
        let (mut decides, mut titles) = (Vec::new(), Vec::new());
        for action in rule.actions.iter().filter(|action| is_told(&action.kind)) {
            let info = match action.kind {
                ActionKind::Diagnose(id) | ActionKind::Suspect(id) => {
                    program.problems.get(id.index()).map(|it| &it.info)
                }
                ActionKind::Suggest(id, _) => program.fixes.get(id.index()).map(|it| &it.info),
                ActionKind::Avoid(_) | ActionKind::Conclude(..) => None,
            };
            let Some(info) = info.filter(|info| !decides.contains(&info.id.to_string())) else { continue };
            decides.push(info.id.to_string());
            titles.push(if info.declared { self.session.render(&info.title, lang) } else { info.id.to_string() });
        }
        let needs = distance.open.iter().map(|&(condition, holds)| self.need(condition, holds, words, lang)).collect();
        NearMiss { rule: rule.name.to_string(), decides, titles, needs, by_text }
    }

    /// What would have to be, of several patterns the likest first.
    fn need(&self, condition: &Condition, holds: bool, words: &BTreeSet<String>, lang: &str) -> String {
        match &condition.kind {
            ConditionKind::Test(Test::Matches(matching)) if holds => {
                let mut patterns = matching.patterns.clone();
                let all = &self.ruleset.program().patterns;
                let like = |id: &PatternId| {
                    all.get(id.index()).map_or(0, |pattern| likeness(&spoken::pattern(pattern), words))
                };
                patterns.sort_by_key(|id| Reverse(like(id)));
                self.spoken_matching(&matching.text, &patterns, lang)
            }
            _ => self.spoken_as(condition, holds, lang),
        }
    }

    /// How many single tests would have to turn for a rule to hold, at the least.
    pub(super) fn open_tests(&self, id: RuleId) -> usize {
        self.ruleset.program().rules.get(id.index()).map_or(usize::MAX, |rule| self.rule_distance(rule).open.len())
    }

    fn rule_distance<'r>(&self, rule: &'r Rule) -> Distance<'r> {
        let when = self.distance(&rule.when, true);
        match &rule.unless {
            Some(unless) if self.truth(unless) == Truth::True => when.and(self.distance(unless, false)),
            _ => when,
        }
    }

    /// What keeps a condition from having this value.
    fn distance<'r>(&self, condition: &'r Condition, wanted: bool) -> Distance<'r> {
        let parts = |list: &'r [Condition]| list.iter().map(move |part| self.distance(part, wanted));
        match (&condition.kind, wanted) {
            (ConditionKind::All(list), true) | (ConditionKind::Any(list), false) => {
                parts(list).fold(Distance::default(), Distance::and)
            }
            (ConditionKind::All(list), false) | (ConditionKind::Any(list), true) => {
                parts(list).min_by_key(|it| (it.open.len(), Reverse(it.held))).unwrap_or_default()
            }
            (ConditionKind::Not(inner), _) => self.distance(inner, !wanted),
            (ConditionKind::AtLeast(count, list), true) => {
                let mut all: Vec<_> = parts(list).collect();
                all.sort_by_key(|it| it.open.len());
                all.into_iter().take(*count as usize).fold(Distance::default(), Distance::and)
            }
            (ConditionKind::AtLeast(..) | ConditionKind::Quantified(..) | ConditionKind::Test(_), _) => {
                self.leaf(condition, wanted)
            }
        }
    }

    fn leaf<'r>(&self, condition: &'r Condition, wanted: bool) -> Distance<'r> {
        let value = if wanted { Truth::True } else { Truth::False };
        if self.truth(condition) != value {
            return Distance { open: vec![(condition, wanted)], ..Distance::default() };
        }
        // That a text lacks something, or nothing was found out, says little of what it is.
        let is_matching = matches!(condition.kind, ConditionKind::Test(Test::Matches(_)));
        let speaks = wanted && !matches!(condition.kind, ConditionKind::Test(Test::NoProblem));
        Distance { open: Vec::new(), held: usize::from(speaks), found: usize::from(speaks && is_matching) }
    }

    fn truth(&self, condition: &Condition) -> Truth {
        self.session.node(&self.ruleset, self.ruleset.graph().node_of(condition.id), Context::Run)
    }

    /// Of a hundred words of a missing pattern, those that the failure has; of several patterns the likest's.
    fn likeness(&self, distance: &Distance<'_>, words: &BTreeSet<String>) -> usize {
        let patterns = |matching: &Matching| {
            let all = &self.ruleset.program().patterns;
            let known = matching.patterns.iter().filter_map(|id| all.get(id.index()));
            known.map(|pattern| likeness(&spoken::pattern(pattern), words)).max().unwrap_or(0)
        };
        let missing = distance.open.iter().map(|(condition, wanted)| match &condition.kind {
            ConditionKind::Test(Test::Matches(matching)) if *wanted => patterns(matching),
            _ => 0,
        });
        missing.max().unwrap_or(0)
    }

    fn words_of_failure(&self) -> BTreeSet<String> {
        let text = self.evidence.text();
        let part = self.session.texts.failure_span().and_then(|span| text.get(span)).unwrap_or(text);
        words(part.get(..part.floor_char_boundary(MOST_BYTES)).unwrap_or(part)).collect()
    }
}

/// What a person would be told.
const fn is_told(kind: &ActionKind) -> bool {
    matches!(kind, ActionKind::Diagnose(_) | ActionKind::Suspect(_) | ActionKind::Suggest(..))
}

/// Of a hundred words of a phrase, those that a text has. A phrase of a word or two is like nothing: it is there or not.
fn likeness(phrase: &str, text: &BTreeSet<String>) -> usize {
    const FEWEST: usize = 3;
    let phrase: BTreeSet<String> = words(phrase).collect();
    if phrase.len() < FEWEST {
        return 0;
    }
    phrase.intersection(text).count() * 100 / phrase.len()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}
