// A scene as the program writes it (crates/view/src/scene_data): its models, what they show, and their palettes at a moment. A moment is an
// animation or a pose by its index, null for the rest, and a time in seconds, for a pose the part of the way from the rest.
import { printable } from "../printable.js";
import { affine, cofactors, linear, moved, product } from "./affine.js";
import { Glb } from "./glb.js";
import { Model } from "./model.js";
import { instancesOf } from "./surfaces.js";

export const REST = { clip: null, t: 0 };
/** Most nodes that are posed to look at several moments. */
const MOST_POSED = 1 << 18;

export class SceneData {
  /** `description` is the parsed JSON, `bytes` the block. */
  constructor(description, bytes) {
    Object.assign(this, withPrintableNames(description));
    this.bytes = bytes;
    const isOfDocument = this.kind === "document";
    this.descriptions = this.models;
    this.models = this.models.map(({ glb }) => new Model(this.#glb(glb), { isStill: this.comparison !== null, isOfDocument, scale: this.scale }));
    this.skins = [];
    this.surfaces = this.models.flatMap((model, number) => model.read(number, this.skins));
    let texels = 0;
    for (const skin of this.skins) {
      skin.base = texels;
      texels += skin.joints.length * skin.stride;
    }
    this.paletteTexels = texels;
    const solvers = new Map(this.solvers);
    for (const surface of this.surfaces) Object.assign(surface, { solver: solvers.get(surface.node), cofactors: !isOfDocument || surface.joint !== null, apart: null });
    if (this.comparison) this.#readDistances();
    /** The images of all models: numbers of the model and of the image. */
    this.images = this.models.flatMap(({ glb }, model) => (glb.json.images ?? []).flatMap((image, index) => (image.bufferView === undefined ? [] : [{ model, index }])));
    /** Morph weights by node that someone has chosen in place of those of the moment. */
    this.chosenWeights = new Map();
    this.known = new Map();
  }

  #glb(offset) {
    return new Glb(this.bytes.subarray(offset));
  }

  #readDistances() {
    let at = this.bytes.byteOffset + this.comparison.distances;
    for (const surface of this.surfaces) {
      surface.apart = new Float32Array(this.bytes.buffer, at, surface.vertices);
      at += 4 * surface.vertices;
    }
  }

  /** Returns what a moment is: the palette, whether there are dual quaternions, for each skin whether it has a first stage, and the poses of nodes. With `isLinear` there are no dual quaternions. */
  at({ clip, t }, isLinear = false) {
    const out = new Float32Array(4 * this.paletteTexels);
    const poses = this.models.map(({ nodes, channels, rest }) =>
      clip === null ? rest : this.kind === "document" ? nodes.posed(this.poses[clip].joints, t) : nodes.at(channels[clip], t));
    const forms = this.models.flatMap((model, index) => model.write(poses[index], out, isLinear));
    if (clip !== null && !out.every(Number.isFinite)) return this.at(REST); // beyond single precision
    return { clip, t, palette: out, poses, hasDual: forms.every(({ hasDual }) => hasDual), isScaled: forms.map(({ isScaled }) => isScaled) };
  }

  /** Returns true if a surface is visible at a moment. */
  isVisible({ model, node }, { poses }) {
    return poses[model].visible[node];
  }

  /** Returns the morph weights of a surface at a moment. */
  weights({ model, node }, { poses }) {
    const { glb } = this.models[model];
    return this.chosenWeights.get(`${model}.${node}`) ?? poses[model].weights[node] ?? glb.json.meshes[glb.json.nodes[node].mesh].weights ?? [];
  }

  /** Returns morphed positions and normals of a surface at a moment; the rest arrays themselves if nothing is morphed. */
  morphed(surface, moment) {
    const weights = this.weights(surface, moment);
    const add = (rest, key) => {
      if (!rest) return null;
      const sum = Float64Array.from(rest);
      surface.targets.forEach((target, i) => {
        const differences = target[key];
        if (!weights[i] || !differences) return;
        for (let c = 0; c < sum.length; c++) sum[c] += weights[i] * differences[c];
      });
      return new Float32Array(sum);
    };
    if (!surface.targets.length || !weights.some((weight) => weight !== 0)) {
      return { positions: surface.restPositions, normals: surface.restNormals };
    }
    return { positions: add(surface.restPositions, "positionDifferences"), normals: add(surface.restNormals, "normalDifferences") };
  }

  /** Returns the times of an animation or pose at which there are baked vertices. */
  bakedTimes(clip) {
    return this.baked.filter((baked) => baked.clip === clip).map(({ time }) => time).sort((a, b) => a - b);
  }

  /** True if there are baked vertices by a solver ("lbs" or "dqs"). */
  hasBaked(moment, solver) {
    return this.surfaces.length > 0 && this.surfaces.some((_, number) => this.bakedOf(number, moment, solver) !== null);
  }

  /** Returns baked positions and normals of a surface by a solver; null where there are none. */
  bakedOf(number, { clip, t }, solver) {
    if (this.kind === "document" && (clip === null || t === 0)) return this.#exported(this.surfaces[number]);
    const found = this.baked.find((baked) => baked.clip === clip && baked.time === t);
    if (!found || found[solver] === null || this.chosenWeights.size) return null;
    const offset = found[solver];
    if (!this.known.has(offset)) this.known.set(offset, this.bakedSurfaces(this.#glb(offset)));
    return this.known.get(offset)[number];
  }

  /** The vertices of a document's own mesh at rest, which are those of its export. */
  #exported({ node, restPositions: positions, restNormals: normals }) {
    return this.models[0].shown.indexOf(node) < this.bakedNodes ? { positions, normals } : null;
  }

  /** Returns positions and normals of each surface in a baked GLB; null where it has none. */
  bakedSurfaces(glb) {
    const baked = new Model(glb, { isStill: true });
    const [{ nodes, shown }] = this.models;
    const withMesh = glb.json.nodes.flatMap(({ mesh }, node) => (mesh === undefined ? [] : [node]));
    // In that of a document, nodes with a mesh have the order of its own; in others, skinned nodes have new nodes after all others.
    const numbers = new Map();
    if (this.kind === "document") shown.slice(0, this.bakedNodes).forEach((node, index) => numbers.set(node, withMesh[index]));
    else nodes.list.forEach(({ mesh, skin }, node) => { if (mesh !== undefined && skin !== undefined) numbers.set(node, nodes.list.length + numbers.size); });
    const nodeOf = (node) => numbers.get(node) ?? (this.kind === "document" ? undefined : node);
    return this.surfaces.map((surface) => {
      const node = nodeOf(surface.node);
      const primitive = glb.json.meshes[glb.json.nodes[node]?.mesh]?.primitives[surface.primitive];
      if (!primitive) return null; // of an instance of a document, or hidden at the moment
      const { POSITION, NORMAL } = primitive.attributes;
      const instance = instancesOf(baked, node)[surface.instance];
      const matrix = instance ? product(baked.rest.globals[node], instance) : baked.rest.globals[node];
      const [positions, normals] = [glb.numbers(POSITION), NORMAL === undefined ? null : glb.numbers(NORMAL)];
      return positions.length === 3 * surface.vertices ? placed(matrix, positions, normals) : null;
    });
  }

  /** Returns the nodes with morph targets: their numbers, names of meshes and targets. */
  get morphNodes() {
    const found = new Map();
    for (const surface of this.surfaces) {
      const key = `${surface.model}.${surface.node}`;
      if (surface.targets.length > (found.get(key)?.targets.length ?? 0)) found.set(key, { key, surface, name: surface.name, targets: surface.targets });
    }
    return [...found.values()];
  }

  /** Returns up to `most` moments of the animation, or of the way from rest to pose, that a moment belongs to. */
  momentsWith({ clip, t }, most) {
    if (clip === null) return [REST];
    if (this.kind === "document") return [REST, { clip, t: 1 }];
    const { start, end } = this.clips[clip];
    const count = Math.max(2, Math.min(most, Math.floor(MOST_POSED / this.models[0].nodes.list.length)));
    return end > start ? Array.from({ length: count }, (_, i) => ({ clip, t: start + ((end - start) * i) / (count - 1) })) : [{ clip, t: start }];
  }
}

/** Returns a description whose names the page can show. */
function withPrintableNames({ name, comparison, ...others }) {
  const named = (list) => list.map((one) => ({ ...one, name: printable(one.name) }));
  const [clips, poses, notes] = [named(others.clips), named(others.poses), others.notes.map(printable)];
  return { ...others, name: printable(name), clips, poses, notes, comparison: comparison && { ...comparison, a: printable(comparison.a), b: printable(comparison.b) } };
}

/** Returns positions and normals that a matrix has moved. */
function placed(matrix, positions, normals) {
  const [turn, volume] = cofactors(linear(matrix));
  const isStill = matrix.every((number, i) => number === (i % 5 ? 0 : 1));
  if (isStill) return { positions, normals };
  const each = (list, of) => {
    const made = new Float32Array(list.length);
    for (let i = 0; i < list.length; i += 3) made.set(of(list.subarray(i, i + 3)), i);
    return made;
  };
  const turned = affine(turn.map((number) => number * Math.sign(volume)), [0, 0, 0]);
  const unit = (v) => { const size = Math.hypot(...v); return size > 0 ? v.map((c) => c / size) : v; };
  return { positions: each(positions, (v) => moved(matrix, v)), normals: normals && each(normals, (v) => unit(moved(turned, v))) };
}
