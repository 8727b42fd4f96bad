//! The stages of one document of the twist fixture's size, each on the result of those before it.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::base::output::OutputFile;
use rigy_batch::compile::{Files, Input, check};
use rigy_batch::geometry::tessellate::{self, Surfaces};
use rigy_batch::kernel::executor::Sequential;
use rigy_batch::kernel::simd::Isa;
use rigy_batch::language::{expand, parse, validate, yaml};

use rigy_documents as documents;

fn stages(criterion: &mut Criterion) {
    let generated = documents::document(1, 0, documents::Size::L02);
    let text = generated.yaml.trim_start_matches('\u{feff}');
    let mut loader = MemoryLoader::default();
    for (name, content) in generated.files {
        loader.files.insert(name, content.into_bytes());
    }
    let tree =
        yaml::compose(text, &yaml::Options::default()).expect("generated documents are valid");
    let document = parse::parse(&tree)
        .document
        .expect("generated documents are valid");
    let expanded = expand::expand(document.clone());
    let files = Files::new(loader);
    let input = || Input::new("bench", text);
    let compiled = || {
        let checked = check(input(), &files)
            .expect("generated documents are valid")
            .value;
        checked
            .build()
            .expect("generated documents are valid")
            .value
    };
    let whole = compiled();
    let pose_id = whole
        .pose_ids()
        .next()
        .expect("documents of this size have a pose")
        .to_owned();
    let pose = || {
        whole
            .pose(&pose_id, Isa::best(), &Sequential)
            .expect("the pose is there")
    };
    assert_eq!(
        whole.export().unwrap().to_bytes(),
        compiled().export().unwrap().to_bytes()
    );
    let posed = pose();

    let mut group = criterion.benchmark_group("stage");
    group.bench_function("yaml", |b| {
        b.iter(|| yaml::compose(black_box(text), &yaml::Options::default()))
    });
    group.bench_function("parse", |b| b.iter(|| parse::parse(black_box(&tree))));
    group.bench_function("expand", |b| {
        b.iter(|| expand::expand(black_box(document.clone())))
    });
    group.bench_function("validate", |b| {
        b.iter(|| validate::validate(black_box(expanded.clone())))
    });
    group.bench_function("tessellate", |b| {
        b.iter(|| {
            expanded
                .meshes
                .iter()
                .map(|mesh| tessellate::tessellate(mesh, &Surfaces::default()))
                .collect::<Vec<_>>()
        });
    });
    group.bench_function("everything up to the skin", |b| b.iter(compiled));
    group.bench_function("export to bytes", |b| {
        b.iter(|| whole.export().map(|glb| glb.to_bytes()))
    });
    group.bench_function("pose", |b| b.iter(pose));
    group.bench_function("bake to bytes", |b| {
        b.iter(|| posed.bake().map(|glb| glb.to_bytes()))
    });
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
