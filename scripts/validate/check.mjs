// Looks at everything that was baked and prints a table, a line for each file and solver.
// Usage: node check.mjs FOLDER WITH node_modules, FOLDER OF EXPECTED LISTS, FOLDER OF BAKED FILES
import fs from "node:fs";
import path from "node:path";
import { agreement } from "./agreement.mjs";
import { clients } from "./clients.mjs";
import { animationIndex, expectations, json } from "./gltf.mjs";

const [folder, expected, work] = process.argv.slice(2);
const { names, validate, look } = await clients(folder);
const lists = expectations(expected);
const wrong = [], notes = new Set(), rows = new Map(), inputs = new Map();
const chatter = new Set();
console.warn = console.error = (...words) => chatter.add(words.join(" "));

const total = (codes) => Object.values(codes).reduce((a, b) => a + b, 0);
const more = (most, codes) => (total(codes) > total(most) ? codes : most);

async function input(file) {
  if (!inputs.has(file)) inputs.set(file, { gltf: json(file), report: await validate(file) });
  return inputs.get(file);
}

// Adds what is found out about one bake to the row of its file and solver.
async function check(line) {
  const [id, file, solver, animation, time] = line.split("\t");
  const name = path.basename(file);
  const what = `${name}, ${solver}, ${animation === "-" ? "at rest" : `animation ${animation} at ${time} s`}`;
  const { gltf, report } = await input(file);
  const key = `${file}\t${solver}`;
  if (!rows.has(key)) rows.set(key, { name, solver, report, bakes: 0, errors: {}, warnings: {}, agreements: [] });
  const row = rows.get(key);
  const status = fs.readFileSync(path.join(work, `${id}.status`), "utf8").trim();
  const said = fs.readFileSync(path.join(work, `${id}.err`), "utf8").trim();
  const output = path.join(work, id, `${path.parse(name).name}.glb`);
  if (status !== "0" || !fs.existsSync(output)) return void wrong.push(`${what}: status ${status}: ${said}`);
  row.bakes++;
  const { errors, warnings } = await validate(output);
  row.errors = more(row.errors, errors);
  row.warnings = more(row.warnings, warnings);
  const added = (now, before) => Object.keys(now).filter((code) => !(code in before));
  for (const code of added(errors, report.errors)) wrong.push(`${what}: ${code} × ${errors[code]}, which the input does not have`);
  for (const code of added(warnings, report.warnings)) notes.add(`${name}: warning ${code}, which the input does not have`);
  let baked;
  try {
    baked = await look(output);
  } catch (error) {
    return void wrong.push(`${what}: three.js does not load it: ${error.message}`);
  }
  wrong.push(...baked.wrong.map((it) => `${what}: ${it}`));
  const isOfThis = (list) => list.source === name && list.solver === solver && Number(time) === list.t
    && String(animationIndex(gltf, list.animation)) === animation;
  for (const list of lists.filter(isOfThis)) {
    const found = agreement(gltf, baked, list);
    row.agreements.push(found);
    wrong.push(...found.wrong.map((it) => `${what}: ${it}`));
    found.notes.forEach((note) => notes.add(`${name}, ${solver}: ${note}`));
  }
}

for (const line of fs.readFileSync(path.join(work, "plan"), "utf8").trim().split("\n")) await check(line);

const agreed = ({ client, worst, within }) => (worst === null ? `${client}: not comparable` : `${client}: ${worst.toExponential(1)} of ${within}`);
console.log(`${names}\n`);
console.log("| file | solver | baked | errors, in → out | warnings, in → out | off by, of the model's size |");
console.log("|---|---|---:|---:|---:|---|");
for (const { name, solver, report, bakes, errors, warnings, agreements } of rows.values()) {
  const counts = (before, now) => `${total(before)} → ${total(now)}`;
  console.log(`| ${name} | ${solver} | ${bakes} | ${counts(report.errors, errors)} | ${counts(report.warnings, warnings)} | ${agreements.map(agreed).join("; ") || "–"} |`);
}
const section = (title, lines) => lines.length && console.log(`\n${title}\n${lines.map((line) => `- ${line}`).join("\n")}`);
section("Notes", [...notes, ...[...chatter].map((words) => `three.js says: ${words}`)]);
section("Wrong", wrong);
process.exitCode = wrong.length ? 1 : 0;
