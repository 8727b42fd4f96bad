// Errors: those of the program, and what happens to the module.
import assert from "node:assert/strict";
import {dirname, join} from "node:path";
import {test} from "node:test";

import {RigyError, bake, compile} from "rigy-batch";

import {DOCUMENT, MANIFESTS, document, filesBelow, lines, printed, program, sample, scratch} from "./support.js";

/** Returns the error of making all outputs of a file, or null. */
function refusal(directory, path) {
    try {
        const compiled = compile(...document(directory, path));
        for (const bytes of [compiled.glb, ...compiled.poses.map((id) => compiled.pose(id))]) assert.ok(bytes.length > 0);
        compiled.free();
        return null;
    } catch (error) {
        assert.ok(error instanceof RigyError && error instanceof Error, error);
        return error;
    }
}

/** Returns a finding without the message of U17, which says how much memory a machine can address. */
function onAnyMachine(finding) {
    return finding.code === "U17" ? {...finding, message: null} : finding;
}

/** Returns what the program has printed about a suite, with relative paths. The package has no directories: they are no files. */
function relativeTo(text, suite) {
    return text.replaceAll(`${suite}/`, "").replaceAll("`.`: it is a directory", "`.`: there is no such file");
}

for (const suite of MANIFESTS.map(dirname)) {
    test(`findings about the documents of ${suite} are those of the program`, () => {
        const text = program([suite, "-o", scratch(), "--no-ignore", "--format", "json"], [1]);
        const failed = new Map();
        for (const line of lines(relativeTo(text, suite))) {
            if (line.status === "failed" && !failed.has(line.input)) failed.set(line.input, line.errors.map(onAnyMachine));
        }
        // The own suite has a document for each code.
        assert.ok(failed.size > 100 || suite !== dirname(MANIFESTS[0]));
        for (const path of filesBelow(suite, DOCUMENT)) {
            const error = refusal(suite, path);
            const found = error && error.findings.map(printed).map(onAnyMachine);
            assert.deepEqual(found, failed.get(path.slice(suite.length + 1)) ?? null, path);
            if (!error) continue;
            const {code, category, file, line, column, path: place} = error.findings[0];
            assert.deepEqual([error.code, error.category, error.file, error.line, error.column, error.path], [code, category, file, line, column, place]);
            assert.equal(error.message.split("\n").length, error.findings.length);
        }
    });
}

test("malformed arguments are TypeErrors and RangeErrors", () => {
    const [text] = sample("L02");
    const skinned = compile(text).glb;
    for (const options of [{solver: "linear"}, {jointScale: "x"}, {jointScale: "local", localScaleJoints: ["a"]}, {keepSkeletons: true}, {animation: 1.5}]) {
        assert.throws(() => bake(skinned, options), TypeError, JSON.stringify(options));
    }
    assert.throws(() => bake(skinned, {time: NaN}), {name: "RangeError", message: "time is not finite"});
    assert.throws(() => compile(5), TypeError);
    assert.throws(() => compile(text, {doublesided: true}), TypeError);
    assert.throws(() => compile(text, {doubleSided: "yes"}), TypeError);
});

const IMPORTING = 'version: "0.5"\nimports: {part: {source: part.yaml}}\n';

test("what the function of files throws is thrown, and the module works on", () => {
    const own = new Error("own");
    const files = () => {
        throw own;
    };
    assert.throws(() => compile(IMPORTING, {files}), own);
    assert.throws(() => compile(IMPORTING, {files: () => 5}), TypeError);
    assert.throws(() => compile(IMPORTING), RigyError);
    compile(...sample("E01")).free();
});

test("a file may come from another call", () => {
    const part = 'version: "0.5"\nmeshes: [{id: cube, primitives: [{type: box, id: b, dimensions: {x: 1}}]}]\n';
    const names = [];
    const files = (name) => {
        names.push(name);
        compile(...sample("E01")).free();
        assert.throws(() => compile("x"), RigyError);
        return part;
    };
    assert.ok(compile(IMPORTING, {files}).glb.length > 0);
    assert.deepEqual([...new Set(names)], ["part.yaml"]);
});

test("files of an object are its own", () => {
    const text = IMPORTING.replace("part.yaml", "constructor");
    assert.throws(() => compile(text, {files: {}}), RigyError);
});

test("an exception in the module is a RigyError, and ends only what is in it", async () => {
    const at = (name) => import(join(dirname(new URL(import.meta.resolve("rigy-batch")).pathname), name));
    const kept = compile(...sample("L02"));
    const [pose] = kept.poses;
    const before = kept.pose(pose);
    const {call} = await at("lib/module.js");
    // A request without its input, which the functions of the package cannot make.
    assert.throws(
        () => call({compile: {name: "lamp.rigy.yaml"}}, [], () => {}, {name: "lamp.rigy.yaml"}),
        (error) => error instanceof RigyError && error.file === "lamp.rigy.yaml" && error.cause instanceof WebAssembly.RuntimeError,
    );
    assert.throws(() => kept.pose(pose), /compile the document again/);
    kept.free();
    const again = compile(...sample("L02"));
    assert.deepEqual(again.pose(pose), before);
    again.free();
});
