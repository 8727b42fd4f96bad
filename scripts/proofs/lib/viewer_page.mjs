// Checks of the page itself: accessibility, keyboard, narrow windows, links that restore a view, and screenshots to look at.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkAccessible, checkWidth } from "./browser.mjs";

const SIZES = [[1280, 800], [390, 844]];
const VIEWS = [
  ["Fox.glb", "#clip=2&t=0.57&left=lbs&right=dqs&heat=solvers&joints=1&grid=1", "fox"],
  ["Fox.glb", "#heat=joint&joint=0.5", "weights"],
  ["L02_two_bone_dqs_twist.rigy.yaml", "#pose=twist60&t=1&left=dqs&heat=solvers&edges=1&bounds=1", "twist"],
  ["E01_robot.rigy.yaml", "#normals=1&back=1", "robot"],
  ["hostile.rigy.yaml", "", "hostile"],
  ["Greenman.glb", "", "greenman"],
  ["compared", "", "compared"],
  ["nearest", "#split=0.4&edges=1", "nearest"],
  ["nearest", "#layout=side&grid=1", "side"],
];

export async function checkPages(browser, out, files, failures) {
  for (const [name, hash, picture] of VIEWS) {
    const file = files.find((file) => file.endsWith(`${name}.html`));
    if (!file) { failures.push(`there is no page of ${name}`); continue; }
    for (const [width, height] of SIZES) {
      for (const colorScheme of ["light", "dark"]) {
        const label = `${picture}-${width}-${colorScheme}`;
        const context = await browser.newContext({ viewport: { width, height }, colorScheme, bypassCSP: true });
        const page = await context.newPage();
        page.on("console", (message) => failures.push(`${label}: console: ${message.text()}`));
        await page.goto(`file://${join(out, "pages", file)}${hash}`);
        await page.waitForFunction(() => window.rigyViewer);
        await page.waitForTimeout(300);
        await page.screenshot({ path: join(out, "pictures", `${label}.png`), fullPage: width < 500, timeout: 120000 }); // a processor draws
        await checkWidth(page, label, failures);
        await checkAccessible(page, label, failures);
        await context.close();
      }
    }
  }
  await checkKeyboard(browser, out, files, failures);
  await checkControls(browser, out, files, failures);
  await checkPictures(browser, out, files, failures);
}

/** Textures and comparisons change the picture, and say what they should. */
async function checkPictures(browser, out, files, failures) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const open = async (name) => {
    await page.goto(`file://${join(out, "pages", files.find((file) => file.endsWith(`${name}.html`)))}`);
    await page.waitForFunction(() => window.rigyViewer);
    await page.waitForTimeout(400);
  };
  const picture = () => page.evaluate(() => { window.rigyViewer.viewer.drawNow(); return document.querySelector("canvas").toDataURL(); });
  const differ = async (what, act) => {
    const before = await picture();
    await act();
    if ((await picture()) === before) failures.push(`${what} does not change the picture`);
  };
  const set = (change) => page.evaluate((change) => window.rigyViewer.controls.set(change), change);
  const says = async (text) => { if (!(await page.innerText("main")).includes(text)) failures.push(`${page.url()} does not say: ${text}`); };
  await open("Fox.glb");
  await differ("Shadow", () => page.click("text=Shadow"));
  await differ("Grid", () => page.click("text=Grid"));
  await says("Grid: 20 units");
  await page.waitForTimeout(300); // the address follows soon
  if (!page.url().includes("shadow=0&grid=1")) failures.push(`shadow and grid are not in the address ${page.url()}`);
  await differ("Textures", () => page.click("text=Textures"));
  await differ("an animation that plays", async () => { await page.click("text=Play"); await page.waitForTimeout(300); });
  await page.click("text=Pause");
  await open("broken.gltf");
  await says("cannot decode 1 of 1 images");
  await open("compared");
  await says("vertex of the same number");
  const greatest = await page.evaluate(() => {
    const { data } = window.rigyViewer;
    const [a, b] = data.surfaces.map((surface) => surface.restPositions);
    return [window.rigyViewer.distances(a, b).most, data.comparison.greatest];
  });
  if (!(Math.abs(greatest[0] / greatest[1] - 1) < 1e-3)) failures.push(`distances of the comparison: ${greatest.join(" is not ")}`);
  await differ("B left of the line", () => set({ left: "b", right: "" }));
  await differ("A left of the line", () => set({ left: "a" }));
  await differ("Colour by distance", () => set({ heat: "none" }));
  await differ("Side by side", () => page.check("input[value=side]"));
  for (const failure of await page.evaluate(checkHalves)) failures.push(`side by side: ${failure}`);
  await open("nearest");
  await says("nearest vertex of the other model");
  await context.close();
}

/** The split line, the bar of the time, double clicks, the dialog of keys, and pages that are dropped. */
async function checkControls(browser, out, files, failures) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
  const page = await context.newPage();
  const path = (name) => join(out, "pages", files.find((file) => file.endsWith(`${name}.html`)));
  const is = (what, found, wanted) => { if (JSON.stringify(found) !== JSON.stringify(wanted)) failures.push(`controls: ${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`); };
  const state = (key) => page.evaluate((key) => window.rigyViewer.controls.state[key], key);
  await page.goto(`file://${path("Fox.glb")}#clip=2&right=dqs`);
  await page.waitForFunction(() => window.rigyViewer);
  const line = await page.locator(".line").boundingBox();
  const middle = [line.x + line.width / 2, line.y + line.height / 3];
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(middle[0] + 100, middle[1], { steps: 3 });
  await page.mouse.up();
  const { width } = await page.locator(".picture").boundingBox();
  is("the dragged line", (await state("split")).toFixed(2), (0.5 + 100 / width).toFixed(2));
  await page.keyboard.press("Home");
  is("the line by keys", await state("split"), 0);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector(".line").ariaValueNow === "1").catch(() => failures.push("controls: the value of the line is not that of the picture"));
  const times = await page.evaluate(() => { const { start, end, count } = window.rigyViewer.controls.transport.span; return [start, start + (end - start) / (count - 1)]; });
  await page.focus("canvas");
  await page.keyboard.press(".");
  is("one frame on", await state("t"), times[1]);
  await page.focus(".transport input[type=range]");
  await page.keyboard.press("ArrowLeft");
  is("one frame back", await state("t"), times[0]);
  await page.keyboard.press(" ");
  is("Space plays", await state("playing"), true);
  await page.keyboard.press(" ");
  is("Space pauses", await state("playing"), false);
  await page.keyboard.press("?");
  is("the dialog of keys", await page.evaluate(() => document.querySelector("dialog").open), true);
  await page.keyboard.press("Escape");
  const target = () => page.evaluate(() => window.rigyViewer.viewer.orbit.target.toArray().map((c) => c.toFixed(3)).join());
  const before = await target();
  await page.evaluate(() => window.rigyViewer.controls.set({ right: "" }));
  const picture = await page.locator("canvas").boundingBox();
  await page.mouse.dblclick(picture.x + picture.width / 2 - 40, picture.y + picture.height / 2);
  const hit = await target();
  if (hit === before) failures.push("controls: a double click on the model does not move the target");
  await page.mouse.dblclick(picture.x + 3, picture.y + 3);
  if ((await target()) === hit) failures.push("controls: a double click beside the model does not frame it");
  await page.evaluate(() => window.rigyViewer.controls.set({ heat: "joint" }));
  const at = await page.evaluate(() => {
    const { viewer } = window.rigyViewer;
    viewer.drawNow();
    const point = viewer.orbit.target.clone().fromArray(viewer.joints.places, 3 * 5).project(viewer.camera);
    return [((1 + point.x) / 2) * viewer.canvas.clientWidth, ((1 - point.y) / 2) * viewer.canvas.clientHeight];
  });
  await page.mouse.click(picture.x + at[0] + 2, picture.y + at[1] - 2);
  is("a click near a joint", await state("joint"), "0.5");
  is("the list of joints", await page.inputValue("[aria-label=Joints]"), "0.5");
  await page.fill("[type=search]", "neck");
  is("the search of joints", await page.locator("[aria-label=Joints] option").count(), 1);
  const drop = (name, text) => page.evaluate(([name, text]) => {
    const files = new DataTransfer();
    files.items.add(new File([text], name));
    document.querySelector(".picture").dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
  }, [name, text]);
  await drop("a.html", "<p>no page");
  await page.waitForSelector(".said");
  await drop("b.html", readFileSync(path("hostile.gltf"), "utf8"));
  await page.waitForFunction(() => document.querySelector("h1").textContent === "hostile.gltf", null, { timeout: 20000 }).catch(() => failures.push("controls: a page that is dropped is not shown"));
  if (await page.evaluate(() => window.hostile)) failures.push("controls: a name of a dropped page has become markup");
  await context.close();
}

/** Everything is reached by Tab, keys turn the picture, and a link restores the view. */
async function checkKeyboard(browser, out, files, failures) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const address = `file://${join(out, "pages", files.find((file) => file.endsWith("Fox.glb.html")))}`;
  await page.goto(address);
  const reached = new Set();
  for (let i = 0; i < 50; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => { const e = document.activeElement; return e.name ? `${e.name} group` : e.tagName + (e.textContent || e.parentElement.textContent).slice(0, 30); }));
  }
  const wanted = ["CANVAS", "left group", "right group", "heat group", "SELECT", "INPUTTime", "BUTTONPlay", "INPUTWireframe", "INPUTBack faces", "BUTTONScreenshot"];
  for (const start of wanted) if (![...reached].some((name) => name.startsWith(start))) failures.push(`keyboard: ${start} is not reached; ${[...reached].join(", ")}`);
  await page.focus("canvas");
  await page.keyboard.press("ArrowRight");
  await page.focus("input[name=left]");
  await page.keyboard.press("ArrowRight");
  const state = () => page.evaluate(() => ({ ...window.rigyViewer.viewer.view, camera: window.rigyViewer.viewer.camera.position.toArray().map((c) => Number(c.toPrecision(4))).join() }));
  await page.waitForTimeout(400); // the address follows soon
  const before = await state();
  if (before.left !== "dqs") failures.push(`keyboard: the arrow key has not chosen DQS but ${before.left}`);
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  const after = await state();
  if (JSON.stringify(before) !== JSON.stringify(after)) failures.push(`link: ${JSON.stringify(before)} became ${JSON.stringify(after)}`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Screenshot")]);
  if (!download.suggestedFilename().endsWith(".png")) failures.push("the screenshot is no PNG");
  await context.close();
}

/** Runs in the page: each of two models that are side by side is whole in its half, and a pointer finds the same place in both. */
function checkHalves() {
  const { data, viewer } = window.rigyViewer;
  const { camera, orbit, canvas: { clientWidth: width, clientHeight: height } } = viewer;
  const wrong = [];
  if (Math.abs(camera.aspect / (width / 2 / height) - 1) > 0.01) wrong.push(`the shape of the picture is ${camera.aspect}`);
  const point = orbit.target.clone();
  for (const { restPositions } of data.surfaces) {
    for (let i = 0; i < restPositions.length; i += 3) {
      const { x, y } = point.fromArray(restPositions, i).project(camera);
      if (Math.max(Math.abs(x), Math.abs(y)) > 1) { wrong.push("a vertex is outside"); break; }
    }
  }
  const framed = orbit.target.clone();
  const [left, right] = [0, width / 2].map((start) => {
    viewer.frameCamera(viewer.direction);
    viewer.frameAt(start + width / 4, height / 2);
    return orbit.target.clone();
  });
  if (left.distanceTo(framed) < 1e-6 * viewer.size || left.distanceTo(right) > 0.05 * viewer.size) wrong.push(`a pointer finds ${left.toArray()} and ${right.toArray()}`);
  return wrong;
}
