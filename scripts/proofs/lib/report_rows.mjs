// Opens every row of report pages, and checks its findings against the JSON report beside the page: node report_rows.mjs PAGES. All pages together have
// every kind of row.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { launch, opener } from "./browser.mjs";

const [pages] = process.argv.slice(2);
const browser = await launch();
const { open, close } = opener(browser, pathToFileURL(`${pages}/`).href);

/** What a row can have, by name. */
const KINDS = {
  written: ({ status }) => status === "written",
  unchanged: ({ status }) => status === "unchanged",
  removed: ({ status }) => status === "removed",
  skipped: ({ status }) => status === "skipped",
  "a warning of a document": ({ input, warnings }) => input.endsWith(".yaml") && warnings.length > 0,
  "a warning of a pose": ({ pose, warnings }) => pose !== null && warnings.length > 0,
  "a warning of a frame": ({ frame, warnings }) => frame > 0 && warnings.length > 0,
  "an error with a line": ({ errors }) => errors.some(({ line }) => line !== null),
  "an error without a line": ({ input, errors }) => input.endsWith(".glb") && errors.some(({ line }) => line === null),
  "a warning that counts as an error": ({ errors }) => errors.some(({ code }) => code?.startsWith("W")),
  "an importer": ({ errors }) => errors.some(({ message }) => message.includes("(imported at ")),
  "a file that failed before its outputs were known": ({ status, output }) => status === "failed" && output === null,
};

const texts = (page, selector) => page.locator(selector).allInnerTexts();
const shown = async (page) => Number.parseInt((await page.locator(".count").innerText()).replaceAll(",", ""), 10);

/** Opens a row, and checks that the panel has the findings of its line. */
async function checkRow(page, index, line) {
  await page.evaluate((index) => document.querySelector(`#item-${index}`).click(), index);
  await page.locator(".detail").waitFor();
  const found = [...line.errors, ...line.warnings];
  const label = JSON.stringify(line);
  if (found.length > 0) await page.locator(".finding, .findings [role=alert]").first().waitFor();
  assert.deepEqual(await texts(page, ".detail [role=alert]"), [], label);
  const [messages, codes] = [await texts(page, ".finding .message"), await texts(page, ".finding button.code")];
  assert.equal(messages.length, found.length, label);
  messages.forEach((message, at) => assert(found[at].message.startsWith(message), `${message}: ${label}`));
  assert.deepEqual(codes, found.map(({ code }) => code).filter(Boolean), label);
  const lines = found.filter(({ line }) => line !== null).length;
  assert((await page.locator(".finding .source pre").count()) >= lines, `a line of source for each: ${label}`);
  assert.equal(await page.locator(".finding .source:has-text('imported here')").count(), found.filter(({ message }) => message.includes("(imported at ")).length, label);
  const helped = await texts(page, ".finding .help");
  assert(helped.every((help) => found.some(({ message }) => message.includes(help.replace(/^Help: /, "")))), label);
  for (const button of await page.locator(".finding button.code").all()) {
    await button.click();
    assert.match(await page.locator("dialog[open]").innerText(), new RegExp(await button.innerText()));
    await page.keyboard.press("Escape");
  }
  const badges = new Set(found.map(({ code, category }) => code ?? category));
  const cell = await page.locator(`#item-${index} .column-codes .code`).allInnerTexts();
  assert.deepEqual(cell, [...badges].slice(0, 3), `badges of ${label}`);
}

/** Clicks every filter and order, and opens every group. */
async function checkControls(page, lines) {
  const set = (label, value) => page.locator(`select[aria-label="${label}"]`).selectOption(value);
  const options = (label) => page.locator(`select[aria-label="${label}"] option`).evaluateAll((all) => all.map((option) => option.value));
  const tests = { all: () => true, warnings: ({ warnings }) => warnings.length > 0 };
  for (const button of await page.locator("[data-status]").all()) {
    const name = await button.getAttribute("data-status");
    const expected = lines.filter(tests[name] ?? (({ status }) => status === name)).length;
    assert.equal(Number(await button.locator(".number").innerText()), expected, name);
    await button.click();
    assert.equal(await shown(page), expected, name);
  }
  await page.locator("[data-status=all]").click();
  const codesOf = ({ errors, warnings }) => [...errors, ...warnings].map(({ code, category }) => code ?? category);
  for (const code of await options("Code")) {
    await set("Code", code);
    assert.equal(await shown(page), lines.filter((line) => code === "" || codesOf(line).includes(code)).length, code);
  }
  await set("Code", "");
  for (const order of await options("Sort by")) await set("Sort by", order);
  for (const group of ["input", "message"]) {
    await set("Group", group);
    if (group === "input") await checkInputs(page, lines, codesOf);
    for (let index = 0; await page.locator(`#item-${index}`).count(); index += 1) {
      const item = page.locator(`#item-${index}`);
      if ((await item.getAttribute("aria-expanded")) === "false") await item.click();
    }
    assert((await page.locator(".item:not(.group)").count()) >= lines.length);
  }
  await set("Group", "");
  await set("Sort by", "run");
}

/** The row of an input has the badges of all its outputs. */
async function checkInputs(page, lines, codesOf) {
  for (const item of await page.locator(".item.group").all()) {
    const input = await item.locator(".group-title").innerText();
    const all = new Set(lines.filter((line) => line.input === input).flatMap(codesOf));
    assert.deepEqual(await item.locator(".code").allInnerTexts(), [...all].slice(0, 3), input);
  }
}

/** Opens the model of a row in the viewer, and goes back. */
async function checkModel(page, index) {
  await page.evaluate((index) => document.querySelector(`#item-${index}`).click(), index);
  await page.locator(".open-viewer").click();
  await page.waitForFunction(() => globalThis.rigyViewer?.viewer !== undefined, null, { timeout: 60000 });
  await page.locator(".back").click();
  await page.waitForFunction(() => document.documentElement.dataset.loaded === "true");
}

const kinds = new Set();
let rows = 0;
for (const name of readdirSync(pages).filter((file) => file.endsWith(".html")).map((file) => file.slice(0, -5))) {
  const { outputs } = JSON.parse(readFileSync(`${pages}/${name}.json`, "utf8"));
  const page = await open(name, { hash: "#sort=run" });
  assert.equal(await shown(page), outputs.length, name);
  for (const [index, line] of outputs.entries()) {
    await checkRow(page, index, line);
    for (const [kind, test] of Object.entries(KINDS)) if (test(line)) kinds.add(kind);
  }
  await page.keyboard.press("Escape");
  await checkControls(page, outputs);
  const made = outputs.findLastIndex(({ status, beside }) => status === "written" && !beside);
  if (made >= 0) await checkModel(page, made);
  for (const summary of await page.locator("details summary").all()) await summary.click();
  if (await page.locator(".selects button:not(.direction):visible").count()) await page.locator(".selects button:not(.direction)").click();
  await close(page);
  rows += outputs.length;
}
assert.deepEqual(Object.keys(KINDS).filter((kind) => !kinds.has(kind)), [], "each kind of row is there");
console.log(`${rows} rows opened, of ${kinds.size} kinds, with their findings, badges, filters and groups`);
await browser.close();
