// three.js `SkinnedMesh.applyBoneTransform` over the workload `random` of src/run/bench/workload.rs: linear blending,
// positions only, weights in f32.
// Usage: node three_lbs.mjs VERTICES [FOLDER WITH node_modules]. Takes turns as `turns.py` describes.
import { createInterface } from "node:readline";
import path from "node:path";
import { pathToFileURL } from "node:url";

const count = Number(process.argv[2]);
const folder = path.resolve(process.argv[3] ?? ".");
const three = await import(pathToFileURL(path.join(folder, "node_modules/three/build/three.module.js")));

const JOINTS = 64;

// SplitMix64, by number of the draw: those of the normals are never looked at.
const wrap = (number) => BigInt.asUintN(64, number);
function unit(draw) {
  let z = wrap(0x5eedn + BigInt(draw + 1) * 0x9e3779b97f4a7c15n);
  z = wrap((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = wrap((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53;
}

const joints = new Uint16Array(4 * count);
const weights = new Float32Array(4 * count);
const rest = new Float32Array(3 * count);
for (let slot = 0; slot < 4 * count; slot++) {
  joints[slot] = unit(2 * slot) * JOINTS;
  weights[slot] = 1 - unit(2 * slot + 1);
}
for (let vertex = 0; vertex < count; vertex++)
  for (let axis = 0; axis < 3; axis++) rest[3 * vertex + axis] = unit(8 * count + 6 * vertex + axis) - 0.5;

const bones = [], inverses = [];
for (let joint = 0; joint < JOINTS; joint++) {
  const at = (draw) => unit(14 * count + 10 * joint + draw) - 0.5;
  const [w, x, y, z] = [0, 1, 2, 3].map(at);
  const bone = new three.Bone();
  const turn = new three.Quaternion(x, y, z, w).normalize();
  bone.matrixWorld.compose(new three.Vector3(at(4), at(5), at(6)), turn, new three.Vector3(1, 1, 1));
  bones.push(bone);
  inverses.push(new three.Matrix4().makeTranslation(at(7), at(8), at(9)));
}

const geometry = new three.BufferGeometry();
geometry.setAttribute("position", new three.BufferAttribute(rest, 3));
geometry.setAttribute("skinIndex", new three.BufferAttribute(joints, 4));
geometry.setAttribute("skinWeight", new three.BufferAttribute(weights, 4));
const mesh = new three.SkinnedMesh(geometry);
mesh.bind(new three.Skeleton(bones, inverses), new three.Matrix4());

const posed = new Float32Array(3 * count);
const vector = new three.Vector3();
function evaluate() {
  for (let vertex = 0; vertex < count; vertex++) {
    vector.fromArray(rest, 3 * vertex);
    mesh.applyBoneTransform(vertex, vector);
    vector.toArray(posed, 3 * vertex);
  }
}

// The sum written out, for a few vertices: a peer that skins nothing would be fast.
function check() {
  for (let vertex = 0; vertex < Math.min(count, 100); vertex++) {
    const sum = new three.Vector3();
    for (let slot = 4 * vertex; slot < 4 * vertex + 4; slot++) {
      const moved = new three.Vector3().fromArray(rest, 3 * vertex).applyMatrix4(inverses[joints[slot]]);
      sum.addScaledVector(moved.applyMatrix4(bones[joints[slot]].matrixWorld), weights[slot]);
    }
    if (!(sum.distanceTo(new three.Vector3().fromArray(posed, 3 * vertex)) < 1e-5)) {
      console.error(`three.js: vertex ${vertex} is not where it should be`);
      process.exit(1);
    }
  }
}

evaluate();
check();
console.log(`three.js r${three.REVISION}, positions only`);
for await (const _ of createInterface({ input: process.stdin })) {
  evaluate();
  const start = performance.now();
  let turns = 0;
  for (; performance.now() - start < 10; turns++) evaluate();
  console.log((performance.now() - start) / 1000 / turns);
}
