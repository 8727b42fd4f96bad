//! Compiled documents, which stay in the module until the host frees them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rigy_batch::base::diag::nearest;
use rigy_batch::glb::Style;
use rigy_batch::{
    Compiled, Diagnostic, Files, Input, Isa, Limits, OutputFile, PosedScene, Sequential, compile,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, Part, Refusal, findings};
use crate::host::HostLoader;
use crate::limit::limits;
use crate::meshes::{self, MeshId};

#[derive(Default)]
struct Documents {
    by_number: BTreeMap<u32, Rc<Compiled>>,
    next: u32,
}

thread_local! {
    static DOCUMENTS: RefCell<Documents> = RefCell::default();
}

/// Keeps a document. Returns its number.
fn keep(compiled: Compiled) -> u32 {
    DOCUMENTS.with_borrow_mut(|documents| {
        let number = documents.next;
        documents.next += 1;
        documents.by_number.insert(number, Rc::new(compiled));
        number
    })
}

/// The arguments of `compile`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Compile {
    name: String,
    #[serde(default)]
    with_instances: bool,
    #[serde(default)]
    double_sided: bool,
    #[serde(default)]
    outward: bool,
    #[serde(default, deserialize_with = "limits")]
    limit: Limits,
}

impl Compile {
    /// Compiles a document. Answers its number and the facts about it.
    pub fn answer(self, text: &[u8]) -> Result<Answer, Refusal> {
        let text = compile::decode(&self.name, text)?;
        let files = Files::new(HostLoader).within(self.limit);
        let built = compile::compile(Input::new(&self.name, text), &files)?;
        let styled = built.value.styled(Style {
            with_instances: self.with_instances,
            double_sided: self.double_sided,
        });
        let compiled = if self.outward {
            styled.with_triangles_outward()
        } else {
            styled
        };
        let (poses, meshes): (Vec<_>, _) = (compiled.pose_ids().collect(), meshes::own(&compiled));
        let mut facts = json!({
            "poses": poses,
            "meshes": meshes,
            "warnings": findings(&built.warnings),
        });
        facts["document"] = keep(compiled).into();
        Ok(Answer::new(facts))
    }
}

/// A request about a document that has been compiled.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfDocument {
    document: u32,
    get: Get,
}

/// The thing that is requested.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Get {
    /// The GLB at rest.
    Glb,
    /// The GLB of the pose with this id.
    Pose(String),
    /// The file of positions of the pose with this id, as `--positions` writes it.
    PositionsFile(String),
    /// Positions and normals of each mesh in the pose with this id.
    Vertices(String),
    /// The arrays of a mesh at rest.
    Mesh(MeshId),
    /// Everything that is placed.
    Instances,
    /// Nothing: the document is forgotten.
    Free,
}

impl OfDocument {
    pub fn answer(self) -> Result<Answer, Refusal> {
        let number = self.document;
        if let Get::Free = self.get {
            DOCUMENTS.with_borrow_mut(|documents| documents.by_number.remove(&number));
            return Ok(Answer::new(Value::Null));
        }
        let found = DOCUMENTS.with_borrow(|documents| documents.by_number.get(&number).cloned());
        let compiled = found.ok_or_else(|| unknown("document"))?;
        match self.get {
            Get::Glb => Ok(Answer::bytes(compiled.export()?.to_bytes())),
            Get::Pose(id) => posed(&compiled, &id, |posed| {
                Ok(Answer::bytes(posed.bake()?.to_bytes()))
            }),
            Get::PositionsFile(id) => posed(&compiled, &id, |posed| {
                Ok(Answer::bytes(posed.positions()?.to_bytes()))
            }),
            Get::Vertices(id) => posed(&compiled, &id, vertices),
            Get::Mesh(id) => meshes::arrays(&compiled, id).ok_or_else(|| unknown("mesh")),
            Get::Instances => Ok(Answer::new(meshes::instances(&compiled))),
            Get::Free => unreachable!("it is done above"),
        }
    }
}

fn unknown(what: &str) -> Refusal {
    Refusal::Unknown(format!("there is no such {what}"))
}

/// Poses a document and answers what `make` makes of that.
fn posed(
    compiled: &Compiled,
    id: &str,
    make: impl Fn(PosedScene<'_>) -> Result<Answer, Vec<Diagnostic>>,
) -> Result<Answer, Refusal> {
    match compiled.pose(id, Isa::best(), &Sequential) {
        Some(posed) => Ok(make(posed)?),
        None => {
            let near = nearest(id, compiled.pose_ids());
            let near = near.map_or(String::new(), |near| format!("; did you mean {near:?}?"));
            Err(Refusal::Unknown(format!("there is no pose {id:?}{near}")))
        }
    }
}

/// Answers positions and normals of each mesh in turn.
fn vertices(posed: PosedScene<'_>) -> Result<Answer, Vec<Diagnostic>> {
    let meshes = posed.into_vertices()?;
    let empty = Answer::new(Value::Null);
    Ok(meshes.into_iter().fold(empty, |answer, mesh| {
        let positions = answer.with(Part::Floats(mesh.positions));
        positions.with(Part::Floats(mesh.normals))
    }))
}
