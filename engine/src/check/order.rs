//! The order in which rules and tables can be evaluated, and rules that depend on themselves.
//!
//! Facts and problems are nodes beside rules and tables, so the edges are as many as the names written: a rule depends
//! on what it asks for, a fact on what concludes it, a problem on what diagnoses it, and `no problem` on whatever
//! diagnoses without asking for it.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rulecheck_grammar::Diagnostic;

use super::{Checker, codes, id};
use crate::ir::{
    Action, ActionKind, Condition, FactRef, ProblemId, Program, RuleId, Site, TableId, Term, Test, TextRef, Unit,
};

/// How many circles are shown; rules in further ones are left out without a word.
const SHOWN: usize = 20;
/// How many members of a circle are shown.
const LONGEST: usize = 12;
/// How often circles are looked for among what is left when those found are taken out.
const ROUNDS: usize = 50;

/// Where the kinds of nodes begin: rules at 0, then tables, facts, problems, and the one for `no problem`.
#[derive(Clone, Copy)]
struct Layout {
    tables: usize,
    facts: usize,
    problems: usize,
    no_problem: usize,
}

impl Layout {
    fn of(program: &Program) -> Self {
        let tables = program.rules.len();
        let facts = tables + program.tables.len();
        let problems = facts + program.facts.len();
        Self { tables, facts, problems, no_problem: problems + program.problems.len() }
    }
}

impl Checker<'_> {
    /// Fills in `order` and what concludes each fact. `ranks` are those of the rules among all declarations.
    pub(super) fn order(&mut self, ranks: &[u32]) {
        let mut ranks = ranks.to_vec();
        let mut shown = 0;
        for round in 0.. {
            let layout = Layout::of(&self.program);
            let needs = needs(&self.program, layout);
            let ranked: Vec<u32> = ranks.iter().chain(&self.names.table_ranks).copied().collect();
            let order = sorted(&needs, &ranked);
            if order.len() == ranked.len() {
                self.program.order = order.into_iter().map(|node| unit(node, layout)).collect();
                break;
            }
            let circles = circles(&needs, layout.facts);
            for circle in circles.iter().take(SHOWN - shown) {
                self.circle(circle, layout);
            }
            shown = (shown + circles.len()).min(SHOWN);
            let mut broken: BTreeSet<usize> = circles.into_iter().flatten().collect();
            if round == ROUNDS {
                let sound: BTreeSet<usize> = order.into_iter().collect();
                broken.extend((0..ranked.len()).filter(|node| !sound.contains(node)));
            }
            self.leave_out(&broken, layout, &mut ranks);
        }
        self.concluders(&ranks);
    }

    /// Takes rules and tables in circles out.
    fn leave_out(&mut self, broken: &BTreeSet<usize>, layout: Layout, ranks: &mut Vec<u32>) {
        keep(self.program.rules.made(), |index| !broken.contains(&index));
        keep(ranks, |index| !broken.contains(&index));
        keep(&mut self.program.tables, |index| !broken.contains(&(layout.tables + index)));
        keep(&mut self.names.table_ranks, |index| !broken.contains(&(layout.tables + index)));
    }

    fn concluders(&mut self, ranks: &[u32]) {
        let mut all: Vec<(u32, usize, Unit)> = Vec::new();
        for (index, (rule, rank)) in self.program.rules.iter().zip(ranks).enumerate() {
            let facts = concluded(&rule.actions);
            all.extend(facts.map(|fact| (*rank, fact, Unit::Rule(RuleId(id(index))))));
        }
        for (index, (table, rank)) in self.program.tables.iter().zip(&self.names.table_ranks).enumerate() {
            all.push((*rank, table.fact.index(), Unit::Table(TableId(id(index)))));
        }
        all.sort_by_key(|(rank, ..)| *rank);
        for (_, fact, unit) in all {
            if let Some(fact) = self.program.facts.get_mut(fact)
                && fact.concluders.last() != Some(&unit)
            {
                fact.concluders.push(unit);
            }
        }
    }

    /// Prints a circle: the rules and tables in it, each with what it needs of the next.
    fn circle(&mut self, circle: &[usize], layout: Layout) {
        let units = circle.iter().enumerate().filter_map(|(index, node)| {
            let (name, site) = self.place(*node, layout)?;
            let next = circle.get((index + 1) % circle.len()).copied().unwrap_or(0);
            Some((name, site, format!("asks for `{}`", self.asked(next, layout))))
        });
        let places: Vec<(String, Site, String)> = units.take(LONGEST + 1).collect();
        let mut names: Vec<&str> = places.iter().take(LONGEST).map(|(name, ..)| name.as_str()).collect();
        names.extend((places.len() > LONGEST).then_some("…"));
        names.extend(names.first().copied());
        let Some((first, site, asks)) = places.first() else { return };
        let message = if places.len() == 1 {
            format!("{first} depends on itself")
        } else {
            format!("rules depend on themselves in a circle: {}", names.join(" → "))
        };
        let mut error = Diagnostic::error(codes::RULE_CIRCLE, message, site.source, site.span).label(asks);
        for (_, site, asks) in places.iter().take(LONGEST).skip(1) {
            error = error.context(site.source, site.span, asks);
        }
        self.push(error.help("let one of them ask for something that the others do not conclude or diagnose"));
    }

    fn place(&self, node: usize, layout: Layout) -> Option<(String, Site)> {
        if node < layout.tables {
            return self.program.rules.get(node).map(|rule| (format!("`{}`", rule.name), rule.site));
        }
        let table = self.program.tables.get(node.checked_sub(layout.tables)?)?;
        let fact = self.program.facts.get(table.fact.index())?;
        Some((format!("the table `{}`", fact.name), table.site))
    }

    /// What a node other than a rule or table stands for, as a condition says it.
    fn asked(&self, node: usize, layout: Layout) -> String {
        if node >= layout.no_problem {
            return "no problem".to_owned();
        }
        if let Some(problem) = node.checked_sub(layout.problems) {
            return self
                .program
                .problems
                .get(problem)
                .map_or_else(String::new, |problem| format!("problem = {}", problem.info.id));
        }
        let fact = node.checked_sub(layout.facts).and_then(|index| self.program.facts.get(index));
        fact.map_or_else(String::new, |fact| fact.name.to_string())
    }
}

fn keep<T>(list: &mut Vec<T>, kept: impl Fn(usize) -> bool) {
    let mut index = 0;
    list.retain(|_| {
        index += 1;
        kept(index - 1)
    });
}

fn unit(node: usize, layout: Layout) -> Unit {
    match node.checked_sub(layout.tables) {
        Some(table) => Unit::Table(TableId(id(table))),
        None => Unit::Rule(RuleId(id(node))),
    }
}

fn concluded(actions: &[Action]) -> impl Iterator<Item = usize> {
    actions.iter().filter_map(|action| match action.kind {
        ActionKind::Conclude(fact, _) => Some(fact.index()),
        _ => None,
    })
}

fn diagnosed(actions: &[Action]) -> impl Iterator<Item = ProblemId> {
    actions.iter().filter_map(|action| match action.kind {
        ActionKind::Diagnose(problem) | ActionKind::Suspect(problem) => Some(problem),
        _ => None,
    })
}

/// What each node needs to be settled before it.
fn needs(program: &Program, layout: Layout) -> Vec<Vec<usize>> {
    let mut needs = vec![Vec::new(); layout.no_problem + 1];
    let mut add = |from: usize, to: usize| {
        if let Some(list) = needs.get_mut(from) {
            list.push(to);
        }
    };
    for (index, rule) in program.rules.iter().enumerate() {
        let mut asked = Asked::default();
        asked.condition(&rule.when);
        if let Some(unless) = &rule.unless {
            asked.condition(unless);
        }
        asked.facts.iter().for_each(|fact| add(index, layout.facts + fact));
        asked.problems.iter().for_each(|problem| add(index, layout.problems + problem));
        if asked.no_problem {
            add(index, layout.no_problem);
        }
        concluded(&rule.actions).for_each(|fact| add(layout.facts + fact, index));
        for problem in diagnosed(&rule.actions) {
            add(layout.problems + problem.index(), index);
            if !asked.no_problem {
                add(layout.no_problem, index);
            }
        }
    }
    for (index, table) in program.tables.iter().enumerate() {
        add(layout.tables + index, layout.facts + table.from.index());
        table.otherwise.iter().for_each(|fact| add(layout.tables + index, layout.facts + fact.index()));
        add(layout.facts + table.fact.index(), layout.tables + index);
    }
    needs
}

/// What a condition asks for.
#[derive(Default)]
struct Asked {
    facts: BTreeSet<usize>,
    problems: BTreeSet<usize>,
    no_problem: bool,
}

impl Asked {
    /// Recursion is bounded by the depth that [`Checker::condition`] allows.
    fn condition(&mut self, condition: &Condition) {
        condition.each_test(&mut |test| self.test(test));
    }

    fn test(&mut self, test: &Test) {
        match test {
            Test::Holds(fact) | Test::Has(fact, ..) | Test::State(fact, _) => self.fact(fact),
            Test::Compare(left, _, right) => {
                self.term(left);
                self.term(right);
            }
            Test::Within(term, ..) | Test::OneOf(term, _) => self.term(term),
            Test::Matches(matching) => self.text(&matching.text),
            Test::Problem(problem) => {
                self.problems.insert(problem.index());
            }
            Test::NoProblem => self.no_problem = true,
            Test::RecordState(..) | Test::SectionState(..) => {}
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Literal(_) => {}
            Term::Fact(fact) => self.fact(fact),
            Term::Arithmetic(left, _, right) => {
                self.term(left);
                self.term(right);
            }
        }
    }

    fn fact(&mut self, fact: &FactRef) {
        match fact {
            FactRef::Fact(fact) | FactRef::Element(fact) => {
                self.facts.insert(fact.index());
            }
            FactRef::Capture { text, .. } => self.text(text),
        }
    }

    fn text(&mut self, text: &TextRef) {
        if let TextRef::Fact(fact) = text {
            self.fact(fact);
        }
    }
}

/// The nodes that have a rank, each behind what it needs, and else by rank. What stands in or behind a circle is missing.
fn sorted(needs: &[Vec<usize>], ranks: &[u32]) -> Vec<usize> {
    let mut open: Vec<usize> = needs.iter().map(Vec::len).collect();
    let mut needed_by: Vec<Vec<usize>> = vec![Vec::new(); needs.len()];
    for (node, list) in needs.iter().enumerate() {
        for need in list {
            if let Some(list) = needed_by.get_mut(*need) {
                list.push(node);
            }
        }
    }
    let mut ready = BinaryHeap::new();
    let mut settled: Vec<usize> = Vec::new();
    let mut order = Vec::new();
    // Nodes without a rank are settled at once; ranked ones wait for their turn.
    let queue = |node: usize, settled: &mut Vec<usize>, ready: &mut BinaryHeap<_>| match ranks.get(node) {
        Some(rank) => ready.push(Reverse((*rank, node))),
        None => settled.push(node),
    };
    for (node, _) in needs.iter().enumerate().filter(|(_, list)| list.is_empty()) {
        queue(node, &mut settled, &mut ready);
    }
    loop {
        let node = match settled.pop() {
            Some(node) => node,
            None => match ready.pop() {
                Some(Reverse((_, node))) => {
                    order.push(node);
                    node
                }
                None => return order,
            },
        };
        for dependent in needed_by.get(node).into_iter().flatten() {
            let Some(count) = open.get_mut(*dependent) else { continue };
            *count -= 1;
            if *count == 0 {
                queue(*dependent, &mut settled, &mut ready);
            }
        }
    }
}

/// Circles in a graph, found by a walk that keeps its own stack. No two share one of the first `own` nodes.
pub(super) fn circles(needs: &[Vec<usize>], own: usize) -> Vec<Vec<usize>> {
    let mut state = vec![Visit::New; needs.len()];
    let mut found = Vec::new();
    let mut taken = BTreeSet::new();
    let mut path: Vec<(usize, usize)> = Vec::new();
    for start in 0..needs.len() {
        if state.get(start) == Some(&Visit::New) {
            path.push((start, 0));
        }
        while let Some((node, next)) = path.pop() {
            let need = needs.get(node).and_then(|list| list.get(next)).copied();
            if let Some(state) = state.get_mut(node) {
                *state = if need.is_some() { Visit::Open } else { Visit::Done };
            }
            let Some(need) = need else { continue };
            path.push((node, next + 1));
            match state.get(need) {
                Some(Visit::New) => path.push((need, 0)),
                Some(Visit::Open) if !is_taken(&path, need, &taken) => {
                    let circle: Vec<usize> =
                        path.iter().map(|(node, _)| *node).skip_while(|node| *node != need).collect();
                    taken.extend(circle.iter().copied().filter(|node| *node < own));
                    found.push(circle);
                }
                _ => {}
            }
        }
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

/// Whether the circle that ends a path in `need` holds a node that another circle has.
fn is_taken(path: &[(usize, usize)], need: usize, taken: &BTreeSet<usize>) -> bool {
    taken.contains(&need)
        || path.iter().rev().map(|(node, _)| *node).take_while(|node| *node != need).any(|node| taken.contains(&node))
}

#[cfg(test)]
mod tests {
    use super::{circles, sorted};

    #[test]
    fn each_stands_behind_what_it_needs_and_else_by_rank() {
        // 0 needs 3 (without a rank), which needs 2.
        assert_eq!(sorted(&[vec![3], vec![], vec![], vec![2]], &[0, 1, 2]), [1, 2, 0]);
    }

    #[test]
    fn circles_are_found_once() {
        assert_eq!(circles(&[vec![1], vec![2], vec![0], vec![3], vec![0]], 5), [vec![0, 1, 2], vec![3]]);
        assert!(circles(&[vec![1], vec![]], 2).is_empty());
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let needs: Vec<Vec<usize>> = (0..200_000).map(|index| vec![(index + 1) % 200_000]).collect();
        assert_eq!(circles(&needs, needs.len()).len(), 1);
    }
}
