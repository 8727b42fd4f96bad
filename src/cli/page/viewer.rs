//! HTML pages of the viewer: with a scene in the same file, or with scenes in data files beside them.

use std::sync::LazyLock;

use miniz_oxide::deflate::{CompressionLevel, compress_to_vec_zlib};
use miniz_oxide::inflate::decompress_to_vec_zlib;
use sha2::{Digest, Sha256};

use crate::base::base64::push_base64;
use crate::view::scene_data::SceneData;

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
    let (description, block) = (description(scene), packed(&scene.block));
    let mut page = head(&scene.name, "", description.len() + block.len() / 3 * 4);
    page.push_str("<div id=\"viewer\"></div>\n");
    page.push_str("<script type=\"application/json\" id=\"scene\">");
    push_json(&mut page, &description);
    page.push_str("</script>\n<script type=\"application/octet-stream\" id=\"block\">");
    push_base64(&mut page, &block);
    page.push_str("</script>\n");
    push_end(&mut page);
    page
}

/// Returns the page of the viewer without a scene. Its address names one, as `#scene=NAME` with sixteen hexadecimal digits,
/// and it loads the file `scene-NAME.js` beside it, which [`scene_script`] makes. `back` is the URL to which its link leads
/// back. A policy in the page lets it load nothing else.
pub fn viewer_page(back: &str) -> String {
    // The policy lets scripts run that the page's own script adds, so that it can load a file, and no script that stands in the text.
    let mut page = head("Viewer", " 'strict-dynamic'", back.len());
    page.push_str("<div id=\"viewer\" data-back=\"");
    push_text(&mut page, back);
    page.push_str("\"></div>\n");
    push_end(&mut page);
    page
}

/// Returns the text of a data file with a scene, for a page of [`viewer_page`].
pub fn scene_script(scene: &SceneData) -> String {
    let (description, block) = (description(scene), packed(&scene.block));
    let len = description.len() + block.len() / 3 * 4;
    let mut script = String::with_capacity(len + len / 16 + 64);
    script.push_str("rigyScene(");
    push_json(&mut script, &description);
    script.push_str(",\"");
    push_base64(&mut script, &block);
    script.push_str("\");\n");
    script
}

/// Returns a block as a page holds it: by deflate, in a stream of zlib.
fn packed(block: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(block, CompressionLevel::DefaultLevel as u8)
}

/// Returns a scene without its block as JSON.
fn description(scene: &SceneData) -> String {
    serde_json::to_string(scene).expect("a scene is plain structs")
}

/// Returns the beginning of a page, with room for `len` more bytes. `scripts` is what its policy allows beside its own
/// script.
fn head(title: &str, scripts: &str, len: usize) -> String {
    let size = SCRIPT.len() + STYLE.len() + len;
    let mut page = String::with_capacity(size + size / 16 + 4096);
    page.push_str(PAGE_START);
    page.push_str("<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    page.push_str("img-src data: blob:; base-uri 'none'; form-action 'none'; script-src 'sha256-");
    push_base64(&mut page, &Sha256::digest(&*SCRIPT));
    page.push('\'');
    page.push_str(scripts);
    page.push_str("; style-src 'sha256-");
    push_base64(&mut page, &Sha256::digest(STYLE));
    page.push_str(
        "'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    );
    page.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    push_text(&mut page, title);
    page.push_str(" – rigy-batch</title>\n<style>");
    page.push_str(STYLE);
    page.push_str("</style>\n</head>\n<body>\n");
    page
}

/// Appends the script and the end of a page.
fn push_end(page: &mut String) {
    page.push_str("<script>");
    page.push_str(&SCRIPT);
    page.push_str("</script>\n</body>\n</html>\n");
}

/// Appends text to HTML, with the characters of markup and control characters escaped.
fn push_text(page: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            control if control.is_control() => page.push('\u{fffd}'),
            other => page.push(other),
        }
    }
}

/// Appends JSON to a script element: `<` and its kind, which only strings can contain, become escapes.
fn push_json(page: &mut String, json: &str) {
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                page.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            other => page.push(other),
        }
    }
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
