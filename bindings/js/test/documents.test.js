// Documents and scenes: the bytes of the goldens and of the program, and arrays with the bits of these.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {basename, dirname, join} from "node:path";
import {test} from "node:test";

import {compile, verify} from "rigy-batch";

import {DOCUMENT, MANIFESTS, REPOSITORY, document, filesBelow, filesOf, lines, printed, program, sample, scratch} from "./support.js";

for (const manifest of MANIFESTS) {
    test(`all goldens of ${manifest} are equal, and all faults are found`, () => {
        const verdicts = verify(readFileSync(manifest), {files: filesOf(dirname(manifest))});
        assert.equal(verdicts.length, JSON.parse(readFileSync(manifest)).tests.length);
        assert.deepEqual(verdicts.filter((verdict) => !verdict.passed), []);
    });
}

/** Returns the outputs of the program for all documents of a directory, and their lines by input. */
function written(directory, output, options = []) {
    const text = program([directory, "-o", output, "--positions", "--format", "json", ...options]);
    const byInput = new Map();
    for (const line of lines(text.replaceAll(`${directory}/`, "")).filter((line) => line.input)) {
        byInput.set(line.input, [...(byInput.get(line.input) ?? []), line]);
    }
    return byInput;
}

const INPUTS = join(REPOSITORY, "conformance/inputs");

test("bytes and warnings are those of the program", () => {
    const byInput = written(INPUTS, scratch());
    const paths = filesBelow(INPUTS, DOCUMENT);
    assert.equal(paths.length, byInput.size);
    for (const path of paths) {
        const compiled = compile(...document(INPUTS, path));
        const outputs = byInput.get(compiled.name);
        const poses = outputs.filter((line) => line.pose !== null && line.output.endsWith(".glb"));
        assert.deepEqual(poses.map((line) => line.pose), compiled.poses);
        for (const {pose, output} of outputs) {
            const isPositions = output.endsWith(".json");
            const bytes = pose === null ? compiled.glb : isPositions ? compiled.positionsFile(pose) : compiled.pose(pose);
            assert.ok(readFileSync(output).equals(bytes), output);
        }
        // In lines each warning stands at the output that it concerns.
        const sorted = (warnings) => warnings.map((warning) => JSON.stringify(warning)).sort();
        assert.deepEqual(sorted(compiled.warnings.map(printed)), sorted(outputs.flatMap((line) => line.warnings)));
        compiled.free();
    }
});

const STYLES = [
    ["--with-instances", {withInstances: true}],
    ["--double-sided", {doubleSided: true}],
    ["--outward", {outward: true}],
];
for (const [option, style] of STYLES) {
    test(`${JSON.stringify(style)} does what ${option} does`, () => {
        for (const [name, outputs] of written(INPUTS, scratch(), [option])) {
            const [text, options] = document(INPUTS, join(INPUTS, name));
            const compiled = compile(text, {...options, ...style});
            assert.ok(readFileSync(outputs[0].output).equals(compiled.glb), name);
        }
    });
}

/** Returns the JSON of a GLB, and the numbers of an accessor of floats or indices. */
function glb(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const len = view.getUint32(12, true);
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + len)));
    const numbers = (index) => {
        const {bufferView, byteOffset = 0, count, type} = json.accessors[index];
        const begin = 28 + len + (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
        const width = {SCALAR: 1, VEC2: 2, VEC3: 3}[type];
        return new Float32Array(bytes.slice(begin, begin + 4 * width * count).buffer);
    };
    return {json, numbers};
}

test("arrays have the bits of the GLBs", () => {
    let compared = 0;
    for (const path of filesBelow(INPUTS, /\.rigy\.yaml$/)) {
        const compiled = compile(...document(INPUTS, path));
        const files = [[compiled.glb, (mesh) => [compiled.meshes[mesh].positions, compiled.meshes[mesh].normals]]];
        for (const id of compiled.poses) {
            const [positions, normals] = [compiled.positions(id), compiled.normals(id)];
            files.push([compiled.pose(id), (mesh) => [positions[mesh], normals[mesh]]]);
        }
        for (const [bytes, arrays] of files) {
            const {json, numbers} = glb(bytes);
            for (const [index, mesh] of compiled.meshes.entries()) {
                const {primitives} = json.meshes.find(({name}) => name === mesh.name);
                if (primitives.length > 1) continue; // since 0.12 each primitive has accessors of its own
                const {POSITION, NORMAL} = primitives[0].attributes;
                assert.deepEqual(arrays(index), [numbers(POSITION), numbers(NORMAL)], `${path} ${mesh.name}`);
                assert.equal(mesh.positions.length, 3 * mesh.vertexCount);
                assert.equal(mesh.indices.length, 3 * mesh.triangleCount);
                assert.ok(mesh.indices.every((vertex) => vertex < mesh.vertexCount));
                compared += 1;
            }
        }
        compiled.free();
    }
    assert.ok(compared > 50, `${compared}`);
});

test("instances share the meshes that they place", () => {
    for (const path of filesBelow(INPUTS, DOCUMENT)) {
        const compiled = compile(...document(INPUTS, path));
        for (const {matrix, meshes} of compiled.instances) {
            assert.equal(matrix.length, 16);
            assert.deepEqual([3, 7, 11, 15].map((index) => matrix[index]), [0, 0, 0, 1]);
            assert.ok(meshes.every((mesh) => mesh.positions.length === 3 * mesh.vertexCount));
        }
        compiled.free();
    }
});

test("a document gives the same objects again, and none once it is free", () => {
    const compiled = compile(...sample("L02"));
    const [pose] = compiled.poses;
    assert.equal(compiled.glb, compiled.glb);
    assert.equal(compiled.positions(pose), compiled.positions(pose));
    assert.equal(compiled.meshes[0].positions, compiled.meshes[0].positions);
    compiled.free();
    compiled.free();
    assert.throws(() => compiled.pose(pose), /freed/);
    assert.throws(() => compiled.pose(), TypeError);
});

test("a pose that does not exist is a RangeError with advice", () => {
    const compiled = compile(...sample("L02"));
    const [pose] = compiled.poses;
    for (const call of ["pose", "positions", "normals", "positionsFile"]) {
        assert.throws(() => compiled[call](`${pose}x`), {name: "RangeError", message: `there is no pose "${pose}x"; did you mean "${pose}"?`});
    }
    assert.equal(basename(compiled.name), compiled.name);
});
