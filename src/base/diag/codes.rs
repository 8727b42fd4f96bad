//! The table of codes: the name, category and meaning of each.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The six categories of the specification. Only the category of the first error is compared by suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Category {
    /// Syntax, schema, version and file reference problems.
    ParseError,
    /// Semantic rules.
    ValidationError,
    /// Geometry.
    TessellationError,
    /// Assembly of the GLB, and writing it.
    ExportError,
    /// Contract files.
    ContractError,
    /// Anchors and frames.
    CompositionError,
}

impl Category {
    /// Returns its name as the specification and manifests spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ParseError => "ParseError",
            Self::ValidationError => "ValidationError",
            Self::TessellationError => "TessellationError",
            Self::ExportError => "ExportError",
            Self::ContractError => "ContractError",
            Self::CompositionError => "CompositionError",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
    U17 ExportError "file would exceed 4 GiB";
    W01 ValidationError "more than four influences";
    W02 ValidationError "weights and weight map for one primitive";
    W03 ValidationError "root bone is not at the origin";
    W04 ValidationError "pose rotation was normalised";
    W05 ValidationError "instances of an imported part are left out";
    W06 ValidationError "instances are left out of baked output";
    W07 ValidationError "glTF file departs from its specification";
    W08 ValidationError "glTF file has no skin";
    W09 ValidationError "root joint keeps its scale";
    W11 ValidationError "pose leaves bones without translation";
    W12 ValidationError "feature of a later version";
}

impl Code {
    /// Returns the codes of all warnings.
    pub fn warnings() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|code| code.is_warning())
    }

    /// Returns the code with this name, in upper or lower case.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|code| code.name().eq_ignore_ascii_case(name))
    }

    /// Returns true if a finding with this code is a warning.
    pub fn is_warning(self) -> bool {
        self.name().starts_with('W')
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_complete_and_without_repeats() {
        let names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        let mut expected: Vec<String> = (1..=36).map(|n| format!("V{n:02}")).collect();
        expected.extend((1..=17).map(|n| format!("U{n:02}")));
        // W10 is reserved.
        expected.extend((1..=12).filter(|n| *n != 10).map(|n| format!("W{n:02}")));
        assert_eq!(names, expected);
        assert!(Code::W03.is_warning() && !Code::V03.is_warning());
    }
}
