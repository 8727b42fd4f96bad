// The joints of all skins as lines and points, and the one that is picked.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Points, PointsMaterial } from "three";

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
