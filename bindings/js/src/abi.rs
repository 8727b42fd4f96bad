//! The functions between host and module.
//!
//! ```text
//! host      reserve(len)              the address of a new part of the request, which the host fills; once for each part
//! host      call()                    does what the request says; the number of parts of the answer
//! module      find(name, name_len)    while it works: the length of a file ([`host`](crate::host))
//! module      read(to)                the bytes of this file
//! host      part(index), part_len(index)   the address and the number of bytes of a part of the answer
//! host      release()                 frees the answer
//! ```
//!
//! The first part of both is JSON. Numbers are little-endian, as WebAssembly stores them.

#![allow(unsafe_code)] // names of exports, which the compiler cannot check

use std::cell::RefCell;

use crate::answer::Answer;
use crate::request;

thread_local! {
    static REQUEST: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Answer> = RefCell::default();
}

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
