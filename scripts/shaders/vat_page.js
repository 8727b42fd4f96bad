// The page of vat.py: runs each shader on each case, and posts positions and normals. `run` is that of vat_webgpu.js or vat_webgl.js.
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const text = (array) => { let out = ""; for (const byte of array) out += String.fromCharCode(byte); return btoa(out); };
const floats = (text) => new Float32Array(bytes(text).buffer);
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

run(models, cases, shaders).catch((error) => ({ error: String(error) })).then((result) => {
  fetch("/result", { method: "POST", body: JSON.stringify(result) });
});
