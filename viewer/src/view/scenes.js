// The sources of scenes: the script elements of a page, the data file that the address of a page beside a report names, and another page of the
// viewer that is dropped on the picture. The block of a scene is base64 of a stream of zlib.
import { printable } from "../printable.js";

/** The number of the format of scenes that is read. */
const FORMAT = 3;
/** The only form of a name, so that an address can lead to no other file. */
const NAME = /^[0-9a-f]{16}$/;
/** The beginning of a page of the viewer. A comment of HTML cannot stand in the page's script, so its dashes are counted. */
const PAGE = /^<!doctype html>\n<!-{2} rigy-batch viewer -->/;

/** Promises the bytes of a block, given its text. */
export async function unpacked(text) {
  if (!globalThis.DecompressionStream) throw new Error("This browser is too old: it cannot unpack the model.");
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const bytes = new Uint8Array(Math.floor((text.length / 4) * 3) - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0));
  const step = 1 << 20;
  let at = 0;
  for (let start = 0; start < text.length; start += step) {
    const part = atob(text.slice(start, start + step));
    for (let i = 0; i < part.length; i++) bytes[at++] = part.charCodeAt(i);
  }
  return bytes;
}

/** Reads the address: returns the name of the scene, and the address of the report to go back to, without its file. */
export function readPlace() {
  const given = new URLSearchParams(location.hash.slice(1));
  const scene = given.get("scene") ?? "";
  return { scene: NAME.test(scene) ? scene : null, report: given.get("report") };
}

/** Loads a data file: a page that is opened as a file may load scripts and may not fetch. Resolves to description and block. */
export function loadScene(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    globalThis.rigyScene = (description, block) => resolve({ description, block });
    script.onerror = () => reject(new Error(`The data file scene-${name}.js cannot be loaded. It belongs beside this page; if the report has been written anew, go back to it and reload it.`));
    script.onload = () => script.remove();
    script.src = `scene-${name}.js`;
    document.head.append(script);
  });
}

/** Returns description and text of the block in the text of a page; throws an error whose message is a sentence. */
function sceneIn(text) {
  const page = new DOMParser().parseFromString(text, "text/html"); // its scripts do not run
  const [scene, block] = ["scene", "block"].map((id) => page.querySelector(`script#${id}`)?.textContent);
  if (!PAGE.test(text) || !scene || !block) {
    throw new Error("This is no page of the viewer. `rigy-batch view FILE` writes one for a document or a glTF file.");
  }
  const description = JSON.parse(scene);
  if (description.format !== FORMAT) throw new Error("This page has been written by another version of rigy-batch.");
  return { description, block };
}

/** Listens to files that are dropped on an element. Returns a function that stops it. */
export function listenToFiles(node, opened) {
  const over = (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault();
  const drop = async (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    try {
      const { description, block } = sceneIn(await file.text());
      opened.replace(description, await unpacked(block));
    } catch (error) {
      opened.say(`${printable(file.name)} cannot be shown: ${error.message}`);
    }
  };
  node.addEventListener("dragover", over);
  node.addEventListener("drop", drop);
  return () => {
    node.removeEventListener("dragover", over);
    node.removeEventListener("drop", drop);
  };
}
