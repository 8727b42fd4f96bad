// Matrices of three rows of four numbers, one row after the other, and quaternions x y z w, in double precision.

export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** Returns a matrix after another: a·b. */
export function product(a, b) {
  const made = new Array(12);
  for (let row = 0; row < 12; row += 4) {
    const [x, y, z, w] = [a[row], a[row + 1], a[row + 2], a[row + 3]];
    for (let column = 0; column < 4; column++) made[row + column] = x * b[column] + y * b[4 + column] + z * b[8 + column];
    made[row + 3] += w;
  }
  return made;
}

/** Returns the place to which a matrix brings a point. */
export function moved(m, [x, y, z]) {
  return [0, 4, 8].map((row) => m[row] * x + m[row + 1] * y + m[row + 2] * z + m[row + 3]);
}

/** Returns a matrix of this linear part, of three rows of three, and this translation. */
export const affine = (l, t) => [l[0], l[1], l[2], t[0], l[3], l[4], l[5], t[1], l[6], l[7], l[8], t[2]];
export const linear = (m) => [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]];
export const translation = (m) => [m[3], m[7], m[11]];

/** Returns the cofactors of a linear part, and its determinant. */
export function cofactors([a, b, c, d, e, f, g, h, i]) {
  const made = [e * i - f * h, f * g - d * i, d * h - e * g, c * h - b * i, a * i - c * g, b * g - a * h, b * f - c * e, c * d - a * f, a * e - b * d];
  return [made, a * made[0] + b * made[1] + c * made[2]];
}

/** Returns the inverse of a matrix. */
export function inverse(m) {
  const [k, volume] = cofactors(linear(m));
  const turned = [k[0], k[3], k[6], k[1], k[4], k[7], k[2], k[5], k[8]].map((number) => number / volume);
  const back = moved(affine(turned, [0, 0, 0]), translation(m));
  return affine(turned, back.map((number) => -number));
}

/** Returns the matrix of a rotation. */
export function ofRotation([x, y, z, w]) {
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ];
}

/** Returns the rotation of a matrix that only rotates. */
export function rotationOf([a, b, c, d, e, f, g, h, i]) {
  // Four times each part times the largest one, which is on the diagonal.
  const parts = [[1 + a - e - i, b + d, c + g, h - f], [b + d, 1 - a + e - i, f + h, c - g], [c + g, f + h, 1 - a - e + i, d - b], [h - f, c - g, d - b, 1 + a + e + i]];
  const largest = [0, 1, 2, 3].reduce((best, k) => (parts[k][k] > parts[best][best] ? k : best));
  return unit(parts[largest]);
}

/** Returns a quaternion of length 1; the identity for one without length. */
export function unit(q) {
  const size = Math.hypot(...q);
  return size > 0 ? q.map((part) => part / size) : [0, 0, 0, 1];
}

/** Returns a quaternion after another: a·b. */
export function timesQuaternion([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
}

/** Returns the rotation that is `u` of the shorter way from one to another. */
export function slerp(a, b, u) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine *= sign;
  const mix = (first, second) => a.map((part, i) => first * part + second * sign * b[i]);
  if (cosine > 1 - 1e-12) return unit(mix(1 - u, u));
  const angle = Math.acos(Math.min(cosine, 1));
  const divisor = Math.sin(angle);
  return mix(Math.sin((1 - u) * angle) / divisor, Math.sin(u * angle) / divisor);
}

/** Returns the matrix that scales, then rotates, then translates. */
export function ofTrs(t, q, s) {
  const l = ofRotation(unit(q));
  return affine(l.map((number, i) => number * s[i % 3]), t);
}

/** Most steps of the iteration to a rotation, and the part of its numbers by which it still moves when it has arrived. */
const [STEPS, STILL] = [32, 1e-14];

/** Returns rotation and stretch whose product is a linear part; null if it has no rotation. */
export function polar(m) {
  const [, volume] = cofactors(m);
  const size = largest(m);
  if (!(Number.isFinite(volume) && volume !== 0 && Math.abs(volume) >= 1e-12 * size ** 3)) return null;
  let x = m;
  for (let step = 0, gap = Infinity; step < STEPS && gap > STILL * largest(x); step++) {
    const [k, v] = cofactors(x), before = x;
    x = k.map((cofactor, i) => (before[i] + cofactor / v) / 2);
    gap = 0;
    for (let i = 0; i < 9; i++) gap = Math.max(gap, Math.abs(x[i] - before[i]));
  }
  const rotation = volume < 0 ? x.map((number) => -number) : x;
  if (!(distanceFromIdentity(times(rotation, transposed(rotation))) <= 1e-9)) return null;
  const s = times(transposed(rotation), m), turned = transposed(s);
  return { rotation, stretch: s.map((number, i) => (number + turned[i]) / 2) };
}

function largest(m) {
  let most = 0;
  for (let i = 0; i < 9; i++) most = Math.max(most, Math.abs(m[i]));
  return most;
}

/** Returns the largest difference of a component of a linear part from that of the identity. */
export const distanceFromIdentity = (m) => Math.max(...m.map((number, i) => Math.abs(number - (i % 4 ? 0 : 1))));

/** Returns the product of two linear parts. */
export function times(a, b) {
  const made = new Array(9);
  for (let row = 0; row < 9; row += 3) {
    for (let column = 0; column < 3; column++) made[row + column] = a[row] * b[column] + a[row + 1] * b[3 + column] + a[row + 2] * b[6 + column];
  }
  return made;
}

const transposed = (m) => [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]];
