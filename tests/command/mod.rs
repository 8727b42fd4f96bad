//! The program in a temporary directory: arguments, exit statuses, names, JSON, and bad files among good ones.

#[cfg(unix)]
mod actions;
mod bench;
#[cfg(unix)]
mod colors;
mod configuration;
#[cfg(unix)]
mod documentation;
mod explain;
mod formats;
mod json_schemas;
#[cfg(unix)]
mod mistakes;
mod options;
mod preview;
mod preview_materials;
pub mod preview_textures;
mod printing;
mod styles;
mod systems;
mod view;
mod view_options;
#[cfg(unix)]
mod watch;
mod weight_files;

use crate::support::BAD;
