// Bundles each page: src/NAME/index.js and index.css into dist/NAME.js and NAME.css, which the program embeds.
import { build } from "esbuild";
import { existsSync, readdirSync } from "node:fs";

const source = new URL("src/", import.meta.url).pathname;
const names = readdirSync(source).filter((name) => existsSync(`${source}${name}/index.js`));
const entries = names.flatMap((name) =>
  ["js", "css"]
    .map((kind) => ({ in: `${source}${name}/index.${kind}`, out: name }))
    .filter((entry) => existsSync(entry.in)),
);
// One run for each kind, because both have the same name.
for (const kind of ["js", "css"]) {
  await build({
    entryPoints: entries.filter((entry) => entry.in.endsWith(kind)),
    outdir: new URL("dist/", import.meta.url).pathname,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022", "chrome109", "firefox115", "safari16.4"],
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
  });
}
