//! The arguments of `bake`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::batch_args::Batch;
use crate::bake::gltf::JointScale;
use crate::bake::{Form, Pivot, Skinning};
#[cfg(feature = "vat")]
use crate::export::vat::{Packing, VatOptions};
use crate::export::{Format, Join, Layout, Up};
use crate::language::model::Solver;
use crate::run::batch::{BakeJob, Clips, ExportKind, Frames, MissingAnimation, SampleTimes};

/// Bake skinned glTF files into plain meshes
///
/// For each input `stem.glb`, `stem.gltf` or `stem.vrm`, writes one GLB: vertices as they stand at the requested time, with skins,
/// morph targets and animations applied and removed, and everything else as it was. With `-o DIR` the output is
/// `DIR/stem.glb`, without it `stem.baked.glb` beside the input. With `--frames` the names end in a number: `stem.0000.glb`
/// or `stem.baked.0000.glb`; with several animations they contain its name: `stem.Run.glb`, `stem.Run.0000.glb`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  rigy-batch bake models/ -o out/                   as the nodes are stored\n  \
rigy-batch bake fox.glb --animation Run --time 0.5",
    after_long_help = "Examples:\n  rigy-batch bake models/ -o out/                         as the nodes are stored\n  \
rigy-batch bake fox.glb --animation Run --time 0.5      half a second into an animation\n  \
rigy-batch bake fox.glb --animation Run --frames @24    all of it, one file for each frame\n  \
rigy-batch bake fox.glb --animation all --frames @24    the same for each animation\n  \
rigy-batch bake fox.glb --animation Run --as morph      one file that plays\n  \
rigy-batch bake models/ -o out/ --solver dqs            dual quaternions instead of linear blending\n\n\
Exit status: 0 all good, 1 some input failed (with --check: or an output would change), 2 could not start, 130 interrupted."
)]
pub struct Bake {
    /// Directories to search for *.glb, *.gltf and *.vrm, or files
    ///
    /// Hidden directories are skipped and links are not followed. In directories, files that are named like outputs
    /// (stem.baked.glb, stem.baked.Run.0000.glb, and the same with .gltf or .vrm) are skipped. A file that is named here may have any
    /// name.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Linear blending (lbs) or dual quaternions (dqs)
    #[arg(long, value_name = "SOLVER", value_enum, default_value_t = SolverName::Lbs, hide_possible_values = true, help_heading = "Baking")]
    pub solver: SolverName,

    /// Animations to sample, by name or number: one, several (A,B), or all
    ///
    /// Numbers begin at 0. By default it is animation 0 if there are times, else none: nodes are as they are stored. With
    /// several or `all`, the animation is in the names of the outputs: stem.CLIP.glb. A name that contains a comma can be given
    /// as it is.
    #[arg(long, value_name = "NAME|INDEX|A,B|all", help_heading = "Baking")]
    pub animation: Vec<String>,

    /// Time to sample it at, in seconds [default: 0]
    ///
    /// A time outside the animation gives the values of its first or last keys, with a warning.
    #[arg(long, value_name = "SECONDS", value_parser = finite, allow_negative_numbers = true, help_heading = "Baking")]
    pub time: Option<f64>,

    /// Write one file for each frame: of the whole animation (@24) or from A to B (0..47@24)
    ///
    /// The number after the @ is that of frames a second. Both ends are included; frame i is at i / FPS seconds.
    #[arg(long, value_name = "[A..B]@FPS", value_parser = Frames::parse, conflicts_with = "time", help_heading = "Baking")]
    pub frames: Option<Frames>,

    /// Single files (frames), or one file for each animation: morph targets (morph) or a mesh for each frame (step)
    ///
    /// frames: one file for each moment. morph: one file with a morph target for each frame and an animation of their weights. step:
    /// one file with a mesh for each frame and an animation that shows one after the other. Both take the moments of --frames, by
    /// default all of the animation at 30 frames a second (@30). The name of the file has no number.
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t = FormName::Frames, hide_possible_values = true, help_heading = "Baking")]
    pub form: FormName,

    /// With --as morph: leave out frames that blending gives within this distance, in units of the model [default: 0]
    ///
    /// Vertices of a frame that is left out are at most this far from their places in a linear blend of the frames before and after it
    /// that are kept. With 0 only frames are left out that the blend gives exactly.
    #[arg(long, value_name = "DISTANCE", value_parser = distance, help_heading = "Baking")]
    pub tolerance: Option<f64>,

    /// The format: glb, obj, stl, ply or usda
    ///
    /// Vertices stand in the space of the scene. Materials and textures of obj and usda are files beside it, named by their content.
    /// With --frames, usda is one file for each animation, with samples of points over time; the others are one file for each frame.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FormatName::Glb, hide_possible_values = true, help_heading = "Other tools")]
    pub to: FormatName,

    /// One object for all meshes (all) or one for each node (node)
    ///
    /// For obj and usda; stl and ply hold one mesh.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = JoinName::All, hide_possible_values = true, help_heading = "Other tools")]
    pub join: JoinName,

    /// The axis that points up in files of other tools and in textures: y or z
    #[arg(long, value_name = "AXIS", value_enum, default_value_t = UpName::Y, hide_possible_values = true, help_heading = "Other tools")]
    pub up: UpName,

    /// Numbers of vertex animation textures: float, half (EXR) or unorm16 (PNG)
    #[cfg(feature = "vat")]
    #[arg(long, value_name = "KIND", value_enum, default_value_t = PackingName::Float, hide_possible_values = true, help_heading = "Other tools")]
    pub packing: PackingName,

    /// Most texels in a row of vertex animation textures, 1 to 16384
    #[cfg(feature = "vat")]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16384), help_heading = "Other tools")]
    pub max_width: Option<u32>,

    /// A file that lacks the animation: error, skip or rest
    ///
    /// error: it fails. skip: it is left out, with a warning. rest: it is baked with its nodes as they are stored, with a warning.
    /// The default is rest if a PATH is a directory, else error. Of several animations, those that the file has are baked in any
    /// case but error.
    #[arg(
        long,
        value_enum,
        value_name = "ACTION",
        hide_possible_values = true,
        help_heading = "Baking"
    )]
    pub missing_animation: Option<MissingAnimationAction>,

    /// With --frames: remove the frames of an earlier, longer run
    ///
    /// Files are removed only if they continue the frames of this run without a gap, the cache knows that an earlier run has written
    /// them, and they have not changed since. Without it, they are told of (W14).
    #[arg(long, requires = "frames", help_heading = "Baking")]
    pub prune: bool,

    /// Joint scale under dqs: global, local or reject; or a factor for files of other tools
    ///
    /// global: the scale of a joint reaches everything below it. local: it stays with the joint; the bind pose keeps its
    /// own scale, and the scale of a root joint does not move the joint itself. reject: scale is an error. A number, such as 1000 for
    /// millimetres, multiplies all positions of `--to` and `--as vat`. Both can be given.
    #[arg(long, value_name = "SCALE|FACTOR", value_parser = scale_value, help_heading = "Baking")]
    pub scale: Vec<ScaleValue>,

    /// Joints whose scale alone is local, by name
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        help_heading = "Baking"
    )]
    pub scale_local: Vec<String>,

    /// Leave extensions as they are where the bake makes them untrue
    ///
    /// Otherwise expressions of avatars lose their morph targets, spring bones and levels of detail go where their joints or
    /// meshes have, and so does a flag that there is one root node; W15 says what went.
    #[arg(long, help_heading = "Baking")]
    pub keep_extensions: bool,

    /// Keep the nodes of skeletons that nothing needs any more
    ///
    /// Otherwise joints go whose vertices are baked, with nodes that only held them. A node stays that has a mesh, a camera, extensions
    /// or extras, or to which an extension refers, and with it all nodes above it.
    #[arg(long, help_heading = "Baking")]
    pub keep_skeleton: bool,

    /// The origin of baked meshes: origin, node or bounds
    ///
    /// origin: the world's, so that positions are those in the world. node: where the node of the mesh stood at the moment of the
    /// bake. bounds: the middle of its bounds at that moment. With node and bounds, the new node stands at the mesh's origin.
    #[arg(long, value_enum, default_value_t = PivotName::Origin, value_name = "PLACE", hide_possible_values = true, help_heading = "Baking")]
    pub pivot: PivotName,

    /// Where images are: embed or beside
    ///
    /// embed: in each output. beside: in files of their own in the directory of the output, named by their content, so that equal images
    /// of all outputs there are one file.
    #[arg(long, value_enum, default_value_t = TexturesName::Embed, value_name = "PLACE", hide_possible_values = true, help_heading = "Baking")]
    pub textures: TexturesName,

    /// Take a required extension that is not known to leave geometry alone; may be repeated
    ///
    /// The file is baked as if the extension were not there. If it does touch geometry, skins or animations, the result is
    /// wrong.
    #[arg(long, value_name = "NAME", help_heading = "Baking")]
    pub allow_extension: Vec<String>,

    #[command(flatten)]
    pub batch: Batch,
}

/// The values of `--solver`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SolverName {
    Lbs,
    Dqs,
}

/// The values of `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    Glb,
    Obj,
    Stl,
    Ply,
    Usda,
}

/// The values of `--join`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum JoinName {
    All,
    Node,
}

/// The values of `--up`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UpName {
    Y,
    Z,
}

/// The values of `--packing`.
#[cfg(feature = "vat")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PackingName {
    Float,
    Half,
    Unorm16,
}

/// A value of `--scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScaleValue {
    /// The treatment of joint scale.
    Joints(Scale),
    /// The factor of positions in files of other tools.
    Factor(f64),
}

/// The values of `--as`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormName {
    Frames,
    Morph,
    Step,
    #[cfg(feature = "vat")]
    Vat,
}

/// The values of `--missing-animation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MissingAnimationAction {
    Error,
    Skip,
    Rest,
}

/// The values of `--pivot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PivotName {
    Origin,
    Node,
    Bounds,
}

/// The values of `--textures`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TexturesName {
    Embed,
    Beside,
}

/// The values of `--scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scale {
    Global,
    Local,
    Reject,
}

/// Joint scale for the commands that show what `bake` makes of a glTF file.
#[derive(Debug, clap::Args)]
pub struct ShownScale {
    /// Joint scale of a glTF file under dual quaternions: global, local or reject [default: global]
    ///
    /// As for `bake`, so that the result is what `bake` makes with the same option. With `reject`, there are no dual
    /// quaternions where joints scale.
    #[arg(long, value_enum, hide_possible_values = true)]
    pub scale: Option<Scale>,

    /// Joints whose scale alone is local, by name
    ///
    /// As for `bake`: the scale of all other joints reaches everything below them.
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "scale"
    )]
    pub scale_local: Vec<String>,
}

impl ShownScale {
    /// Returns true if an option is given.
    pub fn is_given(&self) -> bool {
        self.scale.is_some() || !self.scale_local.is_empty()
    }

    /// Returns the treatment of joint scale.
    pub fn joint_scale(&self) -> JointScale {
        joint_scale(self.scale.unwrap_or(Scale::Global), &self.scale_local)
    }
}

/// Returns the treatment of joint scale by the values of `--scale` and `--scale-local`, of which only one is given.
fn joint_scale(scale: Scale, local: &[String]) -> JointScale {
    match local {
        [] => scale.into(),
        names => JointScale::LocalFor(names.iter().cloned().collect()),
    }
}

/// Reads a number that is finite.
pub fn finite(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let number = number.filter(|number| number.is_finite());
    number.ok_or_else(|| "not a number of seconds".into())
}

/// Reads a value of `--scale`.
fn scale_value(text: &str) -> Result<ScaleValue, String> {
    if let Ok(scale) = Scale::from_str(text, false) {
        return Ok(ScaleValue::Joints(scale));
    }
    let factor: Option<f64> = text.parse().ok();
    let factor = factor.filter(|factor| factor.is_finite() && *factor > 0.0);
    let factor = factor.ok_or("it is one of global, local and reject, or a factor above 0")?;
    Ok(ScaleValue::Factor(factor))
}

/// Reads a distance.
fn distance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "not a distance".into())
}

impl From<SolverName> for Solver {
    fn from(name: SolverName) -> Self {
        match name {
            SolverName::Lbs => Self::Lbs,
            SolverName::Dqs => Self::Dqs,
        }
    }
}

impl From<PivotName> for Pivot {
    fn from(name: PivotName) -> Self {
        match name {
            PivotName::Origin => Self::Origin,
            PivotName::Node => Self::Node,
            PivotName::Bounds => Self::Bounds,
        }
    }
}

impl From<Scale> for JointScale {
    fn from(scale: Scale) -> Self {
        match scale {
            Scale::Global => Self::Global,
            Scale::Local => Self::Local,
            Scale::Reject => Self::Reject,
        }
    }
}

impl Bake {
    /// Returns the way in which each file is baked.
    pub fn job(&self) -> BakeJob {
        let clips = match self.animation.is_empty() {
            true => Clips::First,
            false => Clips::named(&self.animation),
        };
        let times = match &self.frames {
            Some(frames) => SampleTimes::Frames(frames.clone()),
            None => SampleTimes::At(self.time),
        };
        let missing = match self.missing_animation {
            Some(MissingAnimationAction::Error) => MissingAnimation::Error,
            Some(MissingAnimationAction::Skip) => MissingAnimation::Skip,
            Some(MissingAnimationAction::Rest) => MissingAnimation::Rest,
            None if self.paths.iter().any(|path| path.is_dir()) => MissingAnimation::Rest,
            None => MissingAnimation::Error,
        };
        let mut job = BakeJob::new(self.skinning());
        job.keeps_extensions = self.keep_extensions;
        job.keeps_skeleton = self.keep_skeleton;
        job.pivot = self.pivot.into();
        job.textures_beside = self.textures == TexturesName::Beside;
        job.allowed_extensions = self.allow_extension.clone();
        job.clips(clips)
            .times(times)
            .form(self.form())
            .export(self.export())
            .missing(missing)
            .prune(self.prune)
    }

    /// Returns the form of one file for each animation; `None` for single files.
    fn form(&self) -> Option<Form> {
        match self.form {
            FormName::Frames => None,
            FormName::Morph => Some(Form::Morph {
                tolerance: self.tolerance.unwrap_or(0.0),
            }),
            FormName::Step => Some(Form::Step),
            #[cfg(feature = "vat")]
            FormName::Vat => None,
        }
    }

    /// Returns the format of another tool; `None` for GLB.
    fn export(&self) -> Option<ExportKind> {
        let layout = Layout {
            join: match self.join {
                JoinName::All => Join::Joined,
                JoinName::Node => Join::ByNode,
            },
            up: match self.up {
                UpName::Y => Up::Y,
                UpName::Z => Up::Z,
            },
            scale: self.factor().unwrap_or(1.0),
        };
        #[cfg(feature = "vat")]
        if self.form == FormName::Vat {
            let default = VatOptions::default();
            let options = VatOptions {
                packing: match self.packing {
                    PackingName::Float => Packing::Float,
                    PackingName::Half => Packing::Half,
                    PackingName::Unorm16 => Packing::Unorm16,
                },
                max_width: self.max_width.unwrap_or(default.max_width),
            };
            return Some(ExportKind::Textures(options, layout));
        }
        let format = match self.to {
            FormatName::Glb => return None,
            FormatName::Obj => Format::Obj,
            FormatName::Stl => Format::Stl,
            FormatName::Ply => Format::Ply,
            FormatName::Usda => Format::Usda,
        };
        Some(ExportKind::Meshes(format, layout))
    }

    /// Returns the ending of the file that `-o` may name; `None` if it never names one.
    pub fn output_ending(&self) -> Option<&'static str> {
        self.export().map_or(Some("glb"), |export| export.ending())
    }

    /// Returns the factor of positions, if one is given.
    fn factor(&self) -> Option<f64> {
        self.scale.iter().find_map(|value| match value {
            ScaleValue::Factor(factor) => Some(*factor),
            ScaleValue::Joints(_) => None,
        })
    }

    /// Returns the treatment of joint scale, if one is given.
    fn joints(&self) -> Option<Scale> {
        self.scale.iter().find_map(|value| match value {
            ScaleValue::Joints(scale) => Some(*scale),
            ScaleValue::Factor(_) => None,
        })
    }

    /// Returns why the options cannot be combined; `None` if they can.
    pub fn contradiction(&self) -> Option<&'static str> {
        let is_animated = matches!(self.form, FormName::Morph | FormName::Step);
        let needs_frames = self.form != FormName::Frames;
        let is_glb = self.to == FormatName::Glb;
        let is_export = self.export().is_some();
        let has_layout = self.join != JoinName::All || self.up != UpName::Y;
        let is_factor = |value: &&ScaleValue| matches!(value, ScaleValue::Factor(_));
        let factors = self.scale.iter().filter(is_factor).count();
        let joints = self.scale.len() - factors;
        let rules = [
            (
                self.tolerance.is_some() && self.form != FormName::Morph,
                "`--tolerance` goes with `--as morph` only",
            ),
            (
                needs_frames && self.time.is_some(),
                "`--time` is one moment; `--as` another form than frames takes `--frames`",
            ),
            (
                is_animated && self.pivot != PivotName::Origin,
                "`--pivot` is for single files: the frames of an animated file have one origin",
            ),
            (
                needs_frames && self.prune,
                "`--prune` removes single frames, which only `--as frames` makes",
            ),
            (
                !is_glb && needs_frames,
                "`--as` another form than frames is for `--to glb`",
            ),
            (
                !is_export && (has_layout || self.factor().is_some()),
                "`--join`, `--up` and a factor after `--scale` are for `--to` and `--as vat`",
            ),
            (
                is_export && self.prune,
                "`--prune` removes frames in GLB files only",
            ),
            (joints > 1 || factors > 1, "`--scale` is given twice"),
            (
                joints > 0 && !self.scale_local.is_empty(),
                "`--scale` and `--scale-local` exclude each other",
            ),
        ];
        let broken = rules.into_iter().find(|(is_broken, _)| *is_broken);
        broken.map(|(_, message)| message)
    }

    /// Returns the solver and the treatment of joint scale.
    pub fn skinning(&self) -> Skinning {
        let scale = joint_scale(self.joints().unwrap_or(Scale::Global), &self.scale_local);
        let solver = self.solver.into();
        Skinning { solver, scale }
    }

    /// Returns true if an option about joint scale is given.
    pub fn sets_scale(&self) -> bool {
        self.joints().is_some_and(|scale| scale != Scale::Global) || !self.scale_local.is_empty()
    }
}
