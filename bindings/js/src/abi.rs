//! The functions between host and module.
//!
//! ```text
//! host      reserve(len)              the address of a new part of the request, which the host fills; once for each part
//! host      call()                    does what the request says; the number of parts of the answer
//! module      find(name, name_len)    while it works: the length of a file
//! module      read(to)                the bytes of this file
//! host      part(index), part_len(index)   the address and the number of bytes of a part of the answer
//! host      release()                 frees the answer
//! ```
//!
//! The first part of both is JSON. Numbers are little-endian, as WebAssembly stores them.

#![allow(unsafe_code)] // names of exports and signatures of imports, which the compiler cannot check

use std::cell::RefCell;

use crate::answer::Answer;
use crate::request;

thread_local! {
    static REQUEST: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Answer> = RefCell::default();
}

// SAFETY: `Instance` of lib/module.js gives functions with these signatures. They touch no memory of the module but the
// `name_len` bytes at `name`, which `find` reads, and at `to` as many bytes as the last `find` has returned.
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Looks for a file, by the UTF-8 bytes of its name. Returns its length in bytes, [`ABSENT`] or [`FAILED`].
    pub safe fn find(name: *const u8, name_len: usize) -> f64;
    /// Writes the bytes of the file that was found last.
    pub safe fn read(to: *mut u8);
}

/// The result of [`find`] if there is no such file.
pub const ABSENT: f64 = -1.0;
/// The result of [`find`] if the host could not look. It knows the reason and throws it when the request is done.
pub const FAILED: f64 = -2.0;

/// Adds a part of `len` bytes to the request. Returns its address, to which the host writes.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|parts| {
        parts.push(vec![0; len]);
        parts
            .last_mut()
            .map_or(std::ptr::null_mut(), |part| part.as_mut_ptr())
    })
}

/// Does what the request says and forgets it. Returns the number of parts of the answer.
///
/// Nothing is borrowed during the work, so that a file of the host may be the result of another request.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    let answer = request::answer(REQUEST.take());
    let count = answer.len();
    ANSWER.set(answer);
    count
}

/// Returns the address of a part of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn part(index: usize) -> *const u8 {
    ANSWER.with_borrow(|answer| answer.part(index).address())
}

/// Returns the number of bytes of a part of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn part_len(index: usize) -> usize {
    ANSWER.with_borrow(|answer| answer.part(index).len())
}

/// Frees the answer.
#[unsafe(no_mangle)]
pub extern "C" fn release() {
    ANSWER.take();
}
