// Opens a folder in VS Code's client for browsers, and waits until a file is there, which an extension writes.
// Arguments: the address of VS Code's server, the folder, the file.
import { existsSync } from "node:fs";
import { launch } from "./browser.mjs";

const [server, folder, file] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage();
await page.goto(`${server}?${new URLSearchParams({ folder })}`);
for (const end = Date.now() + 120_000; !existsSync(file) && Date.now() < end;) {
  await new Promise((resolve) => setTimeout(resolve, 100));
}
await browser.close();
process.exitCode = existsSync(file) ? 0 : 1;
