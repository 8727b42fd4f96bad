//! The WebAssembly module of the npm package `rigy-batch`, over the crate `rigy_batch`.
//!
//! The host sends requests and takes answers ([`abi`]); `lib/` of the package makes functions and classes of these. A
//! request is JSON that names a function, and bytes; an answer is JSON, and the bytes and numbers that it describes. The files
//! to which an input refers are asked of the host ([`host`]) while the module works. There are neither files nor threads.

mod abi;
mod answer;
mod bake;
mod diff;
mod documents;
#[cfg(feature = "editor")]
mod editor;
mod host;
mod inspect;
mod limit;
mod meshes;
mod request;
mod verify;
