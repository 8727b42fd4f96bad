//! Pictures of models, drawn without a GPU: the same pixels on every machine.
//!
//! In: one [`Model`](rigy_models::mesh::Model) for each picture, and a [`View`]. Out: an [`Image`], and [`png()`] makes a file
//! of it. All arithmetic is f64 and integers in a fixed order, so neither machines nor threads change a pixel. The
//! projection is parallel: equal lengths are equal in all pictures of one [`Frame`].
//!
//! ```text
//! camera    the directions of a view; the frame, which all pictures of a file share
//! raster    triangles to samples: fixed-point edges, a depth buffer, four samples a pixel
//! draw      a model to samples: normals, colours, light
//! shading   the normals of triangles, on the side that is seen
//! textures  which image lies on which material; texture the colour at a place of one; decode PNG and JPEG to pixels
//! distance  how far each vertex is from another model, and the colours of distances
//! sheet     several pictures with labels, in rows
//! png       the file
//! ```

mod camera;
mod decode;
mod distance;
mod draw;
mod font;
mod image;
mod light;
mod png;
mod raster;
mod shading;
mod sheet;
mod texture;
mod textures;

pub use camera::{Frame, View};
pub use distance::{Distances, Heat, TooFarApart, distances};
pub use draw::{MAX_SIZE, MIN_SIZE, Paint, TooMuchToDraw, draw};
pub use image::Image;
pub use png::png;
pub use sheet::{MAX_PIXELS, Panel, SheetTooLarge, check_sheet, sheet};
pub use textures::Textures;
