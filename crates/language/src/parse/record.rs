//! Records: mappings of fields, each declared once, for the struct of the model, the table and the reading.

use super::coerce::{number, plain, vertex, word};
use super::reader::{Read, Reader};
use crate::schema::Form;
use crate::yaml::NodeId;
use rigy_base::diag::{Spanned, Text};

/// A type that a field may have.
pub trait Value: Sized {
    /// What authors write for it.
    const FORM: Form;
    /// The word for several of it in messages.
    const MANY: &'static str = "values";

    /// Reads a value; returns `None` after a fault has been reported.
    fn read(r: &Reader, id: NodeId) -> Option<Self>;
}

/// Declares what authors write for a type, and the function that reads it.
macro_rules! value {
    ($($T:ty: $form:expr, $read:expr $(, $many:literal)?;)*) => {
        $(impl $crate::parse::Value for $T {
            const FORM: $crate::schema::Form = $form;
            $(const MANY: &'static str = $many;)?

            fn read(
                r: &$crate::parse::Reader,
                id: $crate::yaml::NodeId,
            ) -> Option<Self> {
                $read(r, id)
            }
        })*
    };
}
pub(crate) use value;

value! {
    String: Form::Text, plain, "anchor ids";
    f64: Form::Number, |r, id| number(r, id).map(|number| number.value), "numbers";
    u64: Form::Vertex, |r, id| vertex(r, id).map(|vertex| vertex.value);
}

impl<T: Value> Value for Spanned<T> {
    const FORM: Form = T::FORM;
    const MANY: &'static str = T::MANY;

    fn read(r: &Reader, id: NodeId) -> Option<Self> {
        Some(Self::new(T::read(r, id)?, r.span(id)))
    }
}

impl<T: Value> Value for Vec<T> {
    const FORM: Form = Form::List(&T::FORM);

    fn read(r: &Reader, id: NodeId) -> Option<Self> {
        r.list(id, T::read)
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    const FORM: Form = Form::Tuple(N, &T::FORM);

    fn read(r: &Reader, id: NodeId) -> Option<Self> {
        r.tuple(id, T::MANY, T::read)
    }
}

/// A field that may be left out.
impl<T: Value> Value for Option<T> {
    const FORM: Form = T::FORM;

    fn read(r: &Reader, id: NodeId) -> Option<Self> {
        T::read(r, id).map(Some)
    }
}

/// Reads a value that is checked, but not kept.
pub fn checked<T: Value>(r: &Reader, id: NodeId) -> Option<()> {
    T::read(r, id).map(|_| ())
}

/// Returns the reading of a field that is one of these words, as the index of the word.
pub fn index(words: &'static [&'static str]) -> impl Read<usize> {
    move |r: &Reader, id| word(r, id, words)
}

/// Returns the reading of a field that is one of these words, which is not kept.
pub fn only(words: &'static [&'static str]) -> impl Read<()> {
    move |r: &Reader, id| word(r, id, words).map(|_| ())
}

/// Returns the reading of a mapping from names of the author's; `of` says in messages from what to what.
pub fn entries<T>(
    of: &'static str,
    read: impl Fn(&Reader, Text, NodeId) -> Option<T>,
) -> impl Read<Vec<T>> {
    move |r: &Reader, id| r.entries(id, of, &read)
}

/// Returns the reading of a field that is there.
pub fn some<T>(read: impl Read<T>) -> impl Read<Option<T>> {
    move |r: &Reader, id| read(r, id).map(Some)
}

/// Declares a mapping of fields once, for three: its struct, the table of its fields, and the function that reads it.
///
/// ```ignore
/// record! {
///     /// A sentence for authors: the first line of a comment is shown by schemas and editors.
///     ///
///     /// What follows is for readers of the code.
///     pub struct Bone: BONE("bone", "bone") {         // the table, its id in JSON Schemas, its name in messages
///         /// The name of the bone.
///         id: Text = required.defines(NameKind::Bone),
///         /// The id of the parent; `none` for a root.
///         parent: Text = required(Form::Known(&["none"]), parent).refers(NameKind::Bone),
///     } made {
///         /// The span of the whole mapping.
///         span: Span = Object::span,
///     }
/// }
/// ```
/// A field is `required`, `optional`, `nullable` or `dependent` ([`Presence`](crate::schema::Presence)). Its type says what
/// authors write and how it is read ([`Value`]), unless a [`Form`] and a function follow in brackets; the function of a
/// dependent field reads from the whole mapping. Behind that stands what else is true of the field
/// ([`Field`](crate::schema::Field)): `refers`, `since`, and so on. A field that is left out has the default of its type.
///
/// | besides | what for |
/// |---|---|
/// | `of key` after the table | the mapping is the value of an entry, whose key is this field |
/// | `made { … }` | fields that no author writes, from functions of the mapping |
/// | `rules […]` | how fields depend on each other ([`Rule`](crate::schema::Rule)), for schemas |
/// | `check function(a, b)` | a check of some fields, even if others have faults |
/// | `then function` | completes what has been read; with `=> Type`, makes another type of it |
macro_rules! record {
    (
        #[doc = $about:literal] $(#[$more:meta])*
        $vis:vis struct $Record:ident: $TABLE:ident($id:literal, $name:literal) $(of $key:ident)? {
            $(
                #[doc = $sentence:literal] $(#[doc = $remark:literal])*
                $field:ident: $T:ty = $presence:ident $(($form:expr $(, $read:expr)?))?
                    $(.$mark:ident($($arg:expr)?))*,
            )*
        }
        $(made { $($(#[$doc:meta])* $made:ident: $M:ty = $make:expr,)* })?
        $(rules [$($rule:expr),*])?
        $(check $check:ident($($of:ident),*))?
        $(then $then:path $(=> $Out:ty)?)?
    ) => {
        #[doc = $about] $(#[$more])*
        #[derive(Clone, Debug)]
        $vis struct $Record {
            $(
                /// The key of the mapping.
                pub $key: rigy_base::diag::Text,
            )?
            $(
                #[doc = $sentence] $(#[doc = $remark])*
                pub $field: $T,
            )*
            $($($(#[$doc])* pub $made: $M,)*)?
        }

        #[doc = concat!("The fields of a [`", stringify!($Record), "`].")]
        pub static $TABLE: $crate::schema::Record = $crate::schema::Record {
            id: $id,
            name: $name,
            about: $about.trim_ascii(),
            fields: &[$(
                $crate::schema::$presence(
                    stringify!($field),
                    $crate::parse::record!(@form $T $(, $form)?),
                    $sentence.trim_ascii(),
                )$(.$mark($($arg)?))*,
            )*],
            rules: &[$($($rule),*)?],
        };

        impl $Record {
            pub(crate) fn read(
                r: &$crate::parse::Reader,
                $($key: rigy_base::diag::Text,)?
                id: $crate::yaml::NodeId,
            ) -> Option<$crate::parse::record!(@out $Record $($(, $Out)?)?)> {
                let o = r.object(id, &$TABLE)?;
                $(
                    let $field: Option<$T> =
                        $crate::parse::record!(@$presence o, stringify!($field), $T $($(, $read)?)?);
                )*
                $($check(&o, $(&$of),*)?;)?
                let record = Self { $($key,)? $($field: $field?,)* $($($made: $make(&o),)*)? };
                $crate::parse::record!(@end record, o $(, $then)?)
            }
        }

        $crate::parse::record!(@value [$($key)?] $Record $TABLE $($($Out)?)?);
    };
    (@form $T:ty) => { <$T as $crate::parse::Value>::FORM };
    (@form $T:ty, $form:expr) => { $form };
    (@out $Record:ident) => { Self };
    (@out $Record:ident, $Out:ty) => { $Out };
    (@end $record:ident, $o:ident) => { Some($record) };
    (@end $record:ident, $o:ident, $then:path) => { $then($record, &$o) };
    (@value [] $Record:ident $TABLE:ident) => {
        $crate::parse::record!(@value [] $Record $TABLE $Record);
    };
    (@value [] $Record:ident $TABLE:ident $Out:ty) => {
        $crate::parse::value! { $Out: $crate::schema::Form::Record(&$TABLE), $Record::read; }
    };
    (@value [$key:ident] $Record:ident $TABLE:ident) => {};
    (@required $o:ident, $name:expr, $T:ty) => {
        $o.required($name, <$T as $crate::parse::Value>::read)
    };
    (@required $o:ident, $name:expr, $T:ty, $read:expr) => { $o.required($name, $read) };
    (@dependent $o:ident, $name:expr, $T:ty) => {
        $crate::parse::record!(@nullable $o, $name, $T)
    };
    (@dependent $o:ident, $name:expr, $T:ty, $read:expr) => { $read(&$o) };
    (@$presence:ident $o:ident, $name:expr, $T:ty) => {
        $crate::parse::record!(@$presence $o, $name, $T, <$T as $crate::parse::Value>::read)
    };
    (@$presence:ident $o:ident, $name:expr, $T:ty, $read:expr) => {
        $o.$presence($name, $read).map(Option::unwrap_or_default)
    };
}
pub(crate) use record;
