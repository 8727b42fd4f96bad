//! Formats that the name after `-o` gives, and textures and joints that are refused.

use rigy_batch::export::Format;

use super::builder::arm;
use super::cli::bake;
use crate::support::Dir;

#[test]
fn the_ending_of_the_output_is_its_format() {
    let dir = Dir::with("a.glb", arm().glb());
    for ending in Format::ALL.map(Format::name) {
        let (named, asked) = (format!("one/x.{ending}"), format!("two/x.{ending}"));
        assert_eq!(bake(&dir, &format!("a.glb -o {named}")).status(), 0);
        bake(&dir, &format!("a.glb -o {asked} --to {ending}")).good();
        assert!(dir.read(&named) == dir.read(&asked), "{ending}");
    }
    let other = "a name that ends in `.ply`;";
    bake(&dir, "a.glb -o z.stl --to ply").exits_saying(2, other);
    bake(&dir, "a.glb -o z.stl/ --to ply").good();
    assert!(dir.files().contains(&"z.stl/a.ply".to_owned()));
}

#[test]
fn textures_that_are_too_high_are_refused_before_frames_are_baked() {
    let dir = Dir::with("a.glb", arm().glb());
    let vat = "a.glb -o out --as vat --frames 0..900000@1";
    let start = std::time::Instant::now();
    bake(&dir, vat).exits_saying(1, "900001 frames of");
    let took = start.elapsed();
    assert!(took.as_secs() < 20, "{took:?}");
}

#[test]
fn an_unknown_joint_is_named() {
    let dir = Dir::with("a.glb", arm().glb());
    bake(&dir, "a.glb --solver dqs --scale-local fare").exits_saying(1, "`fare`");
}
