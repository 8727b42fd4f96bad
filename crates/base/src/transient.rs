//! Failures of the system that may pass: the same operation may succeed later, or on another machine.

use std::io::{self, ErrorKind};

/// Returns true for an error of the system that says nothing about the file itself: the disk or a quota is full, there is no
/// memory or no file handle left, something is busy, a network file system has lost the file or cannot be reached, or a device
/// has failed to read or to write.
pub fn is_transient(error: &io::Error) -> bool {
    use ErrorKind::{
        HostUnreachable, NetworkDown, NetworkUnreachable, NotConnected, OutOfMemory, QuotaExceeded,
        ResourceBusy, StaleNetworkFileHandle, StorageFull, TimedOut, WouldBlock,
    };
    matches!(
        error.kind(),
        HostUnreachable
            | NetworkDown
            | NetworkUnreachable
            | NotConnected
            | OutOfMemory
            | QuotaExceeded
            | ResourceBusy
            | StaleNetworkFileHandle
            | StorageFull
            | TimedOut
            | WouldBlock
    ) || has_transient_number(error)
}

/// Returns true for the numbers of such errors that have no kind.
fn has_transient_number(error: &io::Error) -> bool {
    #[cfg(unix)]
    return matches!(
        error.raw_os_error(),
        Some(libc::EIO | libc::EMFILE | libc::ENFILE)
    );
    // Too many open files, a sharing violation, a lock violation, a server that is not found or busy, a lost connection, a timeout of
    // a semaphore, a device that fails.
    #[cfg(windows)]
    return matches!(
        error.raw_os_error(),
        Some(4 | 32 | 33 | 53 | 54 | 64 | 121 | 1117)
    );
    #[cfg(not(any(unix, windows)))]
    {
        let _ = error;
        false
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn failures_of_the_machine_pass_and_those_of_files_do_not() {
        let is_transient = |number| is_transient(&io::Error::from_raw_os_error(number));
        for number in [
            libc::EAGAIN,
            libc::EBUSY,
            libc::EDQUOT,
            libc::EHOSTUNREACH,
            libc::EIO,
            libc::EMFILE,
            libc::ENETDOWN,
            libc::ENETUNREACH,
            libc::ENFILE,
            libc::ENOMEM,
            libc::ENOSPC,
            libc::ENOTCONN,
            libc::ESTALE,
            libc::ETIMEDOUT,
        ] {
            assert!(is_transient(number), "{number}");
        }
        for number in [
            libc::EACCES,
            libc::EFBIG,
            libc::EISDIR,
            libc::ELOOP,
            libc::ENAMETOOLONG,
            libc::ENOENT,
            libc::ENOTDIR,
            libc::EPERM,
            libc::EROFS,
        ] {
            assert!(!is_transient(number), "{number}");
        }
        assert!(!super::is_transient(&io::Error::other("it has changed")));
    }
}
