//! Code that the fuzz targets share: files to begin with, changes that leave a file readable, and everything that the
//! library can do with a file.

pub mod archive;
pub mod asked;
pub mod bake;
#[allow(dead_code)] // the program uses all of it
#[path = "../../../src/cli/color.rs"]
mod color;
pub mod documents;
pub mod draco;
pub mod exercise;
pub mod exports;
pub mod fixtures;
#[path = "../../support/formatted.rs"]
mod formatted;
pub mod formatter;
pub mod framing;
#[path = "../../support/glb.rs"]
mod glb;
#[path = "../../gltf/made.rs"]
pub mod made;
pub mod mutate;
mod places;
#[allow(dead_code)] // the program uses all of it
#[path = "../../../src/cli/printer/left_out.rs"]
mod printer;
mod read_back;
pub mod reader;
#[allow(dead_code)] // the program uses all of it
#[path = "../../../src/cli/render.rs"]
mod render;
pub mod rich;
#[path = "../../support/second_reader.rs"]
mod second_reader;
pub mod seeds;
#[allow(dead_code)] // the program uses all of it
#[path = "../../../src/cli/warning_groups.rs"]
mod warning_groups;
#[allow(dead_code)] // the program uses all of it
#[path = "../../../src/cli/width.rs"]
mod width;
pub mod yaml;

// Names that the included files of other directories use.
use rigy_batch::base;
mod support {
    pub use crate::glb::glb;
}
