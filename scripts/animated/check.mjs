// Compares animated files with single frames, as three.js and the validator see them, and prints a table.
// Usage: node check.mjs FOLDER WITH node_modules, FOLDER OF BAKED FILES
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, work] = process.argv.slice(2).map((name) => path.resolve(name));
const validator = createRequire(path.join(folder, "package.json"))("gltf-validator");
const load = (file) => import(pathToFileURL(path.join(folder, "node_modules/three", file)));
const three = await load("build/three.module.js");
const { GLTFLoader } = await load("examples/jsm/loaders/GLTFLoader.js");
console.warn = console.error = () => {};
const wrong = [];

async function codes(file) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 0 });
  return report.issues.messages.filter(({ severity }) => severity < 2).map(({ code }) => code);
}

async function read(file) {
  const loader = new GLTFLoader();
  loader.register((parser) => {
    parser.loadTexture = async () => new three.Texture(); // there is nothing to decode images with
    return { name: "no images" };
  });
  const bytes = fs.readFileSync(file);
  return loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), "");
}

// World positions of all meshes that are not scaled to nothing, in the order of the scene; morph targets are applied by three.js.
function visible({ scene }) {
  scene.updateMatrixWorld(true);
  const found = [];
  scene.traverse((object) => {
    if (!object.geometry || object.matrixWorld.determinant() === 0) return;
    const place = three.Mesh.prototype.getVertexPosition; // which points and lines lack
    const at = (vertex) => place.call(object, vertex, new three.Vector3()).applyMatrix4(object.matrixWorld);
    found.push(Array.from({ length: object.geometry.attributes.position.count }, (_, vertex) => at(vertex)));
  });
  return found;
}

function size(primitives) {
  const box = new three.Box3().setFromPoints(primitives.flat());
  return box.getSize(new three.Vector3()).length();
}

const lines = (file) => fs.readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));

async function check(id, form, tolerance) {
  const frames = lines(path.join(work, `${id}.frames`)).filter((line) => line.output);
  const [line] = lines(path.join(work, `${id}.${form}`));
  const name = `${path.basename(line.input)}, ${form}, tolerance ${tolerance}`;
  const before = await codes(frames[0].output);
  for (const code of await codes(line.output)) if (!before.includes(code)) wrong.push(`${name}: ${code}`);
  const played = await read(line.output);
  const mixer = new three.AnimationMixer(played.scene);
  if (played.animations.length !== 1) wrong.push(`${name}: ${played.animations.length} animations`);
  for (const clip of played.animations) {
    const action = mixer.clipAction(clip);
    action.setLoop(three.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
  }
  let worst = 0, share = 0;
  for (const frame of frames) {
    mixer.setTime(Math.fround(frame.time - frames[0].time));
    const [now, then] = [visible(played), visible(await read(frame.output))];
    const counts = (primitives) => primitives.map((positions) => positions.length).join();
    if (counts(now) !== counts(then)) {
      wrong.push(`${name}: frame ${frame.frame} shows ${counts(now)} vertices, not ${counts(then)}`);
      continue;
    }
    const distances = now.flatMap((positions, index) => positions.map((at, vertex) => at.distanceTo(then[index][vertex])));
    const most = distances.reduce((a, b) => Math.max(a, b), 0);
    worst = Math.max(worst, most);
    share = Math.max(share, most / size(then));
  }
  const isWithin = tolerance > 0 ? worst <= tolerance && line.deviation <= tolerance : share <= 1e-6;
  if (!isWithin) wrong.push(`${name}: off by ${worst}, ${share} of the size`);
  const single = frames.reduce((sum, frame) => sum + frame.bytes, 0);
  const figures = [frames.length, line.keys ?? "–", line.bytes, (line.bytes / single).toFixed(4), worst.toExponential(2),
    line.deviation?.toExponential(2) ?? "–", share.toExponential(1)];
  console.log(`| ${name} | ${figures.join(" | ")} |`);
}

console.log(`gltf-validator ${validator.version()}, three.js r${three.REVISION}, node ${process.version}\n`);
console.log("| file | frames | keys | bytes | of single files | off by | as stated | of the size |");
console.log("|---|---:|---:|---:|---:|---:|---:|---:|");
for (const line of fs.readFileSync(path.join(work, "plan"), "utf8").trim().split("\n")) {
  const [id, form, tolerance] = line.split("\t");
  await check(id, form, Number(tolerance));
}
for (const it of wrong) console.log(`wrong: ${it}`);
process.exitCode = wrong.length ? 1 : 0;
