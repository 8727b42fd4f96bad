// The shaders of the page about vertex animation textures. Cases share models, whose textures are of type rgba32float.
const ENTRY = `
@group(1) @binding(0) var<storage, read> lookup_in: array<vec2f>;
@group(1) @binding(1) var<storage, read> rest_in: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> moved_out: array<vec4f>;

@compute @workgroup_size(64)
fn run(@builtin(global_invocation_id) id: vec3u) {
    let at = 2u * id.x;
    if at >= arrayLength(&moved_out) { return; }
    let moved = main(lookup_in[id.x], rest_in[id.x].xyz);
    moved_out[at] = moved.position;
    moved_out[at + 1u] = vec4f(moved.normal, 0.0);
}
`;
const VECTORS = ["position_offset", "position_scale", "normal_offset", "normal_scale"];
const NUMBERS = ["rows_per_frame", "first_row", "frames"];

/** What is made once for each model. */
function once(make) {
  const made = new Map();
  return (model) => made.get(model) ?? made.set(model, make(model)).get(model);
}

const loaded = once(({ gl, width, height, positions, normals }) => ({
  positions: texture(gl, width, height, bytes(positions)), normals: texture(gl, width, height, bytes(normals)),
}));

function draw(gl, program, one) {
  const { model } = one;
  useTextures(gl, program, loaded(Object.assign(model, { gl })));
  const at = (name) => gl.getUniformLocation(program, name);
  gl.uniformMatrix4fv(at("view_projection"), false, IDENTITY);
  for (const name of VECTORS) gl.uniform3fv(at(name), model[name]);
  for (const name of NUMBERS) gl.uniform1i(at(name), one[name]);
  gl.uniform1f(at("frame"), one.frame);
  gl.uniform1f(at("relative"), model.relative);
  attributes(gl, bytes(model.lookup), 0, 8, [2]);
  attributes(gl, bytes(model.rest), 1, 16, [3]);
  return fed(gl, one.vertices, [4, 3]);
}

/** The block `Settings` of the shader, with a projection that changes nothing. */
function settings(one) {
  const block = new ArrayBuffer(144);
  const [floats, words] = [new Float32Array(block), new Uint32Array(block)];
  floats.set(IDENTITY);
  VECTORS.forEach((name, index) => floats.set(one.model[name], 16 + 4 * index));
  NUMBERS.forEach((name, index) => (words[19 + 4 * index] = one[name]));
  floats[31] = one.frame;
  floats[32] = one.model.relative;
  return block;
}

const resources = once(({ device, buffer, width, height, positions, normals, lookup, rest }) => {
  const textures = [positions, normals].map((texels) => {
    const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST;
    const made = device.createTexture({ size: [width, height], format: "rgba32float", usage });
    device.queue.writeTexture({ texture: made }, bytes(texels), { bytesPerRow: 16 * width }, [width, height]);
    return made.createView();
  });
  return [textures, [lookup, rest].map((content) => ({ buffer: buffer(bytes(content), GPUBufferUsage.STORAGE) }))];
});

function bound(device, buffer, one) {
  const [textures, vertices] = resources(Object.assign(one.model, { device, buffer }));
  return [[...textures, { buffer: buffer(settings(one), GPUBufferUsage.UNIFORM) }], vertices];
}

/** A compute pass has no attributes, so the entry point of the page becomes a function. */
const computed = (shader) => shader.replace("@vertex", "").replaceAll(/@location\(\d\) (?=lookup|rest)/g, "") + ENTRY;

const prepared = ({ models, cases }) => cases.map((one) => ({ ...one, model: models[one.model], vertices: models[one.model].vertices }));
const run = {
  glsl: async (data) => runWebGl(prepared(data), data.shaders, ["gl_Position", "normal"], () => null, draw),
  wgsl: (data) => runWebGpu(prepared(data), data.shaders.map(computed), 2, bound),
};
