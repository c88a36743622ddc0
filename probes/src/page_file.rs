//! What the registry of Windows says of page files.

use std::path::PathBuf;

/// Whether Windows sizes its page files itself, by `PagingFiles`: `?:\pagefile.sys` on whichever disk it likes,
/// `C:\pagefile.sys 0 0` on this one; `C:\pagefile.sys 4096 8192` was set by hand, and no entry at all means that a
/// person has turned them off.
#[must_use]
pub fn is_managed(entries: &[String]) -> bool {
    let sized = |entry: &String| {
        let mut words = entry.split_whitespace().rev();
        let (most, least) = (words.next(), words.next());
        least.is_some() && (least, most) != (Some("0"), Some("0"))
    };
    let mut entries = entries.iter().filter(|entry| !entry.trim().is_empty()).peekable();
    entries.peek().is_some() && !entries.any(sized)
}

/// Where the page files are that exist, by `ExistingPageFiles`: `\??\C:\pagefile.sys`.
#[must_use]
pub fn existing(entries: &[String]) -> Vec<PathBuf> {
    let entries = entries.iter().filter(|entry| !entry.trim().is_empty());
    entries.map(|entry| PathBuf::from(entry.strip_prefix(r"\??\").unwrap_or(entry))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(entries: &[&str]) -> Vec<String> {
        entries.iter().map(|entry| (*entry).to_owned()).collect()
    }

    #[test]
    fn page_files_are_managed_set_or_off() {
        for managed in
            [&[r"?:\pagefile.sys"][..], &[r"C:\pagefile.sys 0 0"], &[r"C:\pagefile.sys"], &[r"C:\pagefile.sys 0 0", ""]]
        {
            assert!(is_managed(&list(managed)), "{managed:?}");
        }
        for by_hand in
            [&[r"C:\pagefile.sys 4096 8192"][..], &[], &[""], &[r"C:\pagefile.sys 0 0", r"D:\pagefile.sys 16 16"]]
        {
            assert!(!is_managed(&list(by_hand)), "{by_hand:?}");
        }
        assert_eq!(existing(&list(&[r"\??\C:\pagefile.sys", ""])), [PathBuf::from(r"C:\pagefile.sys")]);
    }
}
