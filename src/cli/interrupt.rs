//! Signals. The first Ctrl-C ends a run in good order, the second at once; the one that reports the limit on the size of a
//! file ends nothing.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::low_level::unregister;
use signal_hook::{SigId, flag};

/// Exit status of a run that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// The flag of the [`Interrupt`] of this program, once there is one.
static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Says whether the program has been asked to end its run; never before there is an [`Interrupt`].
pub fn has_come() -> bool {
    FLAG.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

/// Lets a write beyond the limit on the size of a file (`ulimit -f`) fail like any other write, with "File too large".
/// By default the signal that comes with it ends the program.
///
/// # Errors
/// If the system does not let the signal be handled.
pub fn survive_file_size_limit() -> io::Result<()> {
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    Ok(())
}

/// Whether somebody wants a run to end.
pub struct Interrupt(Arc<AtomicBool>);

/// As long as it lives, a flag is set by whoever wants the run to end.
pub struct Stopping(Vec<SigId>);

const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

impl Interrupt {
    /// From now on the first Ctrl-C, or the first request to terminate, is noted, and the second ends the program
    /// where it stands: what is unfinished then lies in private directories, which the next run sweeps.
    ///
    /// A closed terminal is left alone: it ends the program like the second Ctrl-C, unless `nohup` says otherwise.
    ///
    /// # Errors
    /// If the system does not let signals be watched.
    pub fn new() -> io::Result<Self> {
        let interrupted = FLAG.get_or_init(Arc::default).clone();
        for signal in SIGNALS {
            // What is registered first happens first: the second signal finds the flag set by the first.
            flag::register_conditional_shutdown(signal, INTERRUPTED.into(), interrupted.clone())?;
            flag::register(signal, interrupted.clone())?;
        }
        Ok(Self(interrupted))
    }

    /// The same sets `stop`, at once if it has come already.
    ///
    /// # Errors
    /// If the system does not let signals be watched.
    pub fn stops(&self, stop: &Arc<AtomicBool>) -> io::Result<Stopping> {
        let ids = SIGNALS.map(|signal| flag::register(signal, stop.clone()));
        let ids: io::Result<Vec<SigId>> = ids.into_iter().collect();
        if self.has_come() {
            stop.store(true, Ordering::Relaxed);
        }
        ids.map(Stopping)
    }

    /// Whether there has been one.
    pub fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for Stopping {
    fn drop(&mut self) {
        for id in self.0.drain(..) {
            unregister(id);
        }
    }
}
