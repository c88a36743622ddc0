//! Readings with a time limit.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

use rulecheck::Reason;

/// A reading on a thread of its own that is there and waits for being begun. It is made before it is needed: while a
/// library hangs in being loaded, the system's loader lets no thread begin.
pub(crate) struct Waiting<T> {
    begin: SyncSender<()>,
    answer: Receiver<T>,
}

impl<T: Send + 'static> Waiting<T> {
    /// The thread. It ends if nobody begins the reading.
    ///
    /// # Errors
    /// It could not be made.
    pub(crate) fn new(what: &str, read: impl FnOnce() -> T + Send + 'static) -> Result<Self, Reason> {
        let (begin, begun) = mpsc::sync_channel(1);
        let (sender, answer) = mpsc::sync_channel(1);
        let run = move || {
            if begun.recv().is_ok() {
                // The answer may come when nobody waits for it any more.
                drop(sender.send(read()));
            }
        };
        let thread = thread::Builder::new().name(format!("probe {what}")).spawn(run);
        thread.map_err(|error| Reason::Unreadable(format!("{what}: no thread to read on ({error})")))?;
        Ok(Self { begin, answer })
    }

    /// Reads and waits at most `limit`. A reading that does not come back keeps its thread, which ends with the
    /// program: a call that hangs inside a driver cannot be ended from outside.
    ///
    /// # Errors
    /// The reading took too long, or broke off.
    pub(crate) fn within(self, limit: Duration, what: &str) -> Result<T, Reason> {
        let broken = || Reason::Unreadable(format!("{what}: the reading broke off"));
        self.begin.send(()).map_err(|_| broken())?;
        self.answer.recv_timeout(limit).map_err(|error| match error {
            RecvTimeoutError::Timeout => Reason::TimedOut(format!("{what}: {}", in_words(limit))),
            RecvTimeoutError::Disconnected => broken(),
        })
    }
}

/// Reads on a thread of its own and waits at most `limit`.
///
/// # Errors
/// The reading took too long, broke off, or could not be started.
pub(crate) fn within<T: Send + 'static>(
    limit: Duration,
    what: &str,
    read: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Reason> {
    Waiting::new(what, read)?.within(limit, what)
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
