//! Nothing outside the root is read, for any reference of a document and any path to it.

use std::os::unix::fs::symlink;

use rigy_batch::base::diag::{Code, Diagnostic};
use rigy_batch::base::loader::{Loader, Location};
use rigy_batch::compile::{Files, Input, check};
use rigy_batch::io::DirectoryLoader;

use crate::support::Dir;

const WEIGHTS: &str = r#"{"primitive_id": "b", "vertex_count": 24, "influences": []}"#;

/// A root with a document's directory in it, and files of all kinds in it and beside it.
fn tree() -> Dir {
    let dir = Dir::new();
    for place in ["root", "root/docs", "outside"] {
        dir.write(&format!("{place}/part.yaml"), "version: \"0.5\"\n");
        dir.write(
            &format!("{place}/contract.yaml"),
            "contract_version: \"1\"\n",
        );
        dir.write(&format!("{place}/weights.yaml"), WEIGHTS);
    }
    let link = |target: &str, name: &str| symlink(target, dir.path().join(name)).unwrap();
    for kind in ["part", "contract", "weights"] {
        link(
            &format!("../../outside/{kind}.yaml"),
            &format!("root/docs/out_{kind}.yaml"),
        );
        link(
            &format!("out_{kind}.yaml"),
            &format!("root/docs/chain_{kind}.yaml"),
        );
        link(
            &format!("../{kind}.yaml"),
            &format!("root/docs/up_{kind}.yaml"),
        );
        let absolute = dir.path().join(format!("outside/{kind}.yaml"));
        link(
            absolute.to_str().unwrap(),
            &format!("root/docs/absolute_{kind}.yaml"),
        );
    }
    link("../../outside", "root/docs/out");
    link("../docs", "root/docs/in");
    link("../../outside/missing.yaml", "root/docs/dangling.yaml");
    link("loop.yaml", "root/docs/loop.yaml");
    link("/proc/self/cwd", "root/docs/cwd");
    dir
}

/// A document that refers to a file as `kind`.
fn document(kind: &str, reference: &str) -> String {
    let reference = serde_json::to_string(reference).unwrap();
    match kind {
        "part" => format!("version: \"0.5\"\nimports: {{p: {{source: {reference}}}}}\n"),
        "contract" => format!(
            "version: \"0.5\"\nimports: {{p: {{source: part.yaml, contract: {reference}}}}}\n"
        ),
        _ => crate::support::document("p").replace(
            "weights: []",
            &format!("weights: [], weight_maps: [{{primitive_id: b, source: {reference}}}]"),
        ),
    }
}

fn judge(dir: &Dir, kind: &str, reference: &str) -> Result<(), Vec<Diagnostic>> {
    let loader = DirectoryLoader::new(&dir.path().join("root")).unwrap();
    let files = Files::new(loader);
    let input = Input {
        name: "d.rigy.yaml",
        location: Location(dir.path().join("root/docs/d.rigy.yaml")),
        text: &document(kind, reference),
    };
    check(input, &files)?.value.build()?;
    Ok(())
}

#[test]
fn references_that_lead_out_are_refused_in_every_role() {
    let dir = tree();
    let root = dir.path().canonicalize().unwrap();
    let root = root.to_str().unwrap();
    for kind in ["part", "contract", "weights"] {
        let file = format!("{kind}.yaml");
        let outside = [
            format!("../../outside/{file}"),
            format!("./../../outside/{file}"),
            format!("../docs/../../outside/{file}"),
            format!("in/../../outside/{file}"),
            format!("in/../../../outside/{file}"),
            format!("{root}/outside/{file}"),
            format!("{root}/root/../outside/{file}"),
            format!("//{root}/outside/{file}"),
            format!("out_{file}"),
            format!("chain_{file}"),
            format!("absolute_{file}"),
            format!("in/out_{file}"),
            format!("out/{file}"),
            format!("out/../{file}"),
            format!("in/in/out/{file}"),
            "dangling.yaml".into(),
            "../../missing.yaml".into(),
            "../../../../../../../../etc/passwd".into(),
            "/etc/passwd".into(),
            "/proc/self/environ".into(),
            "/dev/stdin".into(),
            "cwd/Cargo.toml".into(),
            "../..".into(),
            "loop.yaml".into(),
        ];
        for reference in &outside {
            let errors = judge(&dir, kind, reference).expect_err(reference);
            assert_eq!(
                errors[0].code,
                Some(Code::U14),
                "{kind} {reference}: {errors:?}"
            );
        }
        let inside = [
            file.clone(),
            format!("./{file}"),
            format!("../{file}"),
            format!("../docs/{file}"),
            format!("in/{file}"),
            format!("up_{file}"),
            format!("../../root/{file}"),
            format!("{root}/root/docs/{file}"),
        ];
        for reference in &inside {
            let judged = judge(&dir, kind, reference);
            assert!(judged.is_ok(), "{kind} {reference}: {judged:?}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_moves_out_before_it_is_opened_is_not_read() {
    let dir = tree();
    let loader = DirectoryLoader::new(&dir.path().join("root")).unwrap();
    let from = Location(dir.path().join("root/docs/d.rigy.yaml"));
    let location = loader.resolve(&from, "../part.yaml").unwrap();
    assert!(loader.read(&location, 1000).is_ok());
    let path = dir.path().join("root/part.yaml");
    std::fs::remove_file(&path).unwrap();
    symlink(dir.path().join("outside/part.yaml"), &path).unwrap();
    let error = loader.read(&location, 1000).err().unwrap();
    assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied);
}

#[test]
fn a_directory_that_moves_out_after_it_was_resolved_gives_no_file() {
    let dir = tree();
    dir.write("root/sub/part.yaml", "version: \"0.5\"\n");
    dir.write("root/sub/other.yaml", "version: \"0.5\"\n");
    dir.write("outside/other.yaml", "version: \"0.5\"\n");
    let loader = DirectoryLoader::new(&dir.path().join("root")).unwrap();
    let from = Location(dir.path().join("root/docs/d.rigy.yaml"));
    let read = |reference: &str| {
        let location = loader.resolve(&from, reference);
        location.is_ok_and(|location| loader.read(&location, 1000).is_ok())
    };
    assert!(read("../sub/part.yaml"));
    std::fs::rename(dir.path().join("root/sub"), dir.path().join("moved")).unwrap();
    assert!(!read("../sub/part.yaml"), "it is gone");
    for target in ["outside", "moved"] {
        let link = dir.path().join("root/sub");
        symlink(dir.path().join(target), &link).unwrap();
        for name in ["part.yaml", "other.yaml", "./part.yaml"] {
            assert!(!read(&format!("../sub/{name}")), "{target}/{name}");
        }
        std::fs::remove_file(link).unwrap();
    }
    // A link to a directory inside the root is as good as the directory.
    symlink("docs", dir.path().join("root/sub")).unwrap();
    assert!(read("../sub/part.yaml"));
}
