//! Instances, imports and contracts of the probe set (`language.md` §10).

use rigy_batch::base::diag::Code;

use super::changed;
use super::rows::Expected::{self, Accepted, Refused};
use super::rows::{difference, grouped, none_wrong};

/// Files beside a document that imports.
const FILES: [(&str, &str); 6] = [
    (
        "d.rigy.yaml",
        "version: '0.2'\nimports: {me: {source: d.rigy.yaml}}\n",
    ),
    (
        "part.yaml",
        "version: '0.2'\nanchors: [{id: hub, translation: [0, 0, 0]}]\n",
    ),
    (
        "kept.yaml",
        "contract_version: '1'\nrequired_anchors: [hub]\n",
    ),
    (
        "broken.yaml",
        "contract_version: '1'\nrequired_anchors: [hub, rim]\n",
    ),
    ("number.yaml", "contract_version: 1\n"),
    (
        "twice.yaml",
        "contract_version: '1'\n\"contract_version\": '1'\n",
    ),
];

#[test]
fn section_10_composition() {
    let rows: &[(&str, Expected)] = grouped! {
        Accepted => "instances: [{id: i, mesh_id: m}]",
            "instances: [{id: i, mesh_id: m, attach3: {from: [c, d, f], to: [c, d, f], mode: rigid}}]",
            "imports: {part: {source: part.yaml}}",
            "imports: {part: {source: part.yaml, contract: kept.yaml}}";
        Refused(Code::U09) =>
            "instances: [{id: i, mesh_id: m, attach3: {from: [c, d, ghost], to: [c, d, f], mode: rigid}}]";
        Refused(Code::V30) =>
            "instances: [{id: i, mesh_id: m, attach3: {from: [c, d, f], to: [c, d, ghost], mode: rigid}}]";
        Refused(Code::U08) =>
            "instances: [{id: i, mesh_id: m, attach3: {from: [c, d, e], to: [c, d, f], mode: rigid}}]",
            "instances: [{id: i, mesh_id: m, attach3: {from: [c, d, f], to: [c, d, e], mode: rigid}}]";
        Refused(Code::U05) => "imports: {me: {source: d.rigy.yaml}}";
        Refused(Code::U06) => "imports: {part: {source: absent.yaml}}",
            "imports: {part: {source: part.yaml, contract: absent.yaml}}";
        // A contract binds without any instance; §1.1 [D3] reads it with the same rules as documents.
        Refused(Code::V31) => "imports: {part: {source: part.yaml, contract: broken.yaml}}",
            "imports: {part: {source: part.yaml, contract: number.yaml}}",
            "imports: {part: {source: part.yaml, contract: twice.yaml}}";
    };
    // Without the pose, whose bake would lack the instance (W06).
    let pose = "poses:\n  - {id: t, bones: {r: {rotation: [1, 0, 0, 0]}}}\n";
    none_wrong(rows.iter().filter_map(|(line, expected)| {
        let text = changed(&[(pose, &format!("{line}\n"))]);
        let difference = difference(&text, *expected, &FILES)?;
        Some(format!("10 `{line}`: expected {expected:?}; {difference}"))
    }));
}
