//! The place of the configuration file.

use std::path::{Path, PathBuf};

use crate::io::{exists, identity};
use rigy_base::loader::Motion;
use rigy_base::paths::Slashed;

/// The file, as messages show it, and the directory that its relative paths start from.
pub struct ConfigurationPlace {
    pub file: PathBuf,
    pub base: PathBuf,
    /// The same directory, resolved, for a file that a search has found: whoever wrote it may not be trusted, so its paths stay there.
    pub tree: Option<PathBuf>,
}

impl ConfigurationPlace {
    /// Returns why a path that the file names, or the file itself, is refused: it leads out of the tree. `None` if it does not.
    pub fn leads_out(&self, path: &Path) -> Option<String> {
        let tree = self.tree.as_ref()?;
        // A clip may follow the path of a motion.
        let cut = Motion::new(path, exists).location.0;
        let leads_out = [path, &cut].map(|path| !identity(path).starts_with(tree));
        leads_out.contains(&true).then(|| {
            let (tree, file) = (tree.slashed(), self.file.slashed());
            format!(
                "leads out of `{tree}`, where this file was found; `--config {file}` takes it nevertheless, if you trust who wrote it"
            )
        })
    }
}
