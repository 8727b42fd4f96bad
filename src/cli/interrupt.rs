//! Signals. The first Ctrl-C ends inputs in progress between two of their outputs, the second ends the program at once. The signal about the limit
//! on the size of a file is ignored.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use system::Registration;

/// Exit status of a run that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// The flag of the [`Interrupt`] of this program, once there is one.
static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Returns true if the user has interrupted the run. Returns false as long as there is no [`Interrupt`].
pub fn is_interrupted() -> bool {
    FLAG.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

/// Lets a write beyond the limit on the size of a file (`ulimit -f`) fail like any other write, with "File too large".
/// By default the signal that comes with it ends the program.
///
/// # Errors
/// If the system does not let the signal be handled.
pub fn survive_file_size_limit() -> io::Result<()> {
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    Ok(())
}

/// A flag that the first Ctrl-C, or the first request to terminate, sets.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Registers the signal handlers, unless they are registered. The first Ctrl-C, or request to terminate, sets the flag, and the second ends the
    /// program at once: unfinished files then stay in private directories, which the next run removes.
    ///
    /// The signal of a closed terminal keeps its default action: it ends the program at once, unless `nohup` is used.
    ///
    /// # Errors
    /// If the system does not let signals be watched.
    pub fn new() -> io::Result<Self> {
        if let Some(interrupted) = FLAG.get() {
            return Ok(Self(interrupted.clone()));
        }
        let interrupted = FLAG.get_or_init(Arc::default).clone();
        system::end_or_set(&interrupted)?;
        Ok(Self(interrupted))
    }

    /// Lets the same signals set `stop`, until the value is dropped. Sets it at once if the flag is set already.
    ///
    /// # Errors
    /// If the system does not let signals be watched.
    pub fn stops(&self, stop: &Arc<AtomicBool>) -> io::Result<Registration> {
        let registration = system::set(stop)?;
        if self.is_set() {
            stop.store(true, Ordering::Relaxed);
        }
        Ok(registration)
    }

    /// Returns true if a signal has come.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Signals of Unix: Ctrl-C, and the request to terminate.
#[cfg(unix)]
mod system {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::low_level::unregister;
    use signal_hook::{SigId, flag};

    use super::INTERRUPTED;

    const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

    /// The handlers that set a flag, until this is dropped.
    pub struct Registration(Vec<SigId>);

    /// Lets the first signal set a flag, and the second end the program.
    pub fn end_or_set(flag: &Arc<AtomicBool>) -> io::Result<()> {
        for signal in SIGNALS {
            // Handlers run in the order of registration: at the second signal the flag is already set.
            flag::register_conditional_shutdown(signal, INTERRUPTED.into(), flag.clone())?;
            flag::register(signal, flag.clone())?;
        }
        Ok(())
    }

    /// Lets signals set a flag.
    pub fn set(flag: &Arc<AtomicBool>) -> io::Result<Registration> {
        SIGNALS
            .map(|signal| flag::register(signal, flag.clone()))
            .into_iter()
            .collect::<io::Result<Vec<SigId>>>()
            .map(Registration)
    }

    impl Drop for Registration {
        fn drop(&mut self) {
            for id in self.0.drain(..) {
                unregister(id);
            }
        }
    }
}

/// Ctrl-C and Ctrl-Break of Windows, which call a handler on a thread of its own.
#[cfg(windows)]
mod system {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rigy_base::sync::Mutex;

    use super::INTERRUPTED;

    static FLAGS: Mutex<Vec<Arc<AtomicBool>>> = Mutex::new(Vec::new());

    /// The place of a flag in the list, until this is dropped.
    pub struct Registration(Arc<AtomicBool>);

    /// Lets the first Ctrl-C set a flag, and the second end the program.
    pub fn end_or_set(flag: &Arc<AtomicBool>) -> io::Result<()> {
        let first = flag.clone();
        ctrlc::set_handler(move || {
            if first.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED.into());
            }
            FLAGS
                .lock()
                .iter()
                .for_each(|it| it.store(true, Ordering::Relaxed));
        })
        .map_err(io::Error::other)
    }

    /// Lets Ctrl-C set a flag.
    pub fn set(flag: &Arc<AtomicBool>) -> io::Result<Registration> {
        FLAGS.lock().push(flag.clone());
        Ok(Registration(flag.clone()))
    }

    impl Drop for Registration {
        fn drop(&mut self) {
            FLAGS.lock().retain(|flag| !Arc::ptr_eq(flag, &self.0));
        }
    }
}
