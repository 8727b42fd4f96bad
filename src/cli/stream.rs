//! Writing to standard output and standard error, which may lead to a reader that does not read.
//!
//! A write to a pipe that is full waits until something is read from it, and no signal that has a handler ends that.
//! So the program asks first whether there is room, and stops waiting when its run is to end. The file may be shared with
//! other processes, so it is not made non-blocking.

use std::io;
#[cfg(unix)]
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How long the program waits for the reader to take anything once the run is to end.
#[cfg(unix)]
const GRACE: Duration = Duration::from_millis(700);
/// How often the program looks whether the run is to end.
#[cfg(unix)]
const INTERVAL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};
/// Bytes that a pipe takes without waiting where `poll` says that it is ready (POSIX: PIPE_BUF, at least 512; Linux: 4096).
#[cfg(unix)]
const AT_ONCE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

/// Writes all bytes, past any buffer.
///
/// # Errors
/// The system refuses a write; `TimedOut` if the run is to end and the reader has read nothing for [`GRACE`].
#[cfg(unix)]
pub fn write_all(file: impl std::os::fd::AsFd, mut bytes: &[u8]) -> io::Result<()> {
    let file = file.as_fd();
    // Since when the program has been waiting for the reader although the run is to end.
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
            // Others have made the file non-blocking, and there is too little room.
            Some(Err(rustix::io::Errno::AGAIN)) => std::thread::sleep(Duration::from_millis(1)),
            Some(Err(error)) => return Err(error.into()),
        }
        if super::interrupt::has_come() && since.get_or_insert_with(Instant::now).elapsed() >= GRACE
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
