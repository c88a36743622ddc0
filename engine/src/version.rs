//! Versions: parts compared one by one, as many as the one beside has.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A version as printed, and its parts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Version {
    printed: Arc<str>,
    parts: Vec<u64>,
    stage: Stage,
    local: Option<Arc<str>>,
}

/// How far a version is from its release: `dev a b rc` come before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Stage {
    Dev(u64),
    Alpha(u64),
    Beta(u64),
    Candidate(u64),
    Release,
}

impl Version {
    /// Reads `14.5`, `v0.3.30`, `2.4.0+cu121`, `2.10.0.dev20251001+cu130`, `0.3.0-2`. A number behind `-` or `_` is a
    /// further part; what follows that is no part is kept in print only. `None` if it does not begin with a number.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let body = text.strip_prefix(['v', 'V']).unwrap_or(text);
        let (body, local) = match body.split_once('+') {
            Some((body, local)) => (body, Some(local)),
            None => (body, None),
        };
        let mut parts = Vec::new();
        let mut stage = Stage::Release;
        let mut rest = body;
        loop {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (number, behind) = rest.split_at_checked(digits)?;
            if number.is_empty() {
                break;
            }
            parts.push(number.parse().ok()?);
            rest = behind;
            if let Some(found) = read_stage(rest) {
                stage = found;
                break;
            }
            match rest.strip_prefix(['.', '-', '_']) {
                Some(next) => rest = next,
                None => break,
            }
        }
        if parts.is_empty() {
            return None;
        }
        Some(Self { printed: text.into(), parts, stage, local: local.map(Into::into) })
    }

    /// The version as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.printed
    }

    /// Compares this version with a literal, by as many parts as the literal has: `14.5.1` equals `14.5` and is not
    /// greater. A pre-release of the literal comes before it, except that a `.dev` build counts as the release when
    /// the literal is one, as nightly builds hold what the release will. A `+…` counts only if the literal has one.
    #[must_use]
    pub fn compare_to(&self, literal: &Self) -> Ordering {
        for (index, wanted) in literal.parts.iter().enumerate() {
            let order = self.parts.get(index).copied().unwrap_or(0).cmp(wanted);
            if order.is_ne() {
                return order;
            }
        }
        let longer = self.parts.iter().skip(literal.parts.len()).any(|&part| part > 0);
        let stage = match (self.stage, literal.stage) {
            (_, Stage::Release) if longer => Ordering::Equal,
            (Stage::Dev(_), Stage::Release) => Ordering::Equal,
            (own, wanted) => own.cmp(&wanted),
        };
        stage.then_with(|| match (&literal.local, &self.local) {
            (Some(wanted), Some(own)) => own.as_ref().cmp(wanted.as_ref()),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Equal,
        })
    }
}

fn read_stage(rest: &str) -> Option<Stage> {
    let rest = rest.strip_prefix(['.', '-', '_']).unwrap_or(rest);
    let number = |text: &str| {
        let text = text.trim_start_matches(['.', '-', '_']);
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        text.get(..end).unwrap_or("").parse().unwrap_or(0)
    };
    let named = |prefixes: &[&str]| {
        prefixes.iter().find_map(|prefix| {
            let behind = rest.strip_prefix(prefix)?;
            (!behind.starts_with(|c: char| c.is_ascii_alphabetic())).then(|| number(behind))
        })
    };
    if let Some(n) = named(&["dev"]) {
        Some(Stage::Dev(n))
    } else if let Some(n) = named(&["alpha", "a"]) {
        Some(Stage::Alpha(n))
    } else if let Some(n) = named(&["beta", "b"]) {
        Some(Stage::Beta(n))
    } else {
        named(&["rc", "c"]).map(Stage::Candidate)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.printed)
    }
}

impl Version {
    fn key(&self) -> (&[u64], Stage, Option<&str>, &str) {
        (&self.parts, self.stage, self.local.as_deref(), &self.printed)
    }
}

/// The total order is for listing; rules compare with [`Version::compare_to`].
impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Version {}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(own: &str, literal: &str) -> Ordering {
        Version::parse(own).unwrap().compare_to(&Version::parse(literal).unwrap())
    }

    #[test]
    fn only_as_many_parts_as_the_literal_has_are_compared() {
        assert_eq!(compare("14.5.1", "14.5"), Ordering::Equal);
        assert_eq!(compare("14.5", "14.5.1"), Ordering::Less);
        assert_eq!(compare("2.10", "2.9"), Ordering::Greater);
        assert_eq!(compare("0.3.76", "0.4"), Ordering::Less);
        assert_eq!(compare("14", "14.0"), Ordering::Equal);
    }

    #[test]
    fn what_comes_before_a_release_is_less_but_for_nightly_builds() {
        assert_eq!(compare("2.10.0.dev20251001+cu130", "2.10"), Ordering::Equal);
        assert_eq!(compare("2.10.0rc1", "2.10"), Ordering::Less);
        assert_eq!(compare("2.10.0a0", "2.10.0"), Ordering::Less);
        assert_eq!(compare("2.10.1rc1", "2.10"), Ordering::Equal);
    }

    #[test]
    fn the_build_counts_only_if_asked_for() {
        assert_eq!(compare("2.4.0+cu121", "2.4.0"), Ordering::Equal);
        assert_eq!(compare("2.4.0+cu121", "2.4.0+cu121"), Ordering::Equal);
        assert_ne!(compare("2.4.0+cpu", "2.4.0+cu121"), Ordering::Equal);
    }

    #[test]
    fn prefixes_and_further_parts() {
        assert_eq!(compare("v0.3.30", "0.3.30"), Ordering::Equal);
        assert_eq!(compare("0.3.0-2", "0.3.0.1"), Ordering::Greater);
        assert!(Version::parse("abc").is_none());
        assert!(Version::parse("").is_none());
    }
}
