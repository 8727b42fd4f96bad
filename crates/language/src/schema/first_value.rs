//! Values that stand in a field until its author writes another.

use super::Form;
use crate::model::Shape;
use crate::version::Version;

impl Form {
    /// Returns a short value of this form as YAML in one line; `None` where no value is likelier than others.
    pub(crate) fn first_value(self) -> Option<String> {
        let text = match self {
            Self::Number
            | Self::Plain
            | Self::Whole
            | Self::Vertex
            | Self::Count
            | Self::Fraction
            | Self::Repetitions => "0".into(),
            Self::Positive => "1".into(),
            Self::Distance => "0cm".into(),
            Self::Text | Self::Identifier | Self::OwnMesh | Self::Token => "\"\"".into(),
            Self::Known(words) | Self::Word(words) => format!("\"{}\"", words.first()?),
            Self::Version => format!("\"{}\"", Version::NEWEST),
            Self::Shape => Shape::Box.name().into(),
            Self::Tuple(len, item) => {
                let items = vec![item.first_value()?; len];
                format!("[{}]", items.join(", "))
            }
            Self::Different => "[a, b, c]".into(),
            Self::List(_) => "[]".into(),
            Self::Map(_)
            | Self::Record(_)
            | Self::OneOrMore(_)
            | Self::Params
            | Self::Body
            | Self::Dimensions => "{}".into(),
            Self::Rotation(form) => form.first_value()?,
            Self::Any | Self::Primitive => return None,
        };
        Some(text)
    }
}
