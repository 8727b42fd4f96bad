//! Values made from the table of fields: small files in which every field of every mapping stands somewhere.

use rigy_batch::language::model::Shape;
use rigy_batch::language::schema::meshes::{OF_SURFACES, PRIMITIVE, dimensions_of};
use rigy_batch::language::schema::preprocessed::{BOX_DECOMPOSE, PRISM, REPEAT};
use rigy_batch::language::schema::transforms::ROTATIONS;
use rigy_batch::language::schema::{Field, Form, Record, Rule};
use rigy_batch::language::version::{Feature, Version};
use serde_json::{Map, Value, json};

pub struct Samples {
    pub version: Option<Version>,
    /// The mappings around the value that is made: lists that would hold one of them again are empty.
    around: Vec<&'static str>,
}

impl Samples {
    pub fn new(version: Option<Version>) -> Self {
        Self {
            version,
            around: Vec::new(),
        }
    }

    fn has(&self, feature: Feature) -> bool {
        self.version.is_none_or(|version| version.has(feature))
    }

    fn takes(&self, field: &Field) -> bool {
        self.version.is_none_or(|version| {
            field.accepted <= version && (field.since <= version || !field.is_refused_before)
        })
    }

    pub fn of(&mut self, form: Form) -> Vec<Value> {
        match form {
            Form::Record(record) => self.record(record),
            Form::OneOrMore(record) => {
                let one = self.record(record);
                let list = json!([one[0]]);
                [one, vec![list]].concat()
            }
            Form::List(item) => self.list(*item),
            Form::Tuple(count, _) => {
                let items = (0..count).map(|at| match form {
                    Form::Tuple(_, Form::Text) => json!(format!("t{at}")),
                    _ => json!(0.25 + 0.5 * at as f64),
                });
                vec![Value::Array(items.collect())]
            }
            Form::Map(value) => {
                let values = self.of(*value).into_iter();
                values.map(|value| json!({"uv0": value})).collect()
            }
            Form::Primitive => self.primitives(),
            Form::Rotation(form) => self.of(*form),
            scalar => vec![self.scalar(scalar)],
        }
    }

    fn scalar(&self, form: Form) -> Value {
        match form {
            Form::Any | Form::Number | Form::Plain | Form::Fraction => json!(0.5),
            Form::Positive | Form::Whole | Form::Vertex | Form::Count => json!(1),
            Form::Repetitions => json!(2),
            Form::Known(words) | Form::Word(words) => json!(words[0]),
            Form::Different => json!(["a", "b", "c"]),
            Form::Distance => json!("20cm"),
            Form::Params => json!({"p": 1, "q": "t"}),
            Form::Dimensions => json!({}),
            Form::Version => json!(self.version.unwrap().to_string()),
            _ => json!("t"),
        }
    }

    fn list(&mut self, item: Form) -> Vec<Value> {
        let id = match item {
            Form::Record(record) => record.id,
            Form::Primitive => PRIMITIVE.id,
            scalar => return self.of(scalar).iter().map(|value| json!([value])).collect(),
        };
        if self.around.contains(&id) {
            return vec![json!([])];
        }
        let items = self.of(item);
        let mut lists: Vec<Value> = items.iter().map(|item| json!([item])).collect();
        if self.has(Feature::Params) && self.version.is_some() {
            let repeat = json!({"count": 1, "as": "i", "body": items[0]});
            lists.push(json!([{REPEAT.id: repeat}]));
        }
        lists
    }

    /// Mappings in which every field stands at least once, with each of its values.
    pub fn record(&mut self, record: &'static Record) -> Vec<Value> {
        let mut all = Vec::new();
        for without in self.left_out(record) {
            all.extend(self.without(record, &without));
        }
        all
    }

    fn without(&mut self, record: &'static Record, without: &[&str]) -> Vec<Value> {
        self.around.push(record.id);
        let fields = record.fields.iter();
        let fields = fields.filter(|f| self.takes(f) && !without.contains(&f.name));
        let fields: Vec<&Field> = fields.collect();
        let values: Vec<Vec<Value>> = fields.iter().map(|field| self.field(field)).collect();
        self.around.pop();
        let count = values.iter().map(Vec::len).max().unwrap_or(1);
        let sample = |number: usize| {
            let entries = fields.iter().zip(&values);
            let entries =
                entries.map(|(f, all)| (f.name.to_owned(), all[number % all.len()].clone()));
            Value::Object(entries.collect::<Map<_, _>>())
        };
        (0..count).map(sample).collect()
    }

    fn field(&mut self, field: &Field) -> Vec<Value> {
        match field.name {
            "max" => vec![json!([10.0, 20.0, 30.0])],
            "bottom" => vec![json!(0.25)],
            "normal" => vec![json!([0, 1, 0])],
            "leg_p" => vec![json!([1, 0, 0])],
            "leg_q" => vec![json!([0, 0, 1])],
            _ => self.of(field.form),
        }
    }

    /// The fields to leave out of each sample, so that the rules are obeyed.
    fn left_out(&self, record: &'static Record) -> Vec<Vec<&'static str>> {
        let others = |all: &[&'static str]| -> Vec<Vec<&'static str>> {
            let all = all.to_vec();
            let without = |one: &&'static str| {
                let mut others = all.clone();
                others.retain(|other| other != one);
                others
            };
            all.iter().map(without).collect()
        };
        let choices = record.rules.iter().filter_map(|rule| match rule {
            Rule::ExactlyOne(fields) | Rule::AtMostOne(fields) => Some(others(fields)),
            Rule::OneRotation(_) => Some(others(&ROTATIONS)),
            Rule::Needs(..) => None,
        });
        choices.into_iter().next().unwrap_or_else(|| vec![vec![]])
    }

    /// Returns primitives of every shape, a box with corners, and macros.
    fn primitives(&mut self) -> Vec<Value> {
        let has_surfaces = self.has(Feature::Materials);
        let mut all = Vec::new();
        let shapes = Shape::ALL.iter().take(if has_surfaces { 6 } else { 4 });
        for shape in shapes {
            let sizes = dimensions_of(*shape);
            let without = match sizes {
                Some(_) => [&OF_SURFACES[..], &["aabb"]].concat(),
                None => vec!["dimensions", "aabb"],
            };
            let sizes = sizes.map(|record| self.record(record).remove(0));
            for mut primitive in self.without(&PRIMITIVE, &without) {
                primitive["type"] = json!(shape.name());
                if let Some(sizes) = &sizes {
                    primitive["dimensions"] = sizes.clone();
                }
                all.push(primitive);
            }
        }
        if has_surfaces {
            let without = [&OF_SURFACES[..], &["dimensions", "transform"]].concat();
            all.extend(self.without(&PRIMITIVE, &without));
            let corners = all.len() - 1;
            all[corners]["type"] = json!("box");
            all.extend(self.record(&BOX_DECOMPOSE));
        }
        if self.has(Feature::Expressions) {
            all.extend(self.record(&PRISM));
        }
        all
    }
}
