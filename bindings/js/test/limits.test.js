// Inputs whose sizes pass what 32 bits can count or address. Each must be refused with an error, or give what a machine with
// 64 bits gives; a module that ends on one is a fault.
import assert from "node:assert/strict";
import {test} from "node:test";

import {RigyError, bake, compile, inspect} from "rigy-batch";

const BONES = "armatures: [{id: a, bones: [{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]}]\n";

/** A document with one mesh of `count` capsules. */
function capsules(count) {
    const size = (index) => (index === 0 ? "&d {radius: 1, height: 1}" : "*d");
    const one = (_, index) => `{type: capsule, id: c${index}, dimensions: ${size(index)}}`;
    return `version: "0.5"\nmeshes: [{id: m, primitives: [${Array.from({length: count}, one).join(", ")}]}]\n${BONES}`;
}

/** A GLB of this JSON and this binary chunk. */
function glb(json, bin) {
    const chunk = (kind, bytes, filler) => {
        const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, filler)]);
        const head = Buffer.alloc(8);
        head.writeUInt32LE(padded.length);
        head.write(kind, 4, "latin1");
        return Buffer.concat([head, padded]);
    };
    const chunks = [chunk("JSON", Buffer.from(JSON.stringify(json)), " "), chunk("BIN\0", bin, 0)];
    const head = Buffer.from("glTF\x02\0\0\0\0\0\0\0", "latin1");
    head.writeUInt32LE(12 + chunks[0].length + chunks[1].length, 8);
    return Buffer.concat([head, ...chunks]);
}

/** A file with a triangle, a skin and one joint, after `change` to its JSON. */
function triangle(change = () => {}, bin = Buffer.alloc(36 + 12 + 48)) {
    bin.writeFloatLE(1, 12);
    bin.writeFloatLE(1, 28);
    for (let vertex = 0; vertex < 3; vertex += 1) bin.writeFloatLE(1, 48 + 16 * vertex);
    const view = (byteOffset, byteLength) => ({buffer: 0, byteOffset, byteLength});
    const json = {
        asset: {version: "2.0"},
        scenes: [{nodes: [0, 1]}],
        nodes: [{mesh: 0, skin: 0}, {translation: [0, 0, 1]}],
        skins: [{joints: [1]}],
        meshes: [{primitives: [{attributes: {POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2}}]}],
        accessors: [
            {bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0]},
            {bufferView: 1, componentType: 5121, count: 3, type: "VEC4"},
            {bufferView: 2, componentType: 5126, count: 3, type: "VEC4"},
        ],
        bufferViews: [view(0, 36), view(36, 12), view(48, 48)],
        buffers: [{byteLength: bin.length}],
    };
    change(json);
    return glb(json, bin);
}

/** A view that claims `count` elements of 256 bytes, compressed to one byte for each 1,024. */
function bomb(count) {
    const data = Buffer.alloc(Math.ceil(count / 4) + 600);
    data[0] = 0xa0;
    const bin = Buffer.concat([Buffer.alloc(96), data]);
    return triangle((json) => {
        const compressed = {buffer: 0, byteOffset: 96, byteLength: data.length, byteStride: 256, count, mode: "ATTRIBUTES"};
        json.extensionsUsed = ["EXT_meshopt_compression"];
        json.bufferViews.push({buffer: 1, byteLength: 256 * count, extensions: {EXT_meshopt_compression: compressed}});
        json.buffers.push({byteLength: 256 * count, extensions: {EXT_meshopt_compression: {fallback: true}}});
    }, bin);
}

const BEYOND = 2 ** 32 + 1;

const DOCUMENTS = [["20,000 capsules, which take 2.6 GiB", capsules(20_000), /U17 .*this machine can address/]];

const FILES = [
    ["nothing wrong", triangle(), null],
    ["a mesh with an index of 33 bits", triangle((json) => (json.nodes[0].mesh = BEYOND)), /is beyond the 1 meshes/],
    ["an accessor of 2^40 elements", triangle((json) => (json.accessors[0].count = 2 ** 40)), /pass the end of buffer view/],
    ["a view that ends after 2^40 bytes", triangle((json) => (json.bufferViews[0].byteLength = 2 ** 40)), /pass the end of buffer/],
    ["2^40 zeros", triangle((json) => json.accessors.push({componentType: 5126, count: 2 ** 40, type: "VEC3"})), /elements of zeros/],
    ["2 GiB and more of compressed elements", bomb(2 ** 23 + 2 ** 20), /could reasonably hold/],
];

/** Returns the code and the message of the first finding about an input, or null. That the module stops is a fault. */
function refusal(act) {
    try {
        act();
        return null;
    } catch (error) {
        if (!(error instanceof RigyError) || error.cause) throw error;
        const [{code, message}] = error.findings;
        return `${code ?? ""} ${message}`;
    }
}

function expect(message, expected) {
    if (expected === null) assert.equal(message, null);
    else assert.match(message ?? "it is not refused", expected);
}

for (const [what, text, expected] of DOCUMENTS) {
    test(`a document of ${what}`, () => expect(refusal(() => compile(text)), expected));
}

for (const [what, bytes, expected] of FILES) {
    test(`a file with ${what}`, () => expect(refusal(() => bake(bytes, {solver: "dqs"})), expected));
}

test("a number of 33 bits in an unknown extension is no index, so that it stays as it is", () => {
    const extra = (json) => {
        json.extensionsUsed = ["EXAMPLE_unknown"];
        json.extensions = {EXAMPLE_unknown: {accessor: BEYOND, bufferView: BEYOND}};
    };
    const text = Buffer.from(bake(triangle(extra))).toString("latin1");
    assert(text.includes(`{"accessor":${BEYOND},"bufferView":${BEYOND}}`));
});

test("a longer text is refused with the option that takes it", () => {
    const text = `version: "0.5"\nmeshes: []\n${"# a line of a comment\n".repeat(55_000)}`;
    for (const act of [compile, inspect]) {
        assert.match(refusal(() => act(text)), /U10 .*the limit is 1048576/);
        assert.equal(refusal(() => act(text, {limit: "bytes=2M"})), null);
        assert.throws(() => act(text, {limit: "height=3"}), /there is no limit `height`/);
    }
});
