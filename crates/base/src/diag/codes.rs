//! The table of codes: the name, category and meaning of each.

use serde::{Deserialize, Serialize};
use std::fmt;

crate::named! {
    /// The six categories of the specification. Only the category of the first error is compared by suites.
    #[derive(Serialize, Deserialize)]
    pub enum Category {
        /// Syntax, schema, version and file reference problems.
        ParseError = "ParseError",
        /// Semantic rules.
        ValidationError = "ValidationError",
        /// Geometry.
        TessellationError = "TessellationError",
        /// Assembly of the GLB, and writing it.
        ExportError = "ExportError",
        /// Contract files.
        ContractError = "ContractError",
        /// Anchors and frames.
        CompositionError = "CompositionError",
        /// An input or a directory that cannot be read. The specification has no category for it.
        FileError = "FileError",
    }
}

/// Declares the codes once, for the enum, the list of all codes and the lookups.
macro_rules! codes {
    ($($code:ident $category:ident $title:literal;)*) => {
        /// A stable code. `V` codes are the specification's, `U` codes this project's for conditions the
        /// specification leaves unnumbered, `W` codes are warnings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[allow(missing_docs)] // each title below says what its code means; `Code::title` returns it
        pub enum Code { $($code,)* }

        impl Code {
            /// Every code, in table order.
            pub const ALL: &'static [Self] = &[$(Self::$code,)*];

            /// Returns its name, such as `V11`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$code => stringify!($code),)* }
            }

            /// Returns the category of findings with this code.
            pub fn category(self) -> Category {
                match self { $(Self::$code => Category::$category,)* }
            }

            /// Returns its meaning in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Self::$code => $title,)* }
            }
        }
    };
}

codes! {
    V01 ValidationError "two meshes have the same id";
    V02 ValidationError "two primitives of a mesh have the same id";
    V03 ValidationError "two armatures have the same id";
    V04 ValidationError "two bones of an armature have the same id";
    V05 ValidationError "bone parents form a cycle";
    V06 ValidationError "bone has no length";
    V07 ValidationError "dimension is not positive";
    V08 ValidationError "binding names an unknown mesh";
    V09 ValidationError "binding names an unknown armature";
    V10 ValidationError "weights name an unknown primitive";
    V11 ValidationError "weights name an unknown bone";
    V12 ValidationError "mesh is bound twice";
    V13 ValidationError "weight is outside 0 to 1";
    V14 ValidationError "weight map names an unknown primitive";
    V15 ValidationError "gradient names an unknown bone";
    V16 ValidationError "override names an unknown bone";
    V17 ValidationError "gradient weight is outside 0 to 1";
    V18 ValidationError "override weight is outside 0 to 1";
    V19 ValidationError "vertex index is beyond the primitive";
    V20 ValidationError "weight file is missing or malformed";
    V21 ValidationError "weight file has another vertex count";
    V22 ValidationError "weight file is for another primitive";
    V23 ValidationError "weight map is empty";
    V24 ValidationError "two anchors have the same id";
    V25 ValidationError "two instances have the same id";
    V26 ValidationError "instance names an unknown import";
    V27 ValidationError "instance names an unknown mesh";
    V28 ValidationError "one id is used for two kinds of things";
    V29 ValidationError "instance names an anchor its import lacks";
    V30 ValidationError "instance names an unknown local anchor";
    V31 ContractError "contract is not satisfied";
    V32 ValidationError "number is not finite";
    V33 ParseError "unknown field";
    V34 ParseError "missing field";
    V35 ValidationError "bone transform is not rigid";
    V36 ValidationError "pose rotation is not a unit quaternion";
    V37 ValidationError "two materials have the same id";
    V38 ValidationError "mesh or primitive names an unknown material";
    V39 ValidationError "base color has not four components";
    V40 ValidationError "base color is outside 0 to 1";
    V41 ValidationError "primitives of a mesh have different materials";
    V42 ValidationError "material of an import is unknown";
    V43 ValidationError "unknown UV role";
    V44 ValidationError "two UV roles are the same";
    V45 ValidationError "name of a UV set is malformed";
    V46 ValidationError "mesh lacks a UV role of its material";
    V47 ValidationError "material names an unknown UV role";
    V50 ValidationError "UV generator is empty";
    V51 ValidationError "unknown UV generator";
    V52 ValidationError "UV generator is not for this shape";
    V53 ValidationError "UV roles without UV sets";
    V54 ValidationError "UV role names an unknown set";
    V55 ValidationError "UV sets are not numbered from 0 without gaps";
    V56 ParseError "two keys of a mapping are the same";
    V57 ParseError "unknown field";
    V58 ParseError "param has no legal name or value";
    V59 ParseError "unknown param";
    V60 ParseError "param inside a text";
    V61 ParseError "param has another type than its field";
    V62 ParseError "count of a repeat is not a whole number of 0 or more";
    V63 ParseError "name of a repeat is malformed";
    V64 ParseError "repeat is malformed";
    V65 ParseError "token without a repeat";
    V66 ValidationError "two elements have the same id";
    V67 ValidationError "axis of a rotation has no length";
    V68 ValidationError "expression is malformed";
    V69 ValidationError "expression names a param that is no number";
    V70 ValidationError "value of an expression is not finite";
    V71 ValidationError "root of a negative number";
    V72 ValidationError "transform has more than one rotation";
    V73 ValidationError "rotation is malformed";
    V74 ValidationError "primitive has no material";
    V75 ValidationError "mesh or primitive names an unknown material";
    V76 ValidationError "macro names another mesh";
    V77 ValidationError "feature of version 0.12";
    V78 ValidationError "quaternion has no length";
    V79 ValidationError "implicit surface before version 0.13";
    V80 ValidationError "domain is not a box";
    V81 ValidationError "grid has fewer than two samples on an axis";
    V82 ValidationError "implicit surface has no operators";
    V83 ValidationError "unknown field of an operator";
    V84 ValidationError "radius, strength or height of an operator is not positive";
    V85 ValidationError "scale of an operator is not uniform and positive";
    V86 ValidationError "grid has too many samples";
    V87 ValidationError "unknown extraction algorithm";
    F114 ValidationError "primitive of a macro has the id of another";
    F115 ParseError "box has corners and a transform";
    F116 ParseError "cutout has no legal id";
    U01 ValidationError "bone has an unknown parent";
    U02 ValidationError "pose names an unknown bone";
    U03 ValidationError "two poses have the same id";
    U04 ParseError "gradient range is not ascending";
    U05 ParseError "circular import";
    U06 ParseError "import or contract file is missing";
    U07 CompositionError "anchor belongs to another import";
    U08 CompositionError "frame is degenerate";
    U09 CompositionError "local instance names an unknown anchor";
    U10 ParseError "document is malformed";
    U11 TessellationError "unknown tessellation profile";
    U12 ValidationError "armature without bones";
    U13 ValidationError "weight file of an import";
    U14 ParseError "path leads outside the root";
    U15 ExportError "number overflows single precision";
    U16 ExportError "too many joints";
    U17 ExportError "output would be too large";
    U18 ValidationError "place has no slot or no mount";
    U19 ValidationError "reference is not in the part's contract";
    U20 ValidationError "frame of a placement is degenerate";
    U21 ValidationError "glTF file lacks the requested animation";
    W01 ValidationError "more than four influences";
    W02 ValidationError "weights and weight map for one primitive";
    W03 ValidationError "root bone is not at the origin";
    W04 ValidationError "pose rotation was normalised";
    W05 ValidationError "instances of an imported part are left out";
    W06 ValidationError "instances are left out of baked output";
    W07 ValidationError "glTF file departs from its specification";
    W08 ValidationError "glTF file has no skin";
    W09 ValidationError "root joint keeps its scale";
    W10 ValidationError "time lies outside the animation";
    W11 ValidationError "pose leaves bones without translation";
    W12 ValidationError "feature of a later version";
    W13 ValidationError "glTF file lacks the animation";
    W15 ValidationError "glTF extension has lost entries";
    W16 ExportError "output format cannot hold something";
    W17 ValidationError "weights that later ones replace";
    W18 ValidationError "angle of more than a full turn";
    W19 ValidationError "rotations look like x, y, z, w";
    W20 ValidationError "weights do not add up to 1";
    W21 ValidationError "implicit surface without triangles";
    W22 ValidationError "prefix of mirroring matches no id";
    W23 ValidationError "implicit surface is cut by its domain";
    W24 ValidationError "pose leaves a bone behind its parent";
    W25 ValidationError "motion fits a glTF file in part";
    W26 ValidationError "helper joints miss their tolerance";
    W27 ValidationError "joints of helpers are turned by more than animations";
}

impl Code {
    /// Returns the codes of all warnings.
    pub fn warnings() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|code| code.is_warning())
    }

    /// Returns the code with this name, in upper or lower case.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.name().eq_ignore_ascii_case(name))
    }

    /// Returns true if a finding with this code is a warning.
    pub fn is_warning(self) -> bool {
        self.name().starts_with('W')
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_complete_and_without_repeats() {
        let names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        let mut expected: Vec<String> = (1..=87).map(|n| format!("V{n:02}")).collect();
        // The specification has no V48 and no V49.
        expected.retain(|name| name != "V48" && name != "V49");
        expected.extend((114..=116).map(|n| format!("F{n}")));
        expected.extend((1..=21).map(|n| format!("U{n:02}")));
        expected.extend((1..=27).map(|n| format!("W{n:02}")));
        // W14 has left, and its number is not used again.
        expected.retain(|name| name != "W14");
        assert_eq!(names, expected);
        assert!(Code::W03.is_warning() && !Code::V03.is_warning());
    }
}
