//! Requests that are repeated when the server, or the way to it, has failed.

use std::fmt;
use std::future::Future;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How often a request is repeated by default.
const REPEATS: u32 = 8;
/// The environment variable that sets another number.
const REPEATS_VARIABLE: &str = "RIGY_BATCH_STORE_REPEATS";
/// The longest wait before the first repetition; each further one may wait twice as long.
const FIRST_DELAY: Duration = Duration::from_millis(100);
/// The longest wait before any repetition.
const LONGEST_DELAY: Duration = Duration::from_secs(10);
/// A request fails when nothing is received for so long.
pub(super) const STALL: Duration = Duration::from_secs(30);

/// The reason why a request has failed.
#[derive(Debug)]
pub(super) enum Fault {
    /// What the store or the network says.
    Store(object_store::Error),
    /// Nothing was received for [`STALL`], or the bytes were not sent in time.
    Stalled,
    /// The connection ended before all bytes were there.
    Cut,
    /// The temporary file could not be written.
    Disk(io::Error),
}

/// Sends requests, and counts those that are repeated.
#[derive(Debug)]
pub(super) struct Requests {
    repeats: u32,
    repeated: AtomicU64,
    /// True since a request has failed with all its repetitions, until one succeeds. Meanwhile no request is repeated, so that a
    /// run does not wait for each of its files when the server is gone.
    is_down: AtomicBool,
}

impl Requests {
    /// # Errors
    /// If the environment sets a number of repetitions that is none.
    pub fn new() -> io::Result<Self> {
        let repeats = match std::env::var_os(REPEATS_VARIABLE) {
            None => REPEATS,
            Some(text) => {
                let number = text.to_str().and_then(|text| text.parse().ok());
                number.ok_or_else(|| {
                    let shown = text.to_string_lossy();
                    let message = format!(
                        "{REPEATS_VARIABLE} is `{}`; set it to a whole number from 0, or unset it",
                        shown.escape_debug()
                    );
                    io::Error::new(io::ErrorKind::InvalidInput, message)
                })?
            }
        };
        Ok(Self {
            repeats,
            repeated: AtomicU64::new(0),
            is_down: AtomicBool::new(false),
        })
    }

    /// Returns how many requests were repetitions.
    pub fn repeated(&self) -> u64 {
        self.repeated.load(Ordering::Relaxed)
    }

    /// Sends a request, and repeats it while it fails for a reason that may pass.
    ///
    /// # Errors
    /// The last failure.
    pub async fn send<T, F>(&self, mut request: impl FnMut() -> F) -> Result<T, Fault>
    where
        F: Future<Output = Result<T, Fault>>,
    {
        let mut failures = 0;
        loop {
            let fault = match request().await {
                Ok(answer) => {
                    self.is_down.store(false, Ordering::Relaxed);
                    return Ok(answer);
                }
                Err(fault) => fault,
            };
            if !self.is_to_be_repeated(&fault, failures) {
                return Err(fault);
            }
            tokio::time::sleep(delay(failures)).await;
            failures += 1;
        }
    }

    /// Returns true if a request that has failed `failures` times before is to be sent again, and counts it.
    pub fn is_to_be_repeated(&self, fault: &Fault, failures: u32) -> bool {
        if !fault.may_pass() {
            return false;
        }
        let is_last = failures >= self.repeats || self.is_down.load(Ordering::Relaxed);
        match is_last {
            true => self.is_down.store(true, Ordering::Relaxed),
            false => drop(self.repeated.fetch_add(1, Ordering::Relaxed)),
        }
        !is_last
    }
}

/// Returns the time to wait after a request has failed `failures` times before: between half of the longest wait and all of it,
/// so that workers which have failed together do not come back together.
pub(super) fn delay(failures: u32) -> Duration {
    let longest = FIRST_DELAY
        .saturating_mul(1 << failures.min(16))
        .min(LONGEST_DELAY);
    let random = RandomState::new().build_hasher().finish();
    longest / 2 + longest.mul_f64((random >> 11) as f64 / (1_u64 << 54) as f64)
}

impl Fault {
    /// Returns true if the same request may succeed later.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Stalled | Self::Cut => true,
            Self::Disk(_) => false,
            // All other kinds say what is wrong with the request.
            Self::Store(object_store::Error::Generic { .. }) => match status(&self.to_string()) {
                Some(408 | 425 | 429) => true,
                Some(status) => status >= 500 && status != 501,
                // Redirections are not followed.
                None => !self.to_string().contains("redirect"),
            },
            Self::Store(_) => false,
        }
    }

    /// Returns true if the object is not there.
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::Store(object_store::Error::NotFound { .. }))
    }

    /// Returns true if the object is not the one that the request was for: another has been written, or none is there.
    pub fn is_conflict(&self) -> bool {
        use object_store::Error::{AlreadyExists, Precondition};
        matches!(
            self,
            Self::Store(AlreadyExists { .. } | Precondition { .. })
        )
    }
}

impl From<object_store::Error> for Fault {
    fn from(error: object_store::Error) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Stalled => write!(f, "the store has not answered for {} s", STALL.as_secs()),
            Self::Cut => f.write_str("the connection ended before all bytes were there"),
            Self::Disk(error) => error.fmt(f),
        }
    }
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
        let kind = match fault {
            Fault::Disk(error) => return error,
            Fault::Store(NotFound { .. }) => return io::ErrorKind::NotFound.into(),
            Fault::Store(PermissionDenied { .. } | Unauthenticated { .. }) => {
                io::ErrorKind::PermissionDenied
            }
            _ if fault.may_pass() => io::ErrorKind::TimedOut,
            _ => io::ErrorKind::Other,
        };
        let answer = in_one_line(&fault.to_string());
        let message = match plain(&fault) {
            Some(plain) => format!("{plain} ({answer})"),
            None => answer,
        };
        Self::new(kind, message)
    }
}

/// Says in plain words what the commonest failures mean.
fn plain(fault: &Fault) -> Option<&'static str> {
    use object_store::Error::{Generic, PermissionDenied, Unauthenticated};
    match fault {
        Fault::Store(PermissionDenied { .. } | Unauthenticated { .. }) => {
            Some("the store refuses access")
        }
        Fault::Store(error @ Generic { .. }) => {
            let answer = error.to_string();
            match status(&answer) {
                Some(404) => Some("there is no such bucket"),
                None if answer.contains("connect") => Some("the store cannot be reached"),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Most characters of a message. Servers answer with documents.
const MOST: usize = 400;

/// Returns the beginning of a message in one line.
fn in_one_line(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line,
    }
}

/// Returns the status of HTTP that the message of a failed request names. The crate that sends requests keeps the number for
/// itself and shows it in its messages alone.
fn status(message: &str) -> Option<u16> {
    let (_, after) = message.split_once("status code: ")?;
    after.get(..3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(status: &str) -> Fault {
        let source = format!("Server returned non-2xx status code: {status}: ").into();
        Fault::Store(object_store::Error::Generic {
            store: "S3",
            source,
        })
    }

    #[test]
    fn faults_of_servers_and_networks_pass_and_those_of_requests_do_not() {
        for status in [
            "500 Internal",
            "503 Slow Down",
            "429 Too Many",
            "408 Timeout",
        ] {
            assert!(answered(status).may_pass(), "{status}");
        }
        for status in ["400 Bad Request", "301 Moved", "501 Not Implemented"] {
            assert!(!answered(status).may_pass(), "{status}");
        }
        assert!(Fault::Stalled.may_pass() && Fault::Cut.may_pass());
        assert!(answered("connection refused").may_pass());
        assert!(!Fault::Disk(io::ErrorKind::StorageFull.into()).may_pass());
    }

    #[test]
    fn answers_of_servers_are_shown_in_one_line() {
        assert_eq!(in_one_line("404:\n <Error>\n  no"), "404: <Error> no");
        assert_eq!(in_one_line(&"ü".repeat(500)).chars().count(), MOST + 2);
    }

    #[test]
    fn delays_grow_to_a_limit_and_differ() {
        for failures in 0..40 {
            let longest = FIRST_DELAY
                .saturating_mul(1 << failures.min(16))
                .min(LONGEST_DELAY);
            let delay = delay(failures);
            assert!(
                (longest / 2..=longest).contains(&delay),
                "{failures}: {delay:?}"
            );
        }
        assert_ne!(delay(9), delay(9));
    }

    #[test]
    fn a_server_that_is_gone_is_asked_once_for_each_request() {
        let requests = Requests::new().unwrap();
        assert!(requests.is_to_be_repeated(&Fault::Stalled, 0));
        assert!(!requests.is_to_be_repeated(&Fault::Stalled, REPEATS));
        assert!(!requests.is_to_be_repeated(&Fault::Stalled, 0));
        assert_eq!(requests.repeated(), 1);
    }
}
