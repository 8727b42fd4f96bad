//! Bones that a pose leaves where they are while it moves their parents (W24).

use super::bones::off_origin;
use super::carried::{carried_by, rounded};
use crate::model::{Bone, Document, Pose, PoseBone, numbers};
use rigy_base::diag::{Code, Diagnostic, Findings, Mend};
use rigy_base::maps::HashMap;
use rigy_kernel::math::{Vec3, length, minus};

/// Greatest distance from its head at which a bone counts as left there, in metres.
const STILL: f64 = 1e-6;

/// Least distance to the place to which the parent carries a bone, in lengths of the parent, that is told of.
const APART: f64 = 0.01;

/// Most bones of one id that are looked at, in as many armatures.
const MOST_GROUPS: usize = 16;

/// The bones that have influence, by id. Bones that have it in the same lists of weights have the same number.
type Bones<'d> = HashMap<&'d str, (&'d Bone, usize)>;

/// A bone that is left at its bind place.
struct Left<'p, 'd> {
    entry: &'p PoseBone,
    bone: &'d Bone,
    parent: &'d Bone,
    parent_entry: &'p PoseBone,
}

/// Reports bones of poses with the place to which their parent carries them. Poses have no hierarchy, so parts come off that are
/// left at their bind place. Bones without influence do not count, and bones that W11 is about neither.
pub fn left_behind(document: &Document, f: &mut Findings) {
    if document.poses.is_empty() {
        return;
    }
    let groups = bones_with_influence(document);
    for pose in &document.poses {
        if f.is_full_of_warnings() {
            break;
        }
        // An entry is for the bones of its name in all armatures.
        let carried: Vec<_> = groups.iter().map(|bones| carried(pose, bones)).collect();
        let reported = pose.bones.iter().filter_map(|entry| {
            let (left, place) = carried
                .iter()
                .find_map(|of| of.get(&*entry.bone_id.value)?.as_ref())?;
            Some(finding(left, *place).of_pose(&pose.id.value))
        });
        reported.for_each(|warning| f.report(warning));
    }
}

/// The bones of all armatures, in groups in which no two have one id.
fn bones_with_influence(document: &Document) -> Vec<Bones<'_>> {
    let mut lists_of: HashMap<(&str, &str), Vec<usize>> = HashMap::default();
    let mut count = 0;
    for binding in &document.bindings {
        for list in binding.lists() {
            for influence in list.iter().filter(|bone| bone.weight.value > 0.0) {
                let bone = (&*binding.armature_id.value, &*influence.bone_id.value);
                lists_of.entry(bone).or_default().push(count);
            }
            count += 1;
        }
    }
    let (mut groups, mut numbers) = (Vec::<Bones>::new(), HashMap::default());
    for armature in &document.armatures {
        let own = armature.bones.iter().filter_map(|bone| {
            let lists = lists_of.remove(&(&*armature.id.value, &*bone.id.value))?;
            let next = numbers.len();
            let number = *numbers.entry(lists).or_insert(next);
            Some((&*bone.id.value, (bone, number)))
        });
        let own: Bones = own.collect();
        match groups
            .iter()
            .position(|group| own.keys().all(|id| !group.contains_key(id)))
        {
            Some(free) => groups[free].extend(own),
            None if groups.len() < MOST_GROUPS => groups.push(own),
            None => {}
        }
    }
    groups
}

/// Returns each bone that the pose leaves behind, with the place to which its parent carries it, which is itself put where it
/// belongs; `None` for bones that stay with their parents.
fn carried<'p, 'd>(
    pose: &'p Pose,
    bones: &Bones<'d>,
) -> HashMap<&'p str, Option<(Left<'p, 'd>, Vec3)>> {
    let entries = pose.entries();
    let mut carried = HashMap::default();
    for entry in &pose.bones {
        // The parents that have not been visited, up to the first that is no such bone.
        let mut chain = Vec::new();
        let mut next = Some(entry);
        while let Some(left) = next.and_then(|entry| left(entry, &entries, bones)) {
            let name = &*left.entry.bone_id.value;
            if carried.contains_key(name) {
                break;
            }
            carried.insert(name, None);
            next = Some(left.parent_entry);
            chain.push(left);
        }
        while let Some(left) = chain.pop() {
            let parent = carried.get(&*left.parent_entry.bone_id.value);
            let own = left.parent_entry.place();
            let at = parent.and_then(Option::as_ref).map_or(own, |(_, at)| *at);
            let place = carried_by(left.parent, Some(left.parent_entry), left.bone, at);
            let [head, tail] = [&left.parent.head, &left.parent.tail].map(numbers);
            let apart = length(minus(place, numbers(&left.bone.head)));
            if apart.is_finite() && apart > APART * length(minus(head, tail)) {
                carried.insert(&*left.entry.bone_id.value, Some((left, place)));
            }
        }
    }
    carried
}

/// Returns a bone that an entry leaves at its bind place, if the pose says where its parent is.
fn left<'p, 'd>(
    entry: &'p PoseBone,
    entries: &HashMap<&str, &'p PoseBone>,
    bones: &Bones<'d>,
) -> Option<Left<'p, 'd>> {
    let (bone, number) = bones.get(&*entry.bone_id.value)?;
    let (parent, number_of_parent) = bones.get(&*bone.parent.value)?;
    let parent_entry = *entries.get(&*bone.parent.value)?;
    let has_place = parent_entry.translation.is_some() || off_origin(parent).is_none();
    let is_still = length(minus(entry.place(), numbers(&bone.head))) <= STILL;
    // What follows both alike stays whole.
    let may_part = number != number_of_parent;
    (has_place && is_still && may_part).then_some(Left {
        entry,
        bone,
        parent,
        parent_entry,
    })
}

fn finding(left: &Left, place: Vec3) -> Diagnostic {
    let (bone, parent) = (&left.bone.id.value, &left.parent.id.value);
    let place = rounded(place);
    let [x, y, z] = place;
    let message = format!(
        "bone `{bone}` stays at its bind place while its parent `{parent}` moves, so what they move comes apart; `{parent}` carries it to [{x}, {y}, {z}]"
    );
    let help = format!(
        "poses have no hierarchy: write `translation: [{x}, {y}, {z}]`, or another place if they are to come apart"
    );
    let translation = left.entry.translation.as_ref();
    let span = translation.map_or(left.entry.span, |place| place.span);
    Diagnostic::new(Code::W24, span, message)
        .help(help)
        .mend(match translation {
            Some(translation) => Mend::Numbers {
                from: numbers(&translation.value).to_vec(),
                to: place.to_vec(),
            },
            None => Mend::Insert {
                field: "translation".into(),
                value: format!("[{x}, {y}, {z}]"),
            },
        })
}
