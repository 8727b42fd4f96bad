//! A scene at one moment or several: the vertices of each, as the files hold them.
//!
//! All moments have the same surfaces, with the same vertices, triangles and materials; only positions and normals change.
//! These are laid out and rounded to f32 when a moment is added, so every format writes the same numbers.

use std::iter::repeat;

use super::layout::Layout;
use rigy_base::diag::{Category, Diagnosed, Diagnostic};
use rigy_kernel::math::Affine;
use rigy_models::mesh::{Material, Model, Surface, pick};

/// How the frames of a sequence follow each other.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Frames a second; finite and greater than 0.
    pub rate: f64,
    /// The number of the first frame; the others follow without gaps.
    pub first: i64,
}

impl Timing {
    /// Returns the number of the frame with this index in a sequence.
    pub fn number(&self, index: usize) -> i64 {
        let index = i64::try_from(index).unwrap_or(i64::MAX);
        self.first.saturating_add(index)
    }
}

/// A scene at one moment or several.
#[derive(Debug)]
pub struct Sequence {
    model: Model,
    layout: Layout,
    timing: Option<Timing>,
    frames: Vec<Frame>,
    /// The number of frames, those that have been taken away as well.
    count: usize,
}

/// The vertices of a scene at one moment.
#[derive(Debug, PartialEq)]
pub struct Frame {
    /// Those of each surface, in the order of the model.
    pub surfaces: Vec<FrameSurface>,
    /// The matrix from each joint of the model to the scene, in the axes and the unit of the model: four rows, for column vectors.
    pub joints: Vec<f32>,
}

/// The vertices of a surface at one moment, in the axes and the unit of the layout.
#[derive(Debug, PartialEq)]
pub struct FrameSurface {
    /// Positions; all finite.
    pub positions: Vec<[f32; 3]>,
    /// Normals; `None` if the surface has none. A normal without length stays as it is.
    pub normals: Option<Vec<[f32; 3]>>,
}

impl Frame {
    /// Lays out and rounds the vertices of a model.
    ///
    /// # Errors
    /// If a number exceeds single precision (U15).
    fn new(model: &Model, layout: &Layout) -> Result<Self, Diagnostic> {
        let surfaces = model
            .surfaces
            .iter()
            .map(|surface| {
                Ok(FrameSurface {
                    positions: layout.positions(surface)?,
                    normals: layout.normals(surface)?,
                })
            })
            .collect::<Result<_, _>>()?;
        let rows = |(_, [x, y, z]): &(String, Affine)| [*x, *y, *z, [0.0, 0.0, 0.0, 1.0]].concat();
        let joints = model.joints.iter().flat_map(rows);
        Ok(Self {
            surfaces,
            joints: joints.map(|number| number as f32).collect(),
        })
    }

    /// Returns the position and the normal of each vertex of all surfaces; the normal is 0 where a surface has none.
    pub fn vertices(&self) -> impl Iterator<Item = [[f32; 3]; 2]> {
        self.surfaces.iter().flat_map(|surface| {
            let normals = surface.normals.iter().flatten().chain(repeat(&[0.0; 3]));
            surface
                .positions
                .iter()
                .zip(normals)
                .map(|(position, normal)| [*position, *normal])
        })
    }
}

impl FrameSurface {
    /// Returns the least and greatest coordinates of some surfaces; `None` without any position.
    pub fn bounds<'f>(surfaces: impl IntoIterator<Item = &'f Self>) -> Option<[[f32; 3]; 2]> {
        let positions = surfaces.into_iter().flat_map(|surface| &surface.positions);
        positions.fold(None, |bounds, position| {
            let [least, greatest] = bounds.unwrap_or([*position; 2]);
            Some([
                std::array::from_fn(|axis| least[axis].min(position[axis])),
                std::array::from_fn(|axis| greatest[axis].max(position[axis])),
            ])
        })
    }
}

impl Sequence {
    /// Returns a sequence of one frame, at rest until it gets a [`Timing`].
    ///
    /// # Errors
    /// If the scale of the layout cannot be used, or a number exceeds single precision (U15).
    pub fn new(mut model: Model, layout: Layout) -> Diagnosed<Self> {
        model.materials = std::mem::take(&mut model.materials)
            .into_iter()
            .map(Material::seen)
            .collect();
        let frame = layout.check().and_then(|()| Frame::new(&model, &layout));
        Ok(Self {
            frames: vec![frame.map_err(|error| vec![error])?],
            model,
            layout,
            timing: None,
            count: 1,
        })
    }

    /// Returns the same sequence with times.
    ///
    /// # Errors
    /// If the rate is not finite, or not greater than 0.
    pub fn timed(self, timing: Timing) -> Diagnosed<Self> {
        if !timing.rate.is_finite() || timing.rate <= 0.0 {
            let rate = timing.rate;
            return Err(error(format!(
                "the rate is {rate} frames a second, not a number greater than 0"
            )));
        }
        Ok(Self {
            timing: Some(timing),
            ..self
        })
    }

    /// Appends a frame. Texture coordinates, colours and materials are those of the first, and not looked at; so are the triangles of a
    /// surface without any.
    ///
    /// # Errors
    /// If its surfaces are not those of the first frame: others in number, of other nodes or meshes, with another number of
    /// vertices, other triangles, or with normals where the first has none; as [`new`](Self::new).
    pub fn push(&mut self, model: &Model) -> Diagnosed<()> {
        let number = self.count;
        if let Some(difference) = difference(&self.model.surfaces, &model.surfaces) {
            return Err(error(format!(
                "frame {number} has another topology than frame 0: {difference}"
            )));
        }
        let frame = Frame::new(model, &self.layout).map_err(|error| vec![error])?;
        self.frames.push(frame);
        self.count += 1;
        Ok(())
    }

    /// Turns the triangles whose normals point to their back in the first frame, in all frames.
    pub fn turn_triangles_outward(&mut self) {
        self.model
            .surfaces
            .iter_mut()
            .for_each(Surface::turn_triangles_outward);
    }

    /// Removes the vertices that no triangle has, in all frames.
    pub fn remove_loose_vertices(&mut self) {
        for (index, surface) in self.model.surfaces.iter_mut().enumerate() {
            let Some(used) = surface.remove_loose_vertices() else {
                continue;
            };
            for frame in &mut self.frames {
                let vertices = &mut frame.surfaces[index];
                pick([&mut vertices.positions], &used);
                pick(&mut vertices.normals, &used);
            }
        }
    }

    /// Returns the model of the first frame, whose materials are as they are [`seen`](Material::seen).
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns the layout of all frames.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the times of the frames; `None` if the scene is at rest.
    pub fn timing(&self) -> Option<Timing> {
        self.timing
    }

    /// Takes all frames away. Others may follow.
    pub fn take_frames(&mut self) -> Vec<Frame> {
        std::mem::take(&mut self.frames)
    }

    /// Returns the time of each frame in seconds; 0 if the scene is at rest.
    pub fn times(&self) -> impl Iterator<Item = f32> {
        (0..self.count).map(|index| {
            let time = |timing: Timing| timing.number(index) as f64 / timing.rate;
            self.timing.map_or(0.0, time) as f32
        })
    }

    /// Returns the frames, at least one until they are taken away.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }
}

/// How the surfaces of a frame differ from those of the first, in words; `None` if they are the same.
pub fn difference(first: &[Surface], other: &[Surface]) -> Option<String> {
    let of = |surface: &Surface| format!("{:?} at node {}", surface.name, surface.node);
    let mut pairs = first.iter().zip(other);
    let in_pairs = pairs.find_map(|(first, other)| {
        let place = |s: &Surface| (s.node, s.instance, s.mesh, s.primitive);
        let found = other.positions.len();
        let wanted = first.positions.len();
        if place(first) != place(other) {
            return Some(format!("{} is in the place of {}", of(other), of(first)));
        }
        if found != wanted {
            return Some(format!("{} has {found} vertices, not {wanted}", of(other)));
        }
        let has_others = !other.triangles.is_empty() && first.triangles != other.triangles;
        if has_others || first.is_mirrored != other.is_mirrored {
            return Some(format!("{} has other triangles", of(other)));
        }
        match (&first.normals, &other.normals) {
            (Some(_), None) => Some(format!("{} has no normals", of(other))),
            (None, Some(_)) => Some(format!("{} has normals", of(other))),
            _ => None,
        }
    });
    in_pairs.or_else(|| {
        let alone = first.get(other.len()).or(other.get(first.len()));
        alone.map(|alone| format!("{} is in one of them only", of(alone)))
    })
}

fn error(message: String) -> Vec<Diagnostic> {
    vec![Diagnostic::without_code(Category::ExportError, message)]
}
