//! `rigy-batch bake` from outside: outputs of made and real files are compared with an independent
//! evaluation of `bake.md`, bit for bit, and with its rules for the structure of the output.

mod algebra;
mod avatars;
mod builder;
mod cases;
mod cli;
mod clips;
mod container;
mod expected;
mod extensions;
mod files;
mod geometry;
mod hemisphere;
mod influences;
mod missing;
mod morphs;
mod noticing;
mod options;
mod oracle;
mod palettes;
mod passing;
mod pivots;
mod pose;
mod random;
mod reader;
mod references;
mod runs;
mod samples;
mod single_root;
mod skeletons;
mod structure;
mod textures;
mod tree;
mod vertices;
mod winding;
