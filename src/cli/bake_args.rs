//! The arguments of `bake`.

use std::path::PathBuf;

use super::bake_values::{distance, factor, finite, joint_scale, output_kind};
use super::batch_args::Batch;
use super::places::place;
use crate::bake::{Pivot, Scale};
use crate::export::vat::Packing;
use crate::export::{Join, Up};
use crate::kernel::Solver;
use crate::run::batch::{FormName, Frames, MissingAnimation, OutputKind, Textures};

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
Exit status: 0 all good, 1 some input failed (with --check: or an output would change), 2 could not start, 75 failed for a reason that may pass (disk full, no memory, a network file system), 130 interrupted."
)]
#[command(next_help_heading = "Baking")]
pub struct Bake {
    /// Directories to search for *.glb, *.gltf and *.vrm, or files
    ///
    /// Hidden directories are skipped and links are not followed. In directories, files that are named like outputs
    /// (stem.baked.glb, stem.baked.Run.0000.glb, and the same with .gltf or .vrm) are skipped. A file that is named here may have any
    /// name. `-` is one file on standard input, which stands alone and takes `-o FILE` or `-o -`; what it refers to is relative to
    /// `--root`, or else to the current directory. A pipe is read likewise. `file://` URLs are paths.
    #[arg(required_unless_present = "inputs_from", value_name = "PATH", value_parser = place(), help_heading = None)]
    pub paths: Vec<PathBuf>,

    /// Linear blending (lbs) or dual quaternions (dqs)
    #[arg(long, value_enum, default_value_t = Solver::Lbs)]
    pub solver: Solver,

    /// Animations to bake, by name or number: one, several (A,B), or all
    ///
    /// `rigy-batch inspect FILE` lists them; numbers begin at 0. Without this option, --time and --frames take animation 0, and a run
    /// with neither takes none: nodes are as they are stored. With several or `all`, outputs are named by their animation: stem.CLIP.glb.
    /// A name that contains a comma can be given as it is.
    #[arg(long, value_name = "NAME|INDEX|A,B|all")]
    pub animation: Vec<String>,

    /// The moment to bake, in seconds from the start of the animation [default: 0]
    ///
    /// A moment outside the animation gives the values of its first or last keys, with a warning (W10). Without an animation, nodes
    /// are as they are stored and there is no moment.
    #[arg(long, value_name = "SECONDS", value_parser = finite, allow_negative_numbers = true)]
    pub time: Option<f64>,

    /// Write one file for each frame: of the whole animation (@24) or from A to B (0..47@24)
    ///
    /// The number after the @ is that of frames a second. Both ends are included; frame i is at i / FPS seconds.
    #[arg(long, value_name = "[A..B]@FPS", value_parser = Frames::parse, conflicts_with = "time")]
    pub frames: Option<Frames>,

    /// Single files (frames), one file for each animation (morph, step), or vertex animation textures (vat)
    ///
    /// frames: one file for each moment. morph: one file with a morph target for each frame and an animation of their weights. step:
    /// one file with a mesh for each frame and an animation that shows one after the other. vat: positions and normals of all animations that are
    /// named as textures, with a mesh that looks them up and a JSON file. The last three take the moments of --frames, by default all of
    /// the animation at 30 frames a second (@30). Names of files have no number.
    #[arg(long = "as", value_enum, default_value_t = FormName::Frames)]
    pub form: FormName,

    /// With --as morph: leave out frames that blending gives within this distance, in units of the model [default: 0]
    ///
    /// Vertices of a frame that is left out are at most this far from their places in a linear blend of the frames before and after it
    /// that are kept. With 0 only frames are left out that the blend gives exactly.
    #[arg(long, value_name = "DISTANCE", value_parser = distance)]
    pub tolerance: Option<f64>,

    /// The format: glb, obj, stl, ply or usda [default: that of the file after -o, or glb]
    ///
    /// With one input file, `-o x.stl` means `--to stl`, and the same for the others.
    /// Vertices stand in the space of the scene. Materials and textures of obj and usda are files beside it: stem.mtl and stem.IMAGE.png.
    /// With --frames, usda is one file for each animation, with samples of points over time; the others are one file for each frame.
    #[arg(long, value_name = "FORMAT", value_parser = output_kind(), help_heading = "Other tools")]
    pub to: Option<OutputKind>,

    /// One object for all meshes (all) or one for each node (node)
    ///
    /// For obj and usda; stl and ply hold one mesh.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Join::All, help_heading = "Other tools")]
    pub join: Join,

    /// The axis that points up in files of other tools and in textures: y or z
    #[arg(long, value_name = "AXIS", value_enum, default_value_t = Up::Y, help_heading = "Other tools")]
    pub up: Up,

    /// A factor of all positions in files of other tools and in textures, such as 1000 for millimetres
    ///
    /// Programs for 3D printers take millimetres and z up: `--to stl --up z --factor 1000`.
    #[arg(long, value_parser = factor, help_heading = "Other tools")]
    pub factor: Option<f64>,

    /// Numbers of vertex animation textures: float, half (EXR) or unorm16 (PNG) [default: float]
    #[arg(long, value_name = "KIND", help_heading = "Other tools")]
    pub packing: Option<Packing>,

    /// Most texels in a row of vertex animation textures, 1 to 16384 [default: 8192]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16384), help_heading = "Other tools")]
    pub max_width: Option<u32>,

    /// A file that lacks the animation: error, skip or rest
    ///
    /// error: it fails. skip: it is left out, with a warning. rest: it is baked with its nodes as they are stored, with a warning.
    /// The default is rest if a PATH is a directory, else error. Of several animations, those that the file has are baked in any
    /// case but error.
    #[arg(long, value_name = "ACTION")]
    pub missing_animation: Option<MissingAnimation>,

    /// Joint scale under dqs: global, local or reject [default: global]
    ///
    /// global: the scale of a joint reaches everything below it. local: it stays with the joint; the bind pose keeps its
    /// own scale, and the scale of a root joint does not move the joint itself. reject: scale is an error.
    #[arg(long, value_parser = joint_scale)]
    pub scale: Option<Scale>,

    /// Joints whose scale alone is local, by name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub scale_local: Vec<String>,

    /// Under dqs, blend joint scale before the dual quaternions move a vertex
    ///
    /// Otherwise the motion of each joint carries a vertex to where the scale of that joint has moved it. With this option the result
    /// depends on where the bind pose stands: the farther from the origin, the more.
    #[arg(long)]
    pub two_stage: bool,

    /// Leave extensions as they are where the bake makes them untrue
    ///
    /// Otherwise expressions of avatars lose their morph targets, spring bones and levels of detail go where their joints or
    /// meshes have, and so does a flag that there is one root node; W15 says what went.
    #[arg(long)]
    pub keep_extensions: bool,

    /// Keep the nodes of skeletons that nothing needs any more
    ///
    /// Otherwise joints go whose vertices are baked, with nodes that only held them. A node stays that has a mesh, a camera, extensions
    /// or extras, or to which an extension refers, and with it all nodes above it.
    #[arg(long)]
    pub keep_skeleton: bool,

    /// The origin of baked meshes: origin, node or bounds
    ///
    /// origin: the world's, so that positions are those in the world. node: where the node of the mesh stood at the moment of the
    /// bake. bounds: the middle of its bounds at that moment. With node and bounds, the new node stands at the mesh's origin.
    #[arg(long, value_enum, default_value_t = Pivot::Origin, value_name = "PLACE")]
    pub pivot: Pivot,

    /// Where images are: embed or beside [default: beside for several frames, else embed]
    ///
    /// embed: in each output. beside: in files of their own in the directory of the output, named by their content, so that equal images
    /// of all outputs there are one file.
    #[arg(long, value_name = "PLACE")]
    pub textures: Option<Textures>,

    /// Take a required extension that is not known to leave geometry alone; may be repeated
    ///
    /// The file is baked as if the extension were not there. If it does touch geometry, skins or animations, the result is
    /// wrong.
    #[arg(long, value_name = "NAME")]
    pub allow_extension: Vec<String>,

    #[command(flatten)]
    pub batch: Batch,
}
