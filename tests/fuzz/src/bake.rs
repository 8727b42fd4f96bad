//! A whole bake in memory: the output must be a file that our own reader accepts, without anything skinned or
//! animated, and the same bytes for every instruction set and order of the work.

use std::ops::ControlFlow::Continue;
use std::sync::Mutex;

use rigy_batch::bake::gltf::read;
use rigy_batch::bake::{Animated, Baked, Baker, Clip, Form, Moment, Skinning, Source, WriteError};
use rigy_batch::base::loader::{Location, MemoryLoader};
use rigy_batch::base::output::WriteAt;
use rigy_batch::kernel::executor::{Executor, Sequential};
use rigy_batch::kernel::simd::Isa;

use crate::exercise::{loader, scales};
use crate::exports::export;

/// Largest output that is written: a small file can claim any number of zeros.
const MOST: u64 = 1 << 18;

/// A file in memory that notices bytes which are written twice or beyond its end.
struct Memory(Mutex<Vec<Option<u8>>>);

impl WriteAt for Memory {
    fn write_at(&self, bytes: &[u8], offset: u64) -> std::io::Result<()> {
        let mut file = self.0.lock().unwrap();
        let places = file[offset as usize..].iter_mut().take(bytes.len());
        assert_eq!(places.len(), bytes.len(), "beyond the end");
        for (place, byte) in places.zip(bytes) {
            assert!(place.replace(*byte).is_none(), "written twice");
        }
        Ok(())
    }
}

/// The last task first.
struct Backwards;

impl Executor for Backwards {
    fn for_each(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..count).rev().for_each(task);
    }

    fn vertices_per_task(&self, vertex_count: usize) -> usize {
        vertex_count.max(1)
    }
}

/// Bakes at rest and into the first animation, by both solvers and every form of joint scale.
pub fn bake(bytes: &[u8]) {
    let loader = loader();
    let Ok(source) = Source::read(bytes, &Location("m.glb".into()), &loader) else {
        return;
    };
    let is_clean = source.warnings.is_empty();
    let source = source.value;
    let skinnings = [Skinning::linear()]
        .into_iter()
        .chain(scales().map(Skinning::dual_quaternions));
    let (rest, within) = (Moment::default(), Moment::default().time(0.3));
    for skinning in skinnings {
        for moment in [&rest, &within] {
            let whole =
                |isa, executor: &dyn Executor| written(&source, moment, &skinning, isa, executor);
            let best = whole(Isa::best(), &Sequential);
            let scalar = whole(Isa::named("scalar").unwrap(), &Backwards);
            assert!(best == scalar, "instruction sets or orders of work differ");
            if let Some(glb) = best {
                plain(&glb, is_clean);
            }
        }
    }
    let linear = Skinning::linear();
    let glb = written(&source, &within, &linear, Isa::best(), &Sequential);
    glb.iter().for_each(|glb| export(glb));
}

/// Bakes three frames of the first animation into one file, in each form.
pub fn animate(bytes: &[u8]) {
    let loader = loader();
    let Ok(source) = Source::read(bytes, &Location("m.glb".into()), &loader) else {
        return;
    };
    let clip = Clip {
        animation: 0,
        times: vec![0.0, 0.15, 0.3],
    };
    let is_clean = source.warnings.is_empty();
    let source = source.value;
    let morph = |tolerance| Form::Morph { tolerance };
    for form in [Form::Step, morph(0.0), morph(0.5)] {
        let whole = |isa, executor: &dyn Executor| {
            let skinning = Skinning::linear();
            let baker = Baker::new(&source);
            let animated =
                baker.bake_animated(&clip, form, &skinning, isa, executor, &|| Continue(()));
            let animated = animated.map_err(|errors| assert!(!errors.is_empty()));
            let Animated {
                baked, morphing, ..
            } = animated.ok()?.value;
            assert!(morphing.is_none_or(|(keys, _)| (2..=3).contains(&keys)));
            bytes_of(&baked, executor)
        };
        let best = whole(Isa::best(), &Sequential);
        let scalar = whole(Isa::named("scalar").unwrap(), &Backwards);
        assert!(best == scalar, "instruction sets or orders of work differ");
        if let Some(glb) = best {
            let read = read(&glb, &Location("one.glb".into()), &MemoryLoader::default());
            let read =
                read.unwrap_or_else(|errors| panic!("the output is refused: {:?}", errors[0]));
            let faults = read.warnings.first().filter(|_| is_clean);
            assert!(faults.is_none(), "the output departs from glTF: {faults:?}");
            let file = read.value;
            assert!(file.skins.is_empty() && file.animations.len() < 2);
            for animation in 0..file.animations.len() {
                let channels = file.channels(animation).expect("keys can be used");
                assert!(!is_clean || channels.warnings.is_empty());
            }
        }
    }
}

/// The bytes of a bake; `None` if it is refused, or large.
fn written(
    source: &Source<'_>,
    moment: &Moment,
    skinning: &Skinning,
    isa: Isa,
    executor: &dyn Executor,
) -> Option<Vec<u8>> {
    let baked = match source.bake(moment, skinning, isa) {
        Ok(baked) => baked.value,
        Err(errors) => {
            assert!(!errors.is_empty());
            return None;
        }
    };
    bytes_of(&baked, executor)
}

/// The bytes of a file that is ready; `None` if it is refused, or large.
fn bytes_of(baked: &Baked<'_>, executor: &dyn Executor) -> Option<Vec<u8>> {
    if baked.len() > MOST {
        return None;
    }
    let memory = Memory(Mutex::new(vec![None; baked.len() as usize]));
    match baked.write_at(&memory, executor) {
        Ok(_) => {
            let bytes = memory.0.into_inner().unwrap();
            Some(
                bytes
                    .into_iter()
                    .map(|byte| byte.expect("never written"))
                    .collect(),
            )
        }
        Err(WriteError::Vertices(errors)) => {
            assert!(!errors.is_empty());
            None
        }
        Err(WriteError::Io(error)) => panic!("{error}"),
    }
}

/// Asserts that a file can be read by itself and has only plain meshes; and no fault if what it was made from had none.
fn plain(glb: &[u8], is_clean: bool) {
    let read = read(glb, &Location("baked.glb".into()), &MemoryLoader::default());
    let file = match read {
        Ok(read) => {
            assert!(
                !is_clean || read.warnings.is_empty(),
                "{:?}",
                read.warnings[0]
            );
            read.value
        }
        Err(errors) => panic!("the output is refused: {:?}", errors[0]),
    };
    assert!(file.skins.is_empty() && file.animations.is_empty());
    assert!(
        file.nodes
            .iter()
            .all(|node| node.skin.is_none() && node.weights.is_none())
    );
    let mut primitives = file.meshes.iter().flat_map(|mesh| &mesh.primitives);
    assert!(primitives.all(|primitive| primitive.targets.is_empty()));
}
