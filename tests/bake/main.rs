//! `rigy-batch bake` from outside: made and real files go in, and what comes out is held against an independent
//! evaluation of `bake.md`, bit for bit, and against its rules for the structure of the output.

#[path = "../support/mod.rs"]
mod support;

mod algebra;
mod builder;
mod cases;
mod cli;
mod container;
mod expected;
mod extensions;
mod files;
mod geometry;
mod influences;
mod morphs;
mod noticing;
mod options;
mod oracle;
mod palettes;
mod passing;
mod pose;
mod random;
mod reader;
mod references;
mod runs;
mod samples;
mod structure;
mod tree;
mod vertices;
