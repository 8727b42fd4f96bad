// The way of a joint from the rest of a document to a pose.

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
