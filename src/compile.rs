//! The story of a document: text in, GLBs out.
//!
//! ```text
//! text -> yaml -> parse -> (references inside the root?) -> expand -> validate      [`check`]
//!      -> tessellate -> skin                                                        [`Checked::build`]
//!      -> export                                   -> GLB at rest                   [`Compiled::export`]
//!      -> pose -> kernel -> bake                   -> GLB of one pose               [`Compiled::bake`]
//! ```
//! The earliest stage that fails decides the category of the first error; each stage reports all it can see.
//! Nothing here touches a disk or a thread: other files arrive through a [`Loader`], and big meshes are cut
//! up by whatever [`Splitter`] the caller brings.

mod assemble;
mod gate;

use std::ops::Range;

use crate::diag::{Code, Diagnostic, Lines, MOST_FINDINGS, Source, Span, Warned};
use crate::glb::{self, Glb, GlbError, Posed};
use crate::kernel::{self, Job};
use crate::loader::{Loader, Location};
use crate::model::{Document, Pose};
use crate::scene::{self, Scene};
use crate::simd::Isa;
use crate::yaml::Tree;
use crate::{expand, parse, pose, validate, yaml};

/// Cuts the evaluation of a mesh into pieces that may run at the same time. Any cut gives the same bits.
pub trait Splitter: Sync {
    /// Calls `evaluate` once for every piece of `0..vertex_count`, with the outputs that belong to it.
    fn for_each_piece(&self, vertex_count: usize, posed: &mut Posed, evaluate: &Evaluate<'_>);
}

/// Evaluates a range of vertices into positions and normals, three numbers each.
pub type Evaluate<'a> = dyn Fn(Range<usize>, &mut [f32], &mut [f32]) + Sync + 'a;

/// One piece, on this thread.
#[derive(Clone, Copy, Debug)]
pub struct Whole;

impl Splitter for Whole {
    fn for_each_piece(&self, vertex_count: usize, posed: &mut Posed, evaluate: &Evaluate<'_>) {
        evaluate(0..vertex_count, &mut posed.positions, &mut posed.normals);
    }
}

/// A document as it comes in.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    /// The name diagnostics call it by.
    pub name: &'a str,
    /// Where its references start from, in the loader's terms.
    pub location: Location,
    /// Its text; a byte order mark at the beginning is passed over.
    pub text: &'a str,
}

impl<'a> Input<'a> {
    /// A document whose name is also its location.
    pub fn new(name: &'a str, text: &'a str) -> Self {
        let location = Location(name.into());
        Self {
            name,
            location,
            text,
        }
    }
}

/// A document that has passed every rule that needs no geometry.
pub struct Checked<'a> {
    location: Location,
    source: Source<'a>,
    tree: Tree<'a>,
    document: validate::Checked<Document>,
}

/// A document that is ready to be written, at rest or in any pose.
pub struct Compiled<'a> {
    checked: Checked<'a>,
    scene: Scene,
}

/// The text of a document's bytes.
///
/// # Errors
/// A ParseError (U10) that gives the offset of the first byte that is no UTF-8.
pub fn decode<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, Vec<Diagnostic>> {
    std::str::from_utf8(bytes).map_err(|error| {
        let message = format!("byte {} is not UTF-8 text", error.valid_up_to());
        vec![about_file(name, message)]
    })
}

/// A fault (U10) of a document as a whole.
fn about_file(name: &str, message: String) -> Diagnostic {
    Diagnostic::new(Code::U10, Span::default(), message).about_file(name)
}

/// Reads and checks a document.
///
/// # Errors
/// Every finding of the earliest failing stage, in order, with its place: ParseErrors of YAML, schema, version
/// and references outside the root (U14); ValidationErrors; CompositionError for imports and instances, which
/// are not supported yet.
pub fn check<'a>(
    input: Input<'a>,
    loader: &dyn Loader,
) -> Result<Warned<Checked<'a>>, Vec<Diagnostic>> {
    let Input {
        name,
        location,
        text,
    } = input;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = Source { name, text };
    if text.len() > yaml::MAX_BYTES {
        let message = format!(
            "the document has {} bytes; the limit is {}",
            text.len(),
            yaml::MAX_BYTES
        );
        return Err(vec![about_file(name, message)]);
    }
    let tree = match yaml::compose(text) {
        Ok(tree) => tree,
        Err(yaml::Malformed { errors, tree }) => {
            let path_of = |span| {
                tree.as_ref()
                    .map_or_else(String::new, |tree| tree.path_of(span))
            };
            let lines = Lines::new(source);
            let errors = errors.into_iter().take(MOST_FINDINGS);
            return Err(errors.map(|error| error.located(&lines, path_of)).collect());
        }
    };
    let located = |findings| locate(&source, &tree, findings);
    let document = parse::parse(&tree).map_err(located)?;
    gate::references(&document, &location, loader).map_err(located)?;
    let Warned { value, warnings } =
        validate::validate(expand::expand(document)).map_err(located)?;
    gate::composition(&value).map_err(located)?;
    let warnings = located(warnings);
    let checked = Checked {
        location,
        source,
        tree,
        document: value,
    };
    Ok(Warned {
        value: checked,
        warnings,
    })
}

fn locate(source: &Source<'_>, tree: &Tree<'_>, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if findings.is_empty() {
        return findings;
    }
    let lines = Lines::new(*source);
    let one = |finding: Diagnostic| finding.located(&lines, |span| tree.path_of(span));
    findings.into_iter().take(MOST_FINDINGS).map(one).collect()
}

impl<'a> Checked<'a> {
    /// Ids of the document's poses, in order.
    pub fn pose_ids(&self) -> impl Iterator<Item = &str> {
        self.document.poses.iter().map(|pose| &*pose.id.value)
    }

    fn located(&self, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        locate(&self.source, &self.tree, findings)
    }

    /// Tessellates and skins every mesh.
    ///
    /// # Errors
    /// U11, U16, U17, and what weight files and vertex numbers can get wrong (V16, V18–V22).
    pub fn build(self, loader: &dyn Loader) -> Result<Warned<Compiled<'a>>, Vec<Diagnostic>> {
        self.fits().map_err(|errors| self.located(errors))?;
        let (mut errors, mut warnings) = (Vec::new(), Vec::new());
        let scene = self.scene(loader, &mut errors, &mut warnings);
        if !errors.is_empty() {
            return Err(self.located(errors));
        }
        let warnings = self.located(warnings);
        let value = Compiled {
            checked: self,
            scene,
        };
        Ok(Warned { value, warnings })
    }

    /// A failure of `glb` with its code and the mesh it is about.
    fn glb_error(&self, error: &GlbError) -> Diagnostic {
        match error {
            GlbError::Overflow { mesh, .. } => {
                let id = &self.document.meshes[*mesh].id;
                Diagnostic::new(Code::U15, id.span, error.to_string())
                    .help("coordinates must stay below about 3.4e38")
            }
            GlbError::TooLarge { .. } => {
                let mut finding = Diagnostic::new(Code::U17, Span::default(), error.to_string());
                finding.span = None;
                finding
            }
        }
    }
}

impl Compiled<'_> {
    /// Ids of the document's poses, in order.
    pub fn pose_ids(&self) -> impl Iterator<Item = &str> {
        self.checked.pose_ids()
    }

    /// The scene at rest.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The ordinary export: rest pose, skins kept.
    ///
    /// # Errors
    /// U15 for each mesh with a number beyond f32; U17.
    pub fn export(&self) -> Result<Glb<'_>, Vec<Diagnostic>> {
        glb::export(&self.scene).map_err(|errors| self.glb_errors(&errors))
    }

    /// Poses every bound mesh with its own solver. `None` if there is no such pose.
    pub fn pose(&self, pose_id: &str, isa: Isa, splitter: &dyn Splitter) -> Option<PosedScene<'_>> {
        let mut poses = self.checked.document.poses.iter();
        let pose = poses.find(|pose| pose.id.value == pose_id)?;
        let meshes = self.scene.meshes.iter();
        let posed = meshes
            .map(|mesh| pose_mesh(mesh, pose, isa, splitter))
            .collect();
        Some(PosedScene {
            compiled: self,
            posed,
        })
    }

    fn glb_errors(&self, errors: &[GlbError]) -> Vec<Diagnostic> {
        let findings = errors
            .iter()
            .map(|error| self.checked.glb_error(error))
            .collect();
        self.checked.located(findings)
    }
}

/// A compiled document in one pose.
pub struct PosedScene<'a> {
    compiled: &'a Compiled<'a>,
    posed: Vec<Option<Posed>>,
}

impl PosedScene<'_> {
    /// Baked output: posed vertices, skins left out.
    ///
    /// # Errors
    /// U15 for each mesh with a number beyond f32; U17.
    pub fn bake(&self) -> Result<Glb<'_>, Vec<Diagnostic>> {
        glb::bake(&self.compiled.scene, &self.posed)
            .map_err(|errors| self.compiled.glb_errors(&errors))
    }
}

fn pose_mesh(mesh: &scene::Mesh, pose: &Pose, isa: Isa, splitter: &dyn Splitter) -> Option<Posed> {
    let skin = mesh.skin.as_ref()?;
    let palette = pose::palette(pose, skin);
    let job = Job {
        palette: &palette,
        influences: &skin.influences,
        rest: &mesh.geometry,
    };
    let vertex_count = mesh.geometry.positions.len();
    let mut posed = Posed {
        positions: vec![0.0; 3 * vertex_count],
        normals: vec![0.0; 3 * vertex_count],
    };
    splitter.for_each_piece(vertex_count, &mut posed, &|range, positions, normals| {
        kernel::evaluate(isa, &job, range, positions, normals);
    });
    Some(posed)
}
