// What to bake, a line each: number, file, solver, animation, time.
// Usage: node plan.mjs FOLDER OF EXPECTED LISTS DIR...
import fs from "node:fs";
import path from "node:path";
import { SOLVERS, animationIndex, expectations, json } from "./gltf.mjs";

const [expected, ...folders] = process.argv.slice(2);
const lists = expectations(expected);
const files = folders.flatMap((folder) => {
  const names = fs.readdirSync(folder).filter((name) => /\.(glb|gltf)$/i.test(name)).sort();
  return names.map((name) => path.join(folder, name));
});

let id = 0;
for (const file of files) {
  const gltf = json(file);
  const last = (gltf.animations?.length ?? 0) - 1;
  for (const solver of SOLVERS) {
    const poses = ["-\t-"];
    if (last >= 0) poses.push("0\t0.25", `${last}\t0.8`);
    for (const list of lists)
      if (list.source === path.basename(file) && list.solver === solver)
        poses.push(`${animationIndex(gltf, list.animation)}\t${list.t}`);
    for (const pose of new Set(poses)) console.log([id++, file, solver, pose].join("\t"));
  }
}
