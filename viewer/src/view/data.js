// A scene as the program writes it (crates/view/src/scene_data): typed arrays over its block, and palettes of moments.
import { blendTowards } from "./blending.js";

export class SceneData {
  /** `description` is the parsed JSON, `bytes` the block. */
  constructor(description, bytes) {
    Object.assign(this, description);
    this.buffer = bytes.buffer;
    this.shift = bytes.byteOffset;
    let texels = 0;
    for (const skin of this.skins) {
      skin.base = texels;
      texels += skin.joints.length * skin.stride;
    }
    this.paletteTexels = texels;
    /** Morph weights by node that someone has chosen in place of those of the frames. */
    this.chosenWeights = new Map();
    this.surfaces.forEach((surface) => this.#complete(surface));
    // Where the baked vertices of each surface begin, in bytes after those of the first.
    let end = 0;
    this.bakedStarts = this.surfaces.map(({ vertices, restNormals }) => {
      const start = end;
      end += 12 * vertices * (restNormals ? 2 : 1);
      return start;
    });
  }

  floats(offset, count) { return new Float32Array(this.buffer, this.shift + offset, count); }

  #complete(surface) {
    const n = surface.vertices;
    surface.restPositions = this.floats(surface.positions, 3 * n);
    surface.restNormals = surface.normals === null ? null : this.floats(surface.normals, 3 * n);
    surface.apart = surface.distances === null ? null : this.floats(surface.distances, n);
    surface.textureCoordinates = this.#coordinates(surface);
    surface.tints = surface.colors === null ? null : new Uint16Array(this.buffer, this.shift + surface.colors, 4 * n);
    surface.corners = new Uint32Array(this.buffer, this.shift + surface.indices, 3 * surface.triangles);
    surface.sets = [0, 1].map((set) => this.#set(surface, set));
    surface.referenceJoints = surface.references === null
      ? new Float32Array(n).fill(surface.joint) : Float32Array.from(new Uint16Array(this.buffer, this.shift + surface.references, n));
    for (const target of surface.targets) {
      target.positionDifferences = target.positions === null ? null : this.floats(target.positions, 3 * n);
      target.normalDifferences = target.normals === null ? null : this.floats(target.normals, 3 * n);
    }
    surface.isClockwise = surface.restNormals !== null && isClockwise(surface);
  }

  /** Two sets of texture coordinates for each vertex; zeros where there are none. */
  #coordinates({ coordinates, vertices }) {
    const both = new Float32Array(coordinates.length ? 4 * vertices : 0);
    coordinates.forEach(([, offset], set) => {
      const given = this.floats(offset, 2 * vertices);
      for (let i = 0; i < given.length; i++) both[4 * (i >> 1) + 2 * set + (i & 1)] = given[i];
    });
    return both;
  }

  /** Joints and weights of four slots; zeros where there are none. */
  #set(surface, set) {
    const n = surface.vertices;
    const joints = new Float32Array(4 * n);
    const weights = new Float32Array(4 * n);
    if (surface.slots === 0) {
      if (set === 0) for (let v = 0; v < n; v++) { joints[4 * v] = surface.joint; weights[4 * v] = 1; }
    } else if (4 * set < surface.slots) {
      const allJoints = new Uint16Array(this.buffer, this.shift + surface.joints, surface.slots * n);
      const allWeights = this.floats(surface.weights, surface.slots * n);
      for (let v = 0; v < n; v++) {
        for (let slot = 0; slot < 4; slot++) {
          joints[4 * v + slot] = allJoints[surface.slots * v + 4 * set + slot];
          weights[4 * v + slot] = allWeights[surface.slots * v + 4 * set + slot];
        }
      }
    }
    return { joints, weights };
  }

  /**
   * Writes the palette of a frame to `out`. For a document, `blend` leads from the rest (0) to the frame (1). `part` leads to the
   * next frame, while an animation plays.
   */
  palette(frame, blend, out, part = 0) {
    this.#stored(frame, out);
    if (part > 0) this.#towardsNext(frame, part, out);
    if (blend >= 1 || this.kind !== "document") return;
    for (const [index, skin] of this.skins.entries()) {
      if (index === this.nodesSkin) continue;
      skin.joints.forEach((joint, number) => {
        const at = 4 * (skin.base + number * skin.stride);
        blendTowards(out.subarray(at, at + 20), joint.origin, blend);
      });
    }
  }

  /** Writes the stored palette of a frame to `out`, which it returns: exact numbers, or those in 16 bits. */
  #stored(frame, out) {
    const length = 4 * this.paletteTexels;
    const { palettes } = this.frames[frame];
    if (palettes !== null) {
      out.set(this.floats(palettes, length));
      return out;
    }
    const { coded, first, count } = this.clips.find((clip) => frame >= clip.first && frame < clip.first + clip.count);
    const [least, steps] = [this.floats(coded.least, length), this.floats(coded.steps, length)];
    const parts = new Uint16Array(this.buffer, this.shift + coded.parts, length * count);
    for (let i = 0, at = frame - first; i < length; i++, at += count) out[i] = least[i] + steps[i] * parts[at];
    return out;
  }

  /** Moves a palette towards that of the next frame: all numbers linearly, dual quaternions in one hemisphere. */
  #towardsNext(frame, part, out) {
    const next = this.#stored(frame + 1, (this.next ??= new Float32Array(4 * this.paletteTexels)));
    for (const { base, joints, stride } of this.skins) {
      for (let at = 4 * base; at < 4 * (base + joints.length * stride); at += 4 * stride) {
        let along = 0;
        for (let i = at + 12; stride > 3 && i < at + 16; i++) along += out[i] * next[i];
        for (let i = at; i < at + 4 * stride; i++) {
          const isDual = i >= at + 12 && i < at + 20;
          out[i] += part * ((isDual && along < 0 ? -next[i] : next[i]) - out[i]);
        }
      }
    }
  }

  /** Returns the morph weights of a surface in a frame, or on the way to the next. */
  weights(surface, frame, part) {
    const chosen = this.chosenWeights.get(surface.node);
    if (chosen) return chosen;
    const of = (index) => this.frames[index].weights.find(([node]) => node === surface.node)?.[1] ?? [];
    const here = of(frame);
    if (part === 0) return here;
    const next = of(frame + 1);
    return here.map((weight, i) => weight + part * ((next[i] ?? weight) - weight));
  }

  /** Returns morphed positions and normals of a surface in a frame; the rest arrays themselves if nothing is morphed. */
  morphed(surface, frame, part = 0) {
    const weights = this.weights(surface, frame, part);
    const add = (rest, key) => {
      if (!rest) return null;
      const sum = Float64Array.from(rest);
      surface.targets.forEach((target, i) => {
        const differences = target[key];
        if (!weights[i] || !differences) return;
        for (let c = 0; c < sum.length; c++) sum[c] += weights[i] * differences[c];
      });
      return new Float32Array(sum);
    };
    if (!surface.targets.length || !weights.some((weight) => weight !== 0)) {
      return { positions: surface.restPositions, normals: surface.restNormals };
    }
    return { positions: add(surface.restPositions, "positionDifferences"), normals: add(surface.restNormals, "normalDifferences") };
  }

  /** Returns baked positions and normals of a surface by a solver ("lbs" or "dqs"); null where there are none. */
  baked(number, frame, blend, solver) {
    const surface = this.surfaces[number];
    if (number >= this.bakedSurfaces) return null;
    if (this.kind === "document" && (frame === 0 || blend === 0)) {
      return { positions: surface.restPositions, normals: surface.restNormals };
    }
    const offsets = this.chosenWeights.size ? null : this.frames[frame].baked;
    if (!offsets || offsets[solver] === null || (this.kind === "document" && blend < 1)) return null;
    const at = offsets[solver] + this.bakedStarts[number];
    const length = 3 * surface.vertices;
    return { positions: this.floats(at, length), normals: surface.restNormals && this.floats(at + 4 * length, length) };
  }

  /** Returns the nodes with morph targets: their numbers, names of meshes and targets. */
  get morphNodes() {
    const found = new Map();
    for (const { node, name, targets } of this.surfaces) {
      if (targets.length > (found.get(node)?.targets.length ?? 0)) found.set(node, { node, name, targets });
    }
    return [...found.values()];
  }

  /** Returns up to `most` frames of the animation, or of the way from rest to pose, that a frame belongs to. */
  framesWith(frame, most) {
    const clip = this.clips.find(({ first, count }) => frame >= first && frame < first + count);
    if (!clip) return [...new Set([0, frame])];
    const step = Math.ceil(clip.count / most);
    return Array.from({ length: Math.ceil(clip.count / step) }, (_, i) => clip.first + i * step);
  }

  /** Returns the bytes of an image as a file of its type. */
  imageFile({ offset, length, mediaType }) {
    return new Blob([new Uint8Array(this.buffer, this.shift + offset, length)], { type: mediaType });
  }

  /** True if there are baked vertices. */
  hasBaked(frame, blend, solver) {
    return this.surfaces.length > 0 && this.baked(0, frame, blend, solver) !== null;
  }
}

/** Returns true if most triangles are wound clockwise, seen from where their normals point. */
function isClockwise({ corners, restPositions: p, restNormals: n }) {
  let against = 0, along = 0;
  for (let i = 0; i + 2 < corners.length; i += 3) {
    const [a, b, c] = [3 * corners[i], 3 * corners[i + 1], 3 * corners[i + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const side = (uy * vz - uz * vy) * n[a] + (uz * vx - ux * vz) * n[a + 1] + (ux * vy - uy * vx) * n[a + 2];
    if (side < 0) against++; else if (side > 0) along++;
  }
  return against > along;
}
