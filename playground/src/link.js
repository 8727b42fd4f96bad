// A link that holds the document: after the #, in the address only, which browsers do not send to servers.

/** Most bytes of a document in a link, so that a link cannot fill the memory. */
const LONGEST = 1 << 20;

/** Returns true for files as pairs of name and text, at least one. */
export function isFiles(files) {
  const isFile = (file) => Array.isArray(file) && file.length === 2 && file.every((part) => typeof part === "string");
  return Array.isArray(files) && files.length > 0 && files.every(isFile);
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Returns what stands after the # for files: a list of pairs of name and text, the document first. Null if they are too long. */
export async function hashOf(files) {
  const bytes = new TextEncoder().encode(JSON.stringify(files));
  if (bytes.length > LONGEST) return null;
  const packed = await through(new CompressionStream("deflate-raw"), bytes);
  let binary = "";
  for (let at = 0; at < packed.length; at += 8192) binary += String.fromCharCode(...packed.subarray(at, at + 8192));
  return `#d=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Returns the files of a link; null if it has none. */
export async function filesOf(hash) {
  if (!hash.startsWith("#d=")) return null;
  const packed = Uint8Array.from(atob(hash.slice(3).replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  const text = await limited(packed);
  const files = JSON.parse(text);
  if (!isFiles(files)) throw new Error("it holds no document");
  return files;
}

/** Unpacks a text up to the limit. */
async function limited(packed) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  for (let length = 0, read; !(read = await reader.read()).done; ) {
    length += read.value.length;
    if (length > LONGEST) throw new Error("its document is too long");
    parts.push(read.value);
  }
  return new Blob(parts).text();
}
