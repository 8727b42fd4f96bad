//! Weight files: influences of single vertices in JSON (`language.md` §5.2).

use serde_json::{Map, Value};

use super::joints::{Influence, JointTable};
use crate::diag::{Code, Diagnostic, nearest};
use crate::expand::rename;
use crate::loader::{Loader, Location};
use crate::model::WeightSource;

/// The influences a weight file gives, by vertex of the primitive, in file order. Faults are appended to
/// `errors`, at the place of the reference; their messages say where in the file they are.
pub(super) fn read(
    source: &WeightSource,
    document: &Location,
    vertex_count: usize,
    joints: &JointTable<'_>,
    loader: &dyn Loader,
    errors: &mut Vec<Diagnostic>,
) -> Vec<(usize, Vec<Influence>)> {
    let mut file = WeightFile {
        source,
        vertex_count,
        joints,
        errors,
    };
    file.read(document, loader).unwrap_or_default()
}

/// A file being read.
struct WeightFile<'a> {
    source: &'a WeightSource,
    vertex_count: usize,
    joints: &'a JointTable<'a>,
    errors: &'a mut Vec<Diagnostic>,
}

impl WeightFile<'_> {
    /// Reports a fault and yields nothing.
    fn fail<T>(&mut self, code: Code, message: String) -> Option<T> {
        let path = &self.source.path;
        let message = format!("weight file `{}`: {message}", path.value);
        self.errors.push(Diagnostic::new(code, path.span, message));
        None
    }

    fn read(
        &mut self,
        document: &Location,
        loader: &dyn Loader,
    ) -> Option<Vec<(usize, Vec<Influence>)>> {
        let reference = &self.source.path.value;
        let read = match loader.resolve(document, reference) {
            Ok(location) => loader.read(&location),
            Err(_) => return self.fail(Code::U14, "it lies outside the root".into()),
        };
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(error) => return self.fail(Code::V20, format!("it cannot be read: {error}")),
        };
        let root: Map<String, Value> = match serde_json::from_slice((*bytes).as_ref()) {
            Ok(root) => root,
            Err(error) => return self.fail(Code::V20, format!("it is not a JSON object: {error}")),
        };
        self.header(&root)?;
        if root.contains_key("weights") {
            return self.fail(
                Code::V20,
                "`weights` is not a field of weight files; the list is called `influences`".into(),
            );
        }
        match root.get("influences") {
            None => Some(Vec::new()),
            Some(Value::Array(entries)) => self.entries(entries),
            Some(_) => self.fail(Code::V20, "`influences` is not a list".into()),
        }
    }

    /// V22, then V21: the file must be for this primitive, as it was before mirroring.
    fn header(&mut self, root: &Map<String, Value>) -> Option<()> {
        let wanted = &self.source.primitive_id;
        let found = root.get("primitive_id");
        if found.and_then(Value::as_str) != Some(wanted) {
            let found = found.map_or("nothing".into(), Value::to_string);
            return self.fail(
                Code::V22,
                format!("its `primitive_id` is {found}, not \"{wanted}\""),
            );
        }
        let wanted = self.vertex_count;
        let found = root.get("vertex_count").filter(|count| count.is_number());
        if found.and_then(Value::as_f64) != Some(wanted as f64) {
            let found = found.map_or("no number".into(), Value::to_string);
            return self.fail(
                Code::V21,
                format!("its `vertex_count` is {found}, not {wanted}"),
            );
        }
        Some(())
    }

    fn entries(&mut self, entries: &[Value]) -> Option<Vec<(usize, Vec<Influence>)>> {
        let read: Vec<_> = entries
            .iter()
            .enumerate()
            .map(|(i, entry)| self.entry(i, entry))
            .collect();
        read.into_iter().collect()
    }

    fn entry(&mut self, index: usize, entry: &Value) -> Option<(usize, Vec<Influence>)> {
        let (Some(vertex), Some(Value::Array(bones))) = (entry.get("vertex"), entry.get("bones"))
        else {
            let message = format!("`influences[{index}]` needs a `vertex` and a list of `bones`");
            return self.fail(Code::V20, message);
        };
        let number = vertex.as_f64().filter(|v| v.fract() == 0.0 && *v >= 0.0);
        let Some(vertex) = number.filter(|v| *v < self.vertex_count as f64) else {
            let last = self.vertex_count.saturating_sub(1);
            let message =
                format!("`influences[{index}].vertex` is {vertex}, not one of 0 to {last}");
            return self.fail(Code::V19, message);
        };
        let bones: Vec<_> = bones
            .iter()
            .enumerate()
            .map(|(b, bone)| self.bone(index, b, bone))
            .collect();
        Some((vertex as usize, bones.into_iter().collect::<Option<_>>()?))
    }

    fn bone(&mut self, entry: usize, bone: usize, value: &Value) -> Option<Influence> {
        let at = format!("influences[{entry}].bones[{bone}]");
        let (Some(Value::String(bone_id)), Some(weight)) =
            (value.get("bone_id"), value.get("weight"))
        else {
            let message = format!("`{at}` needs a text `bone_id` and a `weight`");
            return self.fail(Code::V20, message);
        };
        let bone_id = match &self.source.mirror {
            Some(mirror) => rename(mirror, bone_id),
            None => bone_id.clone(),
        };
        let joint = self.joints.find(&bone_id);
        if joint.is_none() {
            let armature = self.joints.armature_id();
            let hint = match nearest(&bone_id, self.joints.bone_ids()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            let message = format!("`{at}`: armature `{armature}` has no bone `{bone_id}`{hint}");
            let _: Option<()> = self.fail(Code::V16, message);
        }
        let Some(weight) = weight.as_f64().filter(|w| (0.0..=1.0).contains(w)) else {
            return self.fail(
                Code::V18,
                format!("`{at}.weight` is {weight}, not a number from 0 to 1"),
            );
        };
        Some((joint?, weight))
    }
}
