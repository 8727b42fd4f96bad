// Runs WGSL in a compute pass, with the parts of the binary palette bound as they are.
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

async function run(data, shaders) {
  const device = await (await navigator.gpu.requestAdapter()).requestDevice();
  device.pushErrorScope("validation");
  const buffer = (content, usage) => {
    const made = device.createBuffer({ size: content.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(made, 0, content);
    return made;
  };
  const results = [];
  for (const shader of shaders) {
    const module = device.createShaderModule({ code: shader.replace("@vertex", "") + ENTRY });
    const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "run" } });
    const posed = [];
    for (const one of data) {
      const file = buffer(bytes(one.palette), GPUBufferUsage.STORAGE);
      const rest = buffer(bytes(one.rest), GPUBufferUsage.STORAGE);
      const uniform = buffer(settings(one), GPUBufferUsage.UNIFORM);
      const out = device.createBuffer({ size: 48 * one.vertices, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
      const back = device.createBuffer({ size: out.size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
      const part = ([offset, size], binding) => ({ binding, resource: { buffer: file, offset, size } });
      const group = (index, entries) => device.createBindGroup({ layout: pipeline.getBindGroupLayout(index), entries });
      const whole = (buffer, binding) => ({ binding, resource: { buffer } });
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group(0, [...one.parts.map(part), whole(uniform, 6)]));
      pass.setBindGroup(1, group(1, [whole(rest, 0), whole(out, 1)]));
      pass.dispatchWorkgroups(Math.ceil(one.vertices / 64));
      pass.end();
      encoder.copyBufferToBuffer(out, 0, back, 0, out.size);
      device.queue.submit([encoder.finish()]);
      await back.mapAsync(GPUMapMode.READ);
      posed.push(text(new Uint8Array(back.getMappedRange())));
      [file, rest, uniform, out, back].forEach((made) => made.destroy());
    }
    results.push(posed);
  }
  const error = await device.popErrorScope();
  return error ? { error: error.message } : { results };
}
