//! A file that has been read.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::gltf::{AboutFile, File, JointScale, Problem, Resources};
use super::images::Images;
use super::meshes::BakedMeshes;
use super::moment::{ClipTime, Moment, Posed, posed};
use super::palettes::PosedSkin;
use super::pivot::Pivot;
use super::references::{Reference, check_references};
use super::{gltf, kept, palettes};
use rigy_base::diag::{Code, Diagnosed, Warned};
use rigy_base::loader::{Loader, Location};
use rigy_kernel::math::Affine;

/// A file that has been read, with everything it refers to.
pub struct Source<'f> {
    /// The file itself.
    pub file: File<'f>,
    pub(super) images: Images,
    /// The names of images as files beside an output, once they are asked for.
    pub(super) image_names: OnceLock<Vec<Option<String>>>,
    /// The references in extensions of accessors and buffer views.
    pub(super) references_of_data: Vec<(Reference, usize)>,
    /// The extensions that objects of the JSON have.
    pub(super) extensions: BTreeSet<String>,
}

impl<'f> Source<'f> {
    /// Reads a file from its bytes. The loader finds the files that it refers to, relative to `location`.
    ///
    /// # Errors
    /// The errors of [`gltf::read`], else every reference in an extension to an accessor or view that does not exist,
    /// else every image that is there and cannot be read.
    pub fn read(
        bytes: &'f [u8],
        location: &Location,
        loader: &dyn Loader,
    ) -> Diagnosed<Warned<Self>> {
        Self::read_allowing(bytes, location, loader, &[])
    }

    /// Does the same as [`read`](Self::read), but extensions that are named in `allowed` may be required although they are not
    /// known; they are taken to leave geometry, skins and animations alone.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_allowing(
        bytes: &'f [u8],
        location: &Location,
        loader: &dyn Loader,
        allowed: &[String],
    ) -> Diagnosed<Warned<Self>> {
        Self::read_from(bytes, &Resources::new(location, loader), allowed, &|_| {
            Ok(())
        })
    }

    /// Does the same as [`read_allowing`](Self::read_allowing), and calls `admit` before other files are read, with the length of all
    /// of them in bytes.
    ///
    /// # Errors
    /// As [`read`](Self::read), and those of `admit`.
    pub fn read_from(
        bytes: &'f [u8],
        resources: &Resources,
        allowed: &[String],
        admit: &dyn Fn(u64) -> Diagnosed<()>,
    ) -> Diagnosed<Warned<Self>> {
        let Warned {
            value: mut file,
            mut warnings,
        } = gltf::read_from(bytes, resources, allowed, admit)?;
        let references_of_data = check_references(&mut file)?;
        let images = Images::read(&file, resources)?;
        warnings.extend(images.warnings);
        if !file.nodes.iter().any(|node| node.skin.is_some()) {
            let problem = Problem::rule(&"", "there is no skin; the file is posed and written")
                .code(Code::W08);
            warnings.push(problem.into_diagnostic(&file.name));
        }
        Ok(Warned {
            value: Self {
                extensions: kept::used_in(
                    file.extended
                        .iter()
                        .map(|index| &file.tree.members()[*index]),
                ),
                file,
                images: images.value,
                image_names: OnceLock::new(),
                references_of_data,
            },
            warnings,
        })
    }
}

impl Source<'_> {
    /// Returns for each node true if it is visible at any of some moments.
    ///
    /// # Errors
    /// If the keys of an animation cannot be used; every property of a node that is not finite.
    pub fn visible_at_any<'m>(
        &self,
        moments: impl IntoIterator<Item = &'m Option<ClipTime>>,
    ) -> Diagnosed<Vec<bool>> {
        let file = &self.file;
        let mut keys = file.animations.iter().flat_map(|animation| &animation.keys);
        // Without such keys all moments show the same.
        let are_alike = keys.all(|keys| keys.property != gltf::Property::Visibility);
        let count = if are_alike { 1 } else { usize::MAX };
        let mut visible = vec![false; file.nodes.len()];
        for at in moments.into_iter().take(count) {
            let pose = posed(file, *at)?.pose;
            let hidden = file.hidden_nodes(|node| pose.nodes[node].visible);
            visible
                .iter_mut()
                .zip(hidden)
                .for_each(|(visible, hidden)| *visible |= !hidden);
        }
        Ok(visible)
    }

    /// Returns the name of each node that is a joint of some skin, in the order of the file, and its matrix to the scene at a moment.
    ///
    /// # Errors
    /// As [`visible_at_any`](Self::visible_at_any).
    pub fn joints(&self, at: Option<ClipTime>) -> Diagnosed<Vec<(String, Affine)>> {
        let nodes = &self.file.nodes;
        let globals = posed(&self.file, at)?.skeleton.globals;
        let skins = self.file.skins.iter();
        let joints = skins.flat_map(|skin| skin.joints.iter().copied());
        let named = |node: usize| {
            let name = || format!("node {node}");
            (nodes[node].name.clone().unwrap_or_else(name), globals[node])
        };
        Ok(BTreeSet::from_iter(joints).into_iter().map(named).collect())
    }

    /// Returns for each skin the transforms of its joints at a moment; `None` for a skin that no mesh uses. A joint that
    /// has no dual quaternion is a warning.
    ///
    /// # Errors
    /// If the file has no such animation; every property of a node, and every joint matrix, that is not finite.
    pub fn skins(
        &self,
        moment: &Moment,
        scale: &JointScale,
    ) -> Diagnosed<Warned<Vec<Option<PosedSkin>>>> {
        let Self { file, .. } = self;
        let at = moment.in_file(file)?;
        let Posed {
            pose,
            skeleton,
            mut warnings,
            ..
        } = posed(file, at.value)?;
        warnings.extend(at.warnings);
        let mut meter = file.meter;
        let meshes = BakedMeshes::new(file, &pose, &skeleton, Pivot::Origin, &mut meter);
        let used = meshes.about_file(&file.name)?.skins();
        let mut skins = palettes::posed_skins(file, &used, &skeleton, scale, &mut meter)?;
        skins.warnings.splice(0..0, warnings);
        Ok(skins)
    }
}
