// Runs GLSL ES 3.00 by transform feedback, with the parts of the binary palette as textures: run.py has rewritten the buffers.
const WIDTH = 1024; // texels in a row, as `texel` of the shader has it
const TEXTURES = ["matrices", "duals", "first_stage", "joints", "weights", "references"];
const OF_INTEGERS = ["joints", "references"];
const VARYINGS = ["gl_Position", "normal", "tangent"];

function linked(gl, source) {
  const program = gl.createProgram();
  const fragment = "#version 300 es\nprecision highp float;\nout vec4 colour;\nvoid main() { colour = vec4(1.0); }";
  for (const [kind, code] of [[gl.VERTEX_SHADER, source], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, code);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.transformFeedbackVaryings(program, VARYINGS, gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}

/** Makes a texture of a part of the file: one texel for each vec4 or uvec4. */
function texture(gl, file, [offset, size], unit, isInteger) {
  const rows = Math.ceil(size / 16 / WIDTH);
  const texels = new Uint8Array(16 * WIDTH * rows);
  texels.set(file.subarray(offset, offset + size));
  gl.activeTexture(gl.TEXTURE0 + unit);
  const made = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  if (isInteger) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32UI, WIDTH, rows, 0, gl.RGBA_INTEGER, gl.UNSIGNED_INT, new Uint32Array(texels.buffer));
  else gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, WIDTH, rows, 0, gl.RGBA, gl.FLOAT, new Float32Array(texels.buffer));
  return made;
}

function posed(gl, program, one) {
  gl.useProgram(program);
  const file = bytes(one.palette);
  const textures = one.parts.map((part, unit) => {
    gl.uniform1i(gl.getUniformLocation(program, TEXTURES[unit]), unit);
    return texture(gl, file, part, unit, OF_INTEGERS.includes(TEXTURES[unit]));
  });
  const [block, rest, out] = [gl.createBuffer(), gl.createBuffer(), gl.createBuffer()];
  gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, block);
  gl.bufferData(gl.UNIFORM_BUFFER, settings(one), gl.STATIC_DRAW);
  gl.uniformBlockBinding(program, gl.getUniformBlockIndex(program, "Settings"), 0);
  gl.bindBuffer(gl.ARRAY_BUFFER, rest);
  gl.bufferData(gl.ARRAY_BUFFER, bytes(one.rest), gl.STATIC_DRAW);
  for (const [location, components] of [3, 3, 4].entries()) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, components, gl.FLOAT, false, 48, 16 * location);
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  const numbers = new Float32Array(11 * one.vertices);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, numbers.byteLength, gl.STREAM_READ);
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, one.vertices);
  gl.endTransformFeedback();
  gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, numbers);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
  [block, rest, out].forEach((made) => gl.deleteBuffer(made));
  textures.forEach((made) => gl.deleteTexture(made));
  // Twelve numbers for each vertex, as webgpu.js has them.
  const frames = new Float32Array(12 * one.vertices);
  for (let vertex = 0; vertex < one.vertices; vertex++) {
    const from = numbers.subarray(11 * vertex, 11 * vertex + 11);
    frames.set([...from.subarray(0, 7), 0, ...from.subarray(7)], 12 * vertex);
  }
  return text(new Uint8Array(frames.buffer));
}

async function run(data, shaders) {
  const gl = document.createElement("canvas").getContext("webgl2");
  const results = shaders.map((shader) => {
    const program = linked(gl, shader);
    return data.map((one) => posed(gl, program, one));
  });
  const error = gl.getError();
  return error ? { error: `WebGL error ${error}` } : { results };
}
