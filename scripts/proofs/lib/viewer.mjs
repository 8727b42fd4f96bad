// Opens every page of `view` below a directory and checks it: node viewer.mjs DIRECTORY. Vertices are read back from the shader of the page.
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { end, launch } from "./browser.mjs";
import { checkPages } from "./viewer_page.mjs";

const out = process.argv[2];

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
  "no first stage": ["stride == 8", "stride == 9"],
};

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
  page.on("request", (request) => { if (!request.url().startsWith(`file://${path.replaceAll(" ", "%20")}`)) failures.push(`${file}: requests ${request.url()}`); });
  await page.goto(`file://${path}`);
  await page.waitForFunction(() => window.rigyViewer);
  const results = await page.evaluate(compare, CHANGES);
  if (await page.evaluate(() => window.hostile)) failures.push(`${file}: a name has become markup`);
  for (const result of results) {
    compared++;
    vertices += result.vertices;
    const kind = `${file.includes(".rigy.") ? "documents" : "glTF"}, ${result.solver}`;
    const most = (worst[kind] ??= { count: 0, position: 0, normal: 0 });
    most.count++;
    if (result.position > most.position) Object.assign(most, { position: result.position, in: basename(file) });
    if (result.normal > most.normal) Object.assign(most, { normal: result.normal, normalIn: basename(file) });
    const label = `${basename(file)} frame ${result.frame} ${result.solver}`;
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

/** Runs in the page: reads all surfaces back in the rest and up to three moments, by the page's shader and by changed ones. */
function compare(changes) {
  const { Readback, data, vertexShader } = window.rigyViewer;
  const good = new Readback();
  const changed = Object.entries(changes).map(([name, [from, to]]) => {
    if (!vertexShader.includes(from)) throw new Error(`the shader has no ${from}`);
    return [name, new Readback(vertexShader.replaceAll(from, to))];
  });
  const withBaked = data.frames.map((frame, index) => index).filter((index) => data.hasBaked(index, 1, "lbs"));
  const frames = [0, ...withBaked.filter((index) => index > 0).slice(-3)].filter((index) => withBaked.includes(index));
  const palette = new Float32Array(4 * 1024 * Math.max(1, Math.ceil(data.paletteTexels / 1024)));
  const results = [];
  for (const frame of frames) {
    data.palette(frame, 1, palette);
    [good, ...changed.map(([, readback]) => readback)].forEach((readback) => readback.setPalette(palette));
    for (const solver of ["lbs", "dqs"]) {
      if (!data.hasBaked(frame, 1, solver)) continue;
      const least = [Infinity, Infinity, Infinity], most = [-Infinity, -Infinity, -Infinity];
      const result = { frame, solver, vertices: 0, position: 0, normal: 0, changed: {} };
      const all = data.surfaces.map((surface, number) => [surface, data.baked(number, frame, 1, solver)]).filter(([, baked]) => baked);
      for (const [, { positions }] of all) positions.forEach((c, i) => { least[i % 3] = Math.min(least[i % 3], c); most[i % 3] = Math.max(most[i % 3], c); });
      const size = Math.hypot(...most.map((c, i) => c - least[i])) || 1;
      const gap = (a, b) => { let top = 0; for (let i = 0; i < a.length; i += 3) { const d = Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]); if (!(d <= top)) top = Number.isNaN(d) ? Infinity : d; } return top; };
      const measure = (readback) => {
        let position = 0, normal = 0;
        for (const [surface, baked] of all) {
          const found = readback.skinned(data, surface, data.morphed(surface, frame), solver);
          position = Math.max(position, gap(found.positions, baked.positions) / size);
          if (baked.normals) normal = Math.max(normal, gap(found.normals, baked.normals));
        }
        return { position, normal };
      };
      Object.assign(result, measure(good), { vertices: all.reduce((sum, [surface]) => sum + surface.vertices, 0) });
      for (const [name, readback] of changed) result.changed[name] = measure(readback);
      results.push(result);
    }
  }
  return results;
}
