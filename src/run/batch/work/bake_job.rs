//! The way in which glTF files are baked.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::bake_exports::ExportKind;
use super::frames::Frames;
use crate::bake::{Baker, Form, Helpers, Pivot, Settings, Skinning, Source};
use rigy_base::loader::Motion;
use rigy_export::{Beside, Images};
use rigy_kernel::executor::Executor;

/// The way in which each file is baked.
///
/// ```
/// use rigy_batch::Skinning;
/// use rigy_batch::run::batch::{BakeJob, Clips, Frames, SampleTimes};
///
/// let job = BakeJob {
///     clips: Clips::Named(vec!["Walk".into(), "Run".into()]),
///     times: SampleTimes::Frames(Frames::parse("@24")?),
///     ..BakeJob::new(Skinning::linear())
/// };
/// assert!(job.clips.are_in_names());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct BakeJob {
    /// The animations.
    pub clips: Clips,
    /// The times at which each of them is sampled.
    pub times: SampleTimes,
    /// The form of one file for each animation; `None` for one file for each moment. A form needs frames: without them there are 30 a
    /// second, from the first to the last key.
    pub form: Option<Form>,
    /// The helper joints of one file for each input, which keeps its skins and animations; `None` if vertices are baked.
    pub helpers: Option<Helpers>,
    /// The format of another tool; `None` for GLB.
    pub export: Option<ExportKind>,
    /// The treatment of a file that lacks an animation.
    pub missing: MissingAnimation,
    /// The solver by which vertices follow their joints.
    pub skinning: Skinning,
    /// See [`Settings::keeps_extensions`].
    pub keeps_extensions: bool,
    /// See [`Settings::keeps_skeleton`].
    pub keeps_skeleton: bool,
    /// The origin of baked meshes.
    pub pivot: Pivot,
    /// Where images are; `None` puts those of several frames beside them, and others into the output.
    pub textures: Option<Textures>,
    /// Extensions that files may require although they are not known.
    pub allowed_extensions: Vec<String>,
    /// The file whose animations are played in the place of those of each file; for a single file, its loader [has](rigy_base::loader::Loader::motion) it.
    pub motion: Option<Motion>,
}

/// The animations of each file that are baked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Clips {
    /// Animation 0 if times are given; else none, and nodes are as they are stored.
    #[default]
    First,
    /// The one of this name or number.
    One(String),
    /// Those of these names or numbers. A text that is no animation's name may be several names with commas between them, or
    /// `all`.
    Named(Vec<String>),
}

/// The times at which an animation is sampled.
#[derive(Clone, Debug, PartialEq)]
pub enum SampleTimes {
    /// One time in seconds; `None` is time 0 of an animation that is named.
    At(Option<f64>),
    /// Several frames, each an output of its own.
    Frames(Frames),
}

rigy_base::choices! {
    /// The treatment of a file without an animation that was asked for.
    #[derive(Default)]
    pub enum MissingAnimation {
        /// The file fails.
        #[default]
        Error,
        /// The animation is left out with a warning (W13), and the file if it has none of those that were asked for.
        Skip,
        /// As `Skip`, but a file that has none is baked with its nodes as they are stored.
        Rest,
    }
}

rigy_base::choices! {
    /// The place of images.
    pub enum Textures {
        /// In each output.
        Embed,
        /// In files of their own beside the outputs, which share them.
        Beside,
    }
}

impl Clips {
    /// Returns true if file names contain the animation, because a file may have several outputs that differ in nothing else. This
    /// does not depend on the file.
    pub fn are_in_names(&self) -> bool {
        match self {
            Self::First | Self::One(_) => false,
            Self::Named(names) => match &**names {
                [name] => name == ALL || name.contains(','),
                _ => true,
            },
        }
    }
}

/// The word for all animations of a file.
pub const ALL: &str = "all";

impl BakeJob {
    /// One output for each file, with its nodes as they are stored.
    pub fn new(skinning: Skinning) -> Self {
        Self {
            clips: Clips::First,
            times: SampleTimes::At(None),
            form: None,
            helpers: None,
            export: None,
            missing: MissingAnimation::Error,
            skinning,
            keeps_extensions: false,
            keeps_skeleton: false,
            pivot: Pivot::Origin,
            textures: None,
            allowed_extensions: Vec::new(),
            motion: None,
        }
    }

    /// Returns true if an animation is one output, for which all its frames are made.
    pub(crate) fn needs_frames(&self) -> bool {
        self.form.is_some()
            || (self.export).is_some_and(|kind| kind.ending().is_none() || kind.array().is_some())
    }

    /// Returns true if all frames of an animation go into one output.
    pub(crate) fn joins_frames(&self) -> bool {
        self.form.is_some() || self.export.is_some_and(|export| export.holds_clips())
    }

    /// Returns true if an animation may have several frames.
    pub(crate) fn has_several_frames(&self) -> bool {
        match &self.times {
            SampleTimes::At(_) => false,
            SampleTimes::Frames(frames) => !frames.is_one(),
        }
    }

    /// Returns true if images are files beside the outputs.
    pub(crate) fn puts_textures_beside(&self) -> bool {
        let default = self.has_several_frames() && self.form.is_none() && self.export.is_none();
        self.textures
            .map_or(default, |place| place == Textures::Beside)
    }

    /// Returns the files beside the outputs of a file.
    pub(crate) fn files_beside<'s>(&self, source: &'s Source<'s>) -> Vec<Beside<'s>> {
        let images = if self.puts_textures_beside() {
            source.image_files()
        } else {
            BTreeMap::new()
        };
        let file = |(name, bytes): (&str, &'s [u8])| Beside {
            name: name.to_owned(),
            bytes: bytes.into(),
        };
        images.into_iter().map(file).collect()
    }

    /// Returns the images of a file as textures of files of other tools; none for GLB. Their names begin with `name`, the beginning
    /// of the names of its outputs, in characters that MTL, USD and URIs take as they are.
    pub(crate) fn exported_images<'s>(&self, source: &'s Source, name: &str) -> Images<'s> {
        if self.export.is_some_and(|export| export.has_textures()) {
            Images::of(source, &plain(name))
        } else {
            Images::default()
        }
    }

    /// Returns the baker of a file.
    pub(crate) fn baker<'s>(
        &self,
        source: &'s Source<'s>,
        executor: &'s dyn Executor,
    ) -> Baker<'s> {
        let settings = Settings {
            keeps_extensions: self.keeps_extensions,
            keeps_skeleton: self.keeps_skeleton,
            textures_beside: self.puts_textures_beside(),
            pivot: self.pivot,
            keeps_vertices: self.has_several_frames(),
        };
        Baker::with(source, settings, executor)
    }

    /// Returns true if every file is baked with its nodes as they are stored. A motion is played, and files with helper joints have all clips.
    pub(crate) fn is_stored(&self) -> bool {
        self.clips == Clips::First
            && self.times == SampleTimes::At(None)
            && !self.needs_frames()
            && (self.motion.is_none() || self.helpers.is_some())
    }

    /// Returns true if the names of a file's outputs depend on its content, and not only on its own name.
    pub(crate) fn names_depend_on_content(&self) -> bool {
        self.clips.are_in_names()
            || (!self.joins_frames() && matches!(self.times, SampleTimes::Frames(_)))
            || self.missing == MissingAnimation::Skip
    }
}

/// Returns a name with `_` for other characters than `A–Z a–z 0–9 . _ -` and without what is too long. If any is, eight hexadecimal digits of
/// the SHA-256 of the original follow, so that names that differ still do.
fn plain(name: &str) -> String {
    /// Longest beginning of a texture's name, in bytes.
    const LONGEST: usize = 120;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let plain = |c: char| if is_plain(c) { c } else { '_' };
    let short: String = name.chars().take(LONGEST).map(plain).collect();
    if !name.is_empty() && short == name {
        return short;
    }
    let hash = Sha256::digest(name);
    let digits: String = hash[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{digits}", if short.is_empty() { "_" } else { &short })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_textures_have_few_characters_and_differ() {
        assert_eq!(plain("run-1_b.c"), "run-1_b.c");
        assert_eq!(plain("bow/deep"), "bow_deep-fbe025a8");
        assert_eq!(plain(""), "_-e3b0c442");
        let names = ["bow/deep", "bow deep", "bow_deep", "böw deep", "", "_"];
        let mut parts: Vec<String> = names.map(plain).into();
        parts.sort();
        parts.dedup();
        assert_eq!(parts.len(), names.len());
        assert_eq!(plain(&"é".repeat(500)).len(), 120 + 9);
        assert_ne!(plain(&"x".repeat(500)), plain(&"x".repeat(501)));
    }
}
