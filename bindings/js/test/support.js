// The repository's documents and samples, and what the program makes of them.
import {execFileSync} from "node:child_process";
import {existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync} from "node:fs";
import {tmpdir} from "node:os";
import {basename, join, relative} from "node:path";
import {after} from "node:test";

export const REPOSITORY = process.env.RIGY_REPOSITORY ?? new URL("../../..", import.meta.url).pathname;
export const SHARED = process.env.RIGY_SUITE ?? join(REPOSITORY, "../shared");
const PROGRAM = process.env.RIGY_BATCH ?? join(REPOSITORY, "target/release/rigy-batch");

/** The manifests of the own suite and, where they are there, of the published ones. */
export const MANIFESTS = [join(REPOSITORY, "conformance"), join(SHARED, "conformance"), join(SHARED, "conformance-0.5")]
    .map((directory) => join(directory, "manifest.json"))
    .filter(existsSync);

/** Returns what the program prints; it must end with one of these statuses. */
export function program(args, statuses = [0]) {
    const options = {encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28};
    try {
        return execFileSync(PROGRAM, args, options);
    } catch (error) {
        if (!statuses.includes(error.status)) throw error;
        return error.stdout;
    }
}

/** Returns the objects of JSON lines. */
export function lines(text) {
    return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** Returns a new directory, which is removed when the tests of the file are done. */
export function scratch() {
    const directory = mkdtempSync(join(tmpdir(), "rigy-"));
    after(() => rmSync(directory, {recursive: true}));
    return directory;
}

/** Returns the paths of the files below a directory whose names match, in order. */
export function filesBelow(directory, pattern) {
    if (!existsSync(directory)) return [];
    const entries = readdirSync(directory, {recursive: true, withFileTypes: true});
    const files = entries.filter((entry) => entry.isFile() && pattern.test(entry.name));
    return files.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}

export const DOCUMENT = /\.rig[ys]\.yaml$/;

/** Returns a function that gives the files below a directory. */
export function filesOf(directory) {
    const isFile = (path) => statSync(path, {throwIfNoEntry: false})?.isFile();
    return (name) => (isFile(join(directory, name)) ? readFileSync(join(directory, name)) : undefined);
}

/** Returns the arguments of `compile` for a file below a directory. */
export function document(directory, path) {
    return [readFileSync(path), {name: relative(directory, path), files: filesOf(directory)}];
}

/** Returns a finding of this package as the program's JSON has it. */
export function printed({code, category, message, help, path, file, line, column, importers}) {
    const imported = importers.map((importer) => ` (imported at ${importer})`).join("");
    return {category, code, message: `${message}${help ? `; ${help}` : ""}${imported}`, path, file, line, column};
}

/** Returns a document of the suite by the beginning of its name. */
export function sample(name) {
    const directory = join(REPOSITORY, "conformance/inputs");
    const path = filesBelow(directory, DOCUMENT).find((path) => basename(path).startsWith(name));
    return document(directory, path);
}
