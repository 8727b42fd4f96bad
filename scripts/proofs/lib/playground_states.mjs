// Nothing that was written is lost, and nothing untrue is shown: links and reloads, other documents, files with errors, an engine that
// cannot run.
import { example, filesOf, paste } from "./playground_editing.mjs";
import { drop } from "./playground_files.mjs";

const ready = (page) => page.waitForFunction(() => window.rigyPlayground?.took || document.querySelector("#bar .error"));
const firstLine = async (page) => (await filesOf(page))[0][1].split("\n")[0];
const status = (page) => page.innerText("#bar .status");

export async function states({ open, check }) {
  await keeping(open, check);
  await pictures(open, check);
  await badStarts(open, check);
}

async function keeping(open, check) {
  const page = await open();
  await example(page, 4);
  await page.click("text=Copy link");
  await page.waitForTimeout(200);
  await page.evaluate(() => rigyPlayground.editor.view.dispatch({ changes: { from: 0, insert: "# mine\n" } }));
  check("an edited document is not the one of the link", !(await page.url()).includes("#d="));
  await page.reload(); // at once: it is kept when the page is left
  await ready(page);
  check(`after a reload the first line is ${await firstLine(page)}`, (await firstLine(page)) === "# mine");
  await example(page, 1);
  await page.evaluate(() => rigyPlayground.editor.view.dispatch({ changes: { from: 0, insert: "# another\n" } }));
  await page.waitForTimeout(700);
  await page.focus("#bar select");
  const kept = await page.$$eval("#bar optgroup:nth-of-type(2) option", (options) => options.map((option) => [option.value, option.textContent]));
  check(`kept documents: ${JSON.stringify(kept)}`, kept.length === 2);
  await page.selectOption("#bar select", kept[1][0]);
  await page.waitForTimeout(300);
  check(`the document before is ${await firstLine(page)}`, (await firstLine(page)) === "# mine");
  await page.fill("#bar input[type=text]", "folder/evil.html");
  await page.press("#bar input[type=text]", "Enter");
  check("a name that is no document's", (await filesOf(page))[0][0] === "evil.html.rigy.yaml");
  for (const value of ["[1]", "[null]", '[["a",1]]', '{"a":1}', "x", '[{"key":"a","at":1,"files":[["a"]]}]']) {
    await page.evaluate((value) => { localStorage.setItem("rigy-batch playground", value); }, value);
    await page.reload();
    await ready(page);
    check(`with ${value} kept there is no document`, (await filesOf(page))[0][1].length > 100);
  }
  await page.context().close();
}

async function pictures(open, check) {
  const page = await open();
  await drop(page, [["bad.rigy.yaml", 'version: "0.5"\nmeshes: 7\n']]);
  check("a new document with errors shows the picture of another", await page.$("#right.empty") !== null);
  await paste(page, 'version: "0.5"\nmeshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 50, y: 50, z: 50}}]}]\n');
  const state = await page.evaluate(() => { const { viewer, controls, data } = rigyPlayground.picture.opened; return [data.name, controls.state.left, viewer.camera.position.length() > 25]; });
  check(`of the mended document is shown ${state}`, state.join() === "bad.rigy.yaml,lbs,true");
  check("the picture is not shown", await page.$("#right.empty, #right.stale") === null);
  // The camera follows a size that changes much, and nothing else.
  await paste(page, 'version: "0.5"\nmeshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 1, y: 1, z: 1}}]}]\n');
  check("the camera is far away from a small model", await page.evaluate(() => rigyPlayground.picture.opened.viewer.camera.position.length() < 10));
  // A finding in another file has that file's name.
  const part = 'version: "0.5"\nmeshes: [{id: m, primitives: [{type: bx, id: b, dimensions: {x: 1, y: 1, z: 1}}]}]\nanchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [1, 0, 0]}, {id: c, translation: [0, 1, 0]}]\n';
  const main = `${part.replace("bx", "box")}imports: {p: {source: p.part.yaml}}\ninstances: [{id: i, import: p, attach3: {from: [a, b, c], to: [a, b, c], mode: rigid}}]\n`;
  await drop(page, [["p.part.yaml", part], ["main.rigy.yaml", main]]);
  check(`the place in another file is ${await page.innerText(".problems .place")}`, (await page.innerText(".problems .place")).startsWith("p.part.yaml:2:"));
  await drop(page, [["latin.rigy.yaml", Buffer.from('version: "0.5" # \xe4\n', "latin1")]]);
  check("text that is not UTF-8 is opened", (await status(page)).includes("UTF-8"));
  await page.context().close();
}

async function badStarts(open, check) {
  const page = await open("#d=AAAA");
  await page.waitForTimeout(500);
  check(`of a link that holds nothing is said: ${await status(page)}`, (await status(page)).includes("cannot be read"));
  await page.context().close();
  // A script that is missing is an error once.
  let asked = 0;
  const broken = await open("", { serviceWorkers: "block" }, async (page) => {
    await page.route("**/worker.js", (route) => { asked += 1; return route.fulfill({ status: 404, body: "" }); });
  });
  await broken.waitForTimeout(1000);
  check(`the missing script is asked for ${asked} times, and is said: ${await broken.innerText("#right")}`, asked === 1 && (await broken.innerText("#right")).includes("cannot"));
  await broken.context().close();
}
