//! The options of a bake, as the program and the bindings take them.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer};

#[cfg(feature = "cli")]
use super::bake_arguments::{distance, factor, finite, join_help, output_kind, to_help};
use super::bake_exports::ExportKind;
use super::bake_job::{BakeJob, Clips, MissingAnimation, SampleTimes, Textures};
use super::bake_values::{FormName, OutputKind, is_distance};
use super::frames::Frames;
use crate::bake::{Form, Helpers, Pivot, Scale, Skinning};
use crate::io::exists;
use rigy_base::loader::Motion;
#[cfg(feature = "cli")]
use rigy_export::vat::VatFormat;
use rigy_export::{Format, Join, Layout, Up};
use rigy_kernel::Solver;

/// The options of `rigy-batch bake`, as far as they are not those of all batches. The comment of a field is its `--help`, and its name that of the
/// bindings.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(
    feature = "cli",
    derive(clap::Args),
    command(next_help_heading = "Baking")
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[allow(rustdoc::broken_intra_doc_links)] // a value in brackets is a default
pub struct BakeOptions {
    /// Linear blend (lbs) or dual quaternions (dqs) [default: lbs]
    ///
    /// With --as skin the default is dqs.
    #[cfg_attr(feature = "cli", arg(long, value_enum))]
    pub solver: Option<Solver>,

    /// Animations by name or number: one, several (A,B), or all
    ///
    /// `rigy-batch inspect FILE` lists them; numbers begin at 0. Without this option, animation 0 is taken with --time, --frames and --motion,
    /// and by forms and formats that hold frames: morph, step, vat, npz, pc2 and mdd; skin keeps all. Else nodes are as they are stored. With several or `all`, outputs are named by their animation: stem.CLIP.glb.
    /// A name that contains a comma can be given as it is.
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME|INDEX|A,B|all"))]
    #[serde(deserialize_with = "one_clip")]
    pub animation: Vec<String>,

    /// Play the animations of another file on the joints of each file, in the place of its own
    ///
    /// FILE is a .glb, .gltf, .vrm or .vrma; CLIP is one of its animations, by name or number, and by default all are there. Joints are
    /// found by their names, without a prefix such as `mixamorig:`, and those of avatars as humanoid bones. Nothing is retargeted: what does
    /// not fit, and rest poses that differ, are warnings (W25).
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE[#CLIP]"))]
    pub motion: Option<PathBuf>,

    /// Moment in seconds from the animation's start [default: 0]
    ///
    /// A moment outside the animation gives the values of its first or last keys, with a warning (W10). Without an animation, nodes
    /// are as they are stored and there is no moment.
    #[cfg_attr(feature = "cli", arg(long, value_name = "SECONDS", value_parser = finite, allow_negative_numbers = true))]
    pub time: Option<f64>,

    /// Write one file for each frame: of the whole animation (@24) or from A to B (0..47@24)
    ///
    /// The number after the @ is that of frames a second. Both ends are included; frame i is at i / FPS seconds.
    #[cfg_attr(feature = "cli", arg(long, value_name = "[A..B]@FPS", value_parser = Frames::parse, conflicts_with = "time"))]
    pub frames: Option<Frames>,

    /// A file for each moment (frames), one that plays (morph, step, skin), or textures for shaders (vat)
    ///
    /// skin keeps skins and animations: every vertex has four influences, and joints are added whose keys make linear blending, which all
    /// engines have, look like dual quaternions. It is for animations of the file that are played. --frames @60 fits 60 moments a second
    /// where keys are farther apart [default: @30].
    /// morph has a morph target for each frame and an animation of their weights, step a mesh for each frame and an animation that
    /// shows one after the other. vat is OpenVAT: a texture with positions and normals of all animations that are named, a mesh that looks them
    /// up and a JSON file. These three take the moments of --frames, by default all of
    /// the animation at 30 frames a second (@30). Names of files have no number.
    #[cfg_attr(feature = "cli", arg(long = "as", value_enum, default_value_t))]
    #[serde(rename = "as")]
    pub form: FormName,

    /// The largest distance of a vertex from its place, in units of the model [default: 0, and 0.3 % of the size with --as skin]
    ///
    /// With --as skin: from where dual quaternions put it. With --as morph: frames are left out that blending gives within it.
    /// Vertices of a frame that is left out are at most this far from their places in a linear blend of the frames before and after it
    /// that are kept. With 0 only frames are left out that the blend gives exactly.
    #[cfg_attr(feature = "cli", arg(long, value_name = "DISTANCE", value_parser = distance))]
    pub tolerance: Option<f64>,

    /// With --as skin: most joints that are added to a skin [default: up to 128 joints, and at least 16]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub helpers: Option<u16>,

    /// The format: that of the file after `-o`, or glb, where this is left out
    #[cfg_attr(feature = "cli", arg(long, value_name = "FORMAT", value_parser = output_kind(), help = &to_help()[0], long_help = &to_help()[1], help_heading = "Other tools"))]
    #[serde(deserialize_with = "given")]
    pub to: Option<OutputKind>,

    /// One object for all meshes (all) or one for each node (node) [default: node for 3mf, else all]
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", value_enum, long_help = join_help(), help_heading = "Other tools"))]
    pub join: Option<Join>,

    /// The axis that points up in files of other tools: y or z [default: z for stl and 3mf, else y]
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "AXIS", value_enum, help_heading = "Other tools")
    )]
    pub up: Option<Up>,

    /// A factor of all positions in files of other tools and in textures [default: 1000 for stl and 3mf, else 1]
    ///
    /// The unit of glTF and of Rigy is the metre, and that of programs for 3D printers the millimetre. `--scale 1` leaves the numbers as they are.
    #[cfg_attr(feature = "cli", arg(long, value_parser = factor, help_heading = "Other tools"))]
    pub scale: Option<f64>,

    /// The file of a vertex animation texture: exr (32-bit floats) or png (16-bit integers) [default: exr]
    #[cfg(feature = "cli")]
    #[arg(long, value_name = "FORMAT", help_heading = "Other tools")]
    pub texture_format: Option<VatFormat>,

    /// A file that lacks the animation: error, skip or rest
    ///
    /// error: it fails. skip: it is left out, with a warning. rest: it is baked with its nodes as they are stored, with a warning.
    /// The default is rest if a PATH is a directory, else error. Of several animations, those that the file has are baked in any
    /// case but error.
    #[cfg_attr(feature = "cli", arg(long, value_name = "ACTION"))]
    #[serde(skip)]
    pub missing_animation: Option<MissingAnimation>,

    /// Joint scale under dqs: global, local or reject [default: global]
    ///
    /// global: the scale of a joint reaches everything below it. local: it stays with the joint; the bind pose keeps its
    /// own scale, and the scale of a root joint does not move the joint itself. reject: scale is an error.
    #[cfg_attr(feature = "cli", arg(long))]
    pub joint_scale: Option<Scale>,

    /// Joints whose scale alone is local, by name
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "NAME,...", value_delimiter = ',')
    )]
    pub local_scale_joints: Vec<String>,

    /// Under dqs, blend joint scale before the dual quaternions move a vertex
    ///
    /// Otherwise the motion of each joint carries a vertex to where the scale of that joint has moved it. With this option the result
    /// depends on where the bind pose stands: the farther from the origin, the more.
    #[cfg_attr(feature = "cli", arg(long))]
    pub two_stage: bool,

    /// Leave extensions as they are where the bake makes them untrue
    ///
    /// Otherwise expressions of avatars lose their morph targets, spring bones and levels of detail go where their joints or
    /// meshes have, and so does a flag that there is one root node; W15 says what went.
    #[cfg_attr(feature = "cli", arg(long))]
    pub keep_extensions: bool,

    /// Keep the nodes of skeletons that nothing needs any more
    ///
    /// Otherwise joints go whose vertices are baked, with nodes that only held them. A node stays that has a mesh, a camera, extensions
    /// or extras, or to which an extension refers, and with it all nodes above it.
    #[cfg_attr(feature = "cli", arg(long))]
    pub keep_skeleton: bool,

    /// The origin of baked meshes: origin, node or bounds
    ///
    /// origin: the world's, so that positions are those in the world. node: where the node of the mesh stood at the moment of the
    /// bake. bounds: the middle of its bounds at that moment. With node and bounds, the new node stands at the mesh's origin.
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, default_value_t, value_name = "PLACE")
    )]
    pub pivot: Pivot,

    /// Where images are: embed or beside [default: beside for several frames, else embed]
    ///
    /// embed: in each output. beside: in files of their own in the directory of the output, named by their content, so that equal images
    /// of all outputs there are one file.
    #[cfg_attr(feature = "cli", arg(long, value_name = "PLACE"))]
    pub textures: Option<Textures>,

    /// Take a required extension that is not known to leave geometry alone; may be repeated
    ///
    /// The file is baked as if the extension were not there. If it does touch geometry, skins or animations, the result is
    /// wrong.
    #[cfg_attr(feature = "cli", arg(long = "allow-extension", value_name = "NAME"))]
    pub allow_extensions: Vec<String>,
}

/// Reads the one animation of a file.
fn one_clip<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "animation is a name or a number from 0")]
    enum Clip {
        Number(u32),
        Name(String),
    }
    let clip = Option::deserialize(value)?.map(|clip| match clip {
        Clip::Number(number) => number.to_string(),
        Clip::Name(name) => name,
    });
    Ok(clip.into_iter().collect())
}

/// Reads a value that is left out where there is none: null is an error.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

impl BakeOptions {
    /// Returns the way in which the files of a run are baked. If it searches a directory, a file that lacks the animation is baked at rest unless
    /// `missing_animation` says otherwise.
    ///
    /// # Errors
    /// As [`job`](Self::job).
    pub fn job_of_run(self, searches_directory: bool) -> Result<BakeJob, String> {
        let clips = match self.animation.clone() {
            names if names.is_empty() => Clips::First,
            names => Clips::Named(names),
        };
        let default = match searches_directory {
            true => MissingAnimation::Rest,
            false => MissingAnimation::Error,
        };
        Ok(BakeJob {
            clips,
            missing: self.missing_animation.unwrap_or(default),
            ..self.job()?
        })
    }

    /// Returns the way in which one file is baked.
    ///
    /// # Errors
    /// A sentence, if the options cannot be combined or a number is out of range.
    pub fn job(self) -> Result<BakeJob, String> {
        self.check()?;
        let (form, export) = (self.animated(), self.export());
        let is_skin = self.form == FormName::Skin;
        let default = if is_skin { Solver::Dqs } else { Solver::Lbs };
        let skinning = Skinning {
            solver: self.solver.unwrap_or(default),
            scale: self
                .joint_scale
                .unwrap_or_default()
                .of_joints(&self.local_scale_joints),
            two_stage: self.two_stage,
        };
        let mut clips = self.animation;
        let clips = match clips.len() {
            0 => Clips::First,
            1 => Clips::One(clips.remove(0)),
            _ => Clips::Named(clips),
        };
        let helpers = is_skin.then(|| Helpers {
            tolerance: self.tolerance,
            most: self.helpers.map(usize::from),
            rate: self.frames.as_ref().map_or(30.0, Frames::rate),
        });
        let frames = self.frames.filter(|_| !is_skin).map(SampleTimes::Frames);
        Ok(BakeJob {
            clips,
            times: frames.unwrap_or(SampleTimes::At(self.time)),
            form,
            helpers,
            export,
            pivot: self.pivot,
            keeps_skeleton: self.keep_skeleton,
            keeps_extensions: self.keep_extensions,
            textures: self.textures,
            allowed_extensions: self.allow_extensions,
            motion: self.motion.map(|path| Motion::new(&path, exists)),
            ..BakeJob::new(skinning)
        })
    }

    /// Returns the form of one GLB for each animation; `None` for other files.
    fn animated(&self) -> Option<Form> {
        match self.form {
            FormName::Frames => None,
            FormName::Morph => Some(Form::Morph {
                tolerance: self.tolerance.unwrap_or(0.0),
            }),
            FormName::Step => Some(Form::Step),
            FormName::Skin => None,
            #[cfg(feature = "cli")]
            FormName::Vat => None,
        }
    }

    /// Returns how files of another tool are written; `None` for GLB.
    pub fn export(&self) -> Option<ExportKind> {
        let layout = self.layout();
        #[cfg(feature = "cli")]
        if self.form == FormName::Vat {
            let format = self.texture_format.unwrap_or_default();
            return Some(ExportKind::Textures(format, layout));
        }
        let OutputKind(format) = self.to.unwrap_or_default();
        Some(ExportKind::Meshes(format?, layout))
    }

    /// The layout that the options ask for; where they are silent, that of the format.
    fn layout(&self) -> Layout {
        let OutputKind(format) = self.to.unwrap_or_default();
        let default = format.map_or(Layout::default(), Format::layout);
        Layout {
            join: self.join.unwrap_or(default.join),
            up: self.up.unwrap_or(default.up),
            scale: self.scale.unwrap_or(default.scale),
        }
    }

    /// Checks that the options can be combined. The message has their names on the command line.
    fn check(&self) -> Result<(), &'static str> {
        let needs_frames = self.form != FormName::Frames;
        let is_skin = self.form == FormName::Skin;
        let is_export = self.export().is_some();
        let has_layout = self.layout() != Layout::default() || self.scale.is_some();
        #[cfg(feature = "cli")]
        match self.form {
            FormName::Vat if self.layout().up != Up::Y => {
                return Err("`--up` is not for `--as vat`: its readers take meshes whose y is up");
            }
            FormName::Vat => {}
            _ if self.texture_format.is_some() => {
                return Err("`--texture-format` goes with `--as vat` only");
            }
            _ => {}
        }
        let rules = [
            (
                is_export && self.textures == Some(Textures::Beside),
                "`--textures beside` is for GLB: files of other tools have their textures beside them in any case",
            ),
            (
                self.tolerance.is_some() && !matches!(self.form, FormName::Morph | FormName::Skin),
                "`--tolerance` goes with `--as morph` and `--as skin` only",
            ),
            (
                self.helpers.is_some() && !is_skin,
                "`--helpers` goes with `--as skin` only",
            ),
            (
                is_skin
                    && !(self.animation.is_empty()
                        && self.frames.as_ref().is_none_or(Frames::is_whole)),
                "`--as skin` keeps all animations whole: leave out `--animation`, and give `--frames` a rate alone (@60)",
            ),
            (
                is_skin && self.two_stage,
                "`--two-stage` cannot be combined with `--as skin`",
            ),
            (
                !self.tolerance.is_none_or(is_distance),
                "`--tolerance` is not a distance",
            ),
            (
                self.frames.is_some() && self.time.is_some(),
                "`--frames` and `--time` exclude each other",
            ),
            (
                needs_frames && self.time.is_some(),
                "`--time` is one moment; `--as` another form than frames takes `--frames`",
            ),
            (
                (is_skin || self.animated().is_some()) && self.pivot != Pivot::Origin,
                "`--pivot` is for single files: the frames of an animated file have one origin",
            ),
            (
                self.to.unwrap_or_default().0.is_some() && needs_frames,
                "`--as morph|step|skin|vat` cannot be combined with `--to`",
            ),
            (
                !is_export && has_layout,
                "`--join`, `--up` and `--scale` are for `--to`, and `--scale` is for `--as vat`",
            ),
            (
                self.to == Some(OutputKind(Some(Format::Npz)))
                    && self.up.is_some() | self.scale.is_some(),
                "`--up` and `--scale` are not for `--to npz`: its arrays are in the axes and the unit of glTF",
            ),
            (
                (self.export()).is_some_and(|kind| kind.array().is_some())
                    && self.join == Some(Join::Node),
                "`--join node` is not for arrays and point caches, which hold the vertices of one object",
            ),
            (
                self.joint_scale.is_some() && !self.local_scale_joints.is_empty(),
                "`--joint-scale` and `--local-scale-joints` exclude each other",
            ),
        ];
        let mut broken = rules.into_iter().filter(|(is_broken, _)| *is_broken);
        broken.next().map_or(Ok(()), |(_, message)| Err(message))
    }
}
