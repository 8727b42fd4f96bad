//! Names of a scene at a length that a page can show.

use super::SceneData;
use rigy_language::base::short::short_name;

impl SceneData {
    /// Cuts long names of surfaces, skins, joints, poses and clips, by [`short_name`].
    pub(super) fn with_short_names(mut self) -> Self {
        let joints = self.skins.iter_mut().flat_map(|skin| &mut skin.joints);
        joints.for_each(|joint| shorten(&mut joint.name));
        self.skins
            .iter_mut()
            .for_each(|skin| shorten(&mut skin.name));
        self.surfaces
            .iter_mut()
            .for_each(|one| shorten(&mut one.name));
        self.poses
            .iter_mut()
            .for_each(|pose| shorten(&mut pose.name));
        self.clips
            .iter_mut()
            .for_each(|clip| shorten(&mut clip.name));
        self
    }
}

fn shorten(name: &mut String) {
    if let std::borrow::Cow::Owned(short) = short_name(name) {
        *name = short;
    }
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn only_long_names_are_cut() {
        let mut name = "ö".repeat(400);
        shorten(&mut name);
        assert_eq!(name, "ö".repeat(400));
        name.push('ö');
        shorten(&mut name);
        assert_eq!(name, "ö".repeat(399) + "…");
    }
}
