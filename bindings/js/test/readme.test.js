// The examples of the README run, and print what their comments say.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync, rmSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {test} from "node:test";

import {REPOSITORY} from "./support.js";

const README = readFileSync(join(REPOSITORY, "bindings/js/README.md"), "utf8");
const EXAMPLES = [...README.matchAll(/^```js\n(.*?)^```$/gms)].map(([, text]) => text);
const PRINTED = [
    /^\[ 'bent' \]\n\d+ \d+\nlamp true true\n$/,
    /^part 5\n$/,
    /^V\d\d ValidationError lamp.rigy.yaml 2 \d+ bindings\[0\].*\n2\nlamp.rigy.yaml:2:\d+: .*\nlamp.rigy.yaml:2:\d+: .*\n$/,
    /^1 0\ntrue\n\[ 'bar.obj' \]\n$/,
];

test("there is an example for each expectation", () => assert.equal(EXAMPLES.length, PRINTED.length));

for (const [index, text] of EXAMPLES.entries()) {
    test(`example ${index + 1} of the README`, () => {
        const path = `example-${index + 1}.mjs`; // beside node_modules, in which the package is installed
        writeFileSync(path, text);
        try {
            assert.match(execFileSync(process.execPath, [path], {encoding: "utf8"}), PRINTED[index]);
        } finally {
            rmSync(path);
        }
    });
}
