// Compares what draco3d and the program decode: node draco.mjs PROGRAM, FOLDER FOR FILES, FILE... NODE_PATH names the folder with draco3d.
import fs from "node:fs";
import path from "node:path";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const [program, work, ...files] = process.argv.slice(2);
const require = createRequire(path.join(process.env.NODE_PATH, "x.js"));
const draco = await require("draco3d").createDecoderModule();
const DRACO = "KHR_draco_mesh_compression";
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };
const TYPES = {
  5120: { array: Int8Array, draco: draco.DT_INT8 },
  5121: { array: Uint8Array, draco: draco.DT_UINT8 },
  5122: { array: Int16Array, draco: draco.DT_INT16 },
  5123: { array: Uint16Array, draco: draco.DT_UINT16 },
  5125: { array: Uint32Array, draco: draco.DT_UINT32 },
  5126: { array: Float32Array, draco: draco.DT_FLOAT32 },
};

function read(file) {
  const bytes = fs.readFileSync(file);
  const length = bytes.readUInt32LE(12);
  return { json: JSON.parse(bytes.toString("utf8", 20, 20 + length)), bin: bytes.subarray(28 + length) };
}

function write(file, { json, bin }) {
  let text = Buffer.from(JSON.stringify(json));
  text = Buffer.concat([text, Buffer.alloc(-text.length & 3, 32)]);
  const head = Buffer.alloc(20), second = Buffer.alloc(8);
  head.write("glTF", 0);
  [2, 28 + text.length + bin.length, text.length, 0x4e4f534a].forEach((word, i) => head.writeUInt32LE(word, 4 + 4 * i));
  second.writeUInt32LE(bin.length, 0);
  second.writeUInt32LE(0x004e4942, 4);
  fs.writeFileSync(file, Buffer.concat([head, text, second, bin]));
}

// Takes away all that would deform vertices, and the fallback data that would be used instead of the streams.
function plain(gltf) {
  const json = structuredClone(gltf.json);
  delete json.animations;
  delete json.skins;
  for (const node of json.nodes ?? []) {
    delete node.skin;
    delete node.weights;
  }
  for (const mesh of json.meshes) {
    delete mesh.weights;
    for (const primitive of mesh.primitives) delete primitive.targets;
  }
  json.extensionsRequired = [...new Set([...(json.extensionsRequired ?? []), DRACO])];
  return { json, bin: gltf.bin };
}

// The elements of an accessor, tightly packed.
function elements({ json, bin }, index) {
  const { componentType, type, count, bufferView, byteOffset = 0 } = json.accessors[index];
  const view = json.bufferViews[bufferView];
  const size = TYPES[componentType].array.BYTES_PER_ELEMENT * WIDTHS[type];
  const stride = view.byteStride ?? size;
  const begin = (view.byteOffset ?? 0) + byteOffset;
  const rows = Array.from({ length: count }, (_, i) => bin.subarray(begin + i * stride, begin + i * stride + size));
  return Buffer.concat(rows);
}

// What draco3d makes of a primitive: for each attribute, and for the indices, bytes in the accessor's type.
function decoded(gltf, primitive) {
  const { bufferView, attributes } = primitive.extensions[DRACO];
  const view = gltf.json.bufferViews[bufferView];
  const data = gltf.bin.subarray(view.byteOffset ?? 0, (view.byteOffset ?? 0) + view.byteLength);
  const decoder = new draco.Decoder(), mesh = new draco.Mesh();
  const status = decoder.DecodeArrayToMesh(new Int8Array(data), data.length, mesh);
  if (!status.ok()) throw new Error(status.error_msg());
  const parts = {};
  for (const [name, id] of Object.entries(attributes)) {
    const accessor = gltf.json.accessors[primitive.attributes[name]];
    const { array, draco: type } = TYPES[accessor.componentType];
    const attribute = decoder.GetAttributeByUniqueId(mesh, id);
    const length = mesh.num_points() * attribute.num_components() * array.BYTES_PER_ELEMENT;
    const place = draco._malloc(length);
    if (!decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, type, length, place)) throw new Error(`${name} is not read`);
    parts[name] = Buffer.from(draco.HEAPU8.slice(place, place + length));
    draco._free(place);
  }
  const length = mesh.num_faces() * 12;
  const place = draco._malloc(length);
  decoder.GetTrianglesUInt32Array(mesh, length, place);
  const words = new Uint32Array(draco.HEAPU8.slice(place, place + length).buffer);
  draco._free(place);
  const component = primitive.indices === undefined ? (mesh.num_points() <= 65535 ? 5123 : 5125) : gltf.json.accessors[primitive.indices].componentType;
  parts.indices = Buffer.from(TYPES[component].array.from(words).buffer);
  return parts;
}

let failed = false;
for (const file of files) {
  const gltf = read(file);
  const copy = path.join(work, "copy.glb"), out = path.join(work, "out.glb");
  write(copy, plain(gltf));
  const ran = spawnSync(program, ["bake", copy, "-o", out, "--force", "--quiet", "--allow-warnings", "all"], { encoding: "utf8" });
  if (ran.status !== 0) {
    console.log(`${file}: not baked: ${ran.stderr}`);
    failed = true;
    continue;
  }
  const baked = read(out);
  let [primitives, parts, bytes] = [0, 0, 0];
  gltf.json.meshes.forEach((mesh, m) => mesh.primitives.forEach((primitive, p) => {
    if (!primitive.extensions?.[DRACO]) return;
    primitives++;
    const ours = baked.json.meshes[m].primitives[p];
    for (const [name, theirs] of Object.entries(decoded(gltf, primitive))) {
      const found = elements(baked, name === "indices" ? ours.indices : ours.attributes[name]);
      parts++;
      bytes += theirs.length;
      if (found.equals(theirs)) continue;
      const at = theirs.findIndex((byte, i) => byte !== found[i]);
      console.log(`${file}: mesh ${m}, primitive ${p}: ${name} differs from byte ${at} of ${theirs.length} (${found.length} here)`);
      failed = true;
    }
  }));
  failed ||= parts === 0;
  console.log(`${file}: ${primitives} primitives, ${parts} attributes and lists of indices, ${bytes} bytes compared`);
}
process.exit(failed ? 1 : 0);
