//! All integration tests.
//!
//! One test, or one folder: `cargo test --test all NAME`, where NAME is a part of the path such as `bake::structure`.

// Some tests are for one system, and so is what they alone use.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

mod alone;
mod assist;
mod bake;
mod bytes;
mod command;
mod export;
mod gltf;
mod inspect;
mod kernel;
mod language;
mod limits;
mod precision;
mod reliability;
mod runs;
mod server;
mod transcripts;

mod support;

use rigy_documents as documents;
use rigy_oracle as oracle;
