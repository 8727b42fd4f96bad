// Files in and out: what is saved has the program's bytes, links hold the document, dropped files are shown and baked.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { example, filesOf } from "./playground_editing.mjs";
import { run } from "./playground_program.mjs";

/** Clicks and returns the name and the bytes of the file that is saved then. */
async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
  return [download.suggestedFilename(), readFileSync(await download.path())];
}

/** Drops files, which are pairs of name and bytes, on the page. */
export async function drop(page, files) {
  const given = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
  const transfer = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const [name, base64] of given) transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    return transfer;
  }, given);
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  await page.waitForTimeout(600);
}

export async function files({ open, check }) {
  const page = await open();
  await outputs(page, check);
  await links(page, open, check);
  await dropped(page, check);
  await page.context().close();
}

/** A document whose poses have ids that names of files cannot have. */
const IDS = ["bow deep", "a/b", "!~*'()", "\u00e4\u{1f980}", "", "a.b-c_d"];
const NAMED = `version: "0.5"
meshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 1, y: 1, z: 1}}]}]
poses: [${IDS.map((id) => `{id: ${JSON.stringify(id)}, bones: {}}`).join()}]
`;

/** What is saved of some examples, and of a document that is dropped. */
async function outputs(page, check) {
  for (const index of [1, 2, 3, 6, null]) {
    if (index) await example(page, index);
    else await drop(page, [["named.rigy.yaml", NAMED]]);
    await page.waitForTimeout(300);
    const files = await filesOf(page);
    const made = run(files, files[0][0], "-o", "out");
    const [name, text] = await saved(page, "text=Save document");
    check(`${name} is not the document`, name === files[0][0] && text.toString() === files[0][1]);
    const poses = await page.$$eval(".poses button", (buttons) => buttons.length);
    check(`${name} has ${poses} poses`, poses >= (index ? 1 : IDS.length + 1));
    for (let pose = 1; pose <= poses; pose++) {
      await page.click(`.poses button:nth-child(${pose})`);
      const [name, glb] = await saved(page, "text=Save GLB");
      check(`${name} has other bytes than the program's`, made.read(join("out", name))?.equals(glb) ?? false);
    }
    made.remove();
  }
}

async function links(page, open, check) {
  await example(page, 2);
  await page.evaluate(() => rigyPlayground.editor.view.dispatch({ changes: { from: 0, insert: "# ünïcode \u{1f980}\n" } }));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("text=Copy link");
  await page.waitForTimeout(300);
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  const before = await filesOf(page);
  const other = await open(link.hash);
  check("a link holds another document", JSON.stringify(await filesOf(other)) === JSON.stringify(before));
  check("a document of a link has errors", !/error/.test(await other.innerText(".problems .count")));
  await other.context().close();
  // The document that was edited is there on the next visit.
  await page.waitForTimeout(700);
  await page.goto(link.href.replace(/#.*/, "?"));
  await page.waitForFunction(() => window.rigyPlayground?.took);
  check("the edited document is not kept", JSON.stringify(await filesOf(page)) === JSON.stringify(before));
  for (const hash of ["#d=", "#d=AAAA", "#d=%%%", "#d=eJyrrgUAAXUA-Q", "#x"]) {
    const broken = await open(hash);
    check(`after the link ${hash} there is no document`, (await filesOf(broken))[0][1].length > 100);
    await broken.context().close();
  }
}

async function dropped(page, check) {
  // A document with the part that it imports.
  const part = 'version: "0.5"\nmeshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 1, y: 1, z: 1}}]}]\nanchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [1, 0, 0]}, {id: c, translation: [0, 1, 0]}]\n';
  const main = `${part}imports: {p: {source: p.part.yaml}}\ninstances: [{id: i, import: p, attach3: {from: [a, b, c], to: [a, b, c], mode: rigid}}]\n`;
  await drop(page, [["p.part.yaml", part], ["main.rigy.yaml", main]]);
  const names = (await filesOf(page)).map(([name]) => name);
  check(`of dropped documents there are ${names}`, names.join() === "main.rigy.yaml,p.part.yaml");
  check("a dropped document has errors", !/error/.test(await page.innerText(".problems .count")));
  await drop(page, [["notes.txt", "hello"]]);
  check("a text file is not refused", await page.$("#bar .status.error") !== null);
  const samples = join(process.env.RIGY_SUITE, "gltf-samples/real");
  if (!existsSync(join(samples, "Fox.glb"))) {
    console.log("skipped: there are no samples of glTF");
    return;
  }
  for (const name of ["Fox.glb", "CesiumMan.glb", "BrainStem.glb"].filter((name) => existsSync(join(samples, name)))) {
    const bytes = readFileSync(join(samples, name));
    await drop(page, [[name, bytes]]);
    await page.waitForSelector(".gltf:not([hidden])", { timeout: 30000 });
    for (const solver of ["lbs", "dqs"]) {
      await page.check(`input[name=bake-solver][value=${solver}]`, { force: true });
      const t = await page.evaluate(() => {
        const { controls, data } = rigyPlayground.picture.opened;
        const clip = data.clips.at(-1);
        controls.set(clip ? { clip: data.clips.length, t: clip.start + 0.37 * (clip.end - clip.start) } : {});
        return clip ? controls.state.t : null;
      });
      const [output, glb] = await saved(page, "text=Bake and save");
      const moment = t === null ? [] : ["--animation", String(await page.evaluate(() => rigyPlayground.picture.opened.data.clips.length - 1)), `--time=${t}`];
      const made = run([[name, bytes]], "bake", name, "--solver", solver, ...moment, "-o", "out");
      check(`${output} by ${solver} has other bytes than the program's`, made.read(join("out", name))?.equals(glb) ?? false);
      made.remove();
    }
  }
  await drop(page, [["broken.glb", readFileSync(join(samples, "Fox.glb")).subarray(0, 5000)]]);
  check("a broken file has no findings", /error/.test(await page.innerText(".problems .count")));
  await page.click("text=Back to the document");
  await page.waitForTimeout(400);
  check("the document is not back", (await filesOf(page))[0][0] === "main.rigy.yaml" && (await page.isVisible(".cm-editor")));
}
