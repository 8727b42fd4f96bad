// Writes a document and a glTF file with hostile names and one with a broken image, and their pages: `node viewer_hostile.mjs PROGRAM DIRECTORY`.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [, , program, directory] = process.argv;
mkdirSync(directory, { recursive: true });
const name = '</script><img src=x onerror="window.hostile=1"><!--<script>';
/** A name that would turn the direction of what follows, ring and colour a terminal, or end a line of a script. */
const control = `${name}\u202e\u001b[31m\u0007\u009b\u2028`;
const id = (kind) => JSON.stringify(`${name} ${kind}`);
writeFileSync(join(directory, "hostile.rigy.yaml"), `version: "0.5"
meshes: [{id: ${id("mesh")}, primitives: [{type: sphere, id: ball, dimensions: {radius: 1}}]}]
armatures: [{id: ${id("rig")}, bones: [{id: ${id("bone")}, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]}]
bindings: [{mesh_id: ${id("mesh")}, armature_id: ${id("rig")}, weights: []}]
poses: [{id: ${id("pose")}, bones: {${id("bone")}: {rotation: [0.6, 0.8, 0, 0], translation: [0, 0, 0]}}}]
`);
const positions = Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1]).buffer);
writeFileSync(join(directory, "hostile.gltf"), JSON.stringify({
  asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }],
  nodes: [{ name: control, mesh: 0 }],
  meshes: [{ name: control, primitives: [{ attributes: { POSITION: 0 }, targets: [{ POSITION: 0 }] }], extras: { targetNames: [control] } }],
  animations: [{ name: control, channels: [{ sampler: 0, target: { node: 0, path: "scale" } }], samplers: [{ input: 1, output: 2 }] }],
  buffers: [{ byteLength: positions.length, uri: `data:application/octet-stream;base64,${positions.toString("base64")}` }],
  bufferViews: [{ buffer: 0, byteLength: 36 }, { buffer: 0, byteOffset: 36, byteLength: 8 }, { buffer: 0, byteOffset: 0, byteLength: 24 }],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
    { bufferView: 1, componentType: 5126, count: 2, type: "SCALAR", min: [0], max: [1] },
    { bufferView: 2, componentType: 5126, count: 2, type: "VEC3" },
  ],
}));
// An image that begins like a PNG and ends there: the browser cannot decode it, which the page says.
const header = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.from([0, 0, 0, 4, 0, 0, 0, 4, 8, 6, 0, 0, 0])]);
writeFileSync(join(directory, "broken.gltf"), JSON.stringify({
  asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, material: 0 }] }],
  materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }], textures: [{ source: 0 }],
  images: [{ uri: `data:text/html;base64,${header.toString("base64")}` }],
  buffers: [{ byteLength: positions.length, uri: `data:application/octet-stream;base64,${positions.toString("base64")}` }],
  bufferViews: [{ buffer: 0, byteLength: 36 }, { buffer: 0, byteLength: 24 }],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
    { bufferView: 1, componentType: 5126, count: 3, type: "VEC2" },
  ],
}));
// The name of a file can have such characters, too.
const named = "hostile\u202e\u001b\u0007.gltf";
copyFileSync(join(directory, "hostile.gltf"), join(directory, named));
for (const files of [["hostile.rigy.yaml"], ["hostile.gltf"], ["broken.gltf"], [named], [named, "hostile.gltf"]]) {
  const paths = files.map((file) => join(directory, file));
  execFileSync(program, ["view", ...paths, "--no-open", "-o", directory], { stdio: ["ignore", "ignore", "inherit"] });
}
