//! `--prune` on systems without a shell; `tests/transcripts/prune.md` has what is removed and what must stay.

use crate::support::{Dir, document};

#[test]
fn outputs_of_a_document_that_is_gone_are_removed() {
    let dir = Dir::with("in/a.rigy.yaml", document("p"));
    dir.write("in/b.rigy.yaml", document("p"));
    dir.run("in -o out").good();
    dir.remove("in/a.rigy.yaml");
    dir.write("out/a.own.glb", "somebody's");
    dir.run("in -o out --prune -n")
        .prints("removed    out/a.glb\nremoved    out/a.p.glb\n");
    assert_eq!(dir.glbs().len(), 5);
    dir.run("in -o out --prune")
        .prints("removed `out/a.glb`\nremoved `out/a.p.glb`\n");
    assert_eq!(dir.glbs(), ["out/a.own.glb", "out/b.glb", "out/b.p.glb"]);
}
