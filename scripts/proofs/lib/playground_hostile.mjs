// Documents that nobody would write: markup in names, endless lists, random edits. The page stays usable.
import { example, filesOf, paste } from "./playground_editing.mjs";
import { drop } from "./playground_files.mjs";
import { findingsOf, short } from "./playground_program.mjs";

const MARKUP = "</script><img src=x onerror='window.hostile=1'><svg onload='window.hostile=1'>";

export async function hostile({ open, check }) {
  const page = await open();
  const name = JSON.stringify(MARKUP);
  await drop(page, [[`${MARKUP.replaceAll("/", "")}.rigy.yaml`, `version: "0.5"\nmeshes: [{id: ${name}, primitives: [{type: box, id: b, dimensions: {x: 1, y: 1, z: 1}}]}]\nposes: [{id: ${name}, bones: {}}]\n`]]);
  await page.waitForTimeout(300);
  await paste(page, `version: "0.5"\nmeshes: [{id: m, material: ${name}, ${name}: 1, primitives: [{type: ${name}, id: b}]}]\n`);
  await page.waitForTimeout(300);
  check("a name has become markup", !(await page.evaluate(() => window.hostile || document.querySelector("img, svg[onload]"))));
  const deep = "[".repeat(200000);
  const bomb = `a: &a [${"x,".repeat(9)}]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [${`*${i ? `b${i - 1}` : "a"},`.repeat(9)}]`).join("\n")}\n`;
  const huge = 'version: "0.13"\nmeshes: [{id: m, primitives: [{type: implicit_surface, id: s, domain: {aabb: {min: [-1, -1, -1], max: [1, 1, 1]}, grid: {nx: 256, ny: 256, nz: 256}}, iso: 0.3, ops: [{op: add, field: metaball_sphere@1, strength: 1, radius: 0.7}]}]}]\n';
  for (const [what, text] of [["brackets", deep], ["aliases", bomb], ["a huge surface", huge], ["a long line", `version: "0.5" # ${"\u{1f980}".repeat(1e5)}`], ["nothing", ""]]) {
    const begin = Date.now();
    await paste(page, text);
    console.log(`  ${what}: ${Date.now() - begin} ms`);
  }
  await paste(page, 'version: "0.5"\n');
  await randomEdits(page, check);
  await page.context().close();
}

/** Random edits of the examples: the page finds what the program finds. */
async function randomEdits(page, check) {
  let seed = 1;
  const random = (below) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.floor((seed / 2 ** 32) * below); };
  const pieces = ["", "a", ": ", "- ", "\n", "  ", "[", "}", "\"", "&x ", "*x", "-1", "1e99", "\u{1f980}", "\t", "=2*$width", "null", "# "];
  const count = await page.$$eval("#bar optgroup[label=Examples] option", (options) => options.length);
  let compared = 0;
  for (let round = 0; round < 60; round++) {
    await example(page, round % count);
    const files = await filesOf(page);
    let text = files[0][1];
    for (let edit = 0; edit < 12; edit++) {
      const at = random(text.length + 1);
      text = text.slice(0, at) + pieces[random(pieces.length)] + text.slice(at + random(4));
      text = text.toWellFormed();
      const found = await paste(page, text);
      if (edit % 6) continue;
      const [here, there] = [[...new Set(found.map(short))].sort(), findingsOf([[files[0][0], text], ...files.slice(1)])];
      compared++;
      check(`after random edits the page finds ${here}, the program ${there}`, here.join() === there.join());
    }
  }
  console.log(`  720 random edits, ${compared} compared with the program`);
}
