//! Reading a file: from its bytes to a checked [`File`].

use std::hash::Hash;
use std::sync::OnceLock;

use super::accessor::Accessor;
use super::accessor_checks::{self, CheckedAccessor};
use super::buffers::Buffers;
use super::container::split;
use super::cursor::Cursor;
use super::document::{self, Data};
use super::draco;
use super::json::{Value, parse_extended};
use super::model::{Animation, Channel, Mesh, Node, Primitive, Scene, Skin, Transform, Trs};
use super::morph::ZeroRuns;
use super::problem::{AboutFile, Findings, Problem};
use super::skeleton::local_matrix;
use super::uri::Resources;
use super::weighted;
use rigy_base::diag::{Diagnosed, Diagnostic, Warned};
use rigy_base::loader::{Loader, Location, Played};
use rigy_base::meter::Meter;
use rigy_kernel::math::{Affine, Quat, affine_product};

/// A checked glTF file: all indices, ranges and counts in it are valid.
///
/// It borrows the bytes that it was read from. Vertex data are not copied; compressed views and inverse bind matrices have
/// been decoded. Three properties are not checked here, because they need a pass over all vertices: that vertex data are
/// finite, that weights sum to 1, and that joint numbers are within the skin. The keys of an animation are checked by
/// [`channels`](Self::channels).
pub struct File<'a> {
    /// The JSON as it was read, including all members that this program does not know. Accessors of primitives that Draco has
    /// compressed refer to buffer views that have been added for them.
    pub tree: Value<'a>,
    /// Indices of those members of `tree` that are called `extensions` or have something of that name in them.
    pub extended: Vec<usize>,
    /// All nodes.
    pub nodes: Vec<Node>,
    /// Indices of all nodes, each once, parents before children.
    pub order: Vec<usize>,
    /// All meshes.
    pub meshes: Vec<Mesh>,
    /// All skins.
    pub skins: Vec<Skin>,
    /// All animations.
    pub animations: Vec<Animation>,
    /// The motion that the animations are of, if they are not its own.
    pub motion: Option<Played>,
    /// All scenes.
    pub scenes: Vec<Scene>,
    /// Index of the scene to show.
    pub scene: Option<usize>,
    /// The name of the file in messages.
    pub name: String,
    /// The length of the file and of the files of its buffers and images together, in bytes.
    pub len: u64,
    /// The work that each output made of it, or each answer about it, may take.
    pub meter: Meter,
    pub(super) accessors: Vec<CheckedAccessor>,
    pub(super) buffers: Buffers<'a>,
    /// For each accessor, where it is zero, once a morph target has asked.
    zero_runs: Vec<OnceLock<ZeroRuns>>,
    /// For each animation, what decoding it has given.
    pub(super) decoded: Vec<OnceLock<Decoded>>,
    /// For each skin, the joints that do nothing, once one of any skin matters.
    idle_joints: OnceLock<Vec<Vec<bool>>>,
}

/// The channels of an animation, or its errors.
type Decoded = Diagnosed<Warned<Vec<Channel>>>;

impl File<'_> {
    /// Returns an accessor; `None` if there is none with this index.
    pub fn accessor(&self, index: usize) -> Option<Accessor<'_>> {
        self.accessors.get(index)?.accessor(&self.buffers)
    }

    /// Returns where the elements of an accessor are zero; `None` if there is none with this index.
    pub(super) fn zero_runs(&self, index: usize) -> Option<&ZeroRuns> {
        let accessor = self.accessor(index)?;
        Some(
            self.zero_runs
                .get(index)?
                .get_or_init(|| ZeroRuns::of(&accessor)),
        )
    }

    /// Returns a key of the elements of an accessor: it is that of all accessors to which the same bytes are the same elements.
    pub fn elements_key(&self, index: usize) -> Option<impl Eq + Hash + use<'_>> {
        self.accessors.get(index)
    }

    /// Returns the primitives of all meshes.
    pub fn primitives(&self) -> impl Iterator<Item = &Primitive> {
        self.meshes.iter().flat_map(|mesh| &mesh.primitives)
    }

    /// Returns the names of the joints of all skins.
    pub fn joint_names(&self) -> impl Iterator<Item = &str> {
        self.skins
            .iter()
            .flat_map(|skin| &skin.joints)
            .filter_map(|joint| self.nodes[*joint].name.as_deref())
    }

    /// Returns the number of accessors.
    pub fn accessor_count(&self) -> usize {
        self.accessors.len()
    }

    /// Returns for each node true if it is hidden: if it or a node above it is not visible.
    pub fn hidden_nodes(&self, is_visible: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut hidden: Vec<bool> = (0..self.nodes.len())
            .map(|node| !is_visible(node))
            .collect();
        for &node in &self.order {
            let parent = self.nodes[node].parent;
            hidden[node] |= parent.is_some_and(|parent| hidden[parent]);
        }
        hidden
    }

    /// Returns true if a node is visible as it is stored, unless one above it is not.
    pub fn is_visible(&self, node: usize) -> bool {
        self.nodes[node].visible.unwrap_or(true)
    }

    /// Returns how often the mesh of a node is drawn where the node is shown: once, or once for each of its instances.
    pub fn instance_count(&self, node: usize) -> usize {
        self.nodes[node].instances.map_or(1, |them| them.count)
    }

    /// Returns the transform of an instance of a node, whose number must be below the node's number of instances; `None` if the
    /// mesh of the node is drawn once. Its numbers may be infinite or no numbers.
    pub fn instance(&self, node: usize, instance: usize) -> Option<Trs> {
        let attributes = self.nodes[node].instances?;
        let read = |index: Option<usize>| self.accessor(index?);
        let vector = |index| Some(read(index)?.reals::<3>(instance));
        let rotation = read(attributes.rotation).map(|them| them.reals::<4>(instance));
        let rest = Trs::IDENTITY;
        Some(Trs {
            translation: vector(attributes.translation).unwrap_or(rest.translation),
            rotation: rotation.map_or(rest.rotation, |[x, y, z, w]| Quat { w, x, y, z }),
            scale: vector(attributes.scale).unwrap_or(rest.scale),
        })
    }

    /// Returns the matrix that brings an instance of a node to where `matrix` brings the node's mesh.
    pub fn placed(&self, matrix: &Affine, node: usize, instance: usize) -> Affine {
        let own = self.instance(node, instance).map(Transform::Trs);
        own.map_or(*matrix, |own| affine_product(matrix, &local_matrix(&own)))
    }

    /// Returns the bytes of a buffer view, decoded if it is compressed; `None` if there is none with this index.
    pub fn view(&self, index: usize) -> Option<&[u8]> {
        self.buffers.view_bytes(index)
    }

    /// Returns the number of buffer views.
    pub fn view_count(&self) -> usize {
        self.buffers.view_count()
    }

    /// Returns the length of the longest buffer in bytes.
    pub fn longest_buffer(&self) -> u64 {
        self.buffers.longest()
    }

    /// Returns the channels of an animation, whose keys are decoded and checked at the first call; none if there is no
    /// animation with this index.
    ///
    /// # Errors
    /// The first key, or type of keys, that cannot be used.
    pub fn channels(&self, animation: usize) -> Diagnosed<Warned<&[Channel]>> {
        let place = self
            .decoded
            .get(animation)
            .zip(self.animations.get(animation));
        let Some((decoded, keys)) = place else {
            let value = &[][..];
            return Ok(Warned {
                value,
                warnings: Vec::new(),
            });
        };
        let decode = || {
            let mut findings = Findings::new(&self.name);
            let accessors = &self.accessors;
            let buffers = &self.buffers;
            let channels = document::channels(animation, keys, accessors, buffers, &mut findings);
            findings.conclude(channels.unwrap_or_default())
        };
        match decoded.get_or_init(decode) {
            Ok(Warned { value, warnings }) => Ok(Warned {
                value,
                warnings: warnings.clone(),
            }),
            Err(errors) => Err(errors.clone()),
        }
    }

    /// Returns the sentence that the scene to show has no mesh though others have, if it is only taken because it is the first.
    pub fn empty_scene(&self) -> Option<String> {
        let graph = (&*self.nodes, &*self.skins, &*self.order);
        document::empty_scene(&self.scenes, self.scene, graph)
    }

    /// Returns for each joint of a skin true if no vertex has weight on it or on a joint of the skin below it. All vertices with skins
    /// are read at the first call.
    ///
    /// # Panics
    /// If there is no skin with this index.
    pub(super) fn idle_joints(&self, skin: usize) -> &[bool] {
        &self.idle_joints.get_or_init(|| weighted::idle_joints(self))[skin]
    }

    /// Returns the times in seconds of the first and the last key of any channel of an animation; `None` if no channel moves a
    /// node.
    ///
    /// # Errors
    /// As [`channels`](Self::channels).
    pub fn span(&self, animation: usize) -> Diagnosed<Option<[f64; 2]>> {
        let channels = self.channels(animation)?.value;
        let times = || channels.iter().map(|channel| &channel.times);
        let first = times().filter_map(|times| times.first().copied());
        let last = times().filter_map(|times| times.last().copied());
        Ok(first
            .min_by(f64::total_cmp)
            .zip(last.max_by(f64::total_cmp))
            .map(|(start, end)| [start, end]))
    }

    /// Decodes and checks the keys of all animations. Returns the warnings.
    ///
    /// # Errors
    /// The error of each animation that has one.
    pub fn check_animations(&self) -> Diagnosed<Vec<Diagnostic>> {
        let mut findings = Findings::new(&self.name);
        for index in 0..self.animations.len() {
            match self.channels(index) {
                Ok(Warned { warnings, .. }) => findings.add(warnings),
                Err(errors) => findings.add(errors),
            }
        }
        Ok(findings.conclude(())?.warnings)
    }
}

/// Reads a `.glb` or `.gltf` file from its bytes. The loader finds the files that it refers to, relative to `location`,
/// and gives the name of the file in diagnostics.
///
/// # Errors
/// If the file is not glTF 2.0, requires an extension that is not supported, or breaks a rule that this program relies
/// on. The errors are all those of the first stage that has any, in the order container, JSON, extensions, buffers,
/// views, Draco data, accessors, then meshes and skins, nodes, animations and scenes.
pub fn read<'a>(
    bytes: &'a [u8],
    location: &Location,
    loader: &dyn Loader,
) -> Diagnosed<Warned<File<'a>>> {
    let resources = Resources::new(location, loader);
    read_from(bytes, &resources, &[], &|_| Ok(()))
}

/// Does the same as [`read`], but extensions that are named in `allowed` may be required although they are not known; they are
/// taken to leave geometry, skins and animations alone. `admit` is called before the files of buffers and images are read, with their
/// length in bytes together.
///
/// # Errors
/// As [`read`], and those of `admit`.
pub fn read_from<'a>(
    bytes: &'a [u8],
    resources: &Resources,
    allowed: &[String],
    admit: &dyn Fn(u64) -> Diagnosed<()>,
) -> Diagnosed<Warned<File<'a>>> {
    let name = resources.name();
    let mut findings = Findings::new(&name);
    let container = split(bytes, &mut findings).about_file(&name)?;
    let parsed = parse_extended(container.json).map_err(|syntax| {
        let offset = container.json_offset + syntax.offset as u64;
        Problem::structure(&"", format!("malformed JSON: {}", syntax.message)).at_byte(offset)
    });
    let (mut tree, extended) = parsed.about_file(&name)?;
    let root = Cursor::root(&tree).object().about_file(&name)?;
    document::extensions(&root, allowed, &mut findings);
    findings.stop()?;
    let others = resources.total_len(&root).about_file(&name)?;
    admit(others)?;
    let mut buffers = Buffers::read(&root, container.bin, resources, &mut findings);
    findings.stop()?;
    buffers.read_views(&root, &mut findings);
    findings.stop()?;
    let edits = draco::decode(&root, &mut buffers, &mut findings);
    findings.stop()?;
    edits.apply(&mut tree).about_file(&name)?;
    let root = Cursor::root(&tree);
    let accessors = accessor_checks::check(&root, &buffers, &mut findings);
    findings.stop()?;
    let quantization = |value: &Value| value.as_str() == Some("KHR_mesh_quantization");
    let data = Data {
        accessors: &accessors,
        buffers: &buffers,
        quantization: tree.list("extensionsUsed").iter().any(quantization),
    };
    let meshes = document::meshes(&root, data, &mut findings);
    let skins = document::skins(&root, data, &mut findings);
    findings.stop()?; // Nodes refer to both.
    let (nodes, order) = document::nodes(&root, &meshes, skins.len(), data, &mut findings);
    findings.stop()?;
    let animations = document::animations(&root, data, &nodes, &meshes, &mut findings);
    let decoded = animations.iter().map(|_| OnceLock::new()).collect();
    let (scenes, scene) = document::scenes(&root, &nodes, &mut findings);
    findings.stop()?;
    document::check_scene(&scenes, scene, (&nodes, &skins, &order), &mut findings);
    let mut warnings = findings.conclude(())?.warnings;
    let mut value = File {
        tree,
        extended,
        nodes,
        order,
        meshes,
        skins,
        animations,
        motion: None,
        scenes,
        scene,
        name,
        len: others.saturating_add(bytes.len() as u64),
        meter: Meter::default(),
        zero_runs: accessors.iter().map(|_| OnceLock::new()).collect(),
        accessors,
        buffers,
        decoded,
        idle_joints: OnceLock::new(),
    };
    if !resources.is_of_motion {
        warnings.extend(value.play(resources.loader)?);
    }
    Ok(Warned { value, warnings })
}
