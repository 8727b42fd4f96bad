// What the program says and writes about the same files.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Runs the program in a directory with these files, and returns its standard output and a function that reads the files it leaves. */
export function run(files, ...args) {
  const directory = mkdtempSync(join(tmpdir(), "rigy-playground-"));
  for (const [name, content] of files) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  const { stdout } = spawnSync(process.env.RIGY_BATCH, args, { cwd: directory, encoding: "utf8", maxBuffer: 1 << 28 });
  const read = (name) => (existsSync(join(directory, name)) ? readFileSync(join(directory, name)) : null);
  const remove = () => rmSync(directory, { recursive: true });
  return { stdout, read, remove };
}

/** Returns the findings of the program about a document, as "line:column code". */
export function findingsOf(files) {
  const { stdout, remove } = run(files, files[0][0], "-o", "out", "--format", "json");
  remove();
  const lines = stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const found = lines.flatMap((line) => [...(line.errors ?? []), ...(line.warnings ?? [])]);
  return [...new Set(found.map(short))].sort();
}

/** Returns a finding as "line:column code". */
export function short({ line, column, code, category }) {
  return `${line ?? 0}:${column ?? 0} ${code ?? category}`;
}
