//! The schema of contracts (`language.md` §4.2).

use super::coerce::text;
use super::reader::Reader;
use crate::model::Contract;
use crate::schema::contracts::CONTRACT;

pub(super) fn contract(r: &Reader<'_, '_>) -> Option<Contract> {
    let o = r.object(r.root(), &CONTRACT)?;
    let version = o.required("contract_version", text);
    let required_anchors = o.list("required_anchors", text);
    let required_frame3_sets = o.list("required_frame3_sets", text);
    let frame3_sets = o.optional("frame3_sets", |r: &Reader<'_, '_>, id| {
        r.entries(id, "names to three anchors", |r, set, anchors| {
            Some((set, r.tuple(anchors, "anchor ids", text)?))
        })
    });
    version?;
    Some(Contract {
        required_anchors: required_anchors?,
        required_frame3_sets: required_frame3_sets?,
        frame3_sets: frame3_sets?.unwrap_or_default(),
    })
}
