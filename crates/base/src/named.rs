//! Enumerations whose values have names.

/// Defines an enumeration without data, in which each value stands with its name: `Box = "box"`.
///
/// Its values can be copied and compared, and are shown by their names.
///
/// ```
/// rigy_base::named! {
///     /// A side.
///     pub enum Side {
///         /// Where the thumb of the right hand points.
///         Left = "left",
///         /// The other one.
///         Right = "right",
///     }
/// }
/// assert_eq!(Side::ALL.map(Side::name), Side::NAMES);
/// assert_eq!(Side::named("right"), Some(Side::Right));
/// assert_eq!(Side::Left.to_string(), "left");
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$of_all:meta])* $visibility:vis enum $Enum:ident {
        $($(#[$of_one:meta])* $Value:ident = $name:literal,)*
    }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

        impl std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

/// Defines an enumeration of values that an option takes, on a command line and in bindings: by their names in lower case.
///
/// ```
/// rigy_base::choices! {
///     /// A side.
///     pub enum Side {
///         /// Where the thumb of the right hand points.
///         Left,
///         /// The other one.
///         Right,
///     }
/// }
/// assert!(matches!(serde_json::from_str("\"left\""), Ok(Side::Left)));
/// ```
#[macro_export]
macro_rules! choices {
    ($(#[$of_all:meta])* pub enum $Enum:ident { $($values:tt)* }) => {
        $(#[$of_all])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
        #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
        #[serde(rename_all = "lowercase")]
        pub enum $Enum {
            $($values)*
        }
    };
}
