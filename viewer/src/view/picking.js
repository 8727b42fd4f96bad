// What a pointer finds in the picture: points of surfaces, and joints, which are lines and points and of which one is picked.
import {
  BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Points, PointsMaterial, Raycaster, Vector2, Vector3,
} from "three";

/** How near a pointer has to be to a joint, in pixels. */
const NEAR = 16;
const LINES = { color: 0xff8c1a, depthTest: false, transparent: true };

export class Joints {
  /** `skins` are those of a scene without the one of its nodes. */
  constructor(skins) {
    this.pairs = skins.flatMap((skin) => skin.joints.map((joint, index) => ({ skin, joint, index })));
    const lines = pointsOf(2 * this.pairs.length), picked = pointsOf(1);
    this.object = new LineSegments(lines, new LineBasicMaterial(LINES));
    this.picked = new Points(picked, new PointsMaterial({ ...LINES, color: 0xe0218a, size: 12, sizeAttenuation: false }));
    this.object.add(new Points(lines, new PointsMaterial({ ...LINES, size: 6, sizeAttenuation: false })), this.picked);
    this.object.traverse((part) => { part.frustumCulled = false; part.renderOrder = 1; });
    /** Where each joint is, x y z. */
    this.places = new Float32Array(3 * this.pairs.length);
  }

  /** Moves all joints by a palette; `pick` is the joint that is picked, as one of `pairs`. */
  move(palette, pick) {
    const lines = this.object.geometry.getAttribute("position");
    this.pairs.forEach(({ skin, joint, index }, number) => {
      const here = place(palette, skin, index);
      this.places.set(here, 3 * number);
      lines.array.set([...here, ...(joint.parent === null ? here : place(palette, skin, joint.parent))], 6 * number);
    });
    lines.needsUpdate = true;
    this.picked.visible = Boolean(pick);
    if (!pick) return;
    const point = this.picked.geometry.getAttribute("position");
    point.array.set(place(palette, pick.skin, pick.index));
    point.needsUpdate = true;
  }
}

const pointsOf = (count) => new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(3 * count), 3));

/** Returns where a joint's place in the bind pose is moved to. */
function place(palette, skin, index) {
  const at = 4 * (skin.base + index * skin.stride);
  const [x, y, z] = skin.joints[index].origin;
  return [0, 4, 8].map((row) => {
    const [a, b, c, d] = palette.subarray(at + row, at + row + 4);
    return a * x + b * y + c * z + d;
  });
}

/** Returns the point of surfaces under a place of the picture, from -1 to 1 to the right and up; null if there is none. `shown` has surfaces and positions. */
export function pointUnder(camera, [x, y], shown) {
  const caster = new Raycaster();
  caster.setFromCamera(new Vector2(x, y), camera);
  const { ray } = caster;
  const [a, b, c, hit] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  let nearest = null, least = Infinity;
  for (const { surface, positions } of shown) {
    const { corners } = surface;
    for (let i = 0; i + 2 < corners.length; i += 3) {
      [a, b, c].forEach((corner, k) => corner.fromArray(positions, 3 * corners[i + k]));
      if (!ray.intersectTriangle(a, b, c, false, hit)) continue;
      const distance = ray.origin.distanceTo(hit);
      if (distance < least) [nearest, least] = [hit.clone(), distance];
    }
  }
  return nearest;
}

/**
 * Returns the index of the point that is seen nearest to a place of a picture, in pixels; -1 if none is near. `points` has x y z of each, and
 * `size` is that of the picture.
 */
export function pointNear(camera, points, [left, top], [width, height]) {
  const at = new Vector3();
  let found = -1, least = NEAR;
  for (let i = 0; 3 * i < points.length; i++) {
    at.fromArray(points, 3 * i).project(camera);
    if (at.z > 1) continue;
    const distance = Math.hypot(((1 + at.x) / 2) * width - left, ((1 - at.y) / 2) * height - top);
    if (distance < least) [found, least] = [i, distance];
  }
  return found;
}
