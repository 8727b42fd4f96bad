// glTF files: the bytes of the program, descriptions, comparisons.
import assert from "node:assert/strict";
import {existsSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {basename, dirname, join, relative} from "node:path";
import {test} from "node:test";

import {RigyError, bake, compile, diff, inspect} from "rigy-batch";

import {DOCUMENT, REPOSITORY, SHARED, document, filesBelow, filesOf, lines, printed, program, sample, scratch} from "./support.js";

/** A directory with exports of some documents of the suite. */
function exports() {
    const directory = join(scratch(), "exports");
    mkdirSync(directory);
    for (const name of ["L02", "E01", "B01"]) writeFileSync(join(directory, `${name}.glb`), compile(...sample(name)).glb);
    return directory;
}

const SAMPLES = [exports(), ...["real", "made", "compressed"].map((name) => join(SHARED, "gltf-samples", name)).filter(existsSync)];
const MOVED = ["--animation", "0", "--time", "0.25", "--missing-animation", "rest"];
const WAYS = [
    ["as stored, linear", [], {}],
    ["as stored, dual quaternions", ["--solver", "dqs"], {solver: "dqs"}],
    ["moved, linear", MOVED, {animation: 0, time: 0.25}],
    ["moved, dual quaternions", [...MOVED, "--solver", "dqs"], {animation: 0, time: 0.25, solver: "dqs"}],
    ["with other options", ["--solver", "dqs", "--joint-scale", "local", "--pivot", "bounds", "--keep-skeleton"], {solver: "dqs", jointScale: "local", pivot: "bounds", keepSkeleton: true}],
];

/** Returns the GLB, the findings of warnings and those of errors. */
function baked(directory, path, {animation, time, ...options}) {
    const [source, context] = document(directory, path);
    const hasClips = animation === undefined || inspect(source, context).clips.length > 0;
    const moment = hasClips ? {animation, time} : {};
    const warnings = [];
    const onWarning = (warning) => warnings.push(printed(warning));
    try {
        const glb = bake(source, {...context, ...options, ...moment, onWarning});
        return {glb, warnings, errors: []};
    } catch (error) {
        if (!(error instanceof RigyError)) throw error;
        return {glb: null, warnings, errors: error.findings.map(printed)};
    }
}

for (const directory of SAMPLES) {
    for (const [name, options, given] of WAYS) {
        test(`${basename(directory)}, ${name}: bytes and findings are those of the program`, () => {
            const output = scratch();
            const text = program(["bake", directory, "-o", output, "--format", "json", ...options], [0, 1]);
            const found = lines(text.replaceAll(`${directory}/`, "")).filter((line) => line.input);
            assert.ok(found.length > 0);
            for (const line of found) {
                const {glb, warnings, errors} = baked(directory, join(directory, line.input), given);
                assert.deepEqual(errors, line.errors, line.input);
                // W13 is about an option of the program alone.
                const expected = line.warnings.filter((warning) => warning.code !== "W13");
                if (!errors.length) assert.deepEqual(warnings, expected, line.input);
                if (glb) assert.ok(readFileSync(line.output).equals(glb), line.input);
                else assert.equal(line.status, "failed");
            }
        });
    }
    test(`${basename(directory)}: descriptions are those of the program`, () => {
        for (const path of filesBelow(directory, /\.(glb|gltf)$/)) {
            const expected = JSON.parse(program(["inspect", path, "--format", "json"]).replaceAll(`${dirname(path)}/`, ""));
            const name = basename(path);
            assert.deepEqual(inspect(readFileSync(path), {name, files: filesOf(dirname(path))}), expected, path);
        }
    });
}

const EXPORTED = ["exports/L02.glb", "gltf-samples/real/Fox.glb", "gltf-samples/made/spline_step_jointscale.glb"]
    .map((path) => (path.startsWith("exports") ? join(SAMPLES[0], basename(path)) : join(SHARED, path)))
    .filter(existsSync);
const FILES = [
    [["--to", "obj", "--join", "node", "--up", "z", "--scale", "1000"], {to: "obj", join: "node", up: "z", scale: 1000}],
    [["--to", "stl", "--time", "0.25"], {to: "stl", time: 0.25}],
    [["--to", "ply", "--frames", "0..1@4"], {to: "ply", frames: "0..1@4"}],
    [["--to", "usda", "--frames", "0..2@4"], {to: "usda", frames: "0..2@4"}],
    [["--to", "npz", "--frames", "0..2@4"], {to: "npz", frames: "0..2@4"}],
    [["--to", "pc2", "--frames", "0..2@4"], {to: "pc2", frames: "0..2@4"}],
    [["--frames", "0..1@4"], {frames: "0..1@4"}],
    [["--textures", "beside"], {textures: "beside"}],
    [["--as", "step", "--frames", "0..2@4"], {as: "step", frames: "0..2@4"}],
    [["--as", "skin", "--frames", "@30"], {as: "skin", frames: "@30"}],
    [["--as", "morph", "--frames", "0..4@8", "--tolerance", "0.5"], {as: "morph", frames: "0..4@8", tolerance: 0.5}],
];

for (const path of EXPORTED) {
    const source = readFileSync(path);
    const hasClips = inspect(source).clips.length > 0;
    for (const [words, options] of FILES.filter(([, {time, frames}]) => hasClips || (time ?? frames) === undefined)) {
        test(`${basename(path)}, ${words.join(" ")}: files are those of the program`, () => {
            const output = scratch();
            program(["bake", path, "-o", output, "--quiet", ...words]);
            const expected = filesBelow(output, /\.(glb|obj|mtl|stl|3mf|ply|usda|npz|pc2|mdd|png|jpg)$/);
            const made = bake(source, {name: basename(path), ...options});
            const found = options.as ? {[basename(path)]: made} : made;
            assert.deepEqual(Object.keys(found).sort(), expected.map((file) => basename(file)));
            for (const file of expected) assert.ok(readFileSync(file).equals(found[basename(file)]), file);
        });
    }
}

for (const path of EXPORTED.filter((path) => inspect(readFileSync(path)).clips.length > 0)) {
    test(`${basename(path)}: a motion is one of the files`, () => {
        const source = readFileSync(path);
        const [{name: clip}] = inspect(source).clips;
        const own = bake(source, {time: 0.25});
        for (const motion of ["walk.glb", "./walk.glb#0", ...(clip ? [`walk.glb#${clip}`] : [])]) {
            assert.deepEqual(bake(source, {motion, time: 0.25, files: {"walk.glb": source}}), own, motion);
        }
        assert.deepEqual(bake(source, {motion: "a#0", time: 0.25, files: {"a#0": source}}), own);
        for (const motion of ["walk.glb", "../walk.glb", "walk.glb#none"]) {
            const files = motion.endsWith("none") ? {"walk.glb": source} : {};
            assert.throws(() => bake(source, {motion, time: 0.25, files}), RigyError, motion);
        }
    });
}

test("options that cannot be combined are refused", () => {
    const skinned = compile(...sample("L02")).glb;
    for (const options of [{to: "fbx"}, {to: "obj", as: "step"}, {frames: "24"}, {up: "z"}, {frames: "@4", time: 1}]) {
        assert.throws(() => bake(skinned, options), TypeError, JSON.stringify(options));
    }
});

test("descriptions of documents are those of the program", () => {
    const directory = join(REPOSITORY, "conformance/inputs");
    for (const path of filesBelow(directory, DOCUMENT)) {
        const expected = JSON.parse(program(["inspect", path, "--format", "json", "--pairwise-gaps", "--intent-checks"]));
        const [bytes, context] = document(directory, path);
        const options = {...context, pairwiseGaps: true, intentChecks: true};
        assert.deepEqual(inspect(bytes.toString(), options), expected, relative(directory, path));
    }
});

test("differences are those of the program", () => {
    const directory = exports();
    const [a, b] = ["L02.glb", "E01.glb"].map((name) => join(directory, name));
    const [expected] = lines(program(["diff", a, b, "--format", "json"], [1]));
    const found = diff(readFileSync(a), readFileSync(b));
    assert.deepEqual([found.equal, found.passes], [false, false]);
    assert.deepEqual([found.firstDifference, found.structure, found.maxDistance], [expected.first_difference, expected.structure, expected.max_distance]);
    const [linear, dual] = ["lbs", "dqs"].map((solver) => bake(readFileSync(a), {solver}));
    assert.ok(diff(linear, dual, {tolerance: 1e-6}).passes);
    assert.equal(diff(linear, linear).equal, true);
    assert.equal(diff("x", "y").passes, false);
});

test("bytes may be any view or buffer, and something else than glTF is refused", () => {
    const skinned = compile(...sample("L02")).glb;
    const around = new Uint8Array(skinned.length + 3);
    around.set(skinned, 3);
    const expected = bake(skinned);
    assert.deepEqual(bake(around.subarray(3)), expected);
    assert.deepEqual(bake(skinned.buffer), expected);
    assert.throws(() => bake("not glTF"), (error) => error instanceof RigyError && error.file === "file.glb");
});
