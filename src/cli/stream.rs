//! Writing to standard output and standard error when the other end may not be read.
//!
//! A write to a full pipe blocks until something is read from it, and a signal with a handler does not end that. So the
//! program polls before it writes, and stops waiting when the run is interrupted. The file may be shared with other
//! processes, so it is not made non-blocking.

use std::io;
#[cfg(unix)]
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};
#[cfg(unix)]
use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};

/// The time for which the program waits for the reader after an interruption.
#[cfg(unix)]
const GRACE: Duration = Duration::from_millis(700);
/// The time between two checks for an interruption.
#[cfg(unix)]
const INTERVAL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};
/// Bytes that a pipe takes without blocking when `poll` reports it ready (POSIX: PIPE_BUF, at least 512; Linux: 4096).
#[cfg(unix)]
const AT_ONCE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

/// Returns true if a standard stream was closed when the process began. Before `main`, the standard library has opened `/dev/null` in
/// its place, for reading and writing; a shell that is told to write to `/dev/null` opens it for writing only.
#[cfg(unix)]
pub fn is_closed(file: impl std::os::fd::AsFd) -> bool {
    let Ok(mode) = fcntl_getfl(&file) else {
        return true;
    };
    let device = fstat(&file).map(|file| file.st_rdev);
    let null = stat("/dev/null").map(|null| null.st_rdev);
    let is_null = device.is_ok_and(|device| device != 0 && null == Ok(device));
    is_null && mode & OFlags::RWMODE == OFlags::RDWR
}

/// Elsewhere nobody can tell.
#[cfg(not(unix))]
pub fn is_closed<F>(_: F) -> bool {
    false
}

/// Writes all bytes, past any buffer.
///
/// # Errors
/// The system refuses a write; `TimedOut` if the run is interrupted and the reader has read nothing for [`GRACE`].
#[cfg(unix)]
pub fn write_all(file: impl std::os::fd::AsFd, mut bytes: &[u8]) -> io::Result<()> {
    let file = file.as_fd();
    // The moment since which the program has waited for the reader after an interruption.
    let mut since = None;
    while !bytes.is_empty() {
        let chunk = &bytes[..bytes.len().min(AT_ONCE)];
        let is_ready = match poll(&mut [PollFd::new(&file, PollFlags::OUT)], Some(&INTERVAL)) {
            Ok(count) => count > 0,
            Err(rustix::io::Errno::INTR) => false,
            Err(error) => return Err(error.into()),
        };
        match is_ready.then(|| rustix::io::write(file, chunk)) {
            Some(Ok(0)) => return Err(io::ErrorKind::WriteZero.into()),
            Some(Ok(count)) => {
                bytes = &bytes[count..];
                since = None;
                continue;
            }
            Some(Err(rustix::io::Errno::INTR)) | None => {}
            // Another process has made the file non-blocking, and the pipe has too little space.
            Some(Err(rustix::io::Errno::AGAIN)) => std::thread::sleep(Duration::from_millis(1)),
            Some(Err(error)) => return Err(error.into()),
        }
        if super::interrupt::is_interrupted()
            && since.get_or_insert_with(Instant::now).elapsed() >= GRACE
        {
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
    Ok(())
}

/// Writes all bytes.
///
/// # Errors
/// The system refuses a write.
#[cfg(not(unix))]
pub fn write_all(mut file: impl io::Write, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.flush()
}
