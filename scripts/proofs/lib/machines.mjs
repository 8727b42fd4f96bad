// Runs the module of bindings/js as the program runs on other machines, on one thread and without options of its own:
//
//   node machines.mjs MODULE verify MANIFEST
//   node machines.mjs MODULE documents IN OUT
//   node machines.mjs MODULE bake IN OUT lbs|dqs [SECONDS]
import {mkdirSync, readFileSync, readdirSync, statSync, writeFileSync} from "node:fs";
import {basename, dirname, join, relative} from "node:path";

import {bake, compile, inspect, start, verify} from "../../../bindings/js/core.js";

/** Returns the paths of all files below a directory, relative to it, in order. */
function filesBelow(directory) {
    const entries = readdirSync(directory, {recursive: true, withFileTypes: true});
    const files = entries.filter((entry) => entry.isFile());
    return files.map((entry) => relative(directory, join(entry.parentPath ?? entry.path, entry.name))).sort();
}

/** Returns a function that gives the files below a directory. */
function filesOf(directory) {
    const isFile = (path) => statSync(path, {throwIfNoEntry: false})?.isFile();
    return (name) => (isFile(join(directory, name)) ? readFileSync(join(directory, name)) : undefined);
}

function write(directory, name, bytes) {
    const path = join(directory, name);
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, bytes);
}

/** Returns the id of a pose as file names have it. */
function escaped(id) {
    const percent = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
    return encodeURIComponent(id).replace(/[!'()*~]/g, percent) || "%";
}

function compileAll(from, to) {
    const files = filesOf(from);
    for (const name of filesBelow(from).filter((name) => /\.rig[ys]\.ya?ml$/.test(name))) {
        const compiled = compile(readFileSync(join(from, name)), {name, files});
        const stem = join(dirname(name), basename(name).replace(/\.rig[ys]\.ya?ml$/, ""));
        write(to, `${stem}.glb`, compiled.glb);
        for (const id of compiled.poses) {
            write(to, `${stem}.${escaped(id)}.glb`, compiled.pose(id));
            write(to, `${stem}.${escaped(id)}.positions.json`, compiled.positionsFile(id));
        }
        compiled.free();
    }
}

function bakeAll(from, to, solver, seconds) {
    const files = filesOf(from);
    for (const name of filesBelow(from).filter((name) => /\.(glb|gltf)$/.test(name))) {
        const source = readFileSync(join(from, name));
        const isMoved = seconds !== undefined && inspect(source, {name, files}).clips.length > 0;
        const moment = isMoved ? {animation: 0, time: Number(seconds)} : {};
        write(to, name.replace(/\.\w+$/, ".glb"), bake(source, {name, files, solver, ...moment}));
    }
}

const [path, command, from, to, solver, seconds] = process.argv.slice(2);
start(new WebAssembly.Module(readFileSync(path)));
switch (command) {
    case "verify":
        for (const {id, category, passed, detail} of verify(readFileSync(from), {files: filesOf(dirname(from))})) {
            console.log(JSON.stringify({id, category, passed, detail})); // in the order of the program's keys
        }
        break;
    case "documents":
        compileAll(from, to);
        break;
    case "bake":
        bakeAll(from, to, solver, seconds);
        break;
    default:
        throw new Error(`there is no command ${command}`);
}
