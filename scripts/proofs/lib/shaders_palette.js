// The shaders of the page about palettes: buffers, one after the other in `palette`, are textures in GLSL, which shaders_palette.py has rewritten, and
// bound as they are in WGSL.
const WIDTH = 1024; // texels in a row, as `texel` of the shader has it
const TEXTURES = ["matrices", "duals", "first_stage", "joints", "weights", "references"];
const OF_INTEGERS = ["joints", "references"];
const ENTRY = `
@group(1) @binding(0) var<storage, read> rest_in: array<vec4f>;
@group(1) @binding(1) var<storage, read_write> posed_out: array<vec4f>;

@compute @workgroup_size(64)
fn run(@builtin(global_invocation_id) id: vec3u) {
    let at = 3u * id.x;
    if at >= arrayLength(&posed_out) { return; }
    let posed = main(Rest(id.x, rest_in[at].xyz, rest_in[at + 1u].xyz, rest_in[at + 2u]));
    posed_out[at] = posed.position;
    posed_out[at + 1u] = vec4f(posed.normal, 0.0);
    posed_out[at + 2u] = posed.tangent;
}
`;

/** The block `Settings` of the shaders, with a projection that changes nothing. */
function settings(one) {
  const block = new ArrayBuffer(80);
  new Float32Array(block, 0, 16).set(IDENTITY);
  new Uint32Array(block, 64).set([one.sets, one.flags, one.dual, 0]);
  return block;
}

function load(gl, one) {
  const file = bytes(one.palette);
  return Object.fromEntries(TEXTURES.map((name, index) => {
    const [offset, size] = one.parts[index];
    const rows = Math.ceil(size / 16 / WIDTH);
    const texels = new Uint8Array(16 * WIDTH * rows);
    texels.set(file.subarray(offset, offset + size));
    return [name, texture(gl, WIDTH, rows, texels, OF_INTEGERS.includes(name))];
  }));
}

function draw(gl, program, one, textures) {
  useTextures(gl, program, textures);
  gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, gl.createBuffer());
  gl.bufferData(gl.UNIFORM_BUFFER, settings(one), gl.STATIC_DRAW);
  gl.uniformBlockBinding(program, gl.getUniformBlockIndex(program, "Settings"), 0);
  attributes(gl, bytes(one.rest), 0, 48, [3, 3, 4]);
  return fed(gl, one.vertices, [4, 3, 4]);
}

function bound(device, buffer, one) {
  const file = buffer(bytes(one.palette), GPUBufferUsage.STORAGE);
  const parts = one.parts.map(([offset, size]) => ({ buffer: file, offset, size }));
  return [[...parts, { buffer: buffer(settings(one), GPUBufferUsage.UNIFORM) }], [{ buffer: buffer(bytes(one.rest), GPUBufferUsage.STORAGE) }]];
}

const run = {
  glsl: async ({ cases, shaders }) => runWebGl(cases, shaders, ["gl_Position", "normal", "tangent"], load, draw),
  wgsl: ({ cases, shaders }) => runWebGpu(cases, shaders.map((shader) => shader.replace("@vertex", "") + ENTRY), 3, bound),
};
