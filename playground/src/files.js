// Files that are dropped on the page or chosen.
import { element } from "../../viewer/src/view/elements.js";

/** Most bytes of a file that is opened. */
const LONGEST = 256 << 20;

const isGltf = (name) => /\.(glb|gltf|vrm)$/i.test(name);
const isDocument = (name) => /\.(rigy|rigs)\.ya?ml$/i.test(name);
const isText = (name) => /\.(ya?ml|json)$/i.test(name);

/**
 * Returns what files are: `gltf`, a glTF file with the files that it may refer to, or `documents`, a document with files beside it, as pairs
 * of name and text. Throws an error with a sentence if they are neither.
 */
async function sorted(chosen) {
  const large = chosen.find((file) => file.size > LONGEST);
  if (large) throw new Error(`${large.name} is longer than ${LONGEST >> 20} MiB`);
  const gltf = chosen.find((file) => isGltf(file.name));
  if (gltf) {
    const others = chosen.filter((file) => file !== gltf).map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())]);
    const ignored = chosen.filter((file) => file !== gltf && (isGltf(file.name) || isDocument(file.name))).length;
    const note = ignored ? `One file is opened; ${ignored} more are not.` : "";
    return { gltf: { note, name: gltf.name, bytes: new Uint8Array(await gltf.arrayBuffer()), files: new Map(await Promise.all(others)) } };
  }
  const texts = chosen.filter((file) => isText(file.name));
  if (!texts.length) throw new Error("a document ends in .rigy.yaml or .rigs.yaml, a glTF file in .glb, .gltf or .vrm");
  const main = texts.find((file) => isDocument(file.name)) ?? texts[0];
  const pairs = [main, ...texts.filter((file) => file !== main)].map(async (file) => [file.name, await textOf(file)]);
  return { documents: await Promise.all(pairs) };
}

/** Returns the text of a file. */
async function textOf(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(`${file.name} is not UTF-8 text`);
  }
}

/** Calls `onfiles(what)` with what is dropped anywhere on the page, and `onerror(error)` if it cannot be used. */
export function acceptDrops(onfiles, onerror) {
  const overlay = element("div", { className: "drop", hidden: true }, element("p", {}, "Drop a document or a glTF file"));
  document.body.append(overlay);
  const isFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!isFiles(event)) return;
    event.preventDefault();
    overlay.hidden = false;
  });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) overlay.hidden = true; });
  addEventListener("drop", (event) => {
    overlay.hidden = true;
    if (!isFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    sorted([...event.dataTransfer.files]).then(onfiles).catch(onerror);
  }, true);
}

/** Returns an input that lets files be chosen. */
export function chooser(onfiles, onerror) {
  const input = element("input", { type: "file", multiple: true, hidden: true, accept: ".yaml,.yml,.json,.glb,.gltf,.vrm,.bin,.png,.jpg,.jpeg" });
  input.addEventListener("change", () => {
    const chosen = [...input.files];
    input.value = "";
    if (chosen.length) sorted(chosen).then(onfiles).catch(onerror);
  });
  return input;
}
