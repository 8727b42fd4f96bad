//! The command line: arguments in, text and an exit status out.
//!
//! In: arguments. Out: progress and diagnostics on standard error, results on standard output, and a status of 0 (all
//! good), 1 (some input failed), 2 (could not start), 75 (failed for a reason that may pass) or 130 (interrupted); `inspect` has 3 for a check that
//! fails. The work itself is done by the other modules.

mod args;
mod arguments;
mod bake;
mod bake_args;
mod bake_options;
mod batch_args;
mod batch_options;
mod batch_values;
mod bench;
mod circumstances;
mod color;
mod command;
mod common_args;
mod configuration;
mod dependencies;
mod diff;
mod documents;
mod each;
mod expanded;
mod explain;
mod fmt;
mod formats;
mod init;
mod inputs;
mod inspect;
mod instead;
mod interrupt;
pub mod lsp; // tests start a server in their process
mod manual;
mod merge;
mod messages;
mod named;
mod opened;
mod output;
pub mod page; // tests plant faults in it
mod palette;
mod places;
mod preview;
mod printer;
mod program;
mod progress;
mod render;
mod rendered;
mod report;
mod reporter;
mod requested;
mod run_context;
mod scene;
mod schema;
mod short_help;
mod shown_scale;
mod status;
mod stream;
mod streams;
mod summary;
mod verify;
mod view;
mod warning_groups;
mod watch;
mod width;

pub use program::{main, run_with};
pub use run_context::memory_or_half;
