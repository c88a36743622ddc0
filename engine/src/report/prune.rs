//! Which parts of a proof a person needs: those that decided. Programs get all of it.

use super::Detail;
use crate::explanation::{ProofNode, Truth};

/// A node of a proof, and those of its children that are shown.
#[derive(Debug, Clone)]
pub(crate) struct Shown<'a> {
    pub(crate) node: &'a ProofNode,
    pub(crate) children: Vec<Shown<'a>>,
    /// Whether it stands for itself only: what it follows from did not decide.
    pub(crate) closed: bool,
}

/// Alternatives that all failed are followed up to this many.
const ALTERNATIVES: usize = 2;

/// A proof without what did not decide, unless all of it is asked for. Everything that speaks for or against a problem or
/// fix is shown.
pub(crate) fn proof(root: &ProofNode, detail: Detail) -> Shown<'_> {
    if root.fact.is_some() {
        return inner(root, detail);
    }
    let children = root.children.iter().map(|child| inner(child, detail)).collect();
    Shown { node: root, children, closed: false }
}

fn inner(node: &ProofNode, detail: Detail) -> Shown<'_> {
    if detail == Detail::Full {
        let children = node.children.iter().map(|child| inner(child, detail)).collect();
        return Shown { node, children, closed: false };
    }
    let children = deciding(node, detail);
    match <[Shown<'_>; 1]>::try_from(children) {
        // A test that says what the fact below it says is shown once.
        Ok([only]) if only.node.what == node.what && only.node.value == node.value && !only.closed => only,
        // That the contrary fails, or holds, need not be said again.
        Ok([only])
            if node.what.strip_prefix("not ") == Some(only.node.what.as_str()) && only.node.evidence.is_empty() =>
        {
            Shown { node, children: only.children, closed: false }
        }
        Ok([only]) => Shown { node, children: vec![only], closed: false },
        Err(children) => Shown { node, children, closed: false },
    }
}

/// The children that gave a node its value. One true alternative makes a disjunction true, one false part a conjunction
/// false; what else held or failed there is shown without what it follows from, since it says how near it was.
fn deciding(node: &ProofNode, detail: Detail) -> Vec<Shown<'_>> {
    let decided = |child: &&ProofNode| child.value == node.value;
    let count = node.children.iter().filter(decided).count();
    if count == 0 {
        // A fact has no value since no rule gave it one: that none did is all there is to say.
        let follow =
            |child| if node.fact.is_some() && is_failed_rule(child) { close(child) } else { inner(child, detail) };
        return node.children.iter().map(follow).collect();
    }
    let many = node.value == Truth::False && count == node.children.len() && count > ALTERNATIVES;
    let mut nearest = node.children.iter().all(is_failed_rule);
    let open = |child| match (decided(&child), node.value) {
        // Of rules that all failed the nearest, which is first, says why.
        (true, _) if many && std::mem::take(&mut nearest) => Some(inner(child, detail)),
        (true, _) if many => Some(close(child)),
        (true, _) => Some(inner(child, detail)),
        // An exception that is not known is a caution.
        (false, Truth::True) if node.rule.is_some() && child.value == Truth::Unknown => Some(inner(child, detail)),
        (false, Truth::True) => None,
        (false, _) => Some(close(child)),
    };
    node.children.iter().filter_map(open).collect()
}

fn is_failed_rule(node: &ProofNode) -> bool {
    node.rule.is_some() && node.value == Truth::False
}

fn close(node: &ProofNode) -> Shown<'_> {
    Shown { node, children: Vec::new(), closed: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(what: &str, value: Truth, children: Vec<ProofNode>) -> ProofNode {
        ProofNode { children, ..ProofNode::new(what.to_owned(), value) }
    }

    fn print(shown: &Shown<'_>) -> String {
        let children: Vec<_> = shown.children.iter().map(print).collect();
        if children.is_empty() {
            shown.node.what.clone()
        } else {
            format!("{}({})", shown.node.what, children.join(" "))
        }
    }

    #[test]
    fn what_did_not_decide_is_left_out() {
        let leaf = |what, value| node(what, value, Vec::new());
        let either = node("either", Truth::True, vec![leaf("a", Truth::False), leaf("b", Truth::True)]);
        let both = node(
            "both",
            Truth::False,
            vec![node("c", Truth::True, vec![leaf("d", Truth::True)]), leaf("e", Truth::False)],
        );
        let not = node("not", Truth::True, vec![both]);
        let none = node(
            "none",
            Truth::False,
            ["f", "g", "h"].map(|what| node(what, Truth::False, vec![leaf("i", Truth::False)])).into(),
        );
        let root = node("root", Truth::True, vec![either, not, none, leaf("caution", Truth::Unknown)]);
        assert_eq!(print(&proof(&root, Detail::Usual)), "root(either(b) not(both(c e)) none(f g h) caution)");
        assert_eq!(
            print(&proof(&root, Detail::Full)),
            "root(either(a b) not(both(c(d) e)) none(f(i) g(i) h(i)) caution)"
        );
    }

    #[test]
    fn what_is_said_twice_is_shown_once() {
        let fact = node("x = 1", Truth::True, vec![node("y", Truth::True, Vec::new())]);
        let not =
            node("not (y)", Truth::True, vec![node("(y)", Truth::False, vec![node("z", Truth::False, Vec::new())])]);
        let root = node("root", Truth::True, vec![node("x = 1", Truth::True, vec![fact]), not]);
        assert_eq!(print(&proof(&root, Detail::Usual)), "root(x = 1(y) not (y)(z))");
    }
}
