//! What looks at results: palettes for shaders against baked vertices, and differences between files.

mod diff;
mod difference;
mod palette;
mod palette_command;
mod shader;
