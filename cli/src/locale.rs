//! The language of whoever runs the program.

use std::env;

/// The language of the locale, of those the program speaks; English for all others.
pub(crate) fn language() -> &'static str {
    // The first that is set decides, as it does for other programs.
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).or_else(of_the_system);
    of(locale.as_deref().unwrap_or(""))
}

fn of(locale: &str) -> &'static str {
    let language = locale.split(['_', '-', '.', '@']).next().unwrap_or("");
    if language.eq_ignore_ascii_case("zh") { "zh" } else { "en" }
}

/// Windows and programs started from a Mac's desktop have no locale in the environment.
#[cfg(any(windows, target_os = "macos"))]
fn of_the_system() -> Option<String> {
    sys_locale::get_locale()
}

#[cfg(not(any(windows, target_os = "macos")))]
const fn of_the_system() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn chinese_is_told_from_all_others() {
        assert_eq!(of("zh_CN.UTF-8"), "zh");
        assert_eq!(of("zh-Hans-CN"), "zh");
        assert_eq!(of("C.UTF-8"), "en");
        assert_eq!(of("zha_CN"), "en");
        assert_eq!(of(""), "en");
    }
}
