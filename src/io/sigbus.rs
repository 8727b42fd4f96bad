//! Pages of maps that their files no longer have.
//!
//! Whoever touches a page of a map that lies behind the end of its file is sent SIGBUS, which ends the process. Maps
//! that are [`Watched`] survive: the handler puts zeros from there to the end of the map, and notes
//! that it is broken. Every other SIGBUS, also one that a process has sent, has the effect that it would have without
//! this handler: it goes to the handler that was installed before, is ignored, or ends the process.
//!
//! The handler may run in any thread at any time, so it takes no lock and no memory: it looks into a table of fixed
//! size, whose fields are atomic.
#![allow(unsafe_code)] // signals and pages are the system's; each call says what it rests on

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::{io, mem, ptr};

/// Most maps at once; beyond, files are read.
const MOST: usize = 4096;

/// One map. `start` is 0 while the slot is free, and [`CLAIMED`] while it is being filled or emptied.
struct Slot {
    start: AtomicUsize,
    end: AtomicUsize,
    broken: AtomicPtr<AtomicBool>,
}

const CLAIMED: usize = 1;

/// Codes of a SIGBUS that an access to memory has caused (`BUS_ADRALN` to `BUS_MCEERR_AO`); others are those of signals that
/// a process has sent, or have no address.
const FAULTS: std::ops::RangeInclusive<libc::c_int> = 1..=5;

static SLOTS: [Slot; MOST] = [const {
    Slot {
        start: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        broken: AtomicPtr::new(ptr::null_mut()),
    }
}; MOST];

/// Who handled SIGBUS before, and the size of a page; nothing if no handler could be installed.
static INSTALLED: OnceLock<Option<Installed>> = OnceLock::new();

struct Installed {
    before: libc::sigaction,
    page_size: usize,
}

/// A map that survives the loss of its file's end. It must be dropped before the map is.
#[derive(Debug)]
pub(super) struct Watched {
    slot: usize,
    state: State,
}

/// Whether pages of a map have been lost; also after it is gone.
#[derive(Clone, Debug)]
pub(super) struct State(Arc<AtomicBool>);

impl State {
    /// Whether they have.
    pub fn is_broken(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

impl Watched {
    /// Watches over the map of `len` bytes at the address `start`; `None` if that cannot be.
    pub fn new(start: usize, len: usize) -> Option<Self> {
        INSTALLED.get_or_init(install).as_ref()?;
        let claim = |slot: &Slot| {
            let claimed =
                slot.start
                    .compare_exchange(0, CLAIMED, Ordering::SeqCst, Ordering::Relaxed);
            claimed.is_ok()
        };
        let index = SLOTS.iter().position(claim)?;
        let (slot, state) = (&SLOTS[index], State(Arc::default()));
        let broken: *const AtomicBool = &*state.0;
        slot.broken.store(broken.cast_mut(), Ordering::SeqCst);
        slot.end.store(start.saturating_add(len), Ordering::SeqCst);
        slot.start.store(start, Ordering::SeqCst);
        Some(Self { slot: index, state })
    }

    /// What tells later whether pages have been lost.
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

/// Installs the handler, if it is not there yet and can be.
pub(super) fn handle_sigbus() {
    INSTALLED.get_or_init(install);
}

/// Bytes of a page.
pub(super) fn page_size() -> usize {
    let installed = INSTALLED.get_or_init(install).as_ref();
    installed.map_or_else(ask_page_size, |installed| installed.page_size)
}

fn ask_page_size() -> usize {
    // SAFETY: the call only answers a question.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

/// Installs the handler, once.
fn install() -> Option<Installed> {
    // SAFETY: all zeros is a value of this plain struct of the system's.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = handle as extern "C" fn(_, _, _) as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: as above.
    let mut before: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: asks who handles it now; `before` is there to be written. Done first, so that the handler, which may run
    // as soon as it is installed, has all it needs but for what `INSTALLED` gets a moment later; until then there
    // is no map in the table, and nothing for it to do but to give up.
    let asked = unsafe { libc::sigaction(libc::SIGBUS, ptr::null(), &mut before) };
    // SAFETY: `action` is complete: the handler has the type that SA_SIGINFO asks for and lives for ever.
    let set = || unsafe { libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()) };
    (asked == 0 && set() == 0).then(|| Installed {
        before,
        page_size: ask_page_size(),
    })
}

/// Handles SIGBUS: for a fault in a map of the table, puts zeros there.
extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the system passes the facts of this signal, which always hold a code.
    let is_fault = FAULTS.contains(unsafe { &(*info).si_code });
    let Some(Some(installed)) = INSTALLED.get() else {
        return end_process(signal, is_fault);
    };
    if !is_fault {
        return pass_on(installed, signal, is_fault, info, context);
    }
    // SAFETY: as above; with such a code they hold an address, too.
    let address = unsafe { (*info).si_addr() } as usize;
    let page = address & !(installed.page_size - 1);
    for slot in &SLOTS {
        let start = slot.start.load(Ordering::SeqCst);
        let (end, broken) = (
            slot.end.load(Ordering::SeqCst),
            slot.broken.load(Ordering::SeqCst),
        );
        // The slot may have changed hands between these loads; a map that this thread is looking at has not.
        if start <= CLAIMED
            || !(start..end).contains(&address)
            || slot.start.load(Ordering::SeqCst) != start
        {
            continue;
        }
        let saved = io::Error::last_os_error().raw_os_error();
        // All that follows too: it is as good as lost, and pages one by one would be more ranges than a process may
        // have.
        // SAFETY: the pages belong to a map that is alive, for its slot is filled and somebody is reading it. Zeros are
        // as good as any other bytes to that reader. `mmap` only calls the system.
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
        // SAFETY: the flag lives as long as the slot is filled.
        unsafe { (*broken).store(true, Ordering::SeqCst) };
        set_errno(saved.unwrap_or(0));
        return;
    }
    pass_on(installed, signal, is_fault, info, context);
}

/// Gives the signal the effect that it would have without this handler.
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
    // A fault cannot be ignored: the system ends the process.
    if before == libc::SIG_DFL || before == libc::SIG_IGN {
        return end_process(signal, is_fault);
    }
    if installed.before.sa_flags & libc::SA_SIGINFO != 0 {
        // SAFETY: with this flag the system itself would call it so, and with these arguments.
        unsafe {
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                mem::transmute(before);
            handler(signal, info, context);
        }
    } else {
        // SAFETY: without it, so.
        unsafe {
            let handler: extern "C" fn(libc::c_int) = mem::transmute(before);
            handler(signal);
        }
    }
    // The handler of Rust's runtime gives up by restoring the default action: it relies on a fault that happens again.
    // SAFETY: all zeros is a value of this plain struct of the system's.
    let mut now: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: asks for the present action; `now` is there to be written. The call may be made in a handler.
    let asked = unsafe { libc::sigaction(signal, ptr::null(), &mut now) };
    if !is_fault && asked == 0 && now.sa_sigaction == libc::SIG_DFL {
        end_process(signal, is_fault);
    }
}

/// Ends the process as the system does where a signal has no handler.
fn end_process(signal: libc::c_int, is_fault: bool) {
    // SAFETY: the call may be made in a handler, and `SIG_DFL` needs nothing.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
    if !is_fault {
        // A fault happens again when the handler returns. This signal does not, so it is sent again; it is blocked until
        // the handler returns.
        // SAFETY: the call may be made in a handler.
        unsafe { libc::raise(signal) };
    }
}

/// Restores what the interrupted code may be about to look at.
fn set_errno(number: i32) {
    // SAFETY: the system gives the address of this thread's own number.
    unsafe {
        #[cfg(target_os = "linux")]
        let place = libc::__errno_location();
        #[cfg(target_os = "macos")]
        let place = libc::__error();
        *place = number;
    }
}
