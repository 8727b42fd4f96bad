// Reading no more of a glTF file than its JSON, and what the expected lists call things.
import fs from "node:fs";
import path from "node:path";

export const SOLVERS = ["lbs", "dqs"];

export function json(file) {
  const bytes = fs.readFileSync(file);
  const isBinary = bytes.toString("latin1", 0, 4) === "glTF";
  return JSON.parse(isBinary ? bytes.toString("utf8", 20, 20 + bytes.readUInt32LE(12)) : bytes.toString("utf8"));
}

// Every expected list of the samples.
export function expectations(folder) {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).filter((name) => name.endsWith(".json")).sort().map((name) => {
    const list = JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
    return { ...list, name, solver: list.solver.startsWith("dqs") ? "dqs" : "lbs" };
  });
}

// The number of the animation that a list names: three.js makes up names for those that have none.
export function animationIndex(gltf, name) {
  const named = (gltf.animations ?? []).findIndex((animation) => animation.name === name);
  return named >= 0 ? named : Number(/^(?:animation_)?(\d+)$/.exec(name)?.[1]);
}
