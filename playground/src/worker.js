// The engine: the WebAssembly module in a thread of its own, so that long work does not stop the page.
import { bake, compile, start } from "../../bindings/js/core.js";
import { call } from "../../bindings/js/lib/module.js";

const encoder = new TextEncoder();

/** Returns a function that finds files by path, or by the last name of the path, since files are dropped without their folders. */
function byPathOrName(files) {
  return (path) => files.get(path) ?? files.get(path.split("/").at(-1));
}

/** Does a request about a text, and returns its result. */
function ask(request, { text, files, name }) {
  return call(request, [encoder.encode(text)], (answer) => answer.result, { files, name });
}

/** Returns the result of a request and, if it has a scene, the scene's block. */
const withBlock = (answer) => ({ ...answer.result, block: answer.result.scene && answer.part(0) });

const functions = {
  start: ({ module }) => start(module),
  judge: ({ text, name, files }) => call({ judge: { name } }, [encoder.encode(text)], withBlock, { files, name }),
  complete: ({ offset, ...source }) => ask({ complete: { name: source.name, offset } }, source),
  hover: ({ offset, ...source }) => ask({ hover: { name: source.name, offset } }, source),
  explain: ({ code }) => call({ explain: { code } }, [], (answer) => answer.result),
  open: ({ bytes, name, files }) => call({ open: { name } }, [bytes], withBlock, { files, name }),
  /** Returns a GLB of a document: of a pose, or at rest. */
  glb({ text, name, files, pose }) {
    const compiled = compile(text, { name, files });
    try {
      return pose === null ? compiled.glb : compiled.pose(pose);
    } finally {
      compiled.free();
    }
  },
  bake({ bytes, ...options }) {
    const warnings = [];
    const glb = bake(bytes, { ...options, onWarning: (warning) => warnings.push(warning) });
    return { glb, warnings };
  },
};

/** Returns the buffers of a result, which are given away instead of copied. */
function buffers(result) {
  return [result, result?.block, result?.glb].filter((value) => value instanceof Uint8Array).map((bytes) => bytes.buffer);
}

onmessage = ({ data: { kind, given } }) => {
  try {
    const result = functions[kind]({ ...given, files: given.files && byPathOrName(given.files) });
    postMessage({ result }, buffers(result));
  } catch (error) {
    postMessage({ error: { message: error.message, findings: error.findings ?? null } });
  }
};
