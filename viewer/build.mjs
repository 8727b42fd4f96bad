// Bundles the pages: `node build.mjs [DIRECTORY]`, by default into dist/. An entry whose folder is missing is left out.
import { build } from "esbuild";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const outdir = process.argv[2] ?? join(here, "dist");
const licence = readFileSync(join(here, "node_modules/three/LICENSE"), "utf8").trim();
const notice = `/*! three.js\n\n${licence} */`;
const definitions = (name) => JSON.parse(readFileSync(join(here, "../docs/src/reference/schemas", name), "utf8")).$defs;
// The one description of the fields that the program leaves out of a summary.
const { summary, counts } = definitions("batch.json");
const defaultsOf = ({ properties }) => {
  const left = Object.entries(properties).filter(([, property]) => property.default !== undefined);
  return Object.fromEntries(left.map(([name, property]) => [name, property.default]));
};
const DEFAULTS = JSON.stringify({ run: defaultsOf(summary), counts: defaultsOf(counts) });
const ROW_FIELDS = JSON.stringify(definitions("page.json").row.prefixItems.map(({ title }) => title));
const entries = [
  { name: "view", script: "src/view/index.js", style: "src/view/view.css", notice, define: {} },
  { name: "report", script: "src/report/index.js", style: "src/report/index.css", notice: "", define: { DEFAULTS, ROW_FIELDS } },
];

for (const { name, script, style, notice, define } of entries) {
  for (const [file, out] of [[script, `${name}.js`], [style, `${name}.css`]]) {
    const entry = join(here, file);
    if (!existsSync(entry)) continue;
    await build({
      absWorkingDir: here,
      entryPoints: [entry],
      outfile: join(outdir, out),
      bundle: true,
      define,
      minify: true,
      format: "iife",
      target: ["chrome100", "firefox100", "safari15.4"],
      charset: "ascii",
      legalComments: "inline",
      // Pages are copied without this repository, so the licence of three.js is in each.
      banner: { js: notice },
      logLevel: "warning",
    });
  }
}
