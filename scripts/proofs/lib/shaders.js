// What the pages of the shaders share: texts of numbers, WebGL with transform feedback, WebGPU with a compute pass, and the result.
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const PART = 0x8000; // most arguments of a call
const text = (array) => {
  let out = "";
  for (let at = 0; at < array.length; at += PART) out += String.fromCharCode(...array.subarray(at, at + PART));
  return btoa(out);
};
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

const post = (result) => fetch("/result", { method: "POST", body: JSON.stringify(result) });

/** Runs a function with WebGL for each shader and each case. `load` prepares a case, `draw` returns its vertices. */
function runWebGl(cases, shaders, varyings, load, draw) {
  const gl = document.createElement("canvas").getContext("webgl2");
  const ready = cases.map((one) => load(gl, one));
  const results = shaders.map((shader) => {
    const program = linked(gl, shader, varyings);
    gl.useProgram(program);
    return cases.map((one, index) => draw(gl, program, one, ready[index]));
  });
  const error = gl.getError();
  if (error) throw new Error(`WebGL error ${error}`);
  return { results };
}

function linked(gl, source, varyings) {
  const program = gl.createProgram();
  const fragment = "#version 300 es\nprecision highp float;\nout vec4 colour;\nvoid main() { colour = vec4(1.0); }";
  for (const [kind, code] of [[gl.VERTEX_SHADER, source], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, code);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.transformFeedbackVaryings(program, varyings, gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}

/** Makes a texture of four numbers a texel. */
function texture(gl, width, height, texels, isInteger = false) {
  const made = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  if (isInteger) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32UI, width, height, 0, gl.RGBA_INTEGER, gl.UNSIGNED_INT, new Uint32Array(texels.buffer));
  else gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, height, 0, gl.RGBA, gl.FLOAT, new Float32Array(texels.buffer));
  return made;
}

/** Gives textures to the samplers of a program. */
function useTextures(gl, program, textures) {
  Object.entries(textures).forEach(([name, made], unit) => {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.uniform1i(gl.getUniformLocation(program, name), unit);
  });
}

/** Makes a buffer of vertices, and gives its parts to the attributes from `location` on. */
function attributes(gl, content, location, stride, parts) {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, content, gl.STATIC_DRAW);
  parts.forEach((components, index) => {
    gl.enableVertexAttribArray(location + index);
    gl.vertexAttribPointer(location + index, components, gl.FLOAT, false, stride, 16 * index);
  });
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
}

/** Draws points, and returns their varyings: four numbers for gl_Position, then as many as `widths` say, each padded to four. */
function fed(gl, vertices, widths) {
  const each = widths.reduce((sum, width) => sum + width);
  const numbers = new Float32Array(each * vertices), padded = new Float32Array(4 * widths.length * vertices);
  const out = gl.createBuffer();
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, numbers.byteLength, gl.STREAM_READ);
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, vertices);
  gl.endTransformFeedback();
  gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, numbers);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
  gl.deleteBuffer(out);
  for (let vertex = 0, at = 0; vertex < vertices; vertex++) {
    widths.forEach((width, index) => {
      padded.set(numbers.subarray(at, at + width), 4 * (widths.length * vertex + index));
      at += width;
    });
  }
  return text(new Uint8Array(padded.buffer));
}

/** Runs each shader on each case in a compute pass. `load` gives the resources of both groups; the output comes last in the second. */
async function runWebGpu(cases, shaders, vectors, load) {
  const device = await (await navigator.gpu.requestAdapter()).requestDevice();
  device.pushErrorScope("validation");
  const buffer = (content, usage) => {
    const made = device.createBuffer({ size: content.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(made, 0, content);
    return made;
  };
  const ready = cases.map((one) => load(device, buffer, one));
  const results = [];
  for (const shader of shaders) {
    const pipeline = device.createComputePipeline({ layout: "auto", compute: { module: device.createShaderModule({ code: shader }), entryPoint: "run" } });
    const found = [];
    for (const [index, { vertices }] of cases.entries()) {
      const out = device.createBuffer({ size: 16 * vectors * vertices, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
      const back = device.createBuffer({ size: out.size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
      const [shown, vertex] = ready[index];
      const group = (number, list) => device.createBindGroup({ layout: pipeline.getBindGroupLayout(number), entries: list.map((resource, binding) => ({ binding, resource })) });
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group(0, shown));
      pass.setBindGroup(1, group(1, [...vertex, { buffer: out }]));
      pass.dispatchWorkgroups(Math.ceil(vertices / 64));
      pass.end();
      encoder.copyBufferToBuffer(out, 0, back, 0, out.size);
      device.queue.submit([encoder.finish()]);
      await back.mapAsync(GPUMapMode.READ);
      found.push(text(new Uint8Array(back.getMappedRange())));
      [out, back].forEach((made) => made.destroy());
    }
    results.push(found);
  }
  const error = await device.popErrorScope();
  if (error) throw new Error(error.message);
  return { results };
}
