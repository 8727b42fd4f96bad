//! Baked files: vertices that the bake has posed are exported with the bits that the GLB has.

use rigy_batch::bake::gltf::{self, Transform, Trs};
use rigy_batch::export::{Export, Format, Images, Layout, Sequence, Timing};
use rigy_batch::mesh::Model;
use rigy_batch::{Isa, Location, MemoryLoader, Moment, Skinning, Source};

use super::made::bits;
use super::usda_reader::{Prim, Usd};
use crate::support::published;

struct Baked {
    model: Model,
    /// For each primitive, its vertices; `None` if its node moves them.
    vertices: Vec<Option<Vertices>>,
}

struct Vertices {
    positions: Vec<[u32; 3]>,
    normals: Option<Vec<[u32; 3]>>,
}

fn baked(source: &Source<'_>, time: f64) -> Baked {
    let moment = Moment::default().time(time);
    let baked = source.bake(&moment, &Skinning::linear(), Isa::best());
    let glb = baked.unwrap().value.to_bytes().unwrap().value;
    let location = Location("baked.glb".into());
    let file = gltf::read(&glb, &location, &MemoryLoader::default());
    let file = file.unwrap().value;
    let model = Model::of_file(&file).unwrap();
    let vertices = model.surfaces.iter().map(|surface| {
        let node = &file.nodes[surface.node];
        let is_still = node.parent.is_none() && node.transform == Transform::Trs(Trs::IDENTITY);
        let primitive = &file.meshes[surface.mesh].primitives[surface.primitive];
        let read = |name: &str| {
            let accessor = file.accessor(primitive.attribute(name)?)?;
            let mut rows = vec![[0.0; 3]; accessor.count()];
            assert!(accessor.copy_f32(0, &mut rows));
            Some(bits(&rows))
        };
        is_still.then(|| Vertices {
            positions: read("POSITION").unwrap(),
            normals: read("NORMAL"),
        })
    });
    let vertices = vertices.collect();
    Baked { model, vertices }
}

fn samples() -> Vec<Vec<u8>> {
    let names = ["Fox", "CesiumMan-geometry", "Mannequiny", "RobotQuaternius"];
    let paths = names
        .iter()
        .filter_map(|name| published(&format!("gltf-samples/real/{name}.glb")));
    paths.map(|path| std::fs::read(path).unwrap()).collect()
}

fn read(bytes: &[u8]) -> Source<'_> {
    let location = Location("sample.glb".into());
    let source = Source::read(bytes, &location, &MemoryLoader::default());
    source.unwrap().value
}

#[test]
fn frames_have_the_bits_of_baked_vertices() {
    for bytes in samples() {
        let source = read(&bytes);
        let bakes = [0.0, 0.25, 0.5].map(|time| baked(&source, time));
        let mut sequence = Sequence::new(bakes[0].model.clone(), Layout::default()).unwrap();
        for bake in &bakes[1..] {
            sequence.push(&bake.model).unwrap();
        }
        let mut count = 0;
        for (frame, bake) in sequence.frames().iter().zip(&bakes) {
            for (found, wanted) in frame.surfaces.iter().zip(&bake.vertices) {
                let Some(wanted) = wanted else {
                    continue;
                };
                assert_eq!(bits(&found.positions), wanted.positions);
                assert_eq!(found.normals.as_deref().map(bits), wanted.normals);
                count += 1;
            }
        }
        assert!(count >= 3, "nothing was compared");
    }
}

#[test]
fn a_whole_sample_goes_to_usd_over_time_with_its_texture() {
    let Some(bytes) = samples().into_iter().next() else {
        return;
    };
    let source = read(&bytes);
    let bakes = [0.0, 0.5].map(|time| baked(&source, time));
    let sequence = Sequence::new(bakes[0].model.clone(), Layout::default()).unwrap();
    let timing = Timing {
        rate: 2.0,
        first: 0,
    };
    let mut sequence = sequence.timed(timing).unwrap();
    sequence.push(&bakes[1].model).unwrap();
    let images = Images::of(&source, "Fox");
    let export = Export::new(&sequence, "Fox", &images).unwrap();
    let mut text = Vec::new();
    export.write(Format::Usda, &mut text).unwrap();
    let stage = Prim::read(std::str::from_utf8(&text).unwrap());
    let Usd::Samples(samples) = stage.at("Fox/Fox").get("points.timeSamples") else {
        panic!("points do not move");
    };
    for ((_, points), bake) in samples.iter().zip(&bakes) {
        let wanted = bake.vertices[0].as_ref().unwrap();
        assert_eq!(bits(&points.vectors()), wanted.positions);
    }
    let beside = export.beside(Format::Usda);
    assert_eq!(beside.len(), 1);
    assert_eq!(beside[0].name, "Fox.image_0.png");
    assert_eq!(Some(&*beside[0].bytes), source.image(0));
    assert!(export.warnings(Format::Usda).is_empty());
}
