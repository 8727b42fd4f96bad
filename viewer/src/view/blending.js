// Linear blending on the processor, because reading vertices back from the GPU waits until all pictures are drawn.
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

/** Returns the box of surfaces at several moments, of up to `limit` vertices in each. */
export function boxOfMoments(data, moments, surfaces, limit) {
  const box = new Box3();
  for (const moment of moments.map((one) => data.at(one, true))) {
    const visible = surfaces.filter((surface) => data.isVisible(surface, moment));
    box.union(boxOf(data, moment.palette, visible.map((surface) => [surface, data.morphed(surface, moment).positions]), limit));
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
