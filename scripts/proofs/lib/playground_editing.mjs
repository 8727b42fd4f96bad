// Typing: findings where they are, proposals, explanations; examples, poses and solvers.
import { findingsOf, short } from "./playground_program.mjs";

/** Returns the document of the page, as the engine gets it: pairs of name and text. */
export const filesOf = (page) => page.evaluate(() => [[rigyPlayground.name, rigyPlayground.editor.text], ...rigyPlayground.others]);

/** Puts a text into the editor as if it were pasted, and promises its findings. */
export async function paste(page, text) {
  return page.evaluate((text) => new Promise((resolve) => {
    const { editor, judging } = rigyPlayground;
    const { onresult, onfailure } = judging;
    const end = (findings) => { Object.assign(judging, { onresult, onfailure }); resolve(findings); };
    judging.onresult = (source, result) => { onresult(source, result); if (source.text === editor.text) end(result.findings); };
    judging.onfailure = (source, error) => { onfailure(source, error); end([]); };
    editor.view.dispatch({ changes: { from: 0, to: editor.view.state.doc.length, insert: text }, userEvent: "input.paste" });
  }), text);
}

/** Puts the cursor behind the first occurrence of a text. */
async function goBehind(page, text) {
  await page.evaluate((text) => {
    const { editor } = rigyPlayground;
    const at = editor.text.indexOf(text) + text.length;
    editor.goTo(at, at);
  }, text);
}

/** Opens an example by its number. */
export async function example(page, number) {
  await page.selectOption("#bar select", `e${number}`);
  await settled(page);
}

const settled = (page) => page.waitForTimeout(250);

export async function editing({ open, check }) {
  const page = await open();
  const titles = await page.$$eval("#bar optgroup[label=Examples] option", (options) => options.map((option) => option.textContent));
  for (const [index, title] of titles.entries()) {
    await example(page, index);
    const state = await page.evaluate(() => ({ text: document.querySelector(".problems .count").textContent, stale: document.querySelector("#right").classList.contains("stale"),
      surfaces: rigyPlayground.picture.opened.data.surfaces.length, name: rigyPlayground.picture.opened.data.name }));
    const files = await filesOf(page);
    check(`example "${title}": ${JSON.stringify(state)}`, !state.stale && (state.surfaces > 0 || index === 0) && state.name === files[0][0]);
    check(`example "${title}" has errors`, !/error/.test(state.text));
    check(`example "${title}": nothing is drawn`, index === 0 || await page.evaluate(coloursDrawn) > 20);
  }
  await mistakes(page, check);
  await proposals(page, check);
  await posesAndSolvers(page, check);
  check(`requests after the page was loaded: ${page.requested.slice(5).join(" ")}`, page.requested.filter((url) => !/^(blob|data):/.test(url)).length <= 5);
  await page.context().close();
}

/** Runs in the page: the number of colours in the picture. */
function coloursDrawn() {
  rigyPlayground.picture.opened.viewer.drawNow();
  const picture = document.querySelector("#right canvas");
  const canvas = new OffscreenCanvas(100, 100);
  const context = canvas.getContext("2d");
  context.drawImage(picture, 0, 0, 100, 100);
  return new Set(new Uint32Array(context.getImageData(0, 0, 100, 100).data.buffer)).size;
}

async function mistakes(page, check) {
  await example(page, 1);
  const [[name, text]] = await filesOf(page);
  const changes = [["type: capsule", "type: capsul"], ["radius: 0.08", "radius: -1"], ["parent: foot_bone", "parent: nobody"], ["version: \"0.12\"", "version: \"9\""],
    ["meshes:", "meshes: ["], ["height: 0.2}", "height: 0.2, \u{1f980}: 1}"], ["id: arm,", "id: stem,"], ["material: glow", "material: \u{1f980}"]];
  for (const [from, to] of changes) {
    const changed = text.replace(from, to);
    const found = await paste(page, changed);
    const [here, there] = [[...new Set(found.map(short))].sort(), findingsOf([[name, changed]])];
    check(`${to}: the page finds ${here}, the program ${there}`, here.length > 0 && here.join() === there.join());
    await settled(page);
    const marked = await page.$$eval(".cm-lintRange, .cm-lintPoint", (marks) => marks.map((mark) => mark.textContent));
    check(`${to}: nothing is underlined`, marked.length > 0);
    check(`${to}: the picture is not marked as old`, await page.$("#right.stale") !== null);
  }
  // The range is exact, also behind characters of two UTF-16 units.
  const found = await paste(page, text.replace("material: glow", "material: \u{1f980}"));
  const range = await page.evaluate(({ from, to }) => rigyPlayground.editor.text.slice(from, to), found[0]);
  check(`the underlined text is ${range}`, range === "\u{1f980}");
  // An explanation of the code, on demand.
  await page.click(".problems button.code");
  await settled(page);
  check("a code has no explanation", (await page.innerText(".problems .explanation")).length > 60);
  await page.click(".problems .place");
  const selected = await page.evaluate(() => getSelection().toString());
  check(`going to a finding selects ${selected}`, selected === "\u{1f980}");
  // The button of a finding with one definite remedy applies it.
  await paste(page, text.replace("type: capsule", "type: capsul"));
  await settled(page);
  await page.click(".problems button.fix");
  check("the button of a finding does not mend it", await page.evaluate(() => rigyPlayground.editor.text) === text);
  await paste(page, text);
}

async function proposals(page, check) {
  const shown = async () => {
    await page.waitForSelector(".cm-tooltip-autocomplete li", { timeout: 5000 }).catch(() => {});
    return page.$$eval(".cm-tooltip-autocomplete .cm-completionLabel", (items) => items.map((item) => item.textContent));
  };
  await goBehind(page, "type: ");
  await page.keyboard.press("Control+Space");
  const shapes = await shown();
  check(`behind "type: " is proposed ${shapes}`, ["box", "sphere", "capsule"].every((shape) => shapes.includes(shape)));
  await page.keyboard.press("Escape");
  await goBehind(page, "meshes:\n  - id: lamp");
  await page.keyboard.press("Enter");
  await page.keyboard.type("mat");
  const keys = await shown();
  check(`behind "mat" is proposed ${keys}`, keys.length === 0 || keys[0].startsWith("mat"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await goBehind(page, "material: brass");
  for (let i = 0; i < 5; i++) await page.keyboard.press("Backspace");
  await page.keyboard.press("Control+Space");
  const names = await shown();
  check(`materials that are proposed: ${names}`, names.includes("brass") && names.includes("glow"));
  await page.keyboard.type("gl");
  await settled(page);
  await page.keyboard.press("Tab");
  await settled(page);
  check("a proposal that is accepted stands in the document", (await page.evaluate(() => rigyPlayground.editor.text)).includes("material: glow #"));
  await goBehind(page, "armature_id");
  await settled(page);
  const at = await page.evaluate(() => {
    const { view, text } = rigyPlayground.editor;
    const { left, top } = view.coordsAtPos(text.indexOf("armature_id") + 3);
    return [left, top + 4];
  }).catch(() => null);
  check("the field to explain is in sight", at !== null);
  if (at) {
    await page.mouse.move(...at, { steps: 3 });
    await page.waitForSelector(".cm-tooltip .explanation", { timeout: 5000 }).catch(() => check("a field has no explanation", false));
  }
  await page.mouse.move(5, 5);
}

async function posesAndSolvers(page, check) {
  await example(page, 4);
  const picture = () => page.evaluate(() => { rigyPlayground.picture.opened.viewer.drawNow(); return document.querySelector("#right canvas").toDataURL(); });
  const first = await picture();
  await page.click(".poses button:first-child");
  const rest = await picture();
  check("rest and pose have one picture", first !== rest);
  await page.click(".poses button:nth-child(2)");
  check("the pose is not shown again", (await picture()) === first);
  await page.click("input[name=left][value=lbs]");
  check("LBS and DQS have one picture of a twist", (await picture()) !== first);
  // An edit keeps the pose, the solver and the side from which it is seen.
  const kept = () => page.evaluate(() => { const { controls: { state }, viewer } = rigyPlayground.picture.opened; return [state.pose, state.left, ...viewer.camera.position.toArray()].join(); });
  const before = await kept();
  await goBehind(page, "version: \"0.5\"");
  await page.keyboard.type(" # ");
  await settled(page);
  check(`an edit turns ${before} into ${await kept()}`, before === (await kept()));
}
