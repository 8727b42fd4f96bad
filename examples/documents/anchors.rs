//! Anchors of a document, and triples of them that make frames.

use super::frames::{self, Triple};
use super::model::{Anchor, Vec3};
use super::names::{Naming, Pool};
use super::random::{Draw, Random};
use super::values;

pub type Ids = [String; 3];

/// Anchors as authored.
pub struct Anchors<'a> {
    naming: &'a Naming,
    pub list: Vec<Anchor>,
}

impl<'a> Anchors<'a> {
    /// A few anchors anywhere.
    pub fn draw(random: &mut Random, naming: &'a Naming, ids: &mut Pool) -> Anchors<'a> {
        let mut anchors = Anchors {
            naming,
            list: Vec::new(),
        };
        if random.chance(40) {
            for _ in 0..random.within((1, 4)) {
                let point = values::vector(random, values::wide_coordinate);
                let id = ids.fresh(random, naming, true);
                anchors.add(random, id, point);
            }
        }
        anchors
    }

    fn add(&mut self, random: &mut Random, id: String, translation: Vec3) {
        self.list.push(Anchor {
            id,
            translation,
            scope: self.naming.name(random),
        });
    }

    /// Every anchor once mirroring is done.
    pub fn expanded(&self) -> Vec<(String, Vec3)> {
        let all = |anchor: &Anchor| (anchor.id.clone(), anchor.translation);
        let copy = |anchor: &Anchor| {
            let [x, y, z] = anchor.translation;
            Some((self.naming.mirrored(&anchor.id)?, [-x, y, z]))
        };
        let copies = self.list.iter().filter_map(copy);
        self.list.iter().map(all).chain(copies).collect()
    }

    /// Three anchors for a frame, old or new. If `mirrored`, symmetry renames them where it can, and the renamed
    /// anchors must be a frame too.
    pub fn triple(
        &mut self,
        random: &mut Random,
        ids: &mut Pool,
        mirrored: bool,
        like: Option<&Triple>,
    ) -> Ids {
        let known = self.expanded();
        for _ in 0..random.below(6) {
            if let Some(picked) = pick(random, &known)
                && (!mirrored || self.stays_sound(&known, &picked))
            {
                return picked;
            }
        }
        self.fresh(random, ids, mirrored, like)
    }

    /// Three new anchors that make a frame.
    pub fn fresh(
        &mut self,
        random: &mut Random,
        ids: &mut Pool,
        mirrored: bool,
        like: Option<&Triple>,
    ) -> Ids {
        let names: Ids = std::array::from_fn(|_| ids.fresh(random, self.naming, true));
        let mut like = like.filter(|_| random.chance(50));
        let authored = self.list.len();
        loop {
            let points = match like.take() {
                Some(points) => frames::related(random, points),
                None => frames::draw(random),
            };
            for (id, point) in names.iter().zip(points) {
                self.add(random, id.clone(), point);
            }
            let known = self.expanded();
            let sound = frames::is_sound(&points);
            if sound && (!mirrored || self.stays_sound(&known, &names)) {
                return names;
            }
            self.list.truncate(authored);
        }
    }

    fn stays_sound(&self, known: &[(String, Vec3)], names: &Ids) -> bool {
        let renamed = |id: &String| self.naming.mirrored(id).unwrap_or_else(|| id.clone());
        points(known, &names.each_ref().map(renamed))
            .is_some_and(|points| frames::is_sound(&points))
    }
}

/// Three of these anchors, if they happen to make a frame.
pub fn pick(random: &mut Random, known: &[(String, Vec3)]) -> Option<Ids> {
    if known.is_empty() {
        return None;
    }
    let picked = [(); 3].map(|()| random.pick(known));
    let sound = frames::is_sound(&picked.map(|(_, point)| *point));
    sound.then(|| picked.map(|(id, _)| id.clone()))
}

pub fn points(known: &[(String, Vec3)], names: &Ids) -> Option<Triple> {
    let point = |name: &String| known.iter().find(|(id, _)| id == name).map(|found| found.1);
    let [first, second, third] = names.each_ref().map(point);
    Some([first?, second?, third?])
}
