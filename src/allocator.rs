//! The allocator of the program for musl: mimalloc, and the C library for large blocks.
//!
//! The allocator of musl has one lock for all threads, so that two threads are no faster than one. mimalloc has a heap for each
//! thread, but it copies large blocks that grow, so that both are in memory for a moment, and keeps some of those that are freed.
//! With musl the system moves their pages, and takes them back.
#![allow(unsafe_code)] // the trait of allocators is unsafe; both allocators here keep its contract

use std::alloc::{GlobalAlloc, Layout, System};

use mimalloc::MiMalloc;

/// Blocks of at least this many bytes come from the C library.
const LARGE: usize = 4 << 20;

/// Chooses the allocator of a block by its size.
pub struct BySize;

fn is_large(size: usize) -> bool {
    size >= LARGE
}

// SAFETY: every call goes on to one of two allocators that keep the contract. That a block goes back to the one it came from
// follows from its size, which the caller states in the layout: `realloc` moves a block whose new size is the other's.
unsafe impl GlobalAlloc for BySize {
    #[inline(never)] // the program grows by 0.4 MB otherwise, and is no faster
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those of both allocators.
        unsafe {
            match is_large(layout.size()) {
                true => System.alloc(layout),
                false => MiMalloc.alloc(layout),
            }
        }
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe {
            match is_large(layout.size()) {
                true => System.alloc_zeroed(layout),
                false => MiMalloc.alloc_zeroed(layout),
            }
        }
    }

    #[inline(never)]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above, and the block is of this size, so it came from this allocator.
        unsafe {
            match is_large(layout.size()) {
                true => System.dealloc(block, layout),
                false => MiMalloc.dealloc(block, layout),
            }
        }
    }

    #[inline(never)]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above. The caller promises that `size` with this alignment is a layout; both blocks hold the bytes that are
        // copied, and do not overlap.
        unsafe {
            match (is_large(layout.size()), is_large(size)) {
                (true, true) => System.realloc(block, layout, size),
                (false, false) => MiMalloc.realloc(block, layout, size),
                _ => {
                    let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
                    if !moved.is_null() {
                        moved.copy_from_nonoverlapping(block, layout.size().min(size));
                        self.dealloc(block, layout);
                    }
                    moved
                }
            }
        }
    }
}
