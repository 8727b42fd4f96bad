// Measures the package that is installed in this directory, beside the program: node figures.mjs DIRECTORY, which has the modules
// vectors.wasm and scalar.wasm. Each figure is processor time, the least of several rounds, since the machine may be busy.
import {spawnSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";

const {RIGY_BATCH: program, RIGY_REPOSITORY: repository} = process.env;
const [directory] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), "rigy-"));

/** Returns the milliseconds of processor time that work in this process takes. */
function here(act) {
    const begin = process.cpuUsage();
    act();
    const {user, system} = process.cpuUsage(begin);
    return (user + system) / 1000;
}

/** Returns the milliseconds of processor time that a process takes. */
function there(...command) {
    const timed = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1';
    const {stderr} = spawnSync("bash", ["-c", timed, "bash", ...command], {encoding: "utf8"});
    const [user, system] = stderr.split(" ").map(Number);
    return 1000 * (user + system);
}

function least(rounds, measure) {
    return Math.min(...Array.from({length: rounds}, measure));
}

const node = (code) => least(9, () => there(process.execPath, "--input-type=module", "-e", code));
const bare = node("");
console.log(`import "rigy-batch": ${(node('import "rigy-batch"') - bare).toFixed(0)} ms more than node alone, which takes ${bare.toFixed(0)} ms`);

const core = await import(pathToFileURL(join(directory, "node_modules/rigy-batch/core.js")));
core.start(new WebAssembly.Module(readFileSync(join(directory, "vectors.wasm"))));
const document = join(repository, "conformance/inputs/L02_two_bone_dqs_twist.rigy.yaml");
const text = readFileSync(document, "utf8");
const all = () => {
    const compiled = core.compile(text);
    const outputs = [compiled.glb, ...compiled.poses.map((id) => compiled.pose(id))];
    compiled.free();
    return outputs;
};
const first = here(all);
const ofCall = least(201, () => here(all));
const ofProcess = least(15, () => there(program, document, "-o", work, "--quiet", "--force"));
console.log(`one document with its poses: ${ofCall.toFixed(2)} ms by compile (${first.toFixed(1)} ms the first time), ${ofProcess.toFixed(1)} ms by a process of the program`);

/** A document with `count` capsules, whose vertices follow four bones each. */
function skinned(count) {
    const numbers = Array.from({length: count}, (_, index) => index);
    const bone = (index) => `{id: b${index}, parent: ${index ? `b${index - 1}` : "none"}, head: [0, ${index}, 0], tail: [0, ${index + 1}, 0]}`;
    const bones = "bones: [{bone_id: b0, weight: 0.1}, {bone_id: b1, weight: 0.2}, {bone_id: b2, weight: 0.3}, {bone_id: b3, weight: 0.4}]";
    return `version: "0.5"
meshes: [{id: m, primitives: [${numbers.map((index) => `{type: capsule, id: c${index}, dimensions: {radius: 1, height: 4}}`)}]}]
armatures: [{id: a, bones: [${[0, 1, 2, 3].map(bone)}]}]
bindings: [{mesh_id: m, armature_id: a, weights: [${numbers.map((index) => `{primitive_id: c${index}, ${bones}}`)}]}]
`;
}

/** Turns each joint of a GLB by 30 degrees against the one above it, and returns the GLB. */
function turned(glb) {
    const len = glb.readUInt32LE(12);
    const json = JSON.parse(glb.toString("utf8", 20, 20 + len));
    for (const joint of json.skins[0].joints) json.nodes[joint].rotation = [0, 0, 0.25881904510252074, 0.9659258262890683];
    const text = Buffer.from(JSON.stringify(json));
    const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, " ")]);
    const out = Buffer.concat([glb.subarray(0, 20), padded, glb.subarray(20 + len)]);
    out.writeUInt32LE(out.length, 8);
    out.writeUInt32LE(padded.length, 12);
    return out;
}

const source = core.compile(skinned(400));
const vertices = source.meshes[0].vertexCount;
const glb = turned(Buffer.from(source.glb));
source.free();
const file = join(work, "skinned.glb");
writeFileSync(file, glb);
for (const solver of ["lbs", "dqs"]) {
    const outputs = ["vectors", "scalar"].map((name) => {
        core.start(new WebAssembly.Module(readFileSync(join(directory, `${name}.wasm`))));
        const time = least(9, () => here(() => core.bake(glb, {solver})));
        console.log(`${solver} of ${vertices} vertices, ${name}: ${((1e6 * time) / vertices).toFixed(0)} ns a vertex`);
        return Buffer.from(core.bake(glb, {solver}));
    });
    if (!outputs[0].equals(outputs[1])) throw new Error(`${solver}: vectors change bytes`);
    const native = least(5, () => there(program, "bake", file, "-o", join(work, "out"), "--quiet", "--force", "--solver", solver, "-j", "1"));
    if (!outputs[0].equals(readFileSync(join(work, "out/skinned.glb")))) throw new Error(`${solver}: not the bytes of the program`);
    console.log(`${solver} by a process of the program on one thread, reading and writing: ${((1e6 * native) / vertices).toFixed(0)} ns a vertex`);
}
rmSync(work, {recursive: true});
