// Bundles the pages: `node build.mjs [DIRECTORY]`, by default into dist/. An entry whose folder is missing is left out.
import { build } from "esbuild";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const outdir = process.argv[2] ?? join(here, "dist");
const licence = readFileSync(join(here, "node_modules/three/LICENSE"), "utf8").trim();
const entries = { view: "src/view", report: "src/report" };

for (const [name, folder] of Object.entries(entries)) {
  for (const [file, out] of [["index.js", `${name}.js`], [`${name}.css`, `${name}.css`]]) {
    const entry = join(here, folder, file);
    if (!existsSync(entry)) continue;
    await build({
      absWorkingDir: here,
      entryPoints: [entry],
      outfile: join(outdir, out),
      bundle: true,
      minify: true,
      format: "iife",
      target: ["chrome100", "firefox100", "safari15.4"],
      charset: "ascii",
      legalComments: "inline",
      // Pages are copied without this repository, so the licence of three.js is in each.
      banner: { js: `/*! three.js\n\n${licence} */` },
      logLevel: "warning",
    });
  }
}
