//! Primitives: how their fields depend on their type, and macros among them.

use super::definitions::{Definitions, null, there};
use super::forms::typed;
use super::value::Json;
use crate::model::Shape;
pub(super) use crate::schema::meshes::PRIMITIVE;
use crate::schema::meshes::{OF_SURFACES, SHAPES_CORE, dimensions_of};
use crate::schema::preprocessed::{BOX_DECOMPOSE, PRISM};
use crate::schema::{Form, Presence};
use crate::version::Feature;

impl Definitions {
    /// Returns references to the mappings that may stand among primitives, repeats left out.
    pub fn primitives(&mut self) -> Vec<Json> {
        let primitive = self.define(PRIMITIVE.id, |definitions| {
            let conditions = definitions.conditions();
            definitions.fields(&PRIMITIVE).with("allOf", conditions)
        });
        let mut all = vec![primitive];
        if self.version_has(Feature::Materials) {
            all.push(self.record(&BOX_DECOMPOSE));
        }
        if self.version_has(Feature::Expressions) {
            all.push(self.record(&PRISM));
        }
        all
    }

    /// Returns the schema of dimensions of any shape.
    pub fn dimensions(&mut self) -> Json {
        let number = self.form(Form::Number);
        self.define("dimensions", |_| {
            typed("object")
                .with("additionalProperties", number)
                .with("minProperties", 1)
        })
    }

    /// Returns what the type of a primitive decides, and its corners.
    fn conditions(&mut self) -> Vec<Json> {
        let has_surfaces = self.version_has(Feature::Materials);
        let shapes = match has_surfaces {
            true => &Shape::ALL[..],
            false => &Shape::ALL[..SHAPES_CORE],
        };
        let mut all = Vec::new();
        for shape in shapes {
            let is_shape = Json::object()
                .with("required", ["type"])
                .with("properties", constant("type", shape.name()));
            let then = match dimensions_of(*shape) {
                Some(_) => self.of_solid(*shape, has_surfaces),
                None => of_surface(),
            };
            all.push(Json::object().with("if", is_shape).with("then", then));
        }
        if has_surfaces {
            let empty = typed("object").with("maxProperties", 0);
            let empty = Json::object().with("anyOf", [null(), empty]);
            let fields = Json::object().with("dimensions", false);
            let then = Json::object().with("properties", fields.with("transform", empty));
            let has_corners = Json::object().with("required", ["aabb"]);
            all.push(Json::object().with("if", has_corners).with("then", then));
        }
        all
    }

    /// Returns the fields of shapes other than surfaces.
    fn of_solid(&mut self, shape: Shape, has_surfaces: bool) -> Json {
        let sizes = dimensions_of(shape).map_or(Json::object(), |record| {
            self.define(record.id, |definitions| {
                definitions.fields(record).with("minProperties", 1)
            })
        });
        let mut fields = Json::object().with("dimensions", sizes);
        if !has_surfaces {
            let schema = Json::object().with("required", ["dimensions"]);
            return schema.with("properties", fields);
        }
        for field in OF_SURFACES {
            fields = fields.with(field, null());
        }
        let required = |field: &str| Json::object().with("required", [field]);
        match shape {
            Shape::Box => Json::object()
                .with("properties", fields)
                .with("anyOf", [required("dimensions"), required("aabb")]),
            _ => required("dimensions").with("properties", fields.with("aabb", false)),
        }
    }
}

/// Returns the fields of surfaces.
fn of_surface() -> Json {
    let dependent = |field: &&&str| {
        let field = PRIMITIVE.field(field);
        field.is_some_and(|field| field.presence == Presence::Dependent)
    };
    let present: Vec<Json> = OF_SURFACES
        .iter()
        .filter(dependent)
        .map(|f| there(f))
        .collect();
    let fields = Json::object().with("dimensions", null());
    Json::object()
        .with("properties", fields.with("aabb", false))
        .with("allOf", present)
}

fn constant(field: &str, value: &str) -> Json {
    Json::object().with(field, Json::object().with("const", value))
}
