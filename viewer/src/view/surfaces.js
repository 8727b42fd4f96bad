// The surfaces of a model: each primitive of each node, or of each of its instances, with its vertices and their influences.
import { printable } from "../printable.js";
import { cofactors, linear } from "./affine.js";

/** Most influences of a vertex that the shader reads. */
const SLOTS = 8;

/** Returns the surfaces of a model; `skinOf` returns the index of the skin of a node and one of its instances, and the joint that moves all vertices or null. */
export function surfacesOf(model, number, nodes, skinOf) {
  const { isOfDocument, glb: { json } } = model, known = new Map();
  return nodes.flatMap((node) => instancesOf(model, node).flatMap((matrix, instance) => {
    const { mesh } = json.nodes[node], { skin, joint } = skinOf(node, instance);
    return json.meshes[mesh].primitives.flatMap((primitive, index) => {
      if (primitive.attributes.POSITION === undefined) return [];
      const key = `${mesh}.${index}`;
      if (!known.has(key)) known.set(key, verticesOf(model.glb, json.meshes[mesh], primitive, isOfDocument));
      const vertices = known.get(key);
      const isTurned = joint === null && matrix && cofactors(linear(matrix))[1] < 0;
      const influences = joint === null ? vertices.influences() : rigid(vertices.vertices, joint);
      return [{
        name: printable(json.meshes[mesh].name ?? `mesh ${mesh}`), model: number, node, instance, primitive: index, skin, joint, material: primitive.material ?? null,
        ...vertices, ...influences, corners: isTurned ? turnedOver(vertices.corners) : vertices.corners,
      }];
    });
  }));
}

/** Returns the matrix of each instance of a node's mesh; null if it is drawn once. */
export function instancesOf({ glb, instances }, node) {
  if (!glb.json.nodes[node].extensions?.EXT_mesh_gpu_instancing) return [null];
  return instances(node);
}

/** What all surfaces of a primitive share. */
function verticesOf(glb, mesh, primitive, isOfDocument) {
  const { attributes, targets = [], indices, mode } = primitive;
  const numbers = (index) => (index === undefined ? null : glb.numbers(index));
  const [restPositions, restNormals] = [numbers(attributes.POSITION), numbers(attributes.NORMAL)];
  const vertices = restPositions.length / 3;
  const corners = trianglesOf(mode ?? 4, indices === undefined ? Uint32Array.from({ length: vertices }, (_, i) => i) : glb.integers(indices));
  const coordinates = Object.keys(attributes).filter((name) => name.startsWith("TEXCOORD_")).map((name) => Number(name.slice(9)));
  let read;
  return {
    vertices, restPositions, restNormals, corners, triangles: corners.length / 3, coordinates,
    textureCoordinates: coordinatesOf(coordinates.map((set) => numbers(attributes[`TEXCOORD_${set}`])), vertices),
    tints: tintsOf(glb, attributes.COLOR_0),
    targets: targets.map(({ POSITION, NORMAL }, index) =>
      ({ name: printable(mesh.extras?.targetNames[index] ?? ""), positionDifferences: numbers(POSITION), normalDifferences: numbers(NORMAL) })),
    isClockwise: restNormals !== null && isClockwise(corners, restPositions, restNormals),
    influences: () => (read ??= influencesOf(glb, attributes, vertices, isOfDocument)),
  };
}

/** The corners of a list, strip or fan; points and lines have none. */
function trianglesOf(mode, indices) {
  if (mode < 4) return new Uint32Array(0);
  if (mode === 4) return Uint32Array.from(indices.subarray(0, indices.length - (indices.length % 3)));
  const count = Math.max(0, indices.length - 2), corners = new Uint32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const three = mode === 6 ? [i + 1, i + 2, 0] : [i, i + 1 + (i % 2), i + 2 - (i % 2)];
    three.forEach((corner, k) => { corners[3 * i + k] = indices[corner]; });
  }
  return corners;
}

function turnedOver(corners) {
  const turned = corners.slice();
  for (let i = 0; i < turned.length; i += 3) [turned[i + 1], turned[i + 2]] = [turned[i + 2], turned[i + 1]];
  return turned;
}

/** Two sets of texture coordinates for each vertex; zeros where there are none. */
function coordinatesOf(sets, vertices) {
  const both = new Float32Array(sets.length ? 4 * vertices : 0);
  sets.forEach((given, set) => {
    for (let i = 0; i < given.length; i++) both[4 * (i >> 1) + 2 * set + (i & 1)] = given[i];
  });
  return both;
}

/** The colours of vertices as parts of 65,535: red, green, blue and opacity; null if there are none, or some are no numbers. */
function tintsOf(glb, index) {
  if (index === undefined || glb.width(index) < 3) return null;
  const given = glb.numbers(index), width = glb.width(index);
  const tints = new Uint16Array((4 * given.length) / width).fill(65535);
  for (let i = 0; i < given.length; i++) {
    if (!Number.isFinite(given[i])) return null;
    tints[4 * Math.floor(i / width) + (i % width)] = 65535 * Math.min(Math.max(given[i], 0), 1) + 0.5;
  }
  return tints;
}

/** The influences of vertices that one joint moves. */
function rigid(vertices, joint) {
  const [joints, weights] = [new Float32Array(4 * vertices), new Float32Array(4 * vertices)];
  for (let v = 0; v < vertices; v++) { joints[4 * v] = joint; weights[4 * v] = 1; }
  const none = { joints: new Float32Array(4 * vertices), weights: new Float32Array(4 * vertices) };
  return { slots: 0, sets: [{ joints, weights }, none], referenceJoints: new Float32Array(vertices).fill(joint) };
}

/** The influences of vertices in two sets of four slots, and the joint in whose hemisphere each vertex is blended. */
function influencesOf(glb, attributes, vertices, isOfDocument) {
  const given = [];
  for (let set = 0; attributes[`JOINTS_${set}`] !== undefined; set++) {
    given.push([glb.integers(attributes[`JOINTS_${set}`]), glb.numbers(attributes[`WEIGHTS_${set}`])]);
  }
  const count = 4 * given.length;
  const sets = [0, 1].map(() => ({ joints: new Float32Array(4 * vertices), weights: new Float32Array(4 * vertices) }));
  const referenceJoints = new Float32Array(vertices);
  const [joints, weights] = [new Uint16Array(count), new Float64Array(count)];
  for (let v = 0; v < vertices; v++) {
    for (let slot = 0; slot < count; slot++) {
      const [from, of] = given[slot >> 2], at = 4 * v + (slot & 3);
      joints[slot] = from[at];
      weights[slot] = of[at] > 0 ? of[at] : 0;
    }
    normalise(weights);
    referenceJoints[v] = referenceOf(joints, weights, isOfDocument);
    if (count > SLOTS) keepStrongest(joints, weights);
    for (let slot = 0; slot < Math.min(count, SLOTS); slot++) {
      if (!(weights[slot] > 0)) continue;
      const set = sets[slot >> 2], at = 4 * v + (slot & 3);
      set.joints[at] = joints[slot];
      set.weights[at] = weights[slot];
    }
  }
  return { slots: Math.min(SLOTS, count), sets, referenceJoints };
}

/** Divides weights by their sum; the first slot has all if there is none. */
function normalise(weights) {
  let sum = 0;
  for (let slot = 0; slot < weights.length; slot++) sum += weights[slot];
  if (!(sum > 0)) weights[0] = sum = 1;
  for (let slot = 0; slot < weights.length; slot++) weights[slot] /= sum;
}

/** The joint of the largest weight, of equal ones the first; in documents the lowest joint. */
function referenceOf(joints, weights, isOfDocument) {
  let best = -1;
  for (let slot = 0; slot < joints.length; slot++) {
    if (!(weights[slot] > 0)) continue;
    if (best < 0 || (isOfDocument ? joints[slot] < joints[best] : weights[slot] > weights[best])) best = slot;
  }
  return joints[Math.max(best, 0)];
}

/** Brings the strongest influences to the first slots. */
function keepStrongest(joints, weights) {
  const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
  const kept = order.map((slot) => [joints[slot], weights[slot]]);
  kept.forEach(([joint, weight], slot) => { joints[slot] = joint; weights[slot] = slot < SLOTS ? weight : 0; });
  normalise(weights);
}

/** Returns true if most triangles are wound clockwise, seen from where their normals point. */
function isClockwise(corners, p, n) {
  let against = 0, along = 0;
  for (let i = 0; i + 2 < corners.length; i += 3) {
    const [a, b, c] = [3 * corners[i], 3 * corners[i + 1], 3 * corners[i + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const side = (uy * vz - uz * vy) * n[a] + (uz * vx - ux * vz) * n[a + 1] + (ux * vy - uy * vx) * n[a + 2];
    if (side < 0) against++; else if (side > 0) along++;
  }
  return against > along;
}
