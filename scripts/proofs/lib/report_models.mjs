// The part of report.mjs that opens models in the viewer: from the page of real models, from the page with hostile
// names, and by addresses that nobody should trust.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** Waits until the viewer shows a model. */
const shown = (page) => page.waitForFunction(() => globalThis.rigyViewer?.viewer !== undefined, null, { timeout: 60000 });

/** The path and the fragment of an address, which browsers and the program encode in different ways. */
const plain = (url) => decodeURIComponent(url.split("#")[0]) + (url.includes("#") ? `#${url.split("#")[1]}` : "");

/** Opens the details of an output and waits for the link to its model. */
async function openDetail(page, search) {
  await page.locator(".controls input").fill(search);
  await page.locator("[data-index='0']").click();
  const link = page.locator(".open-viewer");
  await link.waitFor();
  return link;
}

/** Every model of a page opens, each once, and has something to draw. Returns their number. */
async function openAll(page, run) {
  const report = page.url().replace(/#.*/, "");
  const text = readFileSync(new URL(report), "utf8");
  const elements = JSON.parse(text.match(/data-kind="models" data-number="0">([^]*?)<\/script>/)[1]);
  const scenes = new Map(elements.filter((element) => element.scene).map((element) => [element.scene, element]));
  for (const { scene, view } of scenes.values()) {
    const address = new URLSearchParams([["scene", scene], ["report", "row=0"], ...view]);
    await page.goto("about:blank");
    await page.goto(`${report}.data/${run.viewer.file}#${address}`);
    await shown(page);
    const [triangles, vertices] = await page.evaluate(() => {
      const sum = (key) => globalThis.rigyViewer.data.surfaces.reduce((total, surface) => total + surface[key], 0);
      return [sum("triangles"), sum("vertices")];
    });
    assert(triangles > 0 && vertices > 0, scene);
  }
  assert.equal(scenes.size, run.viewer.models);
  return scenes.size;
}

/** The contact sheet, the details and the viewer of real models: screenshots, accessibility, and the way there and back. */
export async function models({ open, close, accessible, settle, pictures }) {
  for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"]) {
      const label = `${width}-${colorScheme}`;
      const page = await open("models", { width, colorScheme, hash: "#view=sheet" });
      const count = await page.evaluate(() => document.querySelector(".count").textContent);
      assert(Number.parseInt(count, 10) >= 50, count);
      await page.waitForFunction(() => [...document.querySelectorAll(".tile img")].every((image) => image.complete && image.naturalWidth > 0));
      await page.screenshot({ path: `${pictures}/models-sheet-${label}.png` });
      await accessible(page, `models ${label}`);
      const link = await openDetail(page, "Fox.0001");
      await settle(page);
      await page.screenshot({ path: `${pictures}/models-detail-${label}.png` });
      await accessible(page, `detail with a model ${label}`);
      const title = await page.locator(".detail h2").innerText();
      await link.click();
      await shown(page);
      await settle(page);
      await page.screenshot({ path: `${pictures}/models-viewer-${label}.png`, fullPage: width < 600 });
      await accessible(page, `viewer ${label}`);
      assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      const { t } = await page.evaluate(() => globalThis.rigyViewer.controls.state);
      assert.equal(t, 0.5, "the viewer shows the moment of the output");
      await page.locator(".back").click();
      await page.waitForFunction(() => document.documentElement.dataset.loaded === "true");
      assert.equal(await page.locator(".detail h2").innerText(), title, "the way back leads to the same output");
      assert.equal(await page.locator(".controls input").inputValue(), "Fox.0001", "the way back keeps the search");
      assert(await page.evaluate(() => document.documentElement.classList.contains("no-keys")), "no ring until a key is pressed");
      await close(page);
    }
  }
  const page = await open("models");
  // By keyboard: the list, the details, the link, the viewer, the link back.
  await page.keyboard.press("/");
  await page.keyboard.type("RiggedSimple.0001");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".open-viewer").waitFor();
  const focused = (selector) => page.evaluate((selector) => document.activeElement.matches(selector), selector);
  for (let step = 0; step < 4 && !(await focused(".open-viewer")); step += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await shown(page);
  await page.keyboard.press("Tab");
  assert(await focused(".back"), "the link back comes first");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.documentElement.dataset.loaded === "true");
  const run = await page.evaluate(() => JSON.parse(document.getElementById("run").textContent));
  const opened = await openAll(page, run);
  await close(page);
  console.log(`models: ${opened} models opened, of ${run.viewer.bytes} bytes; sheet, details and viewer by mouse and by keyboard`);
}

/** Opens every model of the page with hostile names, from the page itself. */
export async function hostileModels({ open, close }, name) {
  const page = await open(name);
  const report = page.url().replace(/#.*/, "");
  const run = await page.evaluate(() => JSON.parse(document.getElementById("run").textContent));
  const viewer = `${report.replace(/[^/]*$/, "")}${run.data}/${run.viewer.file}`;
  assert.equal(plain(viewer), `${plain(report)}.data/${run.viewer.file}`);
  const count = await page.locator(".item").count();
  let opened = 0;
  for (let index = 0; index < count; index += 1) {
    await page.evaluate((index) => document.querySelector(`#item-${index}`).click(), index);
    const row = await page.evaluate(() => document.querySelector(".detail .model") !== null);
    if (!row) continue;
    const link = page.locator(".open-viewer");
    await link.waitFor();
    const pose = await page.evaluate(() => document.querySelector(".detail dl").innerText.match(/Pose\s+(.*)/)?.[1] ?? null);
    const address = await link.evaluate((link) => link.href);
    assert(address.startsWith(`${viewer}#scene=`), address);
    await link.click();
    await shown(page);
    const seen = await page.evaluate(() => ({
      found: document.querySelectorAll("img, iframe, object, [onerror], [onmouseover]").length,
      links: [...document.querySelectorAll("a")].map((link) => link.href),
      pose: document.querySelector(".poses [aria-pressed=true]").textContent,
    }));
    assert.equal(seen.found, 0);
    assert.equal(seen.links.length, 1);
    assert(plain(seen.links[0]).startsWith(`${plain(report)}#row=`), seen.links[0]);
    assert.equal(seen.pose === "Rest", pose === null, "the address chooses the pose");
    await page.locator(".back").click();
    await page.waitForFunction(() => document.documentElement.dataset.loaded === "true");
    opened += 1;
  }
  assert(opened > 2 && run.viewer.models > 0);
  // Addresses that lead elsewhere load nothing.
  const addresses = ["", "scene=", "scene=../x", "scene=%2e%2e%2fx", "scene=javascript:alert(1)", "scene=https://example.org/0123456789abcdef", "scene=0123456789abcdeF", "scene=0123456789abcdef%00", "report=javascript:alert(1)"];
  for (const address of addresses) {
    await page.goto("about:blank");
    await page.goto(`${viewer}#${address}`);
    assert.match(await page.locator("[role=alert]").innerText(), /names no model/, address);
    assert.equal(plain(await page.locator(".back").evaluate((link) => link.href.replace(/#.*/, ""))), plain(report));
    assert.equal(await page.evaluate(() => document.querySelectorAll("script[src]").length), 0);
  }
  await close(page);
  // A file that is not there is missed in words; the browser says so, too.
  const lost = await open(name);
  await lost.goto(`${viewer}#scene=0123456789abcdef&report=q%3Dx%26row%3D3%26open%3D1`);
  await lost.locator("[role=alert]").waitFor();
  assert.match(await lost.locator("[role=alert]").innerText(), /scene-0123456789abcdef\.js cannot be loaded/);
  assert.equal(plain(await lost.locator(".back").evaluate((link) => link.href)), `${plain(report)}#q=x&row=3&open=1`);
  lost.faults = lost.faults.filter((fault) => !/ERR_FILE_NOT_FOUND/.test(fault));
  await close(lost);
  console.log(`${name}: ${opened} times to the viewer and back, no markup; ${addresses.length} addresses refused`);
}
