// Opens every page of `view` below a directory and checks it: node viewer.mjs DIRECTORY PROGRAM. Vertices are read back from the shader of the page.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { end, launch } from "./browser.mjs";
import { checkPages } from "./viewer_page.mjs";

const [out, tool] = process.argv.slice(2);

/** Greatest distance that counts as equal, as a part of the size; and for unit normals. */
const TOLERANCE = 1e-5;
const NORMAL_TOLERANCE = 1e-4;
/** Changed shaders: each must be noticed by some page. */
const CHANGES = {
  "hemisphere not applied": ["weight = -weight;", "weight = weight;"],
  "hemisphere of the first joint": ["int(reference) * stride", "jointOf(0) * stride"],
  "dual parts not in the hemisphere": ["dual += weight *", "dual += weightOf(slot) *"],
  "offset with another sign": ["r.w * d.xyz - d.w", "r.w * d.xyz + d.w"],
  "rotation with another sign": ["v + 2.0 * cross", "v - 2.0 * cross"],
  "normals by the matrix": ["if (byCofactors) {", "if (false) {"],
  "only four influences": ["slot < 8", "slot < 4"],
  "no first stage": ["if (scaled) rest", "if (false) rest"],
  "nothing carried": ["if (!scaled) return", "if (true) return"],
};

/** Runs in the page: the texts in it that have characters which control a terminal or turn the direction of writing. */
function shownRaw() {
  const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
  const texts = ({ title, ariaLabel, label, childNodes }) => [title, ariaLabel, label, ...[...childNodes].map(({ data }) => data)];
  return [document.title, ...[...document.querySelectorAll("main, main *")].flatMap(texts)].filter((text) => raw.test(text ?? ""));
}

const files = readdirSync(join(out, "pages"), { recursive: true }).filter((file) => file.endsWith(".html")).sort();
const browser = await launch();
const failures = [];
const noticed = Object.fromEntries(Object.keys(CHANGES).map((change) => [change, 0]));
const worst = {};
let compared = 0, vertices = 0;

for (const file of files) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const path = join(out, "pages", file);
  page.on("console", (message) => failures.push(`${file}: console: ${message.text()}`));
  page.on("pageerror", (error) => failures.push(`${file}: ${error.message}`));
  page.on("request", (request) => { if (!request.url().startsWith(`file://${encodeURI(path)}`)) failures.push(`${file}: requests ${request.url()}`); });
  await page.goto(`file://${path}`);
  await page.waitForFunction(() => window.rigyViewer);
  const { clips, kind } = await page.evaluate(() => (({ clips, kind }) => ({ clips, kind }))(window.rigyViewer.data));
  const results = await page.evaluate(compare, [CHANGES, kind === "gltf" ? bakes(file, clips) : []]);
  if (await page.evaluate(() => window.hostile)) failures.push(`${file}: a name has become markup`);
  failures.push(...(await page.evaluate(shownRaw)).map((text) => `${file}: a control character is shown raw: ${JSON.stringify(text)}`));
  if (basename(file) === "hostile.gltf.html" && !(await page.textContent("main")).includes("\\u{202e}\\u{1b}[31m\\u{7}\\u{9b}\\u{2028}")) failures.push(`${file}: control characters are not written out`);
  if (results.some(({ refused }) => refused) && !file.includes("mirrored")) failures.push(`${file}: there are no dual quaternions`);
  for (const result of results.filter(({ refused }) => !refused)) {
    compared++;
    vertices += result.vertices;
    const kind = `${file.includes(".rigy.") ? "documents" : "glTF"}, ${result.solver}`;
    const most = (worst[kind] ??= { count: 0, position: 0, normal: 0 });
    most.count++;
    if (result.position > most.position) Object.assign(most, { position: result.position, in: basename(file) });
    if (result.normal > most.normal) Object.assign(most, { normal: result.normal, normalIn: basename(file) });
    const label = `${file} ${JSON.stringify(result.moment)} ${result.solver}`;
    if (!result.vertices && !file.includes("nothing_at_all")) failures.push(`${label}: nothing is compared`);
    if (!(result.position <= TOLERANCE)) failures.push(`${label}: ${result.position.toExponential(2)} of the size`);
    if (!(result.normal <= NORMAL_TOLERANCE)) failures.push(`${label}: normals ${result.normal.toExponential(2)}`);
    for (const [change, { position, normal }] of Object.entries(result.changed)) {
      if (position > TOLERANCE || normal > NORMAL_TOLERANCE) noticed[change]++;
    }
  }
  await context.close();
}
console.log(`${files.length} pages, ${compared} moments and solvers, ${vertices} vertices`);
for (const [kind, { count, position, normal, ...where }] of Object.entries(worst)) {
  console.log(`${kind}: ${count} compared, positions within ${position.toExponential(2)} of the size (${where.in}), normals within ${normal.toExponential(2)} (${where.normalIn})`);
}
for (const [change, count] of Object.entries(noticed)) {
  console.log(`shader changed (${change}): ${count} of ${compared} differ`);
  if (!count) failures.push(`nothing notices a shader with ${change}`);
}
if (!compared) failures.push("nothing was compared");
await checkPages(browser, out, files, failures);
await browser.close();
end(failures);

/** Bakes the file of a page at a third of up to three animations, or at rest without any, by both solvers where it can. */
function bakes(file, clips) {
  const source = join(out, "pages", dirname(file), "source.json");
  if (!existsSync(source)) return [];
  const { path, options } = JSON.parse(readFileSync(source, "utf8"));
  const chosen = clips.length ? [...new Set([0, clips.length >> 1, clips.length - 1])] : [null];
  return chosen.flatMap((clip) => ["lbs", "dqs"].flatMap((solver) => {
    const moment = clip === null ? { clip, t: 0 } : { clip, t: clips[clip].start + 0.36 * (clips[clip].end - clips[clip].start) };
    const words = clip === null ? [] : ["--animation", String(clip), "--time", String(moment.t)];
    const ended = spawnSync(tool, ["bake", path, ...words, "--solver", solver, ...(solver === "dqs" ? options : []), "--keep-skeleton", "-q", "-o", join(out, "bakes")]);
    if (ended.status !== 0) return [];
    const [name] = readdirSync(join(out, "bakes")).filter((name) => name.endsWith(".glb"));
    const glb = readFileSync(join(out, "bakes", name)).toString("base64");
    rmSync(join(out, "bakes"), { recursive: true });
    return [{ moment, solver, glb }];
  }));
}

/** Runs in the page: reads all surfaces back at moments, by the page's shader and by changed ones. `made` has GLBs that were baked beside the page. */
function compare([changes, made]) {
  const { Glb, Readback, data, vertexShader } = window.rigyViewer;
  const good = new Readback();
  const changed = Object.entries(changes).map(([name, [from, to]]) => {
    if (!vertexShader.includes(from)) throw new Error(`the shader has no ${from}`);
    return [name, new Readback(vertexShader.replaceAll(from, to))];
  });
  const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const cases = made.map(({ moment, solver, glb }) => ({ moment, solver, baked: data.bakedSurfaces(new Glb(bytesOf(glb))) }));
  // A document without meshes of its own shows only what it places, which no bake has.
  const rest = data.kind === "document" && data.bakedNodes > 0 ? [{ clip: null, time: 0, lbs: 0, dqs: 0 }] : [];
  for (const { clip, time, lbs, dqs } of [...rest, ...data.baked.slice(-3)]) {
    const moment = { clip, t: time };
    const bakedBy = (solver) => data.surfaces.map((_, number) => data.bakedOf(number, moment, solver));
    cases.push({ moment, solver: "lbs", baked: bakedBy("lbs") }, ...(dqs === null ? [] : [{ moment, solver: "dqs", baked: bakedBy("dqs") }]));
  }
  const palette = new Float32Array(4 * 1024 * Math.max(1, Math.ceil(data.paletteTexels / 1024)));
  const gap = (a, b) => { let top = 0; for (let i = 0; i < a.length; i += 3) { const d = Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]); if (!(d <= top)) top = Number.isNaN(d) ? Infinity : d; } return top; };
  return cases.flatMap(({ moment, solver, baked }) => {
    const at = data.at(moment);
    if (solver === "dqs" && !at.hasDual) return { refused: true }; // the page says why, and shows linear blending
    palette.set(at.palette);
    [good, ...changed.map(([, readback]) => readback)].forEach((readback) => readback.setPalette(palette));
    const least = [Infinity, Infinity, Infinity], most = [-Infinity, -Infinity, -Infinity];
    const all = data.surfaces.map((surface, number) => [surface, baked[number]]).filter(([, baked]) => baked);
    for (const [, { positions }] of all) positions.forEach((c, i) => { least[i % 3] = Math.min(least[i % 3], c); most[i % 3] = Math.max(most[i % 3], c); });
    const size = Math.hypot(...most.map((c, i) => c - least[i])) || 1;
    const measure = (readback) => {
      let position = 0, normal = 0;
      for (const [surface, baked] of all) {
        const found = readback.skinned(data, surface, at, data.morphed(surface, at), solver);
        position = Math.max(position, gap(found.positions, baked.positions) / size);
        if (baked.normals) normal = Math.max(normal, gap(found.normals, baked.normals));
      }
      return { position, normal };
    };
    const others = changed.map(([name, readback]) => [name, measure(readback)]);
    return { moment, solver, ...measure(good), vertices: all.reduce((sum, [surface]) => sum + surface.vertices, 0), missing: data.surfaces.length - all.length, changed: Object.fromEntries(others) };
  });
}
