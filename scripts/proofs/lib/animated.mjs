// Compares animated files with single frames, as the validator, three.js and Babylon.js see them: node animated.mjs FOLDER OF BAKED FILES.
import fs from "node:fs";
import path from "node:path";
import { babylonClient, threeClient, validate as codes } from "./clients.mjs";

const work = path.resolve(process.argv[2]);
const clients = [await threeClient(), await babylonClient()];
console.warn = console.error = () => {};
const wrong = [];

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const most = (values) => values.reduce((a, b) => Math.max(a, b), 0);

// The diagonal of the bounds of all positions.
function size(primitives) {
  const box = [0, 1, 2].map((axis) => {
    const values = primitives.flat().map((position) => position[axis]);
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  });
  return Math.hypot(...box);
}

const lines = (file) => fs.readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));

async function validate(name, line, source) {
  const [before, now] = [await codes(source), await codes(line.output)];
  for (const kind of ["errors", "warnings"]) for (const code of Object.keys(now[kind])) if (!(code in before[kind])) wrong.push(`${name}: ${code}`);
}

// How far the vertices that a client shows are from those of the frames: the largest distance, and its share of the size.
async function play(client, name, line, frames, clip) {
  const played = await client.open(line.output);
  if (clip === undefined && played.animations !== 1) wrong.push(`${name}: ${played.animations} animations`);
  const begin = clip === undefined ? frames[0].time : 0;
  let worst = 0, share = 0;
  for (const frame of frames) {
    played.play(Math.fround(frame.time - begin), clip ?? 0);
    const single = await client.open(frame.output);
    const [now, then] = [played.visible(), single.visible()];
    single.close();
    const counts = (primitives) => primitives.map((positions) => positions.length).join();
    if (counts(now) !== counts(then)) {
      wrong.push(`${name}: frame ${frame.frame} shows ${counts(now)} vertices, not ${counts(then)}`);
      continue;
    }
    const off = most(now.flatMap((positions, index) => positions.map((at, vertex) => distance(at, then[index][vertex]))));
    worst = Math.max(worst, off);
    share = Math.max(share, off / size(then));
  }
  played.close();
  return { worst, share };
}

// The form `skin` keeps all clips and their times, and its tolerance is a share of the size.
async function check(id, form, tolerance, clip) {
  const frames = lines(path.join(work, `${id}.frames`)).filter((line) => line.output && !line.beside);
  const [line] = lines(path.join(work, `${id}.${form}`));
  const isSkin = clip !== undefined;
  const what = `${path.basename(line.input)}, ${isSkin ? `clip ${clip}` : form}, tolerance ${tolerance}`;
  await validate(what, line, isSkin ? line.input : frames[0].output);
  const single = frames.reduce((sum, frame) => sum + frame.bytes, 0);
  for (const client of clients) {
    const { worst, share } = await play(client, `${what}, ${client.name}`, line, frames, clip);
    const allowed = isSkin ? tolerance : form === "step" ? 0 : 1e-6;
    const isWithin = tolerance > 0 && !isSkin ? worst <= tolerance && line.deviation <= tolerance : share <= allowed;
    if (!isWithin) wrong.push(`${what}, ${client.name}: off by ${worst}, ${share} of the size`);
    const figures = [client.name, frames.length, line.keys ?? "–", line.bytes, (line.bytes / single).toFixed(4),
      worst.toExponential(2), line.deviation?.toExponential(2) ?? "–", share.toExponential(1)];
    console.log(`| ${what} | ${figures.join(" | ")} |`);
  }
}

console.log("| file | client | frames | keys | bytes | of single files | off by | as stated | of the size |");
console.log("|---|---|---:|---:|---:|---:|---:|---:|---:|");
for (const line of fs.readFileSync(path.join(work, "plan"), "utf8").trim().split("\n")) {
  const [id, form, tolerance, clip] = line.split("\t");
  await check(id, form, Number(tolerance), clip && Number(clip));
}
for (const it of wrong) console.log(`wrong: ${it}`);
process.exitCode = wrong.length ? 1 : 0;
