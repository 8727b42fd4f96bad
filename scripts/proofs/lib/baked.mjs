// Looks at everything that was baked, as the proof `validate` has planned it: node baked.mjs PLAN. Prints a line for each file and solver.
import fs from "node:fs";
import path from "node:path";
import { agreement } from "./agreement.mjs";
import { positionsOf, threeClient, validate } from "./clients.mjs";

const { name: client, three, parse } = await threeClient();
const wrong = [], notes = new Set(), inputs = new Map(), rows = new Map();
console.warn = console.error = (...words) => notes.add(`three.js says: ${words.join(" ")}`);

const total = (codes) => Object.values(codes).reduce((a, b) => a + b, 0);

function json(file) {
  const bytes = fs.readFileSync(file);
  return JSON.parse(bytes.toString("latin1", 0, 4) === "glTF" ? bytes.toString("utf8", 20, 20 + bytes.readUInt32LE(12)) : bytes.toString("utf8"));
}

/** World positions of every primitive with its node and mesh, as three.js has them, and what should not be there. */
async function look(file) {
  const { animations, scenes, parser } = await parse(file);
  const found = { json: parser.json, wrong: animations.length ? [`${animations.length} animations`] : [], primitives: [] };
  for (const scene of scenes) {
    scene.updateMatrixWorld(true);
    scene.traverse((object) => {
      if (object.isSkinnedMesh) found.wrong.push(`${object.name} is a SkinnedMesh`);
      if (object.morphTargetInfluences) found.wrong.push(`${object.name} has morph targets`);
      if (!object.geometry) return;
      const { meshes, primitives } = parser.associations.get(object);
      let holder = object;
      while (parser.associations.get(holder)?.nodes === undefined) holder = holder.parent;
      found.primitives.push({ node: parser.associations.get(holder).nodes, mesh: meshes, primitive: primitives ?? 0, positions: positionsOf(three, object) });
    });
  }
  return found;
}

async function check({ file, solver, animation, time, lists, output }) {
  const name = path.basename(file), key = `${name}, ${solver}`;
  const what = `${key}, ${animation === null ? "at rest" : `animation ${animation} at ${time} s`}`;
  if (!inputs.has(file)) inputs.set(file, { gltf: json(file), report: await validate(file) });
  const { gltf, report } = inputs.get(file);
  const { errors, warnings } = await validate(output);
  const row = rows.get(key) ?? { bakes: 0, before: total(report.errors), errors: 0, agreed: [] };
  rows.set(key, Object.assign(row, { bakes: row.bakes + 1, errors: Math.max(row.errors, total(errors)) }));
  for (const code of Object.keys(errors)) if (!(code in report.errors)) wrong.push(`${what}: ${code} × ${errors[code]}, which the input does not have`);
  for (const code of Object.keys(warnings)) if (!(code in report.warnings)) notes.add(`${name}: warning ${code}, which the input does not have`);
  const baked = await look(output).catch((error) => ({ json: {}, primitives: [], wrong: [`three.js does not load it: ${error.message}`] }));
  wrong.push(...baked.wrong.map((it) => `${what}: ${it}`));
  for (const place of baked.primitives.length ? lists : []) {
    const list = { ...JSON.parse(fs.readFileSync(place, "utf8")), name: path.basename(place), solver };
    const found = agreement(gltf, baked, list);
    row.agreed.push(`${found.client} ${found.worst === null ? "not comparable" : `${found.worst.toExponential(1)} of ${found.within}`}`);
    wrong.push(...found.wrong.map((it) => `${what}: ${it}`));
    found.notes.forEach((note) => notes.add(`${key}: ${note}`));
  }
}

for (const entry of JSON.parse(fs.readFileSync(process.argv[2], "utf8"))) await check(entry);
for (const [key, { bakes, before, errors, agreed }] of rows) console.log(`${key}: ${bakes} baked, errors ${before} → ${errors}; ${agreed.join(", ") || "–"}`);
console.log(`${client}, node ${process.version}`);
for (const note of notes) console.log(`note: ${note}`);
if (![...rows.values()].some(({ agreed }) => agreed.length)) wrong.push("no list was compared");
for (const it of wrong) console.log(`wrong: ${it}`);
process.exitCode = wrong.length ? 1 : 0;
