//! Ctrl-C: the first ends a run in good order, the second at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Exit status of a run that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// Whether somebody wants a run to end.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on the first Ctrl-C, or the first request to terminate, sets `stop`, and the second ends the program
    /// where it stands: what is unfinished then lies in private directories, which the next run sweeps.
    ///
    /// A closed terminal is left alone: it ends the program like the second Ctrl-C, unless `nohup` says otherwise.
    ///
    /// # Errors
    /// If the system does not let signals be watched.
    pub fn stops(stop: &Arc<AtomicBool>) -> io::Result<Self> {
        let interrupted = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // What is registered first happens first: the second signal finds the flag set by the first.
            flag::register_conditional_shutdown(signal, INTERRUPTED.into(), interrupted.clone())?;
            flag::register(signal, interrupted.clone())?;
            flag::register(signal, stop.clone())?;
        }
        Ok(Self(interrupted))
    }

    /// Whether there has been one.
    pub fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
