//! The scene of a glTF file: the file itself, plain, and some moments that are baked.

use super::baked;
use super::checks::{check, too_large};
use super::glb::{Content, glb};
use super::materials::materials;
use super::{Block, Clip, Kind, Model, Scale, SceneData};
use rigy_base::diag::Diagnosed;
use rigy_base::short::short_name;
use rigy_gltf::{AboutFile, File, JointScale, Problem};
use rigy_kernel::simd::Isa;
use rigy_models::bake::Source;

/// Returns the scene of a glTF file. `name` is its name in the page, `scale` the treatment of joint scale under dual
/// quaternions.
///
/// # Errors
/// If a number of the file or a key of an animation cannot be used, or the scene exceeds the limit on its block.
pub fn gltf_scene(
    source: &Source,
    name: &str,
    scale: &JointScale,
    isa: Isa,
) -> Diagnosed<SceneData> {
    let mut block = Block::default();
    let (model, size, mut notes) = push_model(&mut block, source).about_file(name)?;
    let clips = clips(&source.file)?;
    let spans: Vec<[f64; 2]> = clips.iter().map(|clip| [clip.start, clip.end]).collect();
    let baked = baked::push(
        &mut block,
        source,
        size.images,
        (&spans, size.vectors),
        (scale, isa),
    );
    if baked.is_empty() && size.vectors > 0 {
        notes.push("There is no room for baked vertices.".to_owned());
    }
    Ok(SceneData {
        format: super::FORMAT,
        name: name.to_owned(),
        kind: Kind::Gltf,
        models: vec![model],
        clips,
        scale: scale.into(),
        baked,
        notes,
        block: block.bytes,
        ..SceneData::default()
    })
}

/// The animations of a file.
///
/// # Errors
/// Keys that cannot be used.
pub fn clips(file: &File) -> Diagnosed<Vec<Clip>> {
    let clip = |index: usize| {
        let [start, end] = file.span(index)?.unwrap_or_default();
        let name = match &file.animations[index].name {
            Some(name) => short_name(name).into(),
            None => format!("animation {index}"),
        };
        Ok(Clip { name, start, end })
    };
    (0..file.animations.len()).map(clip).collect()
}

/// The bytes of the positions and normals that a model shows, and of its images.
pub struct Size {
    pub vectors: u64,
    images: u64,
}

/// Appends the GLB of a file. Returns its description, its size, and remarks on what is left out.
///
/// # Errors
/// Those of [`check`]; if the block becomes too large.
pub fn push_model(
    block: &mut Block,
    source: &Source,
) -> Result<(Model, Size, Vec<String>), Problem> {
    let (vectors, mut notes) = check(&source.file)?;
    let (materials, images) = materials(source);
    if images.left_out > 0 {
        notes.push(format!(
            "Images that are left out, because they are not PNG, JPEG or WebP, or too large alone or together: {}.",
            images.left_out
        ));
    }
    let glb = block.push(&glb(&source.file, Content::Model(&materials, &images))?);
    too_large(block.bytes.len() as u64)?;
    let images = images
        .shown
        .iter()
        .flatten()
        .map(|(_, bytes)| bytes.len() as u64)
        .sum();
    Ok((Model { glb, materials }, Size { vectors, images }, notes))
}

impl From<&JointScale> for Scale {
    fn from(scale: &JointScale) -> Self {
        match scale {
            JointScale::Global => Self::Global,
            JointScale::Local => Self::Local,
            JointScale::LocalFor(names) => Self::For(names.iter().cloned().collect()),
            JointScale::Reject => Self::Reject,
        }
    }
}
