//! HTML pages of the viewer: with a scene in the same file, or with scenes in data files beside them.

use std::sync::LazyLock;

use miniz_oxide::deflate::{CompressionLevel, compress_to_vec_zlib};
use miniz_oxide::inflate::decompress_to_vec_zlib;

use super::html::hash_source;
use crate::run::batch::script_json;
use rigy_base::base64::base64;
use rigy_base::terminal::{printable, xml};
use rigy_view::scene_data::SceneData;

/// The bundle of the viewer, which `viewer/build.mjs` makes from `viewer/src/view` and `build.rs` compresses.
static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/view.js.zlib"));
    let script = decompress_to_vec_zlib(packed).expect("build.rs has compressed it");
    String::from_utf8(script).expect("the bundle is text")
});
/// The style of the viewer.
const STYLE: &str = include_str!("../../../viewer/dist/view.css");

/// The beginning of every page of the viewer.
pub const PAGE_START: &str = "<!doctype html>\n<!-- rigy-batch viewer -->\n";

/// Returns the page of the viewer with a scene. It opens from the file system, without a server or a network: a policy in
/// the page lets it load nothing at all, and run no script but its own. Text of the scene cannot become markup.
pub fn view_page(scene: &SceneData) -> String {
    let (description, block) = (script_json(scene), base64(&packed(&scene.block)));
    let mut page = head(&scene.name, "", description.len() + block.len());
    page.extend([
        "<div id=\"viewer\"></div>\n<script type=\"application/json\" id=\"scene\">",
        &description,
        "</script>\n<script type=\"application/octet-stream\" id=\"block\">",
        &block,
        "</script>\n",
    ]);
    page.extend(end());
    page
}

/// Returns the page of the viewer without a scene. Its address names one, as `#scene=NAME` with sixteen hexadecimal digits,
/// and it loads the file `scene-NAME.js` beside it, which [`scene_script`] makes. `back` is the URL to which its link leads
/// back. A policy in the page lets it load nothing else.
pub fn viewer_page(back: &str) -> String {
    // The policy lets scripts run that the page's own script adds, so that it can load a file, and no script that stands in the text.
    let mut page = head("Viewer", " 'strict-dynamic'", back.len());
    page += &format!("<div id=\"viewer\" data-back=\"{}\"></div>\n", xml(back));
    page.extend(end());
    page
}

/// Returns the text of a data file with a scene, for a page of [`viewer_page`].
pub fn scene_script(scene: &SceneData) -> String {
    let (description, block) = (script_json(scene), base64(&packed(&scene.block)));
    ["rigyScene(", &description, ",\"", &block, "\");\n"].concat()
}

/// Returns a block as a page holds it: by deflate, in a stream of zlib.
fn packed(block: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(block, CompressionLevel::DefaultLevel as u8)
}

/// Returns the beginning of a page, with room for `len` more bytes. `scripts` is what its policy allows beside its own
/// script.
fn head(title: &str, scripts: &str, len: usize) -> String {
    let size = SCRIPT.len() + STYLE.len() + len;
    let mut page = String::with_capacity(size + size / 16 + 4096);
    let [script, style] = [SCRIPT.as_str(), STYLE].map(hash_source);
    page += &format!(
        "{PAGE_START}<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         img-src data: blob:; base-uri 'none'; form-action 'none'; script-src {script}{scripts}; \
         style-src {style}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{} – rigy-batch</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n",
        xml(&printable(title))
    );
    page
}

/// The end of a page, with the script.
fn end() -> [&'static str; 3] {
    ["<script>", &SCRIPT, "</script>\n</body>\n</html>\n"]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundle_can_stand_in_a_page() {
        for text in [SCRIPT.as_str(), STYLE] {
            let text = text.to_lowercase();
            for end in ["</script", "<script", "</style", "<!--"] {
                assert!(!text.contains(end), "{end}");
            }
        }
        assert!(
            SCRIPT.contains("Permission is hereby granted"),
            "the licence of three.js"
        );
    }
}
