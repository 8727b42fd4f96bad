//! Instances of parts and of the document's own meshes.

use super::anchors::Anchors;
use super::model::{Attach3, Instance, Maybe, Mesh};
use super::names::{Naming, Pool};
use super::parts::Imported;
use super::random::{Draw, Random};

/// The things that instances may refer to.
pub struct Stock<'a, 'b> {
    pub naming: &'a Naming,
    pub ids: &'b mut Pool,
    pub meshes: &'b [Mesh],
    pub anchors: &'b mut Anchors<'a>,
    pub parts: &'b [Imported],
}

pub fn instances(random: &mut Random, mut stock: Stock) -> Vec<Instance> {
    let mut instances = Vec::new();
    for _ in 0..random.mostly_some((0, 4)) {
        let drawn = if random.chance(65) {
            imported(random, &mut stock)
        } else {
            local(random, &mut stock)
        };
        instances.extend(drawn);
    }
    instances
}

fn imported(random: &mut Random, stock: &mut Stock) -> Option<Instance> {
    if stock.parts.is_empty() {
        return None;
    }
    let part = random.pick(stock.parts);
    let (from, points) = part.attachment(random)?;
    // An instance may be called like its import.
    let like_import = random.chance(15) && stock.ids.claim(stock.naming, &part.namespace);
    let id = if like_import {
        part.namespace.clone()
    } else {
        stock.ids.fresh(random, stock.naming, true)
    };
    let mirrored = stock.naming.mirrored(&id).is_some();
    let to = stock
        .anchors
        .triple(random, stock.ids, mirrored, Some(&points));
    Some(Instance {
        id,
        import: Some(Some(part.namespace.clone())),
        mesh_id: null(random),
        attach3: Some(Some(attach3(random, from, to))),
    })
}

fn local(random: &mut Random, stock: &mut Stock) -> Option<Instance> {
    let id = stock.ids.fresh(random, stock.naming, true);
    let mirrored = stock.naming.mirrored(&id).is_some();
    let meshes: Vec<&Mesh> = stock
        .meshes
        .iter()
        .filter(|mesh| !mirrored || has_twin(stock, mesh))
        .collect();
    if meshes.is_empty() {
        return None;
    }
    let mesh_id = random.pick(&meshes).id.clone();
    let attach3 = if random.chance(65) {
        // Symmetry leaves the `from` side alone.
        let from = stock.anchors.triple(random, stock.ids, false, None);
        let to = stock.anchors.triple(random, stock.ids, mirrored, None);
        Some(Some(attach3(random, from, to)))
    } else {
        null(random)
    };
    Some(Instance {
        id,
        import: null(random),
        mesh_id: Some(Some(mesh_id)),
        attach3,
    })
}

/// True where the mirrored instance finds a mesh as well.
fn has_twin(stock: &Stock, mesh: &Mesh) -> bool {
    match stock.naming.mirrored(&mesh.id) {
        Some(twin) => stock.meshes.iter().any(|other| other.id == twin),
        None => true,
    }
}

fn attach3(random: &mut Random, from: [String; 3], to: [String; 3]) -> Attach3 {
    Attach3 {
        from,
        to,
        mode: (*random.pick(&["rigid", "uniform", "affine"])).into(),
    }
}

/// An empty list, in one of two forms.
fn null<T>(random: &mut Random) -> Maybe<T> {
    random.chance(15).then_some(None)
}
