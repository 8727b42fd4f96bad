//! A tree of generated documents: same bytes and same report for any number of threads, any instruction set,
//! any order of arguments, and on a second run.

use crate::documents::{self, Size};
use crate::support::Dir;

fn tree(count: u64) -> Dir {
    let dir = Dir::new();
    for index in 0..count {
        let generated = documents::document(11, index, Size::Small);
        let folder = format!("in/{}", index % 3);
        let stem = documents::stem(index);
        dir.write(&format!("{folder}/{stem}.rigy.yaml"), generated.yaml);
        for (name, text) in generated.files {
            dir.write(&format!("{folder}/{name}"), text);
        }
    }
    dir.write("in/1/broken.rigy.yaml", "version: [");
    dir
}

#[test]
fn threads_instruction_sets_and_order_change_nothing() {
    let dir = tree(60);
    let mut first = None;
    let isas = rigy_batch::kernel::simd::Isa::available();
    for (run, jobs) in ["1", "2", "8", "64"].into_iter().enumerate() {
        let isa = isas[run % isas.len()].name();
        // With next to no memory, inputs are done one by one.
        let memory = ["1G", "64K", "1M", "1"][run];
        let paths: &[&str] = if run % 2 == 0 {
            &["in"]
        } else {
            &["in", "in/2", "in/0"]
        };
        let args = [
            paths,
            &[
                "-o", "out", "-j", jobs, "--isa", isa, "--memory", memory, "--force", "--format",
                "json",
            ],
        ]
        .concat();
        let ran = dir.run(&args);
        assert_eq!(ran.status(), 1);
        let result = (ran.stdout(), dir.tree());
        match &first {
            None => first = Some(result),
            Some(first) => assert!(*first == result, "{jobs} threads, {isa}"),
        }
    }
    let again = dir.run("in -o out");
    again.prints("61 documents: 60 unchanged, 1 failed");
}

#[test]
fn a_mesh_cut_into_pieces_has_the_bytes_of_the_whole() {
    use rigy_batch::base::loader::MemoryLoader;
    use rigy_batch::base::output::OutputFile;
    use rigy_batch::compile::{Files, Input, check};
    use rigy_batch::kernel::executor::Sequential;
    use rigy_batch::kernel::simd::Isa;
    use rigy_batch::run::Parallel;

    let primitive = |n: usize| {
        format!(
            "{{type: capsule, id: c{n}, dimensions: {{radius: 0.1}}, transform: {{translation: [0, {n}, 0]}}}}"
        )
    };
    let primitives: Vec<String> = (0..30).map(primitive).collect(); // 25,740 vertices: above the limit for cutting
    let text = crate::support::document("p").replace(
        "{type: box, id: b, dimensions: {x: 1}}",
        &primitives.join(", "),
    );
    let files = Files::new(MemoryLoader::default());
    let checked = check(Input::new("t", &text), &files).unwrap().value;
    let compiled = checked.build().unwrap().value;
    let whole = compiled.pose("p", Isa::best(), &Sequential).unwrap();
    let pool = rigy_batch::run::batch::thread_pool_of_at_most(3).unwrap();
    let cut = pool.install(|| compiled.pose("p", Isa::best(), &Parallel).unwrap());
    assert!(whole.bake().unwrap().to_bytes() == cut.bake().unwrap().to_bytes());
}

/// An implicit surface whose grid takes several layers of cells.
const BLOB: &str = r#"version: "0.13"
meshes:
  - id: m
    primitives:
      - type: implicit_surface
        id: s
        domain: {aabb: {min: [-1, -1, -1], max: [1, 1, 1]}, grid: {nx: 41, ny: 37, nz: 45}}
        iso: 0.1
        extraction: {algorithm: marching_cubes@1}
        ops:
          - {op: add, field: metaball_sphere@1, strength: 1, radius: 0.7}
          - {op: subtract, field: metaball_sphere@1, strength: 0.6, radius: 0.4, transform: {translation: [0.4, 0.1, 0]}}
"#;

#[test]
fn an_implicit_surface_has_the_same_bytes_on_every_machine() {
    let dir = Dir::with("blob.rigy.yaml", BLOB);
    let mut first = None;
    for isa in rigy_batch::kernel::simd::Isa::available() {
        for jobs in ["1", "2", "5"] {
            let args = ["blob.rigy.yaml", "--force", "-j", jobs, "--isa", isa.name()];
            dir.run(&args).good();
            let bytes = dir.read("blob.glb");
            assert!(bytes.len() > 10_000);
            let name = isa.name();
            assert!(
                *first.get_or_insert_with(|| bytes.clone()) == bytes,
                "{jobs} threads, {name}"
            );
        }
    }
}
