// Opens report pages and checks what the guide promises of them: node report.mjs PAGES PICTURES.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { checkAccessible, launch, opener } from "./browser.mjs";
import { hostileModels, models } from "./report_models.mjs";

const [pages, pictures] = process.argv.slice(2);
/** The name of a page that could be taken for a script, for markup or for the directory above. */
const HOSTILE = "javascript:alert(1)%2e%2e'\"<img src=x onerror=alert(1)>\u202e";
const folder = pathToFileURL(`${pages}/`).href;
mkdirSync(pictures, { recursive: true });
const browser = await launch();
const { open, close } = opener(browser, folder);

const nodes = (page) => page.evaluate(() => document.querySelectorAll("body *").length);
const settle = (page) => page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));

async function accessible(page, label) {
  const failures = [];
  await checkAccessible(page, label, failures);
  assert.deepEqual(failures, []);
}

/**
 * Sets a control and returns the milliseconds until the list shows the result and is laid out: the median of five, because
 * other work on the machine interrupts single ones.
 */
const timed = (page, selector, value) =>
  page.evaluate(
    ([selector, value]) => {
      const control = document.querySelector(selector);
      const once = () => {
        const start = performance.now();
        if (value === null) control.click();
        else {
          control.value = value;
          control.dispatchEvent(new Event(control.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
        }
        document.querySelector(".list").getBoundingClientRect();
        return performance.now() - start;
      };
      return [1, 2, 3, 4, 5].map(once).sort((a, b) => a - b)[2];
    },
    [selector, value],
  );

/** The milliseconds until the first paint in a new tab. Other work on the machine delays single ones. */
async function firstPaint(name) {
  const page = await open(name);
  const entry = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
  await page.waitForFunction(entry);
  const paint = await page.evaluate(entry);
  await close(page);
  return paint;
}

/** A page of 10,000 outputs and more is shown soon, with few elements however it is used, and is filtered at once. */
async function large(name) {
  const page = await open(name);
  let most = await nodes(page);
  await page.evaluate(() => { const list = document.querySelector(".list"); list.scrollTop = list.scrollHeight / 2; });
  await settle(page);
  most = Math.max(most, await nodes(page));
  const filters = [];
  for (const text of ["m", "model-09", "bent", "v08", "zzz", "7 bent", ""]) filters.push(await timed(page, ".controls input", text));
  for (const status of ["failed", "warnings", "written", "all"]) filters.push(await timed(page, `[data-status=${status}]`, null));
  for (const code of ["V08", "W03", ""]) filters.push(await timed(page, "select[aria-label=Code]", code));
  for (const order of ["name", "bytes", "status", "codes", "run"]) await timed(page, "select[aria-label='Sort by']", order);
  for (const group of ["message", "input", ""]) {
    filters.push(await timed(page, "select[aria-label=Group]", group));
    most = Math.max(most, await nodes(page));
  }
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  most = Math.max(most, await nodes(page));
  await close(page);
  const [slowest, paint] = [Math.max(...filters), Math.min(await firstPaint(name), await firstPaint(name), await firstPaint(name))];
  console.log(`${name}: first paint after ${paint.toFixed(0)} ms, at most ${most} elements, slowest filter ${slowest.toFixed(1)} ms`);
  assert(paint < 1000 && most < 2000 && slowest < 100);
}

/** Adds pictures to a page, as outputs with thumbnails have them. */
function withPictures(name, to) {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const text = readFileSync(`${pages}/${name}.html`, "utf8");
  const [tag] = text.match(/<script type="application\/json" data-kind="rows" data-number="0">/);
  const start = text.indexOf(tag) + tag.length;
  const end = text.indexOf("</script>", start);
  const rows = JSON.parse(text.slice(start, end));
  let count = 0;
  for (const row of rows) if (row[3] !== "failed") row.splice(11, 4, row[11] ?? null, row[12] ?? null, 0, count++);
  const urls = JSON.stringify(Array(count).fill(`data:image/png;base64,${png}`));
  const json = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");
  const more = `<script type="application/json" data-kind="thumbnails" data-number="0">${urls}</script>`;
  const changed = text.slice(0, start) + json(rows) + `</script>${more}` + text.slice(end + 9);
  writeFileSync(`${pages}/${to}.html`, changed.replace('"thumbnails":[]', '"thumbnails":[null]'));
}

async function screens() {
  for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"]) {
      const label = `${width}-${colorScheme}`;
      const page = await open("suite", { width, colorScheme });
      await page.screenshot({ path: `${pictures}/list-${label}.png` });
      await accessible(page, `list ${label}`);
      await page.locator("details.times summary").click();
      await accessible(page, `times ${label}`);
      await page.screenshot({ path: `${pictures}/times-${label}.png` });
      await page.locator("details.times summary").click();
      await page.locator(".controls input").fill("V11");
      await page.locator(".item").first().click();
      await page.locator(".finding").first().waitFor();
      await page.screenshot({ path: `${pictures}/finding-${label}.png` });
      await accessible(page, `finding ${label}`);
      await close(page);
      const sheet = await open("pictures", { width, colorScheme, hash: "#view=sheet&status=written" });
      await settle(sheet);
      await sheet.screenshot({ path: `${pictures}/sheet-${label}.png` });
      await accessible(sheet, `sheet ${label}`);
      assert((await sheet.locator(".tile img").count()) > 3);
      await close(sheet);
      const empty = await open("suite", { width, colorScheme, hash: "#q=nothing-has-this" });
      await accessible(empty, `empty ${label}`);
      await close(empty);
    }
  }
}

async function hostile() {
  const page = await open("hostile");
  const count = await page.locator(".item").count();
  for (let index = 0; index < count; index += 1) {
    await page.evaluate((index) => document.querySelector(`#item-${index}`).click(), index);
    await settle(page);
    const found = await page.evaluate(() => document.querySelectorAll("img, iframe, object, [onerror], [onmouseover], a:not(.open-viewer)").length);
    assert.equal(found, 0);
    assert(!/[\u202a-\u202e]/.test(await page.locator("body").innerText()));
  }
  const text = await page.locator("#app").innerText();
  assert(text.includes("<img src=x onerror=alert(1)>"), "it is shown as text");
  assert(text.includes("\\u{202e}"), "and what turns text around is written out");
  // A document with a thousand findings does not fill the page.
  await page.locator(".controls input").fill("thousand");
  await page.locator(".item").first().click();
  await page.locator(".pager").waitFor();
  assert((await nodes(page)) < 2000);
  await page.locator(".pager button").last().click();
  assert.match(await page.locator(".pager").innerText(), /51 to 100 of/);
  // If there were such an element all the same, the policy would stop its script.
  const ran = await page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='globalThis.hit = 1'>");
    return new Promise((r) => setTimeout(() => r(globalThis.hit), 100));
  });
  assert.equal(ran, undefined);
  const blocked = page.faults.filter((fault) => /Content Security Policy/.test(fault));
  assert(blocked.length > 0);
  page.faults = page.faults.filter((fault) => !/Content Security Policy|ERR_|request: .*\/x$/.test(fault));
  await close(page);
  console.log(`hostile: ${count} outputs opened, no markup, no dialog`);
}

async function keyboard() {
  const page = await open("suite");
  const focused = () => page.evaluate(() => document.activeElement.className || document.activeElement.tagName);
  assert.match(await focused(), /list/);
  // Tab comes by every control that is visible. The heads of columns repeat the order menu.
  const wanted = await page.evaluate(() => {
    const all = [...document.querySelectorAll("button, input, select, summary, .list")];
    const visible = all.filter((e) => e.checkVisibility() && !e.disabled && !e.closest(".header"));
    return visible.length;
  });
  const seen = new Set();
  for (let step = 0; step < wanted + 4; step += 1) {
    await page.keyboard.press("Tab");
    seen.add(
      await page.evaluate(() => {
        const e = document.activeElement;
        return e === document.body ? "" : e.outerHTML.slice(0, 120);
      }),
    );
  }
  seen.delete("");
  assert.equal(seen.size, wanted);
  await page.keyboard.press("/");
  assert.equal(await focused(), "INPUT");
  await page.keyboard.type("invalid");
  await page.keyboard.press("ArrowDown");
  assert.match(await focused(), /list/);
  const selected = () => page.evaluate(() => document.querySelector("[aria-selected=true]")?.id ?? null);
  assert.equal(await selected(), "item-0");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await selected(), "item-2");
  await page.keyboard.press("End");
  const last = await selected();
  await page.keyboard.press("Home");
  assert.equal(await selected(), "item-0");
  assert.notEqual(last, "item-0");
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "H2");
  assert(await page.locator(".detail").isVisible());
  await page.keyboard.press("Escape");
  assert(!(await page.locator(".detail").isVisible()));
  assert.match(await focused(), /list/);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".controls input").inputValue(), "");
  await page.locator("select[aria-label=Code]").selectOption("V11");
  await page.waitForFunction(() => location.hash.includes("code=V11"));
  const hash = await page.evaluate(() => location.hash);
  await close(page);
  const again = await open("suite", { hash });
  assert.match(await again.locator(".count").innerText(), /^\d of /, "a link restores what was shown");
  await close(again);
  // On a narrow screen the panel covers the rest, which cannot be reached behind it.
  const narrow = await open("suite", { width: 390 });
  await narrow.keyboard.press("ArrowDown");
  await narrow.keyboard.press("Enter");
  for (let step = 0; step < 6; step += 1) {
    await narrow.keyboard.press("Tab");
    assert(await narrow.evaluate(() => document.activeElement === document.body || document.activeElement.closest(".detail") !== null));
  }
  await close(narrow);
  console.log(`keyboard: ${wanted} controls by Tab; /, arrows, Home, End, Enter and Esc do what the guide says`);
}

/** What is urgent comes first, groups open, codes explain themselves, texts are copied, and what cannot be shown has a sentence. */
async function triage() {
  const page = await open("suite");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const ranks = () => page.evaluate(() => [...document.querySelectorAll(".item .status")].map((e) => e.textContent));
  assert((await ranks()).every((status) => status === "failed"), "failures come first");
  assert.match(await page.locator(".sentence").innerText(), /^\d+ documents: \d+ to write \(\d+ outputs\), \d+ failed; \d+ warnings$/);
  // Files of one name differ by their directories, which stand beside findings.
  const names = await page.evaluate(() => [...document.querySelectorAll(".item")].map((e) => [e.querySelector(".directory")?.textContent, e.querySelector(".below").textContent]));
  assert(names.every(([directory, finding]) => directory && finding !== ""), JSON.stringify(names));
  assert.match(await page.locator(".facts-line").innerText(), /UTC.*took .*version .*thread/s);
  await page.locator(".about summary").click();
  await page.locator("[aria-label='Copy the command']").click();
  const pasted = () => page.evaluate(() => navigator.clipboard.readText());
  assert.equal(await pasted(), await page.locator(".about code").first().innerText());
  assert.match(await pasted(), /^rigy-batch conformance\/inputs conformance\/invalid -n --timings --html /);
  await page.locator(".about summary").click();
  // Groups of messages: errors first, and those of a kind with their number.
  await page.locator("select[aria-label=Group]").selectOption("message");
  const first = page.locator("#item-0");
  assert.match(await first.innerText(), /^▸\s*[A-Z]\d\d/);
  assert.match(await first.innerText(), /\d+ times|once/);
  await page.locator(".list").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  assert.equal(await first.getAttribute("aria-expanded"), "true");
  assert.equal(await page.locator("#item-1 .status").innerText(), "failed");
  await page.waitForFunction(() => location.hash.includes("group=message"));
  await page.locator("#item-1").click();
  assert.match(await page.locator(".no-model").innerText(), /the output has failed/);
  await page.locator(".finding button.code").first().click();
  const code = await page.locator(".finding button.code").first().innerText();
  const dialog = page.locator("dialog[open]");
  assert.match(await dialog.innerText(), new RegExp(`${code} .*Mend: .*rigy-batch explain ${code}`, "s"));
  await accessible(page, "explanation");
  await page.keyboard.press("Escape");
  assert.equal(await dialog.count(), 0);
  assert(await page.locator(".detail").isVisible(), "Escape has closed the explanation alone");
  await page.locator("[aria-label='Copy the finding']").first().click();
  assert.match(await pasted(), new RegExp(`rigy\\.yaml:\\d+:\\d+: error ${code}: `));
  await page.locator("select[aria-label=Group]").selectOption("input");
  assert((await page.locator(".item.group").count()) > 5);
  await accessible(page, "groups");
  await close(page);
  const blind = await open("hostile");
  await blind.evaluate(() => (HTMLCanvasElement.prototype.getContext = () => null));
  await blind.locator("#item-0").waitFor();
  await blind.locator(".controls input").fill("gnp");
  await blind.locator("#item-0").click();
  await blind.locator(".no-model").waitFor();
  assert.match(await blind.locator(".no-model").innerText(), /no WebGL 2/);
  await close(blind);
  console.log("triage: failures first, groups, explanations, copies, and sentences where there is no viewer");
}

async function missing() {
  const text = readFileSync(`${pages}/ten.html`, "utf8");
  writeFileSync(`${pages}/moved.html`, text.replaceAll("ten.html.data", "gone.data"));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${folder}moved.html`);
  await page.locator("[role=alert]:not([hidden])").waitFor();
  assert.match(await page.locator("[role=alert]").first().innerText(), /gone\.data/);
  // The models of a page that has been sent alone.
  writeFileSync(`${pages}/alone.html`, readFileSync(`${pages}/hostile.html`, "utf8").replaceAll("hostile.html.data", "gone.data"));
  await page.goto(`${folder}alone.html`);
  await page.locator(".controls input").fill("gnp");
  await page.locator("#item-0").click();
  await page.locator(".open-viewer").click();
  assert.match(await page.locator(".model [role=alert]").innerText(), /gone\.data belongs beside this page/);
  await context.close();
  console.log("a page without its data directory says so");
}

withPictures("suite", "pictures");
await large("outputs");
await large("ten");
await hostile();
const tools = { open, close, accessible, settle, pictures };
await hostileModels(tools, "hostile");
await hostileModels(tools, HOSTILE);
if (readdirSync(pages).includes("models.html")) await models(tools);
else console.log("no samples beside this repository: the page of real models is left out");
await triage();
await keyboard();
await missing();
await screens();
await browser.close();
