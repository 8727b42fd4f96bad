//! A handler of SIGBUS for maps of files that have been shortened.
//!
//! A thread that reads a page of a map behind the end of its file is sent SIGBUS, which by default ends the process. For
//! maps that are [`Watched`], the handler puts zeros from that page to the end of the map, and records that the map is
//! broken. Every other SIGBUS, including one that a process has sent, has the effect that it would have without this
//! handler: it goes to the handler that was installed before, is ignored, or ends the process.
//!
//! The handler may run in any thread at any time, so it neither locks nor allocates. It searches a table of fixed size,
//! whose fields are atomic.
#![allow(unsafe_code)] // for calls of the system about signals and pages

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::{io, mem, ptr};

/// The largest number of maps at the same time; further files are read instead.
const MAX_MAPS: usize = 4096;

/// One map: the addresses of its start and end, and the flag that is set when it is broken. `start` is 0 while the slot is
/// free, and [`CLAIMED`] while it is being filled or emptied.
struct Slot {
    start: AtomicUsize,
    end: AtomicUsize,
    broken: AtomicPtr<AtomicBool>,
}

const CLAIMED: usize = 1;

/// The codes of a SIGBUS that an access to memory has caused (`BUS_ADRALN` to `BUS_MCEERR_AO`). Signals with other codes
/// have been sent by a process, or have no address.
const FAULTS: std::ops::RangeInclusive<libc::c_int> = 1..=5;

static SLOTS: [Slot; MAX_MAPS] = [const {
    Slot {
        start: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        broken: AtomicPtr::new(ptr::null_mut()),
    }
}; MAX_MAPS];

/// The facts that the handler needs; `None` inside if it could not be installed.
static INSTALLED: OnceLock<Option<Installed>> = OnceLock::new();

struct Installed {
    /// The action for SIGBUS before this handler was installed.
    before: libc::sigaction,
    /// Bytes of a page.
    page_size: usize,
}

/// A map that can be read although its file has been shortened. It must be dropped before the map is.
#[derive(Debug)]
pub struct Watched {
    slot: usize,
    state: State,
}

/// Tells whether pages of a map have been lost, also after the map is gone.
#[derive(Clone, Debug)]
pub struct State(Arc<AtomicBool>);

impl State {
    /// Returns true if pages of the map have been lost.
    pub fn is_broken(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

impl Watched {
    /// Enters the map of `len` bytes at the address `start` into the table. Returns `None` if the table is full or the
    /// handler cannot be installed.
    pub fn new(start: usize, len: usize) -> Option<Self> {
        INSTALLED.get_or_init(install).as_ref()?;
        let claim = |slot: &Slot| {
            slot.start
                .compare_exchange(0, CLAIMED, Ordering::SeqCst, Ordering::Relaxed)
                .is_ok()
        };
        let index = SLOTS.iter().position(claim)?;
        let (slot, state) = (&SLOTS[index], State(Arc::default()));
        let broken: *const AtomicBool = &*state.0;
        slot.broken.store(broken.cast_mut(), Ordering::SeqCst);
        slot.end.store(start.saturating_add(len), Ordering::SeqCst);
        slot.start.store(start, Ordering::SeqCst);
        Some(Self { slot: index, state })
    }

    /// Returns a handle that tells whether pages of the map have been lost.
    pub fn state(&self) -> State {
        self.state.clone()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let slot = &SLOTS[self.slot];
        slot.start.store(CLAIMED, Ordering::SeqCst);
        slot.end.store(0, Ordering::SeqCst);
        slot.broken.store(ptr::null_mut(), Ordering::SeqCst);
        slot.start.store(0, Ordering::SeqCst);
    }
}

/// Installs the handler, unless that has been done or fails.
pub fn handle_sigbus() {
    INSTALLED.get_or_init(install);
}

/// Returns the size of a page in bytes.
pub fn page_size() -> usize {
    let installed = INSTALLED.get_or_init(install).as_ref();
    installed.map_or_else(ask_page_size, |installed| installed.page_size)
}

fn ask_page_size() -> usize {
    // SAFETY: the call only returns a number.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

/// Installs the handler. Returns `None` if that fails.
fn install() -> Option<Installed> {
    // SAFETY: all bytes zero is a valid value of this plain struct of the system.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = handle as extern "C" fn(_, _, _) as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: as above.
    let mut before: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: the call only writes the present action to `before`. It is made first because the handler may run as soon as
    // it is installed. Until `INSTALLED` is set a moment later, no map is in the table, and the handler ends the process.
    let asked = unsafe { libc::sigaction(libc::SIGBUS, ptr::null(), &mut before) };
    // SAFETY: `action` is complete: the handler has the type that SA_SIGINFO requires and is a static function.
    let set = || unsafe { libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()) };
    (asked == 0 && set() == 0).then(|| Installed {
        before,
        page_size: ask_page_size(),
    })
}

/// Handles SIGBUS: for a fault in a map of the table, replaces the pages from there on by zeros.
extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the system passes a pointer to the facts of this signal, which always include a code.
    let is_fault = FAULTS.contains(unsafe { &(*info).si_code });
    let Some(Some(installed)) = INSTALLED.get() else {
        return end_process(signal, is_fault);
    };
    if !is_fault {
        return pass_on(installed, signal, is_fault, info, context);
    }
    // SAFETY: as above; with such a code they also include an address.
    let address = unsafe { (*info).si_addr() } as usize;
    let page = address & !(installed.page_size - 1);
    for slot in &SLOTS {
        let start = slot.start.load(Ordering::SeqCst);
        let (end, broken) = (
            slot.end.load(Ordering::SeqCst),
            slot.broken.load(Ordering::SeqCst),
        );
        // Another thread may have emptied and refilled the slot between these loads, but not if it is the slot of the map
        // that this thread is reading.
        if start <= CLAIMED
            || !(start..end).contains(&address)
            || slot.start.load(Ordering::SeqCst) != start
        {
            continue;
        }
        let saved = io::Error::last_os_error().raw_os_error();
        // All following pages are replaced as well: they are behind the end of the file too, and replacing pages one by
        // one could exceed the number of ranges that a process may have.
        // SAFETY: the pages belong to a map that exists, because its slot is filled and this thread is reading it. Every
        // byte is a valid value for that reader. `mmap` may be called in a handler: it only calls the system.
        let zeros = unsafe {
            libc::mmap(
                page as *mut libc::c_void,
                end - page,
                libc::PROT_READ,
                libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED,
                -1,
                0,
            )
        };
        if zeros == libc::MAP_FAILED {
            break;
        }
        // SAFETY: the flag exists as long as the slot is filled.
        unsafe { (*broken).store(true, Ordering::SeqCst) };
        set_errno(saved.unwrap_or(0));
        return;
    }
    pass_on(installed, signal, is_fault, info, context);
}

/// Does with the signal what would happen without this handler.
fn pass_on(
    installed: &Installed,
    signal: libc::c_int,
    is_fault: bool,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    let before = installed.before.sa_sigaction;
    if before == libc::SIG_IGN && !is_fault {
        return;
    }
    // The system ends the process for a fault that is ignored.
    if before == libc::SIG_DFL || before == libc::SIG_IGN {
        return end_process(signal, is_fault);
    }
    if installed.before.sa_flags & libc::SA_SIGINFO != 0 {
        // SAFETY: with this flag, the handler has this type, and the system would pass it these arguments.
        unsafe {
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                mem::transmute(before);
            handler(signal, info, context);
        }
    } else {
        // SAFETY: without this flag, the handler has this type.
        unsafe {
            let handler: extern "C" fn(libc::c_int) = mem::transmute(before);
            handler(signal);
        }
    }
    // The handler of Rust's runtime, for a signal that it does not handle, restores the default action and returns. It
    // expects the fault to happen again, which a signal that was sent does not.
    // SAFETY: all bytes zero is a valid value of this plain struct of the system.
    let mut now: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: the call only writes the present action to `now`, and may be made in a handler.
    let asked = unsafe { libc::sigaction(signal, ptr::null(), &mut now) };
    if !is_fault && asked == 0 && now.sa_sigaction == libc::SIG_DFL {
        end_process(signal, is_fault);
    }
}

/// Ends the process as the system does if a signal has no handler.
fn end_process(signal: libc::c_int, is_fault: bool) {
    // SAFETY: the call may be made in a handler, and `SIG_DFL` is a valid action.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
    if !is_fault {
        // A fault happens again when the handler returns. A signal that was sent does not, so it is sent again; it takes
        // effect when the handler returns.
        // SAFETY: the call may be made in a handler.
        unsafe { libc::raise(signal) };
    }
}

/// Restores the error number of this thread, which the interrupted code may be about to read.
fn set_errno(number: i32) {
    // SAFETY: the system returns the address of this thread's own number.
    unsafe {
        #[cfg(target_os = "linux")]
        let place = libc::__errno_location();
        #[cfg(target_os = "macos")]
        let place = libc::__error();
        *place = number;
    }
}
