// Reads skinned vertices back from the GPU by transform feedback, with the vertex shader of the page, and measures them.
import { Box3 } from "three";
import { orUnit } from "./blending.js";
import { HEAT, PALETTE_WIDTH, SHOWN, vertexShader } from "./shaders.js";

const FRAGMENT = "precision highp float;\nout vec4 pixel;\nvoid main() { pixel = vec4(1.0); }\n";

export class Readback {
  /** `source` is the vertex shader without its version line. */
  constructor(source = vertexShader) {
    const gl = document.createElement("canvas").getContext("webgl2");
    if (!gl) throw new Error("WebGL 2 is not available");
    this.gl = gl;
    this.program = linked(gl, source);
    this.texture = gl.createTexture();
    gl.useProgram(this.program);
    gl.enable(gl.RASTERIZER_DISCARD);
  }

  /** Uploads the palette of a moment. */
  setPalette(floats) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, PALETTE_WIDTH, floats.length / 4 / PALETTE_WIDTH, 0, gl.RGBA, gl.FLOAT, floats);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  /** Returns positions and normals of a surface by a solver. `rest` holds its morphed positions and normals. */
  skinned(scene, surface, moment, rest, solver) {
    const { gl, program } = this;
    const n = surface.vertices;
    const skin = scene.skins[surface.skin];
    const none = new Float32Array(3 * n);
    const attributes = {
      position: [rest.positions, 3], normal: [rest.normals ?? none, 3],
      joints0: [surface.sets[0].joints, 4], joints1: [surface.sets[1].joints, 4],
      weights0: [surface.sets[0].weights, 4], weights1: [surface.sets[1].weights, 4],
      reference: [surface.referenceJoints, 1],
    };
    const made = [];
    const vertexArray = gl.createVertexArray();
    gl.bindVertexArray(vertexArray);
    for (const [name, [data, size]] of Object.entries(attributes)) {
      const place = gl.getAttribLocation(program, name);
      if (place < 0) continue;
      made.push(buffer(gl, gl.ARRAY_BUFFER, data, gl.STREAM_DRAW));
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, 0, 0);
    }
    const integer = (name, value) => gl.uniform1i(gl.getUniformLocation(program, name), value);
    integer("base", skin.base);
    integer("stride", skin.stride);
    integer("scaled", moment.isScaled[surface.skin] ? 1 : 0);
    integer("cofactors", surface.cofactors ? 1 : 0);
    integer("shown", SHOWN[solver]);
    integer("heat", HEAT.none);
    integer("palette", 0);
    const outputs = [0, 1].map((index) => {
      const made = buffer(gl, gl.TRANSFORM_FEEDBACK_BUFFER, 12 * n, gl.STREAM_READ);
      gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, index, made);
      return made;
    });
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, n);
    gl.endTransformFeedback();
    const [positions, normals] = outputs.map((output, index) => {
      gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, index, null);
      gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, output);
      const read = new Float32Array(3 * n);
      gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, read);
      return read;
    });
    gl.bindVertexArray(null);
    gl.deleteVertexArray(vertexArray);
    [...made, ...outputs].forEach((one) => gl.deleteBuffer(one));
    return { positions, normals };
  }
}

function buffer(gl, target, data, usage) {
  const made = gl.createBuffer();
  gl.bindBuffer(target, made);
  gl.bufferData(target, data, usage);
  return made;
}

function linked(gl, source) {
  const program = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, source], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, `#version 300 es\n${text}`);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.transformFeedbackVaryings(program, ["skinnedPosition", "skinnedNormal"], gl.SEPARATE_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}

/** Returns the greatest and the mean distance between two lists of points, and the index of the greatest. */
export function distances(a, b) {
  let most = 0, sum = 0, at = 0;
  for (let i = 0; i < a.length; i += 3) {
    const d = Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);
    sum += d;
    if (d > most) [most, at] = [d, i / 3];
  }
  return { most, mean: a.length ? (3 * sum) / a.length : 0, at };
}

/** Returns positions and normals of a surface, given by its number, as the GPU skins it in the present moment of a viewer ("lbs" or "dqs"). */
function read({ data, readback, meshes, moment }, number, solver) {
  return readback.skinned(data, data.surfaces[number], moment, meshes[number].rest, solver);
}

/** Returns the bounds of what the GPU shows at the present moment. */
export function boundsOf(viewer) {
  const box = new Box3();
  viewer.readback.setPalette(viewer.palette);
  viewer.meshes.forEach(({ visible }, number) => {
    if (!visible) return;
    const { positions } = read(viewer, number, viewer.view.solver);
    box.union(new Box3().setFromArray(positions));
  });
  return orUnit(box);
}

/** Returns the triangles and the positions of what is shown as one says: "lbs", "dqs", "baked", or a model of a comparison. */
export function shownVertices(viewer, shown) {
  const { data, moment, view: { solver } } = viewer;
  viewer.readback.setPalette(viewer.palette);
  return viewer.meshesOf(data.comparison ? shown : null).filter(({ visible }) => visible).map(({ surface, number }) => {
    const baked = shown === "baked" && data.bakedOf(number, moment, solver);
    const { positions } = baked || read(viewer, number, shown === "dqs" ? "dqs" : "lbs");
    return { corners: surface.corners, positions };
  });
}

/** Returns the greatest and the mean distance of the pair that colours compare; null where there is nothing to compare. */
export function gapOf(viewer) {
  const { data, moment, view: { heat, solver } } = viewer;
  if (heat === "models") return { most: data.comparison.greatest, mean: data.comparison.mean };
  viewer.readback.setPalette(viewer.palette);
  let most = 0, sum = 0, count = 0;
  for (const [number, { vertices }] of data.surfaces.entries()) {
    const other = heat === "solvers" ? read(viewer, number, "dqs") : data.bakedOf(number, moment, solver);
    if (!other) continue;
    const found = distances(read(viewer, number, heat === "solvers" ? "lbs" : solver).positions, other.positions);
    most = Math.max(most, found.most);
    sum += found.mean * vertices;
    count += vertices;
  }
  return count ? { most, mean: sum / count } : null;
}
