//! What was looked for in the text, and whether it was there.

use super::Diagnosis;
use crate::explanation::Truth;
use crate::ir::{Condition, ConditionKind, FactRef, FixId, Over, Site, Test};
use crate::session::test_facts;

impl Diagnosis {
    /// The conditions of rules and fixes that look in a text, or at what a pattern captured there, each with its place in the rules and what it came to: what
    /// an evaluator that cannot read texts has to be told.
    #[must_use]
    pub fn text_conditions(&self) -> Vec<(Site, Truth)> {
        let program = self.ruleset.program();
        let rules = program.rules.iter().flat_map(|rule| std::iter::once(&rule.when).chain(&rule.unless));
        let fixes = (0..program.fixes.len()).map(|at| FixId(u32::try_from(at).unwrap_or(u32::MAX)));
        let fixes = fixes
            .map(|id| self.ruleset.fix(id))
            .flat_map(|fix| fix.requires.iter().chain(fix.steps.iter().filter_map(|step| step.when.as_ref())));
        let mut found = Vec::new();
        for condition in rules.chain(fixes) {
            self.collect_text_conditions(condition, &mut found);
        }
        found
    }

    fn collect_text_conditions(&self, condition: &Condition, into: &mut Vec<(Site, Truth)>) {
        let looks = match &condition.kind {
            ConditionKind::All(list) | ConditionKind::Any(list) | ConditionKind::AtLeast(_, list) => {
                return list.iter().for_each(|part| self.collect_text_conditions(part, into));
            }
            ConditionKind::Not(inner) => return self.collect_text_conditions(inner, into),
            // What holds of each element has no one value.
            ConditionKind::Quantified(_, over, _) => matches!(over, Over::Errors),
            ConditionKind::Test(test) => {
                let captured = test_facts(test).into_iter().any(|fact| matches!(fact, FactRef::Capture { .. }));
                captured || matches!(test, Test::Matches(_) | Test::SectionState(..))
            }
        };
        if looks {
            into.push((condition.site, self.session.holds(&self.ruleset, condition)));
        }
    }
}
