// The block of a scene as pages hold it: base64 of a stream of zlib.

/** The number of the format of scenes that is read. */
export const FORMAT = 2;

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
