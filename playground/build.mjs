// Bundles the playground: `node build.mjs DIRECTORY`. `scripts/prove playground` puts the WebAssembly module beside it.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [outdir] = process.argv.slice(2);
if (!outdir) throw new Error("usage: node build.mjs DIRECTORY");
mkdirSync(outdir, { recursive: true });

const shared = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  charset: "ascii",
  legalComments: "none",
  logLevel: "warning",
  target: ["chrome111", "firefox113", "safari16.4"],
  // The viewer's sources find three.js here.
  nodePaths: [join(here, "node_modules")],
  loader: { ".yaml": "text" },
};
const page = await build({ ...shared, entryPoints: ["src/index.js"], outfile: join(outdir, "playground.js"), format: "esm", metafile: true });
await build({ ...shared, entryPoints: ["src/worker.js"], outfile: join(outdir, "worker.js"), format: "iife" });
copyFileSync(join(here, "index.html"), join(outdir, "index.html"));
writeFileSync(join(outdir, "LICENCES.txt"), licences(Object.keys(page.metafile.inputs)));

/** Returns the licences of the packages whose files are in the bundle. */
function licences(inputs) {
  const names = inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean);
  const texts = [...new Set(names)].sort().map((name) => {
    const directory = join(here, "node_modules", name);
    const file = readdirSync(directory).find((file) => /^licen[cs]e/i.test(file));
    if (!file) throw new Error(`${name} has no licence file`);
    return `${name}\n${"=".repeat(name.length)}\n\n${readFileSync(join(directory, file), "utf8").trim()}\n`;
  });
  return texts.join("\n\n");
}
