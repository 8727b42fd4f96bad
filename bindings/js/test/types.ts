// Uses of every name of index.d.ts, which `tsc --noEmit` checks.
import {bake, Compiled, compile, diff, inspect, Mesh, RigyError, verify} from "rigy-batch";
import type {BakeOptions, CompileOptions, Difference, DocumentDescription, Files, Finding, GltfDescription, Verdict} from "rigy-batch";
import {start} from "rigy-batch/core";

const bytes = new Uint8Array(4);
const sources: Files[] = [{"a.yaml": "text", "b.bin": bytes}, new Map([["a.yaml", bytes.buffer]]), (path) => (path ? bytes : undefined)];
const options: CompileOptions = {files: sources[0], name: "lamp.rigs.yaml", withInstances: true, doubleSided: true, outward: true, limit: "bytes=4M"};
const lamp: Compiled = compile("text", options);
const glb: Uint8Array = lamp.glb;
const posed: Uint8Array = lamp.pose(lamp.poses[0]!);
const file: Uint8Array = lamp.positionsFile("bent");
const numbers: readonly Float32Array[] = [...lamp.positions("bent"), ...lamp.normals("bent")];
const mesh: Mesh = lamp.meshes[0]!;
const triangles: [number, number] = [mesh.triangleCount, mesh.primitives[0]!.triangles[1]];
const arrays: (Float32Array | Uint32Array)[] = [mesh.positions, mesh.normals, mesh.indices, ...mesh.uvs];
const matrix: Float64Array = lamp.instances[0]!.matrix;
lamp.free();

const how: BakeOptions = {animation: "Run", time: 0.5, solver: "dqs", localScaleJoints: ["hip"], pivot: "bounds", onWarning: (warning) => warning.message};
const plain: Uint8Array = bake(bytes, {time: 0.5});
const played: Uint8Array = bake(bytes, {as: "morph", frames: "@24", tolerance: 0.001, textures: "embed"});
const written: Record<string, Uint8Array> = bake(bytes, {to: "obj", join: "node", up: "z", scale: 1000, name: "fox.glb"});
const beside: Record<string, Uint8Array> = bake(bytes, {as: "step", textures: "beside"});
const frames: Record<string, Uint8Array> = bake(bytes, {frames: "0..3@24"});
const either: Uint8Array | Record<string, Uint8Array> = bake(bytes, how);
const ofDocument: DocumentDescription = inspect("text", {pairwiseGaps: true, limit: "bytes=4M"});
const ofFile: GltfDescription = inspect(bytes);
const difference: Difference = diff(plain, bytes, {tolerance: 1e-6});
const verdicts: Verdict[] = verify("{}", {files: sources[2], limit: "depth=32"});
start(new WebAssembly.Module(bytes));

try {
    compile("");
} catch (error) {
    if (error instanceof RigyError) {
        const [code, line]: [string | null, number | null] = [error.code, error.line];
        const findings: readonly Finding[] = error.findings;
        console.log(code, line, findings, error.category === "ParseError", error.help, error.path);
    }
}

// @ts-expect-error: there is no such solver
bake(bytes, {solver: "linear"});
// @ts-expect-error: an OBJ file has other files beside it
const one: Uint8Array = bake(bytes, {to: "obj"});
// @ts-expect-error: there is no such option
compile("text", {doublesided: true});
// @ts-expect-error: options of documents are not for glTF files
inspect(bytes, {pairwiseGaps: true});
// @ts-expect-error: documents are made by `compile`
new Compiled();
// @ts-expect-error: the number of vertices cannot be changed
mesh.vertexCount = 3;

console.log(one, played, written, beside, frames, either, glb, posed, file, numbers, triangles, arrays, matrix, ofDocument.summary, ofFile.clips, difference.maxDistance, verdicts[0]?.passed);
