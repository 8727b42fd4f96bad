// Linear blending on the processor, because reading vertices back from the GPU waits until all pictures are drawn; and the way of a joint
// from the rest of a document to a pose.
import { Box3, Vector3 } from "three";

/**
 * Returns the box of surfaces by linear blending with a palette, which is empty without vertices. `shown` has pairs of a surface and its
 * positions. Of more than `limit` vertices, only some are looked at.
 */
export function boxOf(data, palette, shown, limit = Infinity) {
  const [least, most] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  const step = Math.max(1, Math.floor(shown.reduce((sum, [{ vertices }]) => sum + vertices, 0) / limit));
  const place = [0, 0, 0];
  for (const [surface, positions] of shown) {
    for (let v = 0; v < surface.vertices; v += step) {
      move(data, palette, surface, positions, v, place);
      for (let axis = 0; axis < 3; axis++) {
        if (place[axis] < least[axis]) least[axis] = place[axis];
        if (place[axis] > most[axis]) most[axis] = place[axis];
      }
    }
  }
  return new Box3(new Vector3(...least), new Vector3(...most));
}

/** Returns the box of surfaces in several frames, of up to `limit` vertices in each. */
export function boxOfFrames(data, frames, surfaces, limit) {
  const palette = new Float32Array(4 * data.paletteTexels), box = new Box3();
  for (const frame of frames) {
    data.palette(frame, 1, palette);
    box.union(boxOf(data, palette, surfaces.map((surface) => [surface, data.morphed(surface, frame).positions]), limit));
  }
  return box;
}

/** Returns a box, or one around the origin if it is empty. */
export function orUnit(box) {
  return box.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : box;
}

/** Returns the mean of up to 256 vertices of a surface, by linear blending with a palette. */
export function middleOf(data, palette, surface) {
  const step = Math.max(1, Math.floor(surface.vertices / 256));
  const [sum, place] = [new Vector3(), [0, 0, 0]];
  let count = 0;
  for (let v = 0; v < surface.vertices; v += step, count++) {
    move(data, palette, surface, surface.restPositions, v, place);
    sum.add(new Vector3(...place));
  }
  return sum.divideScalar(Math.max(1, count));
}

/** Writes to `place` where a palette moves a vertex of a surface. */
function move({ skins }, palette, { sets, skin }, positions, vertex, place) {
  const { base, stride } = skins[skin];
  const [x, y, z] = [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
  let a = 0, b = 0, c = 0;
  for (const { joints, weights } of sets) {
    for (let slot = 4 * vertex; slot < 4 * vertex + 4; slot++) {
      const weight = weights[slot];
      if (weight <= 0) continue;
      const at = 4 * (base + joints[slot] * stride);
      a += weight * (palette[at] * x + palette[at + 1] * y + palette[at + 2] * z + palette[at + 3]);
      b += weight * (palette[at + 4] * x + palette[at + 5] * y + palette[at + 6] * z + palette[at + 7]);
      c += weight * (palette[at + 8] * x + palette[at + 9] * y + palette[at + 10] * z + palette[at + 11]);
    }
  }
  [place[0], place[1], place[2]] = [a, b, c];
}

/** Returns true if the node of a surface without influences mirrors it. */
export function isMirrored({ skins }, palette, { joint, skin }) {
  if (joint === null) return false;
  const { base, stride } = skins[skin];
  const at = 4 * (base + joint * stride);
  const [a, b, c, , d, e, f, , g, h, i] = palette.subarray(at, at + 12);
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0;
}

/** Moves a joint's texels (matrix, real and dual part) back towards the identity: rotation and position of its origin. */
export function blendTowards(texels, origin, blend) {
  let [x, y, z, w] = texels.subarray(12, 16);
  const [dx, dy, dz, dw] = texels.subarray(16, 20);
  const offset = [
    2 * (w * dx - dw * x + y * dz - z * dy),
    2 * (w * dy - dw * y + z * dx - x * dz),
    2 * (w * dz - dw * z + x * dy - y * dx),
  ];
  const turned = rotate([x, y, z, w], origin);
  const place = origin.map((c, i) => c + blend * (turned[i] + offset[i] - c));
  if (w < 0) [x, y, z, w] = [-x, -y, -z, -w];
  const angle = Math.acos(Math.min(w, 1));
  const sine = Math.sin(angle);
  const [keep, take] = sine < 1e-6 ? [1 - blend, blend] : [Math.sin((1 - blend) * angle) / sine, Math.sin(blend * angle) / sine];
  let q = [take * x, take * y, take * z, keep + take * w];
  const size = Math.hypot(...q);
  q = q.map((c) => c / size);
  const back = rotate(q, origin);
  const t = place.map((c, i) => c - back[i]);
  [0, 1, 2].forEach((row) => {
    const axis = [0, 1, 2].map((column) => rotate(q, [0, 1, 2].map((i) => (i === column ? 1 : 0)))[row]);
    texels.set([...axis, t[row]], 4 * row);
  });
  texels.set(q, 12);
  texels.set([
    0.5 * (t[0] * q[3] + t[1] * q[2] - t[2] * q[1]),
    0.5 * (t[1] * q[3] + t[2] * q[0] - t[0] * q[2]),
    0.5 * (t[2] * q[3] + t[0] * q[1] - t[1] * q[0]),
    -0.5 * (t[0] * q[0] + t[1] * q[1] + t[2] * q[2]),
  ], 16);
}

function rotate([x, y, z, w], [a, b, c]) {
  const [u, v, t] = [y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c];
  return [a + 2 * (y * t - z * v), b + 2 * (z * u - x * t), c + 2 * (x * v - y * u)];
}
