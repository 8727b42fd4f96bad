//! Enumerations whose values have names.

/// Defines an enumeration without data, in which each value stands with its name: `Box = "box"`.
///
/// ```
/// rigy_base::named! {
///     /// A side.
///     #[derive(Clone, Copy, Debug, PartialEq)]
///     pub enum Side {
///         /// Where the thumb of the right hand points.
///         Left = "left",
///         /// The other one.
///         Right = "right",
///     }
/// }
/// assert_eq!(Side::ALL.map(Side::name), Side::NAMES);
/// assert_eq!(Side::named("right"), Some(Side::Right));
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$of_all:meta])* $visibility:vis enum $Enum:ident {
        $($(#[$of_one:meta])* $Value:ident = $name:literal,)*
    }) => {
        $(#[$of_all])*
        $visibility enum $Enum {
            $($(#[$of_one])* $Value,)*
        }

        impl $Enum {
            /// All values, in order.
            pub const ALL: [Self; Self::NAMES.len()] = [$(Self::$Value),*];

            /// Their names, in the same order.
            pub const NAMES: [&'static str; [$($name),*].len()] = [$($name),*];

            /// Returns its name.
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }

            /// Returns the value of this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.name() == name)
            }
        }
    };
}
