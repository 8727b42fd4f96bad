// A link that holds the document: after the #, in the address only, which browsers do not send to servers.

/** Most characters of a document in a link, so that a link cannot fill the memory. */
const LONGEST = 1 << 20;

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Returns what stands after the # for files: a list of pairs of name and text, the document first. */
export async function hashOf(files) {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(files)));
  let binary = "";
  for (let at = 0; at < packed.length; at += 8192) binary += String.fromCharCode(...packed.subarray(at, at + 8192));
  return `#d=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Returns the files of a link; null if it has none. */
export async function filesOf(hash) {
  const found = /^#d=([\w-]+)$/.exec(hash);
  if (!found) return null;
  const packed = Uint8Array.from(atob(found[1].replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  const text = await limited(packed);
  const files = JSON.parse(text);
  const isFile = (file) => Array.isArray(file) && file.length === 2 && file.every((part) => typeof part === "string");
  if (!Array.isArray(files) || !files.length || !files.every(isFile)) throw new Error("it holds no document");
  return files;
}

/** Unpacks a text up to the limit. */
async function limited(packed) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  for (let length = 0, read; !(read = await reader.read()).done; ) {
    length += read.value.length;
    if (length > 4 * LONGEST) throw new Error("its document is too long");
    parts.push(read.value);
  }
  return new Blob(parts).text();
}
