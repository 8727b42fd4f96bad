//! Joints that already are helpers, and those that more than animations turns.

use std::collections::BTreeSet;

use crate::bake::adapt::node_references::nodes_that_turn;
use crate::bake::adapt::removed::Names;
use rigy_base::diag::Code;
use rigy_gltf::json::Value;
use rigy_gltf::{File, Problem, Result, quoted};

/// Checks that a skin has no helpers.
///
/// # Errors
/// If it has one, by its name and that of the node above it.
pub fn check_original(file: &File, skin: usize) -> Result<()> {
    let name = |node: usize| file.nodes[node].name.as_deref().unwrap_or("");
    for joint in &file.skins[skin].joints {
        let above = file.nodes[*joint].parent.map_or("", name);
        if above.starts_with("helper.") && name(*joint) == format!("{above}.joint") {
            let message = format!(
                "{} is a helper: `--as skin` has made this file",
                quoted(name(*joint))
            );
            let problem = Problem::rule(&format!("skins[{skin}]"), message);
            return Err(problem.help("bake the file that it was made of"));
        }
    }
    Ok(())
}

/// A warning about each skin some of whose joints springs or constraints of avatars turn when the file is shown. The tree has the nodes of the
/// file, and is left as it is.
pub fn turned(
    file: &File,
    tree: &mut Value,
    skins: impl Iterator<Item = usize>,
) -> impl Iterator<Item = Problem> {
    let turned: BTreeSet<usize> = nodes_that_turn(tree);
    skins.filter_map(move |skin| {
        let joints = file.skins[skin].joints.iter();
        let mut names = Names::default();
        for joint in joints.filter(|joint| turned.contains(joint)) {
            names.add(file.nodes[*joint].name.as_deref().unwrap_or(""));
        }
        let message = format!("springs or constraints turn joints, which helpers do not know: {names}");
        let problem = Problem::rule(&format!("skins[{skin}]"), message).code(Code::W27);
        let help = "look at these joints where the file is used; vertices may be farther off than by linear blending";
        (names.count > 0).then(|| problem.help(help))
    })
}
