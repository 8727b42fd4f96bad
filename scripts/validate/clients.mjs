// The two that look at a baked file: the Khronos validator and three.js.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

export async function clients(folder) {
  const require = createRequire(path.join(path.resolve(folder), "package.json"));
  const validator = require("gltf-validator");
  const modules = path.join(path.resolve(folder), "node_modules/three");
  const load = (file) => import(pathToFileURL(path.join(modules, file)));
  const three = await load("build/three.module.js");
  const { GLTFLoader } = await load("examples/jsm/loaders/GLTFLoader.js");
  const names = `gltf-validator ${validator.version()}, three.js r${three.REVISION}, node ${process.version}`;
  return { names, validate: (file) => validate(validator, file), look: (file) => look(three, GLTFLoader, file) };
}

// Codes of errors and of warnings, each with how often it occurs.
async function validate(validator, file) {
  const options = {
    uri: path.basename(file),
    maxIssues: 0,
    externalResourceFunction: (uri) =>
      fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri))),
  };
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), options);
  const codes = [{}, {}];
  for (const { severity, code } of report.issues.messages)
    if (severity < 2) codes[severity][code] = (codes[severity][code] ?? 0) + 1;
  return { errors: codes[0], warnings: codes[1] };
}

// What three.js makes of a file: world-space positions of every primitive with its node and mesh, and what should
// not be there.
async function look(three, GLTFLoader, file) {
  const loader = new GLTFLoader();
  loader.register((parser) => {
    parser.loadTexture = async () => new three.Texture(); // there is nothing to decode images with
    return { name: "no images" };
  });
  const bytes = fs.readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const gltf = await loader.parseAsync(buffer, "");
  const wrong = [];
  if (gltf.animations.length) wrong.push(`${gltf.animations.length} animations`);
  const primitives = [];
  for (const scene of gltf.scenes) {
    scene.updateMatrixWorld(true);
    scene.traverse((object) => {
      if (object.isSkinnedMesh) wrong.push(`${object.name} is a SkinnedMesh`);
      if (object.morphTargetInfluences) wrong.push(`${object.name} has morph targets`);
      if (object.geometry) primitives.push(primitive(three, gltf.parser, object));
    });
  }
  return { json: gltf.parser.json, wrong, primitives };
}

function primitive(three, parser, object) {
  const { meshes, primitives } = parser.associations.get(object);
  let holder = object;
  while (parser.associations.get(holder)?.nodes === undefined) holder = holder.parent;
  const attribute = object.geometry.attributes.position;
  const at = (vertex) => new three.Vector3().fromBufferAttribute(attribute, vertex).applyMatrix4(object.matrixWorld).toArray();
  const positions = Array.from({ length: attribute.count }, (_, vertex) => at(vertex));
  return { node: parser.associations.get(holder).nodes, mesh: meshes, primitive: primitives ?? 0, positions };
}
