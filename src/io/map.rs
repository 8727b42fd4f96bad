//! Maps of large files that other programs may shorten or rewrite at any time, and settings of the allocator.
#![allow(unsafe_code)] // for a memory map, private pages over its beginning, and settings of the allocator

use std::io;

use super::system::Handle;

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod mapped {
    use super::super::sigbus::Watched;
    use super::*;

    /// A map of a whole file. The text at its beginning is a copy.
    pub struct Map {
        watched: Watched,
        map: memmap2::Mmap,
    }

    /// Tells whether pages of a map have been lost.
    pub type State = super::super::sigbus::State;

    impl Map {
        /// Maps a file of `len` bytes, of which the first `copied` are read into memory instead. Returns `None` if there are
        /// too many maps already, or the file system of the file has no maps, as some in user space.
        ///
        /// # Errors
        /// If the file cannot be read.
        pub fn new(file: &Handle, len: u64, copied: u64) -> io::Result<Option<Self>> {
            let too_long = |_| io::Error::from(io::ErrorKind::OutOfMemory);
            let len = usize::try_from(len).map_err(too_long)?;
            let copied = usize::try_from(copied).map_err(too_long)?;
            // SAFETY: the map is read-only and lives only while one input is processed. It cannot be guaranteed that no
            // other program rewrites the file meanwhile, so its bytes may change while they are read. They are only read
            // as numbers, one by one, and every index is checked; text is copied below. If the file is shortened, an
            // access to a page behind its end would end the process, but `Watched` puts zeros there. In either case
            // `MappedFiles` finds that the file has changed, and the outputs that were made from it are discarded.
            let map = unsafe { memmap2::MmapOptions::new().len(len).map(file.to_map()?) };
            let Ok(map) = map else {
                return Ok(None);
            };
            let Some(watched) = Watched::new(map.as_ptr() as usize, len) else {
                return Ok(None);
            };
            let map = Self { watched, map };
            if copied > 0 {
                map.copy_start(file, copied.min(len))?;
            }
            Ok(Some(map))
        }

        /// Replaces the first pages of the map by private pages, and fills these from the file.
        fn copy_start(&self, file: &Handle, copied: usize) -> io::Result<()> {
            let page = super::super::sigbus::page_size();
            let pages_len = copied.next_multiple_of(page);
            let start = self.map.as_ptr().cast_mut();
            // SAFETY: the range begins where the map does, at a page boundary, and ends with the page that holds byte
            // `copied - 1` of the map. So it replaces pages of this map alone, and no reference to them exists yet.
            let private = unsafe {
                libc::mmap(
                    start.cast(),
                    pages_len,
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED,
                    -1,
                    0,
                )
            };
            if private == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            // The private pages are filled to their end, or to the end of the file if that comes first.
            let filled = pages_len.min(self.map.len());
            // SAFETY: these pages are private and writable, and no slice of `self.map` exists yet.
            let pages = unsafe { std::slice::from_raw_parts_mut(start, filled) };
            file.read_exact_at(pages, 0)
        }

        /// Returns a handle that tells, also after the map is gone, whether pages have been lost.
        pub fn state(&self) -> State {
            self.watched.state()
        }
    }

    impl AsRef<[u8]> for Map {
        fn as_ref(&self) -> &[u8] {
            &self.map
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod mapped {
    use super::*;

    /// A type without values: on this system, a file that is shortened while it is mapped would end the process, so files
    /// are never mapped.
    #[derive(Debug)]
    pub enum Map {}

    /// The state of a map, of which there is none.
    #[derive(Debug)]
    pub struct State;

    impl State {
        pub fn is_broken(&self) -> bool {
            false
        }
    }

    impl Map {
        pub fn new(_: &Handle, _: u64, _: u64) -> io::Result<Option<Self>> {
            Ok(None)
        }

        pub fn state(&self) -> State {
            State
        }
    }

    impl AsRef<[u8]> for Map {
        fn as_ref(&self) -> &[u8] {
            match *self {}
        }
    }
}

pub use mapped::{Map, State};

/// Installs the handler of SIGBUS that maps of files need in case another program shortens the file. The first map
/// installs it too. A SIGBUS that concerns no such map ends the process, even if another process has sent it; without this
/// handler, Rust's runtime ignores the first such signal.
pub fn handle_sigbus() {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    super::sigbus::handle_sigbus();
}

/// Returns freed memory that the allocator keeps to the system. Does nothing except with glibc.
pub fn give_back_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the call takes the allocator's own locks and releases only memory that is free.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Sets the allocator of glibc to keep little freed memory: blocks of 4 MiB or more return to the system at once, smaller
/// ones when more than 8 MiB are free. By default it would in time keep blocks of up to 32 MiB, and up to 64 MiB for each
/// thread, which the estimates of memory do not include. If the process has a limit of its own on memory, all threads share
/// one heap, because each further heap reserves 64 MiB, which count towards that limit. Call this before any thread is
/// started.
#[cfg(feature = "cli")]
pub fn keep_little_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the calls only set parameters of the allocator, under its own lock.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 4 << 20);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 8 << 20);
        if super::own_memory_limit().is_some() {
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
    }
}
