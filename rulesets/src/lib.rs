//! The packs that come with rulecheck: `core` (facts, extractors and launchers, no advice), and the packs that give
//! advice. They stand in the folders beside this crate; what is put there is built in, compiled and as text.

use std::ops::Range;

use rulecheck::{List, PackSource, RulesError, Ruleset, Source};

// The texts with their names, compressed, and of each pack which they are: its manifest, then its files.
include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// All packs, compiled when this crate was. Tables in it begin at multiples of eight bytes.
static IMAGE: &Aligned<[u8]> = &Aligned { bytes: *include_bytes!(concat!(env!("OUT_DIR"), "/image")) };

#[repr(C, align(8))]
struct Aligned<T: ?Sized> {
    bytes: T,
}

/// The manifest of the pack that declares facts, extractors and launchers.
const CORE: &str = "core/pack.ron";

/// The ruleset of all packs that come with rulecheck.
///
/// # Errors
/// If a pack has a mistake, which the tests of this crate rule out.
pub fn bundled() -> Result<Ruleset, RulesError> {
    let sources = List::later(TEXTS.len(), text);
    Ruleset::from_image(&IMAGE.bytes, sources).or_else(|_| Ruleset::from_sources(&bundled_sources()))
}

/// The texts of all packs that come with rulecheck, to be put before packs of one's own.
#[must_use]
pub fn bundled_sources() -> Vec<PackSource> {
    PACKS.iter().map(pack).collect()
}

/// The text of `core` alone: facts, extractors and launchers, without any advice.
#[must_use]
pub fn core_sources() -> Vec<PackSource> {
    let is_core = |range: &&Range<usize>| TEXTS.get(range.start).is_some_and(|(name, _)| *name == CORE);
    PACKS.iter().filter(is_core).map(pack).collect()
}

/// The names of all texts that are built in: `core/facts.rules`.
pub fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|(name, _)| *name)
}

fn pack(range: &Range<usize>) -> PackSource {
    let mut texts = range.clone().filter_map(text);
    PackSource { manifest: texts.next(), files: texts.collect() }
}

fn text(index: usize) -> Option<Source> {
    let (name, packed) = TEXTS.get(index)?;
    let text = String::from_utf8(miniz_oxide::inflate::decompress_to_vec(packed).ok()?).ok()?;
    Some(Source::new(*name, text))
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
    fn the_packs_have_no_mistakes_and_the_image_is_what_they_say() {
        match Ruleset::from_sources(&bundled_sources()) {
            Ok(fresh) => assert!(fresh.to_image() == IMAGE.bytes, "the image is of other sources"),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn the_image_holds_all_that_was_compiled() {
        let Ok(fresh) = Ruleset::from_sources(&bundled_sources()) else { return };
        let image =
            Ruleset::from_image(&IMAGE.bytes, List::later(TEXTS.len(), text)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format!("{:?}", image.program()), format!("{:?}", fresh.program()));
        assert!(image.to_image() == IMAGE.bytes, "what was decoded is encoded alike");
    }

    #[test]
    fn what_is_no_image_is_refused() {
        let sources = || List::later(TEXTS.len(), text);
        for end in [0, 7, 8, 30, IMAGE.bytes.len() / 2] {
            let cut = IMAGE.bytes.get(..end).unwrap_or_default();
            assert!(Ruleset::from_image(cut, sources()).is_err(), "{end}");
        }
        let moved = IMAGE.bytes.get(1..).unwrap_or_default();
        assert!(Ruleset::from_image(moved, sources()).is_err());
    }
}
