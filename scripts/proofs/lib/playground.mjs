// Tests the playground in Chromium: node playground.mjs DIRECTORY PICTURES.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { end, launch, serve } from "./browser.mjs";
import { editing } from "./playground_editing.mjs";
import { files } from "./playground_files.mjs";
import { hostile } from "./playground_hostile.mjs";
import { looks } from "./playground_looks.mjs";
import { states } from "./playground_states.mjs";

const [directory, pictures] = process.argv.slice(2);
/** Most bytes of the module by gzip. */
const LIMIT = 1.5e6;

rmSync(pictures, { recursive: true, force: true });
mkdirSync(pictures, { recursive: true });
const failures = [];
const server = await serve(directory);
const browser = await launch();

/**
 * Opens the page in a context of its own and waits until it shows a document or an error. `after` is what follows the address, and
 * `prepare` is called before. Where it changes what is loaded, the browser may complain on its console.
 */
async function open(after = "", options = {}, prepare = null) {
  const context = await browser.newContext({ viewport: { width: 1500, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.requested = [];
  page.on("request", (request) => {
    page.requested.push(request.url());
    if (!/^(blob:|data:)/.test(request.url()) && !request.url().startsWith(server.address)) failures.push(`a request to ${request.url()}`);
  });
  if (prepare) await prepare(page);
  else page.on("console", (message) => failures.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => failures.push(`error: ${error.stack}`));
  await page.goto(`${server.address}index.html${after}`);
  await page.waitForFunction(() => window.rigyPlayground?.took || document.querySelector("#bar .error") || document.getElementById("right").textContent, null, { timeout: 60000 });
  return page;
}

const check = (what, holds) => { if (!holds) failures.push(what); };
const bench = { open, browser, directory, check, pictures, failures };

const wasm = readFileSync(join(directory, "rigy_batch.wasm"));
const packed = gzipSync(wasm, { level: 9 }).length;
const scripts = ["playground.js", "worker.js", "playground.css"].map((name) => gzipSync(readFileSync(join(directory, name)), { level: 9 }).length);
console.log(`the module: ${(wasm.length / 1e6).toFixed(2)} MB, by gzip ${(packed / 1e6).toFixed(2)} MB; scripts and styles by gzip ${(scripts.reduce((a, b) => a + b) / 1e6).toFixed(2)} MB`);
check(`the module has more than ${LIMIT} bytes by gzip`, packed <= LIMIT);

for (const part of [editing, files, states, hostile, looks]) {
  const begin = performance.now();
  await part(bench);
  console.log(`${part.name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}
await browser.close();
server.close();
end(failures);
