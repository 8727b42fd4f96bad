//! Within documents: names, instances, imports, contracts, poses, meshes.

use rigy_batch::base::diag::Code;
use rigy_batch::base::limits::Limits;
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::compile::{Files, Input, check};
use rigy_batch::kernel::executor::Sequential;
use rigy_batch::kernel::simd::Isa;

use super::{cost, grows_like_a_line};

/// A document with the files it imports.
struct Case {
    text: String,
    files: Files,
}

impl Case {
    fn new(text: String) -> Self {
        Self::with(text, [])
    }

    fn with<const N: usize>(text: String, others: [(&str, String); N]) -> Self {
        let mut loader = MemoryLoader::default();
        let others = others.map(|(name, text)| (name.to_owned(), text.into_bytes()));
        loader.files.extend(others);
        let files = Files::new(loader).within(Limits::DEFAULT.bytes(16 << 20));
        Self { text, files }
    }

    fn build(&self) -> bool {
        let checked = check(Input::new("a.rigy.yaml", &self.text), &self.files);
        checked.is_ok_and(|checked| checked.value.build().is_ok())
    }
}

fn each(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

const HEAD: &str = "version: \"0.5\"\n";
const TRIANGLE: &str = "{id: o, translation: [0, 0, 0]}, {id: p, translation: [1, 0, 0]}, \
                        {id: q, translation: [0, 1, 0]}, ";

/// A part with so many anchors, three of them a frame.
fn part(anchors: usize) -> String {
    let more = each(anchors, |n| {
        format!("{{id: a{n}, translation: [{n}, 0, 0]}}, ")
    });
    format!("{HEAD}anchors: [{TRIANGLE}{more}]\n")
}

#[test]
fn unknown_names_cost_little_more_than_known_ones() {
    let document = |known: bool| {
        let count = 20_000; // most of the time is not that of the thousand findings
        let bones = each(count, |n| {
            format!(
                "{{id: shoulder_and_upper_arm_{n}, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}, "
            )
        });
        let name = if known {
            "shoulder_and"
        } else {
            "shoulder-and"
        };
        let posed = each(count, |n| format!("{name}_upper_arm_{n}: {{}}, "));
        let text = format!(
            "{HEAD}armatures: [{{id: r, bones: [{bones}]}}]\nposes: [{{id: p, bones: {{{posed}}}}}]\n"
        );
        Case::new(text)
    };
    let (known, unknown) = (document(true), document(false));
    assert!(known.build() && !unknown.build());
    let (known, unknown) = (
        cost(&|| assert!(known.build())),
        cost(&|| assert!(!unknown.build())),
    );
    println!("{known:?} of known names, {unknown:?} of unknown ones");
    // Without optimisations the thousand findings and their 64 proposals take four times as long as the rest.
    assert!(unknown <= 8 * known, "{known:?}, but {unknown:?}");
}

#[test]
fn instances_and_meshes() {
    let document = |count: usize| {
        let meshes = each(count, |n| format!("{{id: m{n}, primitives: []}}, "));
        let last = count - 1;
        let instances = each(count, |n| format!("{{id: i{n}, mesh_id: m{last}}}, "));
        Case::new(format!(
            "{HEAD}meshes: [{meshes}]\ninstances: [{instances}]\n"
        ))
    };
    grows_like_a_line(3000, document, |case| assert!(case.build()));
}

#[test]
fn imports_and_instances_and_anchors() {
    let document = |count: usize| {
        let imports = each(count, |n| format!("n{n}: {{source: part.yaml}}, "));
        let attach = "attach3: {from: [o, p, q], to: [o, p, q], mode: rigid}";
        let instances = each(count, |n| format!("{{id: i{n}, import: n{n}, {attach}}}, "));
        let text = format!(
            "{HEAD}imports: {{{imports}}}\nanchors: [{TRIANGLE}]\ninstances: [{instances}]\n"
        );
        Case::with(text, [("part.yaml", part(count))])
    };
    grows_like_a_line(400, document, |case| assert!(case.build()));
}

#[test]
fn imports_and_contracts() {
    let document = |count: usize| {
        let imports = each(count, |n| {
            format!("n{n}: {{source: part.yaml, contract: c.yaml}}, ")
        });
        let required = each(count, |n| format!("a{n}, "));
        let contract = format!("contract_version: \"1\"\nrequired_anchors: [{required}]\n");
        let text = format!("{HEAD}imports: {{{imports}}}\n");
        Case::with(text, [("part.yaml", part(count)), ("c.yaml", contract)])
    };
    grows_like_a_line(400, document, |case| assert!(case.build()));
}

#[test]
fn contracts_that_require_too_much_in_all_are_refused() {
    let sides = 130;
    let imports = each(sides * sides, |n| {
        let (part, contract) = (n / sides, n % sides);
        format!("n{n}: {{source: p{part}.yaml, contract: c{contract}.yaml}}, ")
    });
    let required = each(1000, |n| format!("a{n}, "));
    let contract = format!("contract_version: \"1\"\nrequired_anchors: [{required}]\n");
    let mut loader = MemoryLoader::default();
    for n in 0..sides {
        let files = &mut loader.files;
        files.insert(format!("p{n}.yaml"), part(1000).into_bytes());
        files.insert(format!("c{n}.yaml"), contract.clone().into_bytes());
    }
    let text = format!("{HEAD}imports: {{{imports}}}\n");
    let files = Files::new(loader);
    let errors = check(Input::new("a.rigy.yaml", &text), &files)
        .err()
        .unwrap();
    let said = "too much work on anchors and frames that contracts require";
    assert!(errors[0].message.contains(said), "{:?}", errors[0].message);
    assert_eq!(errors[0].code, Some(Code::U17));
}

#[test]
fn poses_by_their_ids() {
    let document = |count: usize| {
        let poses = each(count, |n| {
            format!("{{id: a_pose_with_a_name_{n}, bones: {{}}}}, ")
        });
        let case = Case::new(format!("{HEAD}poses: [{poses}]\n"));
        let checked = check(Input::new("a.rigy.yaml", &case.text), &case.files).unwrap();
        checked.value.build().unwrap().value
    };
    grows_like_a_line(4000, document, |compiled| {
        for id in compiled.pose_ids() {
            assert!(compiled.pose(id, Isa::best(), &Sequential).is_some());
        }
    });
}

#[test]
fn meshes_that_do_not_fit() {
    let document = |count: usize| {
        let meshes = each(count, |n| {
            format!(
                "{{id: m{n}, primitives: [{{type: box, id: b, dimensions: {{x: 1.0e+300}}}}]}}, "
            )
        });
        let case = Case::new(format!("{HEAD}meshes: [{meshes}]\n"));
        let checked = check(Input::new("a.rigy.yaml", &case.text), &case.files).unwrap();
        checked.value.build().unwrap().value
    };
    grows_like_a_line(1_200, document, |compiled| {
        assert_eq!(compiled.export().err().unwrap().len(), 1000);
    });
}
