//! Whether a card or an amount of memory that a text tells of may be the one that a machine has.

use std::collections::BTreeSet;

/// How far two readings of the amount of one machine's memory may differ: programs subtract what firmware, drivers and
/// integrated graphics take.
const TOLERANCE: f64 = 0.1;

/// Whether two amounts of memory, in bytes, may be of one machine.
#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
pub(super) fn amounts_agree(one: u64, other: u64) -> bool {
    one.abs_diff(other) as f64 <= TOLERANCE * one.max(other) as f64
}

/// Whether two names may be of one graphics processor. Lists of devices give several models one name
/// (`Radeon RX 7900 XT/7900 XTX`), and programs leave parts of a name out, but not those that make it another model.
pub(super) fn names_agree(one: &str, other: &str) -> bool {
    let (ones, others) = (models(one), models(other));
    ones.iter().any(|one| others.iter().any(|other| is_model(one, other)))
}

fn is_model(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let (less, more) = if one.len() < other.len() { (one, other) } else { (other, one) };
    // A name of none but the words of its maker says nothing of the model.
    less.is_empty() || (less.is_subset(more) && !more.difference(less).any(|word| makes_another(word)))
}

/// `4070` and `4070 Ti` are two models, `A100` and `A100-SXM4-40GB` may be one.
fn makes_another(word: &str) -> bool {
    const WORDS: [&str; 12] =
        ["ti", "super", "xt", "xtx", "gre", "laptop", "ada", "quadro", "blackwell", "max", "ultra", "pro"];
    WORDS.contains(&word) || (word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// The models that a name stands for. Behind a stroke the words before the first model's number are left out.
fn models(name: &str) -> Vec<BTreeSet<String>> {
    let name = name.to_lowercase().replace("max-q", "laptop").replace("(r)", " ").replace("(tm)", " ");
    let parts: Vec<Vec<String>> = name.split('/').map(words).collect();
    let first = parts.first().cloned().unwrap_or_default();
    let number = first.iter().position(|word| is_number(word)).unwrap_or(first.len());
    let whole = |part: &Vec<String>| {
        let shared = if part.iter().any(|word| is_number(word)) { number } else { number.saturating_add(1) };
        first.iter().take(shared).chain(part).cloned().collect()
    };
    let (head, rest) = parts.split_at(1.min(parts.len()));
    head.iter().map(|part| part.iter().cloned().collect()).chain(rest.iter().map(whole)).collect()
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The words that tell models apart, letters and numbers by themselves: some write `4060Ti`, some `4060 Ti`.
fn words(name: &str) -> Vec<String> {
    const MAKERS: [&str; 14] = [
        "nvidia",
        "geforce",
        "amd",
        "ati",
        "radeon",
        "intel",
        "apple",
        "corporation",
        "gpu",
        "graphics",
        "device",
        "series",
        "with",
        "design",
    ];
    let mut found: Vec<String> = Vec::new();
    let mut before = None;
    for c in name.chars() {
        let kind = if c.is_numeric() { Some(0) } else { c.is_alphabetic().then_some(1) };
        match (kind, found.last_mut()) {
            (Some(_), Some(word)) if kind == before => word.push(c),
            (Some(_), _) => found.push(c.to_string()),
            (None, _) => {}
        }
        before = kind;
    }
    found.retain(|word| !MAKERS.contains(&word.as_str()));
    // Lists say `Mobile` of what drivers call `Laptop`.
    found.iter_mut().filter(|word| *word == "mobile").for_each(|word| "laptop".clone_into(word));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What programs call a card, and what its driver or the list of devices calls it.
    const ONE: [(&str, &str); 14] = [
        ("NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090"),
        ("RTX 4090", "NVIDIA GeForce RTX 4090"),
        ("NVIDIA A100", "A100-SXM4-40GB"),
        ("AMD Radeon RX 7900 XTX", "AMD Radeon RX 7900 XT/7900 XTX/7900 GRE/7900M"),
        ("AMD Radeon RX 7900M", "AMD Radeon RX 7900 XT/7900 XTX/7900 GRE/7900M"),
        ("AMD Radeon RX 6900 XT", "AMD Radeon RX 6800/6800 XT / 6900 XT"),
        ("AMD Radeon PRO W7600", "AMD Radeon RX 7600/7600 XT/7600M XT/7600S/7700S / PRO W7600"),
        ("AMD Radeon Graphics", "AMD Radeon 780M"),
        ("AMD Radeon 890M Graphics", "AMD Radeon 880M / 890M"),
        ("NVIDIA GeForce RTX 4060 Laptop GPU", "NVIDIA GeForce RTX 4060 Max-Q / Mobile"),
        ("NVIDIA GeForce RTX 2080 with Max-Q Design", "NVIDIA GeForce RTX 2080 Mobile"),
        ("Intel(R) Arc(TM) A770 Graphics", "Intel Arc A770"),
        ("Intel(R) Arc(TM) 140V GPU (16GB)", "Intel Arc Graphics 130V / 140V"),
        ("rtx4060ti", "NVIDIA GeForce RTX 4060 Ti"),
    ];

    const TWO: [(&str, &str); 11] = [
        ("NVIDIA GeForce RTX 4070", "NVIDIA GeForce RTX 4070 Ti"),
        ("NVIDIA GeForce RTX 4070 Ti", "NVIDIA GeForce RTX 4070 Ti SUPER"),
        ("NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090 Laptop GPU"),
        ("NVIDIA L40", "NVIDIA L40S"),
        ("NVIDIA A100-SXM4-80GB", "NVIDIA H100 80GB HBM3"),
        ("Quadro RTX 4000", "NVIDIA RTX 4000 Ada Generation"),
        ("NVIDIA RTX A4000", "Quadro RTX 4000"),
        ("AMD Radeon RX 6800 XT", "AMD Radeon RX 7900 XT/7900 XTX/7900 GRE/7900M"),
        ("AMD Radeon RX 7900 XTX", "AMD Radeon RX 7900 XT"),
        ("AMD Instinct MI300X", "AMD Instinct MI300A"),
        ("Apple M2 Max", "Apple M2"),
    ];

    #[test]
    fn names_of_one_card_agree_and_those_of_two_do_not() {
        for (one, other) in ONE {
            assert!(names_agree(one, other) && names_agree(other, one), "{one} / {other}");
        }
        for (one, other) in TWO {
            assert!(!names_agree(one, other) && !names_agree(other, one), "{one} / {other}");
        }
    }

    #[test]
    fn amounts_agree_within_what_is_held_back() {
        let gib = |number: u64| number << 30;
        assert!(amounts_agree(gib(24), gib(24) - (300 << 20)) && amounts_agree(0, 0));
        assert!(!amounts_agree(gib(8), gib(24)) && !amounts_agree(gib(12), gib(16)) && !amounts_agree(0, 1));
    }
}
