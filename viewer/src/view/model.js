// A model of a scene: its GLB, the nodes and skins that it shows, and its joints at a moment.
import { printable } from "../printable.js";
import { IDENTITY, inverse, ofTrs, product, timesQuaternion, translation, unit } from "./affine.js";
import { dualForm } from "./dual.js";
import { Nodes, channelsOf } from "./pose.js";
import { instancesOf, surfacesOf } from "./surfaces.js";

/** Texels of a joint in a palette: its matrix; then real and dual part of its dual quaternion; then the matrix of the first stage. */
export const [LINEAR, SCALED] = [3, 8];

export class Model {
  /** `isStill` is true in a comparison, which has no dual quaternions. */
  constructor(glb, { isStill, isOfDocument, scale }) {
    Object.assign(this, { glb, isStill, isOfDocument, scale });
    this.nodes = new Nodes(glb);
    this.channels = (glb.json.animations ?? []).map((animation) => channelsOf(glb, animation));
    this.rest = this.nodes.at([], 0);
    this.made = new Map();
    this.instances = (node) => {
      if (!this.made.has(node)) this.made.set(node, placesOf(glb, node));
      return this.made.get(node);
    };
    this.shown = this.#shownNodes();
  }

  /** Nodes with a mesh that are shown at rest, or may be at other times. */
  #shownNodes() {
    const { list, parents, order } = this.nodes;
    const blinking = new Set(this.isStill ? [] : this.channels.flat().filter(({ path }) => path === "visible").map(({ node }) => node));
    const isShown = [], roots = new Set(this.glb.json.scenes[0].nodes);
    for (const node of order) {
      const visible = list[node].extensions?.KHR_node_visibility?.visible ?? true;
      const above = parents[node] === null ? { inScene: false, seen: true } : isShown[parents[node]];
      isShown[node] = { inScene: roots.has(node) || above.inScene, seen: above.seen && (visible || blinking.has(node)) };
    }
    return list.flatMap(({ mesh }, node) => (mesh !== undefined && isShown[node].inScene && isShown[node].seen ? [node] : []));
  }

  /** Finds skins and surfaces, which are numbered after those of the models before. The last skin has the nodes without one. */
  read(number, skins) {
    const { json } = this.glb;
    this.skins = [];
    const joints = [], places = new Map(), first = skins.length;
    for (const node of this.shown) {
      const { skin, name } = json.nodes[node];
      instancesOf(this, node).forEach((matrix, instance) => {
        const key = skin === undefined || matrix ? `${node}.${instance}` : `skin ${skin}`;
        if (places.has(key)) return;
        if (skin === undefined) places.set(key, { joint: joints.push({ node, matrix, name: name ?? `node ${node}`, parent: null, origin: [0, 0, 0] }) - 1 });
        else places.set(key, { skin: first + this.skins.push(this.#skin(skin, matrix)) - 1, joint: null });
      });
    }
    this.rigid = { name: "nodes", isNodes: true, joints, stride: LINEAR };
    skins.push(...this.skins, this.rigid);
    const last = first + this.skins.length;
    const skinOf = (node, instance) => ({ skin: last, ...(places.get(`${node}.${instance}`) ?? places.get(`skin ${json.nodes[node].skin}`)) });
    const surfaces = surfacesOf(this, number, this.shown, skinOf);
    this.skins.forEach((skin, index) => {
      let found;
      skin.idle = () => (found ??= idleJoints(skin, surfaces.filter((surface) => surface.skin === first + index)));
    });
    return surfaces;
  }

  #skin(index, instance) {
    const { joints, inverseBindMatrices, name } = this.glb.json.skins[index];
    const numbers = inverseBindMatrices === undefined ? null : this.glb.numbers(inverseBindMatrices);
    const inverses = joints.map((_, joint) => (numbers ? [0, 1, 2].flatMap((row) => [0, 4, 8, 12].map((column) => numbers[16 * joint + column + row])) : IDENTITY));
    const jointOf = new Map(joints.map((node, joint) => [node, joint]));
    const parentOf = (node) => {
      let above = this.nodes.parents[node];
      while (above !== null && !jointOf.has(above)) above = this.nodes.parents[above];
      return above === null ? null : jointOf.get(above);
    };
    const described = joints.map((node, joint) => {
      const origin = numbers ? translation(inverse(inverses[joint])) : [0, 0, 0];
      return { node, name: printable(this.glb.json.nodes[node].name ?? `node ${node}`), parent: parentOf(node), origin: origin.every(Number.isFinite) ? origin : [0, 0, 0] };
    });
    return { instance, name: printable(name ?? `skin ${index}`), joints: described, inverses, stride: this.isStill ? LINEAR : SCALED };
  }

  /** Writes the palettes of all skins for a pose of the nodes to `out`. Returns for each skin whether it has dual quaternions, and a first stage. */
  write(pose, out, isLinear) {
    const found = this.skins.map((skin) => {
      const matrices = skin.joints.map(({ node }, joint) => product(pose.globals[node], skin.inverses[joint]));
      const form = this.isStill || isLinear ? null : placed(dualForm(skin, this.nodes, pose, matrices, this.scale), skin.instance);
      matrices.forEach((matrix, joint) => {
        const at = 4 * (skin.base + joint * skin.stride);
        out.set(skin.instance ? product(skin.instance, matrix) : matrix, at);
        if (this.isStill || isLinear) return;
        const [q, t] = form?.rigid[joint] ?? [[0, 0, 0, 1], [0, 0, 0]];
        out.set(q, at + 12);
        out.set(timesQuaternion([...t, 0], q).map((part) => part / 2), at + 16);
        out.set(form?.first?.[joint] ?? IDENTITY, at + 20);
      });
      return { hasDual: form !== null, isScaled: Boolean(form?.first) };
    });
    this.rigid.joints.forEach(({ node, matrix }, joint) => out.set(matrix ? product(pose.globals[node], matrix) : pose.globals[node], 4 * (this.rigid.base + LINEAR * joint)));
    return [...found, { hasDual: true, isScaled: false }];
  }
}

/** The matrices of instances of a node's mesh, with rotation and scale. */
function placesOf(glb, node) {
  const { TRANSLATION, ROTATION, SCALE } = glb.json.nodes[node].extensions.EXT_mesh_gpu_instancing.attributes;
  const of = (index, width, otherwise) => (i) => (index === undefined ? otherwise : Array.from(glb.numbers(index).subarray(width * i, width * (i + 1))));
  const [t, q, s] = [of(TRANSLATION, 3, [0, 0, 0]), of(ROTATION, 4, [0, 0, 0, 1]), of(SCALE, 3, [1, 1, 1])];
  return Array.from({ length: glb.count(TRANSLATION ?? ROTATION ?? SCALE) }, (_, i) => Object.assign(ofTrs(t(i), q(i), s(i)), { parts: [t(i), unit(q(i)), s(i)] }));
}

/** Dual quaternions after the transform of an instance; null if that scales. */
function placed(form, instance) {
  if (!form || !instance) return form;
  const [t, q, s] = instance.parts;
  if (s.some((factor) => factor !== 1)) return null;
  const turn = (v) => timesQuaternion(timesQuaternion(q, [...v, 0]), [-q[0], -q[1], -q[2], q[3]]).slice(0, 3);
  return { ...form, rigid: form.rigid.map(([r, v]) => [timesQuaternion(q, r), turn(v).map((c, i) => c + t[i])]) };
}

/** Returns for each joint of a skin true if no vertex has weight on it or on a joint below it. */
function idleJoints({ joints }, surfaces) {
  const idle = joints.map(() => true);
  const use = (joint) => { for (let one = joint; one !== null && idle[one]; one = joints[one].parent) idle[one] = false; };
  for (const { sets } of surfaces) for (const { joints, weights } of sets) weights.forEach((weight, slot) => { if (weight > 0) use(joints[slot]); });
  return idle;
}
