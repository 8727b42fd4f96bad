//! A sequence with all that a file needs besides: objects, texture coordinates, textures, warnings.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;

use super::format::Format;
use super::images::Images;
use super::layout::{Join, too_large};
use super::sequence::{FrameSurface, Sequence};
use super::text::cut;
use super::textures::{Textures, warning};
use super::{obj, properties};
use rigy_base::diag::{Diagnosed, Diagnostic};
use rigy_models::mesh::{Alpha, Elements, Surface};

/// A sequence that is ready to be written in any format.
pub struct Export<'s, 'a> {
    pub(super) sequence: &'s Sequence,
    /// The name of the file without its ending, by which it and the root of its objects are called.
    pub(super) name: &'s str,
    pub(super) textures: Textures<'a>,
    /// Texture coordinates of each surface, V up; `None` if it has none.
    coordinates: Vec<Option<Vec<[f32; 2]>>>,
}

/// A file that belongs beside another, in the same directory.
#[derive(Debug, PartialEq, Eq)]
pub struct Beside<'a> {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: Cow<'a, [u8]>,
}

/// Surfaces that form one object of a file.
pub struct Object<'s> {
    /// Its name, as the scene has it; not all of a long one, which each instance has.
    pub name: Cow<'s, str>,
    /// Indices of its surfaces, at least one.
    pub surfaces: Vec<usize>,
}

impl<'s, 'a> Export<'s, 'a> {
    /// Prepares a sequence. `name` is the name of the file without its ending; `images` are those of the scene.
    ///
    /// # Errors
    /// If a texture coordinate exceeds single precision (U15).
    pub fn new(sequence: &'s Sequence, name: &'s str, images: &'a Images) -> Diagnosed<Self> {
        let model = sequence.model();
        let mut export = Self {
            sequence,
            name,
            textures: Textures::new(model, images),
            coordinates: Vec::new(),
        };
        for surface in &model.surfaces {
            // glTF has V down.
            let coordinates = export
                .placed(surface, |[u, v]| [u, 1.0 - v])
                .map_err(|error| vec![error])?;
            export.coordinates.push(coordinates);
        }
        Ok(export)
    }

    /// The texture coordinates of a surface, as its texture lies on it, each turned by a function. Numbers that exceed single
    /// precision are an error (U15).
    pub(super) fn placed(
        &self,
        surface: &Surface,
        turned: impl Fn([f64; 2]) -> [f64; 2],
    ) -> Result<Option<Vec<[f32; 2]>>, Diagnostic> {
        let Some(coordinates) = &surface.texture_coordinates else {
            return Ok(None);
        };
        let texture = surface
            .material
            .filter(|index| self.textures.name(*index).is_some())
            .and_then(|index| self.sequence.model().materials[index].texture.as_ref());
        let placed: Option<Vec<_>> = coordinates
            .iter()
            .map(|coordinates| {
                let place = texture.map_or(*coordinates, |texture| texture.place(*coordinates));
                let placed = turned(place).map(|number| number as f32);
                placed
                    .iter()
                    .all(|number| number.is_finite())
                    .then_some(placed)
            })
            .collect();
        placed
            .ok_or_else(|| too_large("a texture coordinate", surface))
            .map(Some)
    }

    /// Writes the file in a format. Formats that hold one moment get the first frame.
    ///
    /// # Errors
    /// The error of the writer.
    pub fn write(&self, format: Format, out: &mut dyn io::Write) -> io::Result<()> {
        let mut out = io::BufWriter::with_capacity(64 << 10, out);
        format.write(self, &mut out)?;
        io::Write::flush(&mut out)
    }

    /// Returns the files that belong beside the file in a format: of point caches, the OBJ file; of OBJ, the MTL file of its
    /// materials, if it has any; of OBJ and USD, the textures. Equal names are equal files among all files that are made with the same [`Images`].
    pub fn beside(&self, format: Format) -> Vec<Beside<'a>> {
        let mut files = Vec::new();
        if format.mesh() != format {
            let mut bytes = Vec::new();
            obj::write(self, &mut bytes).expect("a vector takes every write");
            let (name, bytes) = (format!("{}.obj", self.name), bytes.into());
            files = self.beside(Format::Obj);
            files.push(Beside { name, bytes });
            return files;
        }
        if format == Format::Obj {
            files.extend(obj::materials_file(self));
        }
        if format.has_materials() {
            let used = self.used_materials(Some(format));
            let textures = self.textures.files(Some(format), &used);
            files.extend(textures.map(|(name, bytes)| Beside {
                name: name.to_owned(),
                bytes: Cow::Borrowed(bytes),
            }));
        }
        files
    }

    /// Returns the warnings (W16) about what the scene has and the file in a format has not.
    pub fn warnings(&self, format: Format) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        let format = format.mesh();
        let name = format.name();
        let surfaces = &self.sequence.model().surfaces;
        let of_points = surfaces
            .iter()
            .filter(|s| !is_written(s, format))
            .filter(|s| s.elements != Elements::Triangles);
        if let Some(names) = first_of(of_points) {
            warnings.push(warning(format!(
                "points and lines of {names} are not in the {name} file"
            )));
        }
        if format.joins_normals() {
            warnings.extend(self.warning_about_normals(format));
        }
        // Nobody looks for materials among arrays.
        if format != Format::Npz {
            warnings.extend(self.material_warnings(Some(format)));
        }
        warnings
    }

    /// The warnings about materials that surfaces of a file have, as [`properties::warnings`] has them.
    pub(super) fn material_warnings(&self, format: Option<Format>) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        if format.is_none_or(Format::has_materials) {
            let used = self.used_materials(format);
            let of_used = self
                .textures
                .warnings
                .iter()
                .filter(|(material, _)| used.contains(material));
            warnings.extend(of_used.map(|(_, warning)| warning.clone()));
        }
        warnings.extend(properties::warnings(self, format));
        warnings
    }

    /// The indices of the materials that surfaces of a file have; `None` is the mesh beside vertex animation textures.
    pub(super) fn used_materials(&self, format: Option<Format>) -> BTreeSet<usize> {
        // That mesh has triangles alone, as STL.
        self.objects(format.unwrap_or(Format::Stl))
            .into_iter()
            .flat_map(|object| object.surfaces)
            .filter_map(|surface| self.material(surface))
            .collect()
    }

    /// The warning that objects have no normals because not all of their surfaces have them.
    fn warning_about_normals(&self, format: Format) -> Option<Diagnostic> {
        let objects = self.objects(format);
        let first = objects.iter().find_map(|object| {
            let all = || object.surfaces.iter().map(|index| self.surface(*index));
            let surfaces = || all().filter(|surface| !surface.triangles.is_empty());
            let has = surfaces().any(|surface| surface.normals.is_some());
            let without = surfaces().find(|surface| surface.normals.is_none())?;
            has.then_some(without)
        })?;
        let format = format.name();
        let name = &first.name;
        Some(warning(format!(
            "normals of joined primitives are not in the {format} file, because {name:?} has none"
        )))
    }

    /// The objects of the file in a format, without surfaces that it cannot hold.
    pub(super) fn objects(&self, format: Format) -> Vec<Object<'s>> {
        let model = self.sequence.model();
        let surfaces = model.surfaces.iter().enumerate();
        let written = surfaces.filter(|(_, surface)| is_written(surface, format));
        let by_node = self.sequence.layout().join == Join::Node && format.has_objects();
        let mut objects: Vec<Object<'s>> = Vec::new();
        let mut place = None;
        for (index, surface) in written {
            match objects.last_mut() {
                Some(object) if !by_node || place == Some((surface.node, surface.instance)) => {
                    object.surfaces.push(index)
                }
                _ => {
                    let of_node = model
                        .node_names
                        .get(surface.node)
                        .and_then(Option::as_deref);
                    let name = if by_node {
                        of_node.unwrap_or(&surface.name)
                    } else {
                        self.name
                    };
                    objects.push(Object {
                        name: cut(name).into(),
                        surfaces: vec![index],
                    });
                }
            }
            place = Some((surface.node, surface.instance));
        }
        objects
    }

    /// A surface of the model.
    pub(super) fn surface(&self, index: usize) -> &'s Surface {
        &self.sequence.model().surfaces[index]
    }

    /// The vertices of a surface in the first frame.
    pub(super) fn vertices(&self, index: usize) -> &'s FrameSurface {
        &self.sequence.frames()[0].surfaces[index]
    }

    /// The texture coordinates of a surface, V up; `None` if it has none.
    pub(super) fn coordinates(&self, index: usize) -> Option<&[[f32; 2]]> {
        self.coordinates[index].as_deref()
    }

    /// The index of the material of a surface; `None` if it has none.
    pub(super) fn material(&self, index: usize) -> Option<usize> {
        let count = self.sequence.model().materials.len();
        self.surface(index).material.filter(|index| *index < count)
    }

    /// True if the opacity of a surface's colours does not count: it has no material, or an opaque one.
    pub(super) fn is_opaque(&self, index: usize) -> bool {
        let material = self
            .material(index)
            .map(|index| &self.sequence.model().materials[index]);
        material.is_none_or(|material| material.alpha == Alpha::Opaque)
    }

    /// As [`oriented`].
    pub(super) fn triangles(&self, index: usize) -> impl Iterator<Item = [u32; 3]> + use<'s> {
        oriented(self.surface(index))
    }
}

/// The triangles of a surface, counter-clockwise as they are seen from their front.
pub fn oriented(surface: &Surface) -> impl Iterator<Item = [u32; 3]> {
    let is_turned = surface.is_mirrored;
    surface.triangles.iter().map(move |[a, b, c]| {
        if is_turned {
            [*a, *c, *b]
        } else {
            [*a, *b, *c]
        }
    })
}

impl Object<'_> {
    /// Returns true if the object has normals: every surface with triangles has them, and there is one.
    pub fn has_normals(&self, export: &Export) -> bool {
        let mut with_triangles = self
            .surfaces
            .iter()
            .map(|index| export.surface(*index))
            .filter(|s| !s.triangles.is_empty())
            .peekable();
        with_triangles.peek().is_some() && with_triangles.all(|s| s.normals.is_some())
    }

    /// Returns true if some surface has an attribute.
    pub fn any<T>(&self, attribute: impl Fn(usize) -> Option<T>) -> bool {
        self.surfaces
            .iter()
            .any(|index| attribute(*index).is_some())
    }
}

/// The name of the first of some surfaces, and how many others there are; `None` if there is none.
pub fn first_of<'s>(mut surfaces: impl Iterator<Item = &'s Surface>) -> Option<String> {
    let name = format!("{:?}", surfaces.next()?.name);
    Some(with_others(&name, surfaces.count(), "primitive"))
}

/// A name, and how many others of its kind there are.
pub fn with_others(name: &str, others: usize, kind: &str) -> String {
    match others {
        0 => name.to_owned(),
        1 => format!("{name} and another {kind}"),
        others => format!("{name} and {others} other {kind}s"),
    }
}

/// True if a format can hold a surface: its triangles, or else its vertices.
fn is_written(surface: &Surface, format: Format) -> bool {
    format.has_points() || !surface.triangles.is_empty()
}
