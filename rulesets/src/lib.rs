//! The packs that come with rulecheck, as text: `core` (facts, extractors and launchers, no advice), and the packs that
//! give advice. They stand in the folders beside this crate; what is put there is built in.

use rulecheck::{PackSource, RulesError, Ruleset, Source};

/// A pack as it was built in: names and texts.
struct Pack {
    manifest: (&'static str, &'static str),
    files: &'static [(&'static str, &'static str)],
}

include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// The manifest of the pack that declares facts, extractors and launchers.
const CORE: &str = "core/pack.ron";

/// The ruleset of all packs that come with rulecheck.
///
/// # Errors
/// If a pack has a mistake, which the tests of this crate rule out.
pub fn bundled() -> Result<Ruleset, RulesError> {
    Ruleset::from_sources(&bundled_sources())
}

/// The texts of all packs that come with rulecheck, to be put before packs of one's own.
#[must_use]
pub fn bundled_sources() -> Vec<PackSource> {
    PACKS.iter().map(source).collect()
}

/// The text of `core` alone: facts, extractors and launchers, without any advice.
#[must_use]
pub fn core_sources() -> Vec<PackSource> {
    PACKS.iter().filter(|pack| pack.manifest.0 == CORE).map(source).collect()
}

/// The names of all texts that are built in: `core/facts.rules`.
pub fn names() -> impl Iterator<Item = &'static str> {
    PACKS.iter().flat_map(|pack| std::iter::once(pack.manifest.0).chain(pack.files.iter().map(|file| file.0)))
}

fn source(pack: &Pack) -> PackSource {
    let source = |&(name, text): &(&'static str, &'static str)| Source::new(name, text);
    PackSource { manifest: Some(source(&pack.manifest)), files: pack.files.iter().map(source).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_is_among_the_packs() {
        assert_eq!(core_sources().len(), 1);
        assert!(names().any(|name| name == "core/facts.rules"));
    }

    #[test]
    fn the_packs_have_no_mistakes() {
        if let Err(error) = bundled() {
            panic!("{error}");
        }
    }
}
