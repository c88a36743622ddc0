//! The least change of facts that would make something come up.
//!
//! From the conditions of the rules that could bring it up, sets of at most three tests are collected that would have
//! to turn out differently ([`wish`]); each is made concrete as values of facts, and the smallest that a new evaluation
//! confirms is the answer.

use std::collections::{BTreeMap, BTreeSet};

use super::Target;
use super::candidates::{candidates, describe_text, describe_wish};
use crate::diagnosis::Diagnosis;
use crate::explanation::{Change, ChangeBy, Truth};
use crate::facts::State;
use crate::graph::{Node, NodeId};
use crate::ir::{Condition, ConditionKind, FactId, FactRef, ProblemId, Rule, RuleId, Test};
use crate::outcome::Outcome;
use crate::session::{Context, Session, test_facts};
use crate::value::Value;

/// The most facts that are changed at once.
const MOST_CHANGES: usize = 3;
/// The most sets that are tried.
const MOST_SETS: usize = 256;

/// A test that would have to turn out so.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Wish {
    test: Test,
    holds: bool,
}

/// Sets of wishes, each of which would do.
type Sets = Vec<BTreeSet<Wish>>;

/// The smallest verified set of at most three changes; empty if none was found.
pub(super) fn find(diagnosis: &Diagnosis, target: &Target, lang: &str) -> Vec<Change> {
    let mut finder = Finder { diagnosis, visiting: BTreeSet::new() };
    let mut sets = finder.sets(target);
    sets.sort_by_key(BTreeSet::len);
    sets.dedup();
    let found =
        sets.into_iter().filter(|set| !set.is_empty()).take(MOST_SETS).find_map(|set| finder.confirmed(target, &set));
    found.map_or_else(Vec::new, |plan| plan.changes(diagnosis, lang))
}

/// A set of wishes made concrete.
struct Plan {
    facts: BTreeMap<FactId, (Option<Value>, Vec<Wish>)>,
    texts: Vec<(NodeId, Wish)>,
}

struct Finder<'a> {
    diagnosis: &'a Diagnosis,
    visiting: BTreeSet<ProblemId>,
}

impl Finder<'_> {
    fn sets(&mut self, target: &Target) -> Sets {
        let ruleset = &self.diagnosis.ruleset;
        match target {
            Target::Problem(problem) => self.problem(*problem, true),
            Target::Rule(rule) => self.rule(*rule, true),
            Target::Fix(fix) => {
                let rules: Vec<RuleId> = ruleset.suggesting(*fix).iter().map(|(rule, _)| *rule).collect();
                let mut sets = any(rules.into_iter().map(|rule| self.rule(rule, true)));
                for condition in &ruleset.fix(*fix).requires {
                    sets = both(&sets, &self.wish(condition, true));
                }
                for &(rule, _) in ruleset.avoiding(*fix) {
                    if self.diagnosis.session.rule(rule).lenient() == Truth::True {
                        sets = both(&sets, &self.rule(rule, false));
                    }
                }
                sets
            }
            Target::Fact(_) | Target::Disabled(_) => Vec::new(),
        }
    }

    fn rule(&mut self, id: RuleId, holds: bool) -> Sets {
        let Some(rule): Option<&Rule> = self.diagnosis.ruleset.program().rules.get(id.index()) else {
            return Vec::new();
        };
        let when = self.wish(&rule.when, holds);
        match &rule.unless {
            None => when,
            Some(unless) if holds => both(&when, &self.wish(unless, false)),
            Some(unless) => any([when, self.wish(unless, true)]),
        }
    }

    fn problem(&mut self, id: ProblemId, holds: bool) -> Sets {
        if !self.visiting.insert(id) {
            return Vec::new();
        }
        let rules: Vec<RuleId> = self.diagnosis.ruleset.diagnosing(id).to_vec();
        let sets = if holds {
            any(rules.into_iter().map(|rule| self.rule(rule, true)))
        } else {
            rules.into_iter().fold(vec![BTreeSet::new()], |sets, rule| both(&sets, &self.rule(rule, false)))
        };
        self.visiting.remove(&id);
        sets
    }

    /// The sets of tests whose turning would give a condition this value.
    fn wish(&mut self, condition: &Condition, holds: bool) -> Sets {
        let graph = self.diagnosis.ruleset.graph();
        let now = self.diagnosis.session.node(&self.diagnosis.ruleset, graph.node_of(condition.id), Context::Run);
        if now == if holds { Truth::True } else { Truth::False } {
            return vec![BTreeSet::new()];
        }
        match (&condition.kind, holds) {
            (ConditionKind::All(list), true) | (ConditionKind::Any(list), false) => {
                list.iter().fold(vec![BTreeSet::new()], |sets, child| both(&sets, &self.wish(child, holds)))
            }
            (ConditionKind::All(list), false) | (ConditionKind::Any(list), true) => {
                any(list.iter().map(|child| self.wish(child, holds)))
            }
            (ConditionKind::Not(inner), _) => self.wish(inner, !holds),
            (ConditionKind::AtLeast(count, list), true) => self.enough(*count as usize, list),
            (ConditionKind::AtLeast(..) | ConditionKind::Quantified(..), _) => Vec::new(),
            (ConditionKind::Test(Test::Problem(problem)), _) => self.problem(*problem, holds),
            (ConditionKind::Test(test), _) => vec![BTreeSet::from([Wish { test: test.clone(), holds }])],
        }
    }

    /// The cheapest children that bring the count up.
    fn enough(&mut self, count: usize, list: &[Condition]) -> Sets {
        let mut options: Vec<Sets> =
            list.iter().map(|child| self.wish(child, true)).filter(|sets| !sets.is_empty()).collect();
        options.sort_by_key(|sets| sets.iter().map(BTreeSet::len).min().unwrap_or(usize::MAX));
        if options.len() < count {
            return Vec::new();
        }
        options.into_iter().take(count).fold(vec![BTreeSet::new()], |sets, next| both(&sets, &next))
    }

    /// The set as concrete changes, if evaluating with them brings the target up.
    fn confirmed(&self, target: &Target, set: &BTreeSet<Wish>) -> Option<Plan> {
        let plan = self.plan(set)?;
        let session = self.changed(&plan);
        self.came_up(target, &session).then_some(plan)
    }

    fn plan(&self, set: &BTreeSet<Wish>) -> Option<Plan> {
        let mut by_fact: BTreeMap<FactId, Vec<Wish>> = BTreeMap::new();
        let mut texts = Vec::new();
        for wish in set {
            let fact = test_facts(&wish.test).into_iter().find_map(|fact| match fact {
                FactRef::Fact(id) => Some(*id),
                _ => None,
            });
            match (&wish.test, fact) {
                (_, Some(fact)) => by_fact.entry(fact).or_default().push(wish.clone()),
                (Test::Matches(_), None) => texts.push((self.node_of(&wish.test)?, wish.clone())),
                _ => return None,
            }
        }
        let mut facts = BTreeMap::new();
        for (fact, wishes) in by_fact {
            facts.insert(fact, (self.value_for(fact, &wishes)?, wishes));
        }
        (facts.len() + texts.len() <= MOST_CHANGES).then_some(Plan { facts, texts })
    }

    /// A value of a fact with which all the wishes come true.
    fn value_for(&self, fact: FactId, wishes: &[Wish]) -> Option<Option<Value>> {
        let ruleset = &self.diagnosis.ruleset;
        let ty = &ruleset.program().facts.get(fact.index())?.ty;
        let current = self.diagnosis.session.fact(ruleset, fact);
        let options =
            wishes.iter().flat_map(|wish| candidates(self.diagnosis, fact, ty, &current, &wish.test, wish.holds));
        options.into_iter().find(|value| {
            let mut session = self.diagnosis.session.clone();
            session.change(ruleset, [(fact, value.clone())], BTreeMap::new());
            wishes.iter().all(|wish| {
                let wanted = if wish.holds { Truth::True } else { Truth::False };
                self.node_of(&wish.test).is_some_and(|node| session.node(ruleset, node, Context::Run) == wanted)
            })
        })
    }

    fn node_of(&self, test: &Test) -> Option<NodeId> {
        let graph = self.diagnosis.ruleset.graph();
        (0..graph.len())
            .map(|index| NodeId(u32::try_from(index).unwrap_or(u32::MAX)))
            .find(|&id| matches!(graph.node(id), Some(Node::Test(known)) if **known == *test))
    }

    fn changed(&self, plan: &Plan) -> Session {
        let mut session = self.diagnosis.session.clone();
        let facts = plan.facts.iter().map(|(fact, (value, _))| (*fact, value.clone()));
        let forced = plan.texts.iter().map(|(node, wish)| (*node, if wish.holds { Truth::True } else { Truth::False }));
        session.change(&self.diagnosis.ruleset, facts, forced.collect());
        session
    }

    fn came_up(&self, target: &Target, session: &Session) -> bool {
        let ruleset = &self.diagnosis.ruleset;
        match target {
            Target::Rule(rule) => session.rule(*rule).lenient() == Truth::True,
            Target::Problem(problem) => session.problem(*problem) == Truth::True,
            Target::Fix(fix) => Outcome::of(ruleset, session).suggestions.iter().any(|found| found.fix == *fix),
            Target::Fact(_) | Target::Disabled(_) => false,
        }
    }
}

impl Plan {
    fn changes(&self, diagnosis: &Diagnosis, lang: &str) -> Vec<Change> {
        let facts = self.facts.iter().map(|(fact, (value, wishes))| {
            let from = match diagnosis.session.fact(&diagnosis.ruleset, *fact) {
                State::Known(value, _) => value.to_string(),
                State::None(_) => crate::words::NO_VALUE.get(lang).to_owned(),
                State::Unknown(reason) => crate::words::reason(&reason, lang),
            };
            let to =
                describe_wish(diagnosis, wishes.first().map(|wish| (&wish.test, wish.holds)), value.as_ref(), lang);
            let by = value.clone().map_or(ChangeBy::None, ChangeBy::Value);
            Change { fact: diagnosis.ruleset.fact_name(*fact).to_owned(), from, to, by }
        });
        let texts = self.texts.iter().filter_map(|(_, wish)| {
            let (fact, with, without) = describe_text(diagnosis, &wish.test, lang)?;
            let (from, to) = if wish.holds { (without, with) } else { (with, without) };
            Some(Change { fact, from, to, by: ChangeBy::Text })
        });
        facts.chain(texts).collect()
    }
}

/// One of these.
fn any(options: impl IntoIterator<Item = Sets>) -> Sets {
    let mut all: Sets = options.into_iter().flatten().collect();
    all.truncate(MOST_SETS);
    all
}

/// Both of these: each set of one with each of the other, as far as few enough facts change.
fn both(left: &Sets, right: &Sets) -> Sets {
    let mut all = Sets::new();
    for one in left {
        for other in right {
            let set: BTreeSet<Wish> = one.union(other).cloned().collect();
            // Several tests of one fact are one change, so sets may hold a few more wishes than changes.
            if set.len() <= 2 * MOST_CHANGES {
                all.push(set);
            }
            if all.len() >= MOST_SETS {
                return all;
            }
        }
    }
    all
}
