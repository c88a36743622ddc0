//! Readings with a time limit.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rulecheck::Reason;

/// Reads on a thread of its own and waits at most `limit`. A reading that does not come back keeps its thread, which
/// ends with the program: a call that hangs inside a driver cannot be ended from outside.
///
/// # Errors
/// The reading took too long, broke off, or could not be started.
pub(crate) fn within<T: Send + 'static>(
    limit: Duration,
    what: &str,
    read: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Reason> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let thread = thread::Builder::new().name(format!("probe {what}"));
    // The answer may come when nobody waits for it any more.
    thread
        .spawn(move || drop(sender.send(read())))
        .map_err(|error| Reason::Unreadable(format!("{what}: no thread to read on ({error})")))?;
    receiver.recv_timeout(limit).map_err(|error| match error {
        RecvTimeoutError::Timeout => Reason::TimedOut(format!("{what}: {}", in_words(limit))),
        RecvTimeoutError::Disconnected => Reason::Unreadable(format!("{what}: the reading broke off")),
    })
}

fn in_words(limit: Duration) -> String {
    if limit < Duration::from_secs(1) {
        format!("more than {} ms", limit.as_millis())
    } else {
        format!("more than {} s", limit.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_in_time_is_handed_on() {
        assert_eq!(within(Duration::from_secs(60), "memory", || 7), Ok(7));
    }

    #[test]
    fn what_hangs_is_left_alone() {
        let (keep, hang) = mpsc::channel::<()>();
        let answer = within(Duration::from_millis(5), "driver", move || hang.recv().is_ok());
        assert_eq!(answer, Err(Reason::TimedOut("driver: more than 5 ms".to_owned())));
        drop(keep);
    }
}
