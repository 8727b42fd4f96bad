//! Weight files: influences of single vertices in JSON (`language.md` §5.2).

use serde_json::value::RawValue;

use super::fields::{Fields, fault};
use super::joints::{Influence, JointTable};
use crate::diag::{Code, Diagnostic, MOST_FINDINGS, nearest};
use crate::expand::rename;
use crate::loader::{Loader, Location};
use crate::model::WeightSource;

/// Largest weight file in bytes.
pub const MAX_BYTES: u64 = 1 << 30;

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
        is_faulty: false,
        errors,
    };
    file.read(document, loader).unwrap_or_default()
}

/// A file being read.
struct WeightFile<'a> {
    source: &'a WeightSource,
    vertex_count: usize,
    joints: &'a JointTable<'a>,
    /// Whether an object has a key twice, or objects are nested too deep: then nothing more is read.
    is_faulty: bool,
    errors: &'a mut Vec<Diagnostic>,
}

impl WeightFile<'_> {
    /// Reports a fault and yields nothing.
    fn fail<T>(&mut self, code: Code, message: String) -> Option<T> {
        if self.errors.len() < MOST_FINDINGS {
            let path = &self.source.path;
            let message = format!("weight file `{}`: {message}", path.value);
            self.errors.push(Diagnostic::new(code, path.span, message));
        }
        None
    }

    fn read(
        &mut self,
        document: &Location,
        loader: &dyn Loader,
    ) -> Option<Vec<(usize, Vec<Influence>)>> {
        let reference = &self.source.path.value;
        let read = match loader.resolve(document, reference) {
            Ok(location) => loader.read(&location, MAX_BYTES),
            Err(_) => return self.fail(Code::U14, "it lies outside the root".into()),
        };
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = match error.kind() {
                    std::io::ErrorKind::NotFound => {
                        "there is no such file; the path starts from the \
                        directory of the document that names it"
                            .to_owned()
                    }
                    _ => format!("it cannot be read: {error}"),
                };
                return self.fail(Code::V20, message);
            }
        };
        let bytes = bytes.as_ref();
        let root: Fields<'_> = match serde_json::from_slice(bytes) {
            Ok(root) => root,
            Err(error) => return self.fail(Code::V20, format!("it is not a JSON object: {error}")),
        };
        let influences = self.influences(&root);
        if self.is_faulty {
            return self.fail(Code::V20, fault(bytes).unwrap_or_default());
        }
        influences
    }

    fn influences(&mut self, root: &Fields<'_>) -> Option<Vec<(usize, Vec<Influence>)>> {
        self.sound(root, &["primitive_id", "vertex_count", "influences"])?;
        self.header(root)?;
        if root.get("weights").is_some() {
            let message =
                "`weights` is not a field of weight files; the list is called `influences`";
            return self.fail(Code::V20, message.into());
        }
        match root.get("influences").map(parsed) {
            None => Some(Vec::new()),
            Some(Some(entries)) => self.entries(entries),
            Some(None) => self.fail(Code::V20, "`influences` is not a list".into()),
        }
    }

    /// Notes whether an object, of whose fields these are `read`, has a key twice.
    fn sound(&mut self, fields: &Fields<'_>, read: &[&str]) -> Option<()> {
        self.is_faulty |= fields.are_faulty(read);
        (!self.is_faulty).then_some(())
    }

    /// V22, then V21: the file must be for this primitive, as it was before mirroring.
    fn header(&mut self, root: &Fields<'_>) -> Option<()> {
        let wanted = &self.source.primitive_id;
        let found = root.get("primitive_id");
        if found.and_then(parsed::<String>).as_ref() != Some(wanted) {
            let found = found.map_or("nothing", |id| id.get());
            return self.fail(
                Code::V22,
                format!("its `primitive_id` is {found}, not \"{wanted}\""),
            );
        }
        let wanted = self.vertex_count;
        let found = root.get("vertex_count");
        if found.and_then(number) != Some(wanted as f64) {
            let found = found.map_or("nothing", |count| count.get());
            return self.fail(
                Code::V21,
                format!("its `vertex_count` is {found}, not {wanted}"),
            );
        }
        Some(())
    }

    fn entries(&mut self, entries: Vec<&RawValue>) -> Option<Vec<(usize, Vec<Influence>)>> {
        let mut all = Vec::with_capacity(entries.len());
        let mut whole = true;
        for (index, entry) in entries.into_iter().enumerate() {
            match self.entry(index, entry) {
                Some(entry) => all.push(entry),
                None => whole = false,
            }
            if self.is_faulty || self.errors.len() >= MOST_FINDINGS {
                break;
            }
        }
        whole.then_some(all)
    }

    fn entry(&mut self, index: usize, entry: &RawValue) -> Option<(usize, Vec<Influence>)> {
        let fields: Fields<'_> = parsed(entry).unwrap_or_default();
        self.sound(&fields, &["vertex", "bones"])?;
        let bones: Option<Vec<&RawValue>> = fields.get("bones").and_then(parsed);
        let (Some(vertex), Some(bones)) = (fields.get("vertex"), bones) else {
            let message = format!("`influences[{index}]` needs a `vertex` and a list of `bones`");
            return self.fail(Code::V20, message);
        };
        let whole = number(vertex).filter(|v| v.fract() == 0.0 && *v >= 0.0);
        let Some(vertex) = whole.filter(|v| *v < self.vertex_count as f64) else {
            let last = self.vertex_count.saturating_sub(1);
            let message =
                format!("`influences[{index}].vertex` is {vertex}, not one of 0 to {last}");
            return self.fail(Code::V19, message);
        };
        let bones: Vec<_> = bones
            .into_iter()
            .enumerate()
            .map(|(b, bone)| self.bone(index, b, bone))
            .collect();
        Some((vertex as usize, bones.into_iter().collect::<Option<_>>()?))
    }

    fn bone(&mut self, entry: usize, bone: usize, value: &RawValue) -> Option<Influence> {
        let at = || format!("influences[{entry}].bones[{bone}]");
        let fields: Fields<'_> = parsed(value).unwrap_or_default();
        self.sound(&fields, &["bone_id", "weight"])?;
        let bone_id: Option<String> = fields.get("bone_id").and_then(parsed);
        let (Some(bone_id), Some(weight)) = (bone_id, fields.get("weight")) else {
            return self.fail(
                Code::V20,
                format!("`{}` needs a text `bone_id` and a `weight`", at()),
            );
        };
        let bone_id = match &self.source.mirror {
            Some(mirror) => rename(mirror, &bone_id),
            None => bone_id,
        };
        let joint = self.joints.find(&bone_id);
        if joint.is_none() {
            let armature = self.joints.armature_id();
            let hint = match nearest(&bone_id, self.joints.bone_ids()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            let message = format!(
                "`{}`: armature `{armature}` has no bone `{bone_id}`{hint}",
                at()
            );
            let _: Option<()> = self.fail(Code::V16, message);
        }
        let Some(weight) = number(weight).filter(|w| (0.0..=1.0).contains(w)) else {
            let message = format!("`{}.weight` is {weight}, not a number from 0 to 1", at());
            return self.fail(Code::V18, message);
        };
        Some((joint?, weight))
    }
}

/// A value as a type, if it is one.
fn parsed<'j, T: serde::Deserialize<'j>>(value: &'j RawValue) -> Option<T> {
    serde_json::from_str(value.get()).ok()
}

/// A JSON number as the nearest double, infinite beyond its range.
fn number(value: &RawValue) -> Option<f64> {
    let text = value.get();
    let begins = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    begins.then(|| text.parse().ok())?
}
