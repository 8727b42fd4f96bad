//! rigy-batch for a host that has neither files nor threads: a machine of 32 bits that `scripts/machines.sh` compares
//! with others.
//!
//! The host and the module exchange texts and bytes in one buffer. The host asks for its address with [`reserve`], writes a
//! request there and calls a function, which puts its answer into the same buffer and returns the length. A request is
//! a name, or a name and the bytes of a file. An answer is a list of files: for each the length of its name and the number of
//! its bytes as little-endian u32, the name, and the bytes. A refused input is an answer with one file named `error`.

mod answer;
mod files;

use std::cell::RefCell;

use rigy_batch::base::diag::Diagnostic;

use answer::Answer;
use files::Inputs;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static INPUTS: RefCell<Inputs> = RefCell::default();
}

/// Makes the buffer `len` bytes long. Returns its address, at which the host writes the next request.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(len, 0);
        buffer.as_mut_ptr()
    })
}

/// Returns the address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    BUFFER.with_borrow(|buffer| buffer.as_ptr())
}

/// Forgets all files.
#[unsafe(no_mangle)]
pub extern "C" fn clear() {
    INPUTS.take();
}

/// Adds a file: the first `name_len` bytes of the request are its name relative to the root, the others its content.
#[unsafe(no_mangle)]
pub extern "C" fn add_file(name_len: usize) {
    let mut name = BUFFER.take();
    let bytes = name.split_off(name_len);
    INPUTS.with_borrow_mut(|inputs| inputs.add(text(name), bytes));
}

/// Runs the manifest `manifest.json`. Answers one file with the verdicts, as `verify --format json` prints them.
#[unsafe(no_mangle)]
pub extern "C" fn verify() -> usize {
    respond(|inputs, _| inputs.verify())
}

/// Compiles the document with the requested name. Answers its export and the bakes and positions of all poses.
#[unsafe(no_mangle)]
pub extern "C" fn compile() -> usize {
    respond(|inputs, name| inputs.compile(&name))
}

/// Bakes the glTF file with the requested name by dual quaternions, or by linear blending if `dual` is 0: at `time`
/// seconds of its first animation, or as its nodes are stored if it has none or `time` is not a number.
#[unsafe(no_mangle)]
pub extern "C" fn bake(dual: u32, time: f64) -> usize {
    respond(|inputs, name| inputs.bake(&name, dual != 0, time))
}

/// Replaces the request in the buffer by the answer of `act`. Returns its length.
fn respond(act: impl FnOnce(&mut Inputs, String) -> Result<Answer, Vec<Diagnostic>>) -> usize {
    let request = text(BUFFER.take());
    let answer = INPUTS.with_borrow_mut(|inputs| act(inputs, request));
    let answer = answer.unwrap_or_else(|errors| Answer::refusal(&errors));
    BUFFER.set(answer.into_bytes());
    BUFFER.with_borrow(Vec::len)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("the host writes names in UTF-8")
}
