// The npm package in a browser: `index.js` finds its module by fetch, and gives the bytes of the program.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./playground_program.mjs";
import { serve } from "./browser.mjs";

const sources = new URL("../../../bindings/js/", import.meta.url).pathname;
const document = new URL("../../../conformance/inputs/L02_two_bone_dqs_twist.rigy.yaml", import.meta.url).pathname;

/** The package with the playground's module, which has more functions than its own. */
function made(directory) {
  const root = mkdtempSync(join(tmpdir(), "rigy-package-"));
  for (const name of ["core.js", "index.js", "lib"]) cpSync(join(sources, name), join(root, name), { recursive: true });
  cpSync(join(directory, "rigy_batch.wasm"), join(root, "rigy_batch.wasm"));
  writeFileSync(join(root, "index.html"), "<!doctype html><title>package</title><link rel=icon href=data:,>");
  return root;
}

export async function npmPackage({ browser, directory, check }) {
  const root = made(directory);
  const server = await serve(root);
  const page = await browser.newPage();
  await page.goto(server.address);
  const text = readFileSync(document, "utf8");
  const outputs = await page.evaluate(async (text) => {
    const { compile } = await import("./index.js");
    const compiled = compile(text, { name: "twist.rigy.yaml" });
    return [["twist.glb", [...compiled.glb]], ...compiled.poses.map((id) => [`twist.${id}.glb`, [...compiled.pose(id)]])];
  }, text);
  const program = run([["twist.rigy.yaml", text]], "twist.rigy.yaml", "-o", "out");
  check("the package gives no poses", outputs.length > 1);
  for (const [name, bytes] of outputs) check(`the package in a browser gives other bytes of ${name}`, program.read(join("out", name))?.equals(Buffer.from(bytes)) ?? false);
  program.remove();
  await page.close();
  server.close();
  rmSync(root, { recursive: true });
}
