//! A document or a glTF file as a [`Model`], at rest, in a pose, or at a moment of an animation.

use super::shown::{size_of_nodes, sum_of_nodes};
use super::{Model, is_of_document};
use crate::bake::{Baked, Baker, Moment, Settings, Skinning, Source, find_animation};
use crate::compile::Compiled;
use rigy_base::diag::{Category, Diagnosed, Diagnostic, Warned};
use rigy_base::limits::Limits;
use rigy_base::loader::{Loader, Location, MemoryLoader};
use rigy_base::meter::Cost;
use rigy_base::output::OutputFile;
use rigy_gltf::{AboutFile, File, read};
use rigy_kernel::executor::{Executor, Sequential};
use rigy_kernel::simd::Isa;

/// Most vertices and triangles of a model that is posed, over all nodes and their instances. A picture of that many takes about 1 GB.
pub const MAX_POSED: u64 = 1 << 23;

/// The limits on a document that is posed: [`MAX_POSED`] vertices, and JSON whose objects, read again, take less than 512 MiB.
pub const POSED_LIMITS: Limits = Limits::DEFAULT.vertices(MAX_POSED).json(64 << 20);

/// Bytes of memory for each vertex and each triangle of a model while it is made.
const BYTES_OF_VERTEX: u64 = 128;

/// The same for each of its surfaces, without the name.
const BYTES_OF_SURFACE: u64 = 512;

/// Bytes of memory for each byte of the GLB of a document.
const BYTES_OF_LENGTH: u64 = 8;

/// Longest baked file that is read again, in bytes.
const MAX_BAKED: u64 = 1 << 30;

/// A file that can be seen in several states.
pub enum Subject<'f> {
    /// A compiled document, and its name in messages.
    Document(Box<Compiled>, String),
    /// A glTF file, and its name in messages.
    Gltf(Box<Source<'f>>, String),
}

/// A state in which a file is seen.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// A document at rest, or a glTF file with its nodes and morph weights as they are stored.
    Stored,
    /// The pose of a document with this id.
    Pose(String),
    /// A moment of an animation of a glTF file.
    Moment(Moment),
}

/// How skinned vertices are evaluated.
#[derive(Clone, Copy)]
pub struct Evaluation<'a> {
    /// The solver of glTF files; documents name their own.
    pub skinning: &'a Skinning,
    /// The instruction set, which changes no bit.
    pub isa: Isa,
    /// Runs the tasks of large meshes of documents.
    pub executor: &'a dyn Executor,
}

impl<'f> Subject<'f> {
    /// Reads a glTF file from its bytes; the loader finds the files that it refers to, relative to `location`. Of the limits, that on work holds.
    ///
    /// # Errors
    /// As [`Source::read`]; more than [`MAX_POSED`] vertices and triangles.
    pub fn gltf(
        bytes: &'f [u8],
        location: &Location,
        loader: &dyn Loader,
        limits: &Limits,
    ) -> Diagnosed<Warned<Self>> {
        let name = loader.name(location);
        let Warned {
            value: mut source,
            warnings,
        } = Source::read(bytes, location, loader)?;
        source.file.meter = limits.meter();
        check_posed_size(&source.file)?;
        let value = Self::Gltf(Box::new(source), name);
        Ok(Warned { value, warnings })
    }

    /// Returns the ids of a document's poses in document order; `None` for a glTF file.
    pub fn pose_ids(&self) -> Option<Vec<String>> {
        match self {
            Self::Document(compiled, _) => Some(compiled.pose_ids().map(str::to_owned).collect()),
            Self::Gltf(..) => None,
        }
    }

    /// Returns about how much memory a model of the file takes while it is made, in bytes.
    pub fn memory(&self) -> u64 {
        match self {
            Self::Document(compiled, _) => compiled
                .export()
                .map_or(0, |glb| glb.len())
                .saturating_mul(BYTES_OF_LENGTH),
            Self::Gltf(source, _) => memory_of_model(&source.file),
        }
    }

    /// Returns `state` if the file can have it: a document if it has the pose, a glTF file with animations if it is a
    /// moment. Otherwise returns [`State::Stored`].
    pub fn state_like(&self, state: &State) -> State {
        let has = match (self, state) {
            (Self::Document(compiled, _), State::Pose(id)) => {
                compiled.pose_ids().any(|own| own == id)
            }
            (Self::Gltf(source, _), State::Moment(_)) => !source.file.animations.is_empty(),
            _ => false,
        };
        if has { state.clone() } else { State::Stored }
    }

    /// Returns `count` states over the animation of a state, at equal times from its first key to its last; none if the state is no
    /// moment of an animation whose keys can be used.
    pub fn clip_of(&self, state: &State, count: usize) -> Vec<State> {
        let State::Moment(moment) = state else {
            return Vec::new();
        };
        let Some([start, end]) = self.span_of(moment) else {
            return Vec::new();
        };
        (0..count)
            .map(|index: usize| {
                let share = index as f64 / (count.max(2) - 1) as f64;
                State::Moment(moment.clone().time(start + share * (end - start)))
            })
            .collect()
    }

    /// Returns the times of the first and the last key of a moment's animation, in seconds; `None` if the file has no such animation, or
    /// its keys cannot be used.
    pub fn span_of(&self, moment: &Moment) -> Option<[f64; 2]> {
        let Self::Gltf(source, _) = self else {
            return None;
        };
        let animation = match &moment.animation {
            Some(name) => find_animation(&source.file, name),
            None => (!source.file.animations.is_empty()).then_some(0),
        };
        source.file.span(animation?).ok().flatten()
    }

    /// Returns the model in a state.
    ///
    /// # Errors
    /// If the file does not have this state; the errors of exporting or baking it; more than [`MAX_POSED`] vertices and
    /// triangles.
    pub fn model(&self, state: &State, evaluation: &Evaluation) -> Diagnosed<Model> {
        match (self, state) {
            (Self::Document(compiled, name), State::Stored) => {
                read_again(&compiled.export()?.to_bytes(), name)
            }
            (Self::Document(compiled, name), State::Pose(id)) => {
                let posed = compiled
                    .pose(id, evaluation.isa, evaluation.executor)
                    .ok_or_else(|| error(name, format!("there is no pose `{id}`")))?;
                read_again(&posed.bake()?.to_bytes(), name)
            }
            (Self::Gltf(source, name), State::Stored) if is_plain(&source.file) => {
                Model::of_file(&source.file).about_file(name)
            }
            (Self::Gltf(source, name), State::Stored) => {
                baked(source, &Moment::default(), name, evaluation)
            }
            (Self::Gltf(source, name), State::Moment(moment)) => {
                baked(source, moment, name, evaluation)
            }
            (Self::Document(_, name), State::Moment(_)) => {
                Err(error(name, "a document has no animations".into()))
            }
            (Self::Gltf(_, name), State::Pose(_)) => {
                Err(error(name, "a glTF file has no poses".into()))
            }
        }
    }
}

fn baked(
    source: &Source,
    moment: &Moment,
    name: &str,
    evaluation: &Evaluation,
) -> Diagnosed<Model> {
    // Pictures take images from the source.
    let settings = Settings {
        textures_beside: true,
        ..Settings::default()
    };
    let baked = Baker::with(source, settings, &Sequential).bake(
        moment,
        evaluation.skinning,
        evaluation.isa,
    )?;
    let model = model_of(&baked.value, name)?;
    // The baked file names another generator.
    Ok(Model {
        is_of_document: is_of_document(&source.file.tree),
        ..model
    })
}

/// The model that a baked file shows.
fn model_of(baked: &Baked, name: &str) -> Diagnosed<Model> {
    if baked.len() > MAX_BAKED {
        let message = format!("the baked file would have more than {MAX_BAKED} bytes");
        return Err(error(name, message));
    }
    read_again(&baked.to_bytes()?.value, name)
}

/// Reads a GLB that has been made here, which refers to no other file.
fn read_again(bytes: &[u8], name: &str) -> Diagnosed<Model> {
    let file = read(bytes, &Location(name.into()), &MemoryLoader::default())?.value;
    check_posed_size(&file)?;
    Model::of_file(&file).about_file(name)
}

/// True if neither skins nor morph targets move a vertex of the file.
fn is_plain(file: &File) -> bool {
    let mut primitives = file.primitives();
    file.nodes.iter().all(|node| node.skin.is_none())
        && primitives.all(|primitive| primitive.targets.is_empty())
}

/// Checks that the model of a file takes no more memory than that of a document with [`MAX_POSED`] vertices, over all nodes and their
/// instances.
///
/// # Errors
/// U17.
pub fn check_posed_size(file: &File) -> Diagnosed<()> {
    let spent = { file.meter }.spend(Cost::Models, memory_of_model(file));
    spent.about_file(&file.name)
}

/// About how much memory the model of a file takes, with what all nodes have.
fn memory_of_model(file: &File) -> u64 {
    let nodes: Vec<usize> = (0..file.nodes.len()).collect();
    size_of_nodes(file, &nodes)
        .saturating_mul(BYTES_OF_VERTEX)
        .saturating_add(sum_of_nodes(file, &nodes, |_, _| BYTES_OF_SURFACE))
}

fn error(name: &str, message: String) -> Vec<Diagnostic> {
    vec![Diagnostic::without_code(Category::ExportError, message).about_file(name)]
}
