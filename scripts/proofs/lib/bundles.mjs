// Opens pages in Chromium, whose titles must be EXPECTED: node bundles.mjs EXPECTED PROJECT DIRECTORY... A plain server serves each
// directory, and the development server of Vite the project once more.
import { join } from "node:path";
import { end, launch, serve } from "./browser.mjs";

const [expected, ...directories] = process.argv.slice(2);
const { createServer } = await import(join(process.env.NODE_PATH, "vite/dist/node/index.js"));
const development = await (await createServer({ root: directories[0], logLevel: "error" })).listen();
const servers = await Promise.all(directories.map(serve));
const page = await (await launch()).newPage();
const failures = [];
page.on("pageerror", (error) => failures.push(`${page.url()}: ${error.message}`));
for (const address of [development.resolvedUrls.local[0], ...servers.map((server) => server.address)]) {
  await page.goto(address);
  await page.waitForFunction(() => document.title, null, { timeout: 30000 }).catch((error) => failures.push(`${address}: ${error.message}`));
  if ((await page.title()) !== expected) failures.push(`${address}: the title is ${await page.title()}`);
}
end(failures);
