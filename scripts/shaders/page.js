// The page of run.py: runs each shader on each primitive, and posts the vertices. `run` is that of webgpu.js or webgl.js.
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const text = (array) => { let out = ""; for (const byte of array) out += String.fromCharCode(byte); return btoa(out); };

/** The block `Settings` of the shaders, with a projection that changes nothing. */
function settings(one) {
  const block = new ArrayBuffer(80);
  [0, 5, 10, 15].forEach((at) => new Float32Array(block, 0, 16)[at] = 1);
  new Uint32Array(block, 64).set([one.sets, one.flags, one.dual, 0]);
  return block;
}

run(data, shaders).catch((error) => ({ error: String(error) })).then((result) => {
  fetch("/result", { method: "POST", body: JSON.stringify(result) });
});
