// Runs WGSL in a compute pass, with vertex animation textures of type rgba32float.
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

function texture(device, { width, height }, texels) {
  const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST;
  const made = device.createTexture({ size: [width, height], format: "rgba32float", usage });
  device.queue.writeTexture({ texture: made }, bytes(texels), { bytesPerRow: 16 * width }, [width, height]);
  return made.createView();
}

/** The block `Settings` of the shader, with a projection that changes nothing. */
function settings(model, one) {
  const block = new ArrayBuffer(144);
  const [floats, words] = [new Float32Array(block), new Uint32Array(block)];
  floats.set(IDENTITY);
  ["position_offset", "position_scale", "normal_offset", "normal_scale"].forEach((name, index) => floats.set(model[name], 16 + 4 * index));
  ["rows_per_frame", "first_row", "frames"].forEach((name, index) => words[19 + 4 * index] = one[name]);
  floats[31] = one.frame;
  floats[32] = model.relative;
  return new Uint8Array(block);
}

async function run(models, cases, shaders) {
  const device = await (await navigator.gpu.requestAdapter()).requestDevice();
  device.pushErrorScope("validation");
  const buffer = (content, usage) => {
    const made = device.createBuffer({ size: content.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(made, 0, content);
    return made;
  };
  const ready = models.map((model) => ({
    lookup: buffer(bytes(model.lookup), GPUBufferUsage.STORAGE),
    rest: buffer(bytes(model.rest), GPUBufferUsage.STORAGE),
    textures: [texture(device, model, model.positions), texture(device, model, model.normals)],
  }));
  const results = [];
  for (const shader of shaders) {
    // A compute pass has no attributes, so the entry point of the page becomes a function.
    const code = shader.replace("@vertex", "").replaceAll(/@location\(\d\) (?=lookup|rest)/g, "") + ENTRY;
    const module = device.createShaderModule({ code });
    const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "run" } });
    const moved = [];
    for (const one of cases) {
      const model = models[one.model];
      const { lookup, rest, textures } = ready[one.model];
      const uniform = buffer(settings(model, one), GPUBufferUsage.UNIFORM);
      const out = device.createBuffer({ size: 32 * model.vertices, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
      const back = device.createBuffer({ size: out.size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
      const entries = (list) => list.map((resource, binding) => ({ binding, resource }));
      const group = (index, list) => device.createBindGroup({ layout: pipeline.getBindGroupLayout(index), entries: entries(list) });
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group(0, [...textures, { buffer: uniform }]));
      pass.setBindGroup(1, group(1, [{ buffer: lookup }, { buffer: rest }, { buffer: out }]));
      pass.dispatchWorkgroups(Math.ceil(model.vertices / 64));
      pass.end();
      encoder.copyBufferToBuffer(out, 0, back, 0, out.size);
      device.queue.submit([encoder.finish()]);
      await back.mapAsync(GPUMapMode.READ);
      moved.push(text(new Uint8Array(back.getMappedRange())));
      [uniform, out, back].forEach((made) => made.destroy());
    }
    results.push(moved);
  }
  const error = await device.popErrorScope();
  return error ? { error: error.message } : { results };
}
