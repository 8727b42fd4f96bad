// Chromium, axe-core and a server of files, for the proofs of pages. NODE_PATH names the folder with playwright-core and axe-core.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";

const require = createRequire(join(process.env.NODE_PATH, "x.js"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const GL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-quic", ...GL] });

/** Returns functions that open a report page of a folder, given by its URL, and close it. Anything that a page says, asks for elsewhere, or pops up is a fault. */
export function opener(browser, folder) {
  async function open(name, { width = 1280, colorScheme = "light", hash = "" } = {}) {
    const size = { width, height: width > 600 ? 860 : 844 };
    const context = await browser.newContext({ viewport: size, colorScheme, hasTouch: width < 600 });
    const page = await context.newPage();
    page.faults = [];
    page.on("console", (message) => page.faults.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => page.faults.push(`error: ${error}`));
    page.on("dialog", (dialog) => page.faults.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(folder) && !/^(data|blob|about):/.test(url)) page.faults.push(`request: ${url}`);
    });
    await page.goto(`${folder}${encodeURIComponent(name)}.html${hash}`);
    await page.waitForFunction(() => document.documentElement.dataset.loaded === "true");
    return page;
  }

  async function close(page) {
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }

  return { open, close };
}

/** Fails if axe-core finds anything serious or critical in a page, or has checked nothing. Prints lesser findings. */
export async function checkAccessible(page, label, failures) {
  await page.evaluate(axe); // the protocol of the browser is not bound by the policy of the page
  const { violations, passes } = await page.evaluate(() => globalThis.axe.run());
  if (passes.length < 10) failures.push(`${label}: axe-core has only ${passes.length} passes`);
  for (const { id, impact, nodes } of violations) {
    const text = `${label}: axe: ${id} (${impact}) ${nodes[0].html.slice(0, 160)}`;
    if (["serious", "critical"].includes(impact)) failures.push(text); else console.log(text);
  }
}

/** Fails if a page is wider than its window. */
export async function checkWidth(page, label, failures) {
  const [wide, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  if (wide > width) failures.push(`${label}: ${wide} pixels wide`);
}

/** Promises a server of a directory on the loopback; its `address` is that of the directory. */
export function serve(directory) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    try {
      const bytes = readFileSync(join(directory, path.endsWith("/") ? `${path}index.html` : path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/html" });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  const address = () => `http://127.0.0.1:${server.address().port}/`;
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(Object.assign(server, { address: address() }))));
}

/** Prints what is wrong, and ends the process. */
export function end(failures) {
  failures.forEach((failure) => console.log(`FAIL ${failure}`));
  console.log(failures.length ? `${failures.length} failures` : "no failures");
  process.exit(failures.length ? 1 : 0);
}
