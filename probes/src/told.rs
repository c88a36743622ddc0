//! What was told of one thing, or why it was not.

use rulecheck::value::Number;
use rulecheck::{Reading, Reason, Value, Version};

/// A value, known to be absent, or the reason why it cannot be told.
pub type Told<T> = Result<Option<T>, Reason>;

/// What a reading of one thing becomes.
pub(crate) fn reading<T>(told: &Told<T>, value: impl FnOnce(&T) -> Option<Value>) -> Reading {
    match told {
        Ok(Some(found)) => value(found).map_or_else(|| Reading::Unknown(unreadable("no such value")), Reading::Known),
        Ok(None) => Reading::None,
        Err(reason) => Reading::Unknown(reason.clone()),
    }
}

pub(crate) fn size(told: &Told<u64>) -> Reading {
    reading(told, |&bytes| Some(Value::Size(bytes)))
}

/// What is free of something, which cannot be more than there is.
pub(crate) fn free_of(free: &Told<u64>, total: &Told<u64>) -> Reading {
    match (free, total) {
        (Ok(Some(free)), Ok(Some(total))) if free > total => {
            let (free, total) = (Value::Size(*free), Value::Size(*total));
            Reading::Unknown(Reason::Contradicted(format!("{free} are said to be free of {total}")))
        }
        _ => size(free),
    }
}

/// What is left of something, of which no more can be used than there is.
#[cfg(target_os = "linux")]
pub(crate) fn left_of(total: u64, used: u64) -> Told<u64> {
    total.checked_sub(used).map(Some).ok_or_else(|| {
        let (used, total) = (Value::Size(used), Value::Size(total));
        Reason::Contradicted(format!("{used} are said to be used of {total}"))
    })
}

pub(crate) fn bool(told: &Told<bool>) -> Reading {
    reading(told, |&value| Some(Value::Bool(value)))
}

pub(crate) fn number(told: &Told<u32>) -> Reading {
    reading(told, |&value| Number::new(f64::from(value)).map(Value::Number))
}

pub(crate) fn text(told: &Told<String>) -> Reading {
    reading(told, |text| Some(Value::text(text.trim())))
}

/// A version, or unreadable with what was there instead.
pub(crate) fn version(told: &Told<String>) -> Reading {
    match told {
        Ok(Some(text)) => Version::parse(text).map_or_else(
            || Reading::Unknown(unreadable(&format!("`{text}` is no version"))),
            |version| Reading::Known(Value::Version(version)),
        ),
        other => reading(other, |_| None),
    }
}

pub(crate) fn word(word: &str) -> Reading {
    Reading::Known(Value::text(word))
}

pub(crate) fn unreadable(why: &str) -> Reason {
    Reason::Unreadable(why.to_owned())
}

pub(crate) fn not_present(why: &str) -> Reason {
    Reason::NotPresent(why.to_owned())
}

/// The reason behind a failed look at a file.
pub(crate) fn reason_of(path: &str, error: &std::io::Error) -> Reason {
    use std::io;
    match error.kind() {
        io::ErrorKind::NotFound => Reason::NotPresent(path.to_owned()),
        io::ErrorKind::PermissionDenied => Reason::NotPermitted(path.to_owned()),
        _ => Reason::Unreadable(format!("{path}: {error}")),
    }
}

/// What a library gives as zero when it could not look.
#[cfg(any(windows, target_os = "macos"))]
pub(crate) fn not_zero(bytes: u64, what: &str) -> Told<u64> {
    if bytes == 0 { Err(unreadable(&format!("{what} is given as 0"))) } else { Ok(Some(bytes)) }
}
