// Runs the module of this folder as the program runs on other machines, on one thread and without options of its own:
//
//   node run.mjs MODULE verify MANIFEST
//   node run.mjs MODULE documents IN OUT
//   node run.mjs MODULE bake IN OUT lbs|dqs [SECONDS]
//   node run.mjs MODULE limits
//
// `limits` compiles and bakes what a machine with 32 bits must refuse.
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from "node:fs";
import {dirname, join, relative} from "node:path";

import {checkLimits} from "./limits.mjs";

/** The module with its requests and answers as strings and bytes. */
class Module {
    static async read(path) {
        const {instance} = await WebAssembly.instantiate(readFileSync(path), {});
        return new Module(instance.exports);
    }

    constructor(exports) {
        this.exports = exports;
    }

    /** Writes parts one after the other into the buffer of the module. */
    request(...parts) {
        const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
        const address = this.exports.reserve(bytes.length) >>> 0;
        new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
    }

    /** Returns the files of an answer of `len` bytes, by name; throws if the input has been refused. */
    answer(len) {
        const bytes = Buffer.from(this.exports.memory.buffer, this.exports.answer() >>> 0, len >>> 0);
        const files = new Map();
        for (let at = 0; at < bytes.length; ) {
            const [name, content] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
            const begin = at + 8 + name;
            files.set(bytes.toString("utf8", at + 8, begin), Uint8Array.from(bytes.subarray(begin, begin + content)));
            at = begin + content;
        }
        if (files.has("error")) throw new Error(Buffer.from(files.get("error")).toString());
        return files;
    }

    add(name, content) {
        this.request(name, content);
        this.exports.add_file(Buffer.byteLength(name));
    }

    verify() {
        return this.answer(this.exports.verify());
    }

    compile(name) {
        this.request(name);
        return this.answer(this.exports.compile());
    }

    bake(name, solver, seconds) {
        this.request(name);
        return this.answer(this.exports.bake(solver === "dqs" ? 1 : 0, seconds));
    }
}

/** Returns the paths of all files below a directory, relative to it, in order. */
function filesBelow(directory) {
    const entries = readdirSync(directory, {recursive: true, withFileTypes: true});
    const files = entries.filter((entry) => entry.isFile());
    return files.map((entry) => relative(directory, join(entry.parentPath ?? entry.path, entry.name))).sort();
}

/** Gives the module all files below a directory; returns their names. */
function addAll(module, directory) {
    const names = filesBelow(directory);
    for (const name of names) module.add(name, readFileSync(join(directory, name)));
    return names;
}

function write(directory, files) {
    for (const [name, bytes] of files) {
        const path = join(directory, name);
        mkdirSync(dirname(path), {recursive: true});
        writeFileSync(path, bytes);
    }
}

const [path, command, from, to, solver, seconds] = process.argv.slice(2);
const module = await Module.read(path);
switch (command) {
    case "verify":
        addAll(module, dirname(from));
        process.stdout.write(module.verify().get("verdicts"));
        break;
    case "documents":
        for (const name of addAll(module, from)) {
            if (/\.rig[ys]\.ya?ml$/.test(name)) write(to, module.compile(name));
        }
        break;
    case "bake":
        for (const name of addAll(module, from)) {
            if (/\.(glb|gltf)$/.test(name)) write(to, module.bake(name, solver, Number(seconds ?? NaN)));
        }
        break;
    case "limits":
        checkLimits(module);
        break;
    default:
        throw new Error(`there is no command ${command}`);
}
