//! The decision graph: the conditions of all rules as shared nodes.
//!
//! Equal conditions are one node, whichever rules they stand in, so each is evaluated once in a run. Children have
//! smaller ids than their parents.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::image::{Flat, ImageError, Reader, Writer};
use crate::ir::{
    Condition, ConditionId, ConditionKind, ErrorPart, FactRef, Over, Program, Quantifier, Term, Test, TextRef,
};
use crate::list::List;

/// A node of the graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u32);

/// What a node is; children by id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Node {
    /// All hold.
    All(Box<[NodeId]>),
    /// One holds.
    Any(Box<[NodeId]>),
    /// It does not hold.
    Not(NodeId),
    /// At least so many hold.
    AtLeast(u32, Box<[NodeId]>),
    /// Over elements.
    Quantified(Quantifier, OverKey, NodeId),
    /// A single test.
    Test(Box<Test>),
}

/// [`Over`] with an order, for sharing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OverKey {
    /// The elements of the record with this index.
    Record(u32),
    /// The failures of the text.
    Errors,
}

/// The graph of a program.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    nodes: List<Node>,
    /// Whether a node speaks of an element at hand (1), so that its value is not one for the whole run.
    local: Flat<u8>,
    /// The node of each condition.
    of: Flat<u32>,
}

impl Graph {
    /// Compiles the conditions of a program.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut builder = Builder {
            nodes: Vec::new(),
            local: Vec::new(),
            of: vec![0; program.conditions as usize],
            known: BTreeMap::new(),
        };
        for rule in program.rules.iter() {
            builder.condition(&rule.when);
            rule.unless.iter().for_each(|unless| {
                builder.condition(unless);
            });
        }
        for fix in program.fixes.iter() {
            let steps = fix.steps.iter().filter_map(|step| step.when.as_ref());
            for condition in fix.requires.iter().chain(steps) {
                builder.condition(condition);
            }
        }
        for template in program.launchers.iter().flat_map(|launcher| &launcher.templates) {
            template.when.iter().for_each(|when| {
                builder.condition(when);
            });
        }
        let Builder { nodes, local, of, .. } = builder;
        Self { nodes: nodes.into(), local: local.into(), of: of.into() }
    }

    pub(crate) fn write(&self, image: &mut Writer) {
        image.list(&self.nodes);
        image.flat(&self.local);
        image.flat(&self.of);
    }

    pub(crate) fn read(image: &mut Reader) -> Result<Self, ImageError> {
        Ok(Self { nodes: image.list()?, local: image.flat()?, of: image.flat()? })
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    /// The node of a condition.
    #[must_use]
    pub fn node_of(&self, condition: ConditionId) -> NodeId {
        NodeId(self.of.get(condition.index()).copied().unwrap_or(u32::MAX))
    }

    /// Whether the value of a node depends on an element at hand.
    #[must_use]
    pub fn is_local(&self, id: NodeId) -> bool {
        self.local.get(id.0 as usize) == Some(&1)
    }
}

struct Builder {
    nodes: Vec<Node>,
    local: Vec<u8>,
    of: Vec<u32>,
    known: BTreeMap<Node, NodeId>,
}

impl Builder {
    fn condition(&mut self, condition: &Condition) -> NodeId {
        let (node, local) = self.lower(&condition.kind);
        let id = self.share(node, local);
        if let Some(slot) = self.of.get_mut(condition.id.index()) {
            *slot = id.0;
        }
        id
    }

    fn lower(&mut self, kind: &ConditionKind) -> (Node, bool) {
        match kind {
            ConditionKind::All(list) => {
                let (ids, local) = self.list(list);
                (Node::All(ids), local)
            }
            ConditionKind::Any(list) => {
                let (ids, local) = self.list(list);
                (Node::Any(ids), local)
            }
            ConditionKind::AtLeast(count, list) => {
                let (ids, local) = self.list(list);
                (Node::AtLeast(*count, ids), local)
            }
            ConditionKind::Not(inner) => {
                let id = self.condition(inner);
                (Node::Not(id), self.is_local(id))
            }
            ConditionKind::Quantified(quantifier, over, inner) => {
                let id = self.condition(inner);
                let over = match over {
                    Over::Record(record) => OverKey::Record(record.0),
                    Over::Errors => OverKey::Errors,
                };
                (Node::Quantified(*quantifier, over, id), false)
            }
            ConditionKind::Test(test) => (Node::Test(Box::new(test.clone())), test_is_local(test)),
        }
    }

    fn list(&mut self, list: &[Condition]) -> (Box<[NodeId]>, bool) {
        let ids: Box<[NodeId]> = list.iter().map(|condition| self.condition(condition)).collect();
        let local = ids.iter().any(|&id| self.is_local(id));
        (ids, local)
    }

    fn is_local(&self, id: NodeId) -> bool {
        self.local.get(id.0 as usize) == Some(&1)
    }

    fn share(&mut self, node: Node, local: bool) -> NodeId {
        let next = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        self.nodes.push(node.clone());
        self.local.push(u8::from(local));
        self.known.insert(node, next);
        next
    }
}

fn test_is_local(test: &Test) -> bool {
    match test {
        Test::Holds(fact) | Test::Has(fact, ..) | Test::State(fact, _) => fact_is_local(fact),
        Test::Compare(left, _, right) => term_is_local(left) || term_is_local(right),
        Test::Within(term, ..) | Test::OneOf(term, _) => term_is_local(term),
        Test::Matches(matching) => text_is_local(&matching.text),
        Test::RecordState(..) | Test::SectionState(..) | Test::Problem(_) | Test::NoProblem => false,
    }
}

fn term_is_local(term: &Term) -> bool {
    match term {
        Term::Literal(_) => false,
        Term::Fact(fact) => fact_is_local(fact),
        Term::Arithmetic(left, _, right) => term_is_local(left) || term_is_local(right),
    }
}

fn fact_is_local(fact: &FactRef) -> bool {
    match fact {
        FactRef::Fact(_) => false,
        FactRef::Element(_) => true,
        FactRef::Capture { text, .. } => text_is_local(text),
    }
}

fn text_is_local(text: &TextRef) -> bool {
    match text {
        TextRef::EachError(
            ErrorPart::All | ErrorPart::Type | ErrorPart::Message | ErrorPart::Cause | ErrorPart::Trace,
        ) => true,
        TextRef::Fact(fact) => fact_is_local(fact),
        _ => false,
    }
}
