// Runs GLSL ES 3.00 by transform feedback, with vertex animation textures of type RGBA32F.
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
  gl.transformFeedbackVaryings(program, ["gl_Position", "normal"], gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}

function texture(gl, { width, height }, texels) {
  const made = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, height, 0, gl.RGBA, gl.FLOAT, floats(texels));
  return made;
}

/** Puts the lookup coordinates and the textures of a model on the card. */
function loaded(gl, model) {
  const lookup = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, lookup);
  gl.bufferData(gl.ARRAY_BUFFER, bytes(model.lookup), gl.STATIC_DRAW);
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  const rest = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, rest);
  gl.bufferData(gl.ARRAY_BUFFER, bytes(model.rest), gl.STATIC_DRAW);
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  return { lookup, rest, textures: [texture(gl, model, model.positions), texture(gl, model, model.normals)] };
}

function moved(gl, program, model, { lookup, rest, textures }, one) {
  gl.useProgram(program);
  const at = (name) => gl.getUniformLocation(program, name);
  for (const [unit, name] of ["positions", "normals"].entries()) {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, textures[unit]);
    gl.uniform1i(at(name), unit);
  }
  gl.uniformMatrix4fv(at("view_projection"), false, IDENTITY);
  for (const name of ["position_offset", "position_scale", "normal_offset", "normal_scale"]) gl.uniform3fv(at(name), model[name]);
  for (const name of ["rows_per_frame", "first_row", "frames"]) gl.uniform1i(at(name), one[name]);
  gl.uniform1f(at("frame"), one.frame);
  gl.uniform1f(at("relative"), model.relative);
  gl.bindBuffer(gl.ARRAY_BUFFER, lookup);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 8, 0);
  gl.bindBuffer(gl.ARRAY_BUFFER, rest);
  gl.enableVertexAttribArray(1);
  gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 16, 0);
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  const out = gl.createBuffer();
  const numbers = new Float32Array(7 * model.vertices);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, numbers.byteLength, gl.STREAM_READ);
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, model.vertices);
  gl.endTransformFeedback();
  gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, numbers);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
  gl.deleteBuffer(out);
  // Eight numbers for each vertex, as vat_webgpu.js has them.
  const vectors = new Float32Array(8 * model.vertices);
  for (let vertex = 0; vertex < model.vertices; vertex++) vectors.set(numbers.subarray(7 * vertex, 7 * vertex + 7), 8 * vertex);
  return text(new Uint8Array(vectors.buffer));
}

async function run(models, cases, shaders) {
  const gl = document.createElement("canvas").getContext("webgl2");
  const ready = models.map((model) => loaded(gl, model));
  const results = shaders.map((shader) => {
    const program = linked(gl, shader);
    return cases.map((one) => moved(gl, program, models[one.model], ready[one.model], one));
  });
  const error = gl.getError();
  return error ? { error: `WebGL error ${error}` } : { results };
}
