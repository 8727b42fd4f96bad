//! Maps of large files that others may shorten or rewrite at any time; memory that goes back to the system.
#![allow(unsafe_code)] // one memory map, private pages over its beginning, and settings of the allocator; what each rests on is said beside it

use std::io;

use super::system::Handle;

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod mapped {
    use super::super::sigbus::Watched;
    use super::*;

    /// A map of a whole file. Its beginning is a copy.
    #[derive(Debug)]
    pub struct Map {
        watched: Watched,
        map: memmap2::Mmap,
    }

    /// Whether pages of a map have been lost.
    pub type State = super::super::sigbus::State;

    impl Map {
        /// Maps a file of `len` bytes, the first `copied` of which are read instead; `None` if there are too many maps
        /// already.
        pub fn new(file: &Handle, len: u64, copied: u64) -> io::Result<Option<Self>> {
            let too_long = |_| io::Error::from(io::ErrorKind::OutOfMemory);
            let len = usize::try_from(len).map_err(too_long)?;
            let copied = usize::try_from(copied).map_err(too_long)?;
            // SAFETY: the map is read-only and lives only while one input is made. What nobody can promise is that no
            // other program rewrites the file meanwhile, so that bytes change under us. They are only ever taken as
            // numbers, one by one and with every index checked: text is copied below. A file that is cut off would
            // end the process at the first page behind its end; `Watched` puts zeros there. In either case the
            // `MappedFiles` finds that the file has changed, and what was made from it is thrown away.
            let map = unsafe { memmap2::MmapOptions::new().len(len).map(file.to_map()?)? };
            let Some(watched) = Watched::new(map.as_ptr() as usize, len) else {
                return Ok(None);
            };
            let map = Self { watched, map };
            if copied > 0 {
                map.copy_start(file, copied.min(len))?;
            }
            Ok(Some(map))
        }

        /// Puts private pages, filled from the file, in place of the first ones.
        fn copy_start(&self, file: &Handle, copied: usize) -> io::Result<()> {
            let page = super::super::sigbus::page_size();
            let pages_len = copied.next_multiple_of(page);
            let start = self.map.as_ptr().cast_mut();
            // SAFETY: the range begins where the map does, at a page, and ends with the page that holds byte
            // `copied - 1` of the map: it replaces pages of this map alone, which nobody has looked at yet.
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
            // Up to the end of the last page, or of the file if that comes first.
            let filled = pages_len.min(self.map.len());
            // SAFETY: these pages are ours, writable, and `&self.map` has not been handed out as bytes.
            let pages = unsafe { std::slice::from_raw_parts_mut(start, filled) };
            file.read_exact_at(pages, 0)
        }

        /// What tells later whether pages have been lost.
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

    /// There are no maps where one of a file that is cut off could end the process.
    #[derive(Debug)]
    pub enum Map {}

    /// Never asked.
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

pub(super) use mapped::{Map, State};

/// Gives memory that has been freed back to the system, where the allocator keeps it.
pub(crate) fn give_back_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the call takes the allocator's own locks, and touches only memory that is free.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Lets the allocator of glibc keep little of what has been freed: blocks from 4 MiB on go back to the system at once, and
/// smaller ones when more than 8 MiB are free. Otherwise it comes to keep blocks of up to 32 MiB, 64 MiB for each thread,
/// which no estimate of what inputs take counts. Where the process has a limit of its own on memory, all threads share one
/// heap: each further one reserves 64 MiB, which count. To be called before there are threads.
#[cfg(feature = "cli")]
pub(crate) fn keep_little_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the calls only set numbers of the allocator, under its own lock.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 4 << 20);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 8 << 20);
        if super::own_memory_limit(std::path::Path::new("/")).is_some() {
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
    }
}
