// The functions of the package. `index.js` and `node.js` start the module in browsers and in node.
import {Compiled} from "./lib/compiled.js";
import {bytesOf, call} from "./lib/module.js";

export {Compiled, Mesh} from "./lib/compiled.js";
export {RigyError} from "./lib/error.js";
export {start} from "./lib/module.js";

function report(warnings, onWarning) {
    if (onWarning) warnings.forEach((warning) => onWarning(warning));
}

export function compile(text, {files, name = "document.rigy.yaml", ...options} = {}) {
    const input = bytesOf(text, "the document");
    return call({compile: {name, ...options}}, [input], (answer) => new Compiled(answer, name), {files, name});
}

export function bake(source, {files, onWarning, name = "file.glb", ...options} = {}) {
    const input = bytesOf(source, "the file");
    const take = (answer) => ({...answer.result, contents: answer.parts.map((_, index) => answer.part(index))});
    const {warnings, names, contents} = call({bake: {name, options}}, [input], take, {files, name});
    report(warnings, onWarning);
    return names ? Object.fromEntries(names.map((name, index) => [name, contents[index]])) : contents[0];
}

export function inspect(source, {files, onWarning, name, ...options} = {}) {
    const isDocument = typeof source === "string";
    name ??= isDocument ? "document.rigy.yaml" : "file.glb";
    const request = {inspect: {name, isDocument, ...options}};
    const {description, warnings} = call(request, [bytesOf(source, "the file")], ({result}) => result, {files, name});
    report(warnings, onWarning);
    return description;
}

export function diff(a, b, {files, ...options} = {}) {
    const inputs = [a, b].map((source) => bytesOf(source, "the file"));
    const {difference, passes} = call({diff: options}, inputs, ({result}) => result, {files, name: "b.glb"});
    return {
        equal: difference.equal,
        passes,
        firstDifference: difference.first_difference,
        structure: difference.structure,
        meshes: difference.meshes.map(({normal_degrees: normalDegrees, ...mesh}) => ({...mesh, normalDegrees})),
        maxDistance: difference.max_distance,
    };
}

export function verify(manifest, {files, ...options} = {}) {
    return call({verify: options}, [bytesOf(manifest, "the manifest")], ({result}) => result, {files, name: "manifest.json"});
}
