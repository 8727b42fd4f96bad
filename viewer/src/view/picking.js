// Picking by the pointer: points of surfaces, and joints, which are drawn as lines and points.
import {
  BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Points, PointsMaterial, Raycaster, Vector2, Vector3,
} from "three";
import { panesOf } from "./camera.js";
import { shownVertices } from "./readback.js";

/** How near a pointer has to be to a joint, in pixels. */
const NEAR = 16;
const LINES = { color: 0xff8c1a, depthTest: false, transparent: true };

export class Joints {
  /** The joints of all skins of a scene but the one of its nodes. */
  constructor({ skins }) {
    this.skins = skins;
    this.pairs = skins.flatMap(({ joints, isNodes }, skin) => (isNodes ? [] : joints.map(({ parent }, joint) => ({ skin, joint, parent }))));
    const lines = pointsOf(2 * this.pairs.length), picked = pointsOf(1);
    this.object = new LineSegments(lines, new LineBasicMaterial(LINES));
    this.picked = new Points(picked, new PointsMaterial({ ...LINES, color: 0xe0218a, size: 12, sizeAttenuation: false }));
    this.object.add(new Points(lines, new PointsMaterial({ ...LINES, size: 6, sizeAttenuation: false })), this.picked);
    this.object.traverse((part) => { part.frustumCulled = false; part.renderOrder = 1; });
    /** The place of each joint, x y z. */
    this.places = new Float32Array(3 * this.pairs.length);
  }

  /** Moves all joints by a palette; `pick` is the joint that is picked, as indices of its skin and in it, or null. */
  move(palette, pick) {
    const lines = this.object.geometry.getAttribute("position");
    const place = (skin, joint) => placeOf(palette, this.skins[skin], joint);
    this.pairs.forEach(({ skin, joint, parent }, number) => {
      const here = place(skin, joint);
      this.places.set(here, 3 * number);
      lines.array.set([...here, ...(parent === null ? here : place(skin, parent))], 6 * number);
    });
    lines.needsUpdate = true;
    this.picked.visible = Boolean(pick);
    if (!pick) return;
    const point = this.picked.geometry.getAttribute("position");
    point.array.set(place(pick.skin, pick.joint));
    point.needsUpdate = true;
  }
}

const pointsOf = (count) => new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(3 * count), 3));

/** Returns where a joint's place in the bind pose is moved to. */
function placeOf(palette, skin, index) {
  const at = 4 * (skin.base + index * skin.stride);
  const [x, y, z] = skin.joints[index].origin;
  return [0, 4, 8].map((row) => {
    const [a, b, c, d] = palette.subarray(at + row, at + row + 4);
    return a * x + b * y + c * z + d;
  });
}

/** Returns what is shown at a place of the canvas, the place in its picture, and the size of that, in pixels. */
function paneAt({ view, canvas }, left, top) {
  const panes = panesOf(view, canvas.clientWidth);
  const { shown, whole } = panes.find(({ start, width }) => left < start + width) ?? panes[0];
  return { shown, at: [left - whole.start, top], size: [whole.width, canvas.clientHeight] };
}

/** Returns the point of the surfaces at a place of the canvas, in pixels; null if there is none. */
export function pointUnder(viewer, left, top) {
  const { shown, at: [x, y], size: [width, height] } = paneAt(viewer, left, top);
  const caster = new Raycaster();
  caster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), viewer.camera);
  const { ray } = caster;
  const [a, b, c, hit] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  let nearest = null, least = Infinity;
  for (const { corners, positions } of shownVertices(viewer, shown)) {
    for (let i = 0; i + 2 < corners.length; i += 3) {
      [a, b, c].forEach((corner, k) => corner.fromArray(positions, 3 * corners[i + k]));
      if (!ray.intersectTriangle(a, b, c, false, hit)) continue;
      const distance = ray.origin.distanceTo(hit);
      if (distance < least) [nearest, least] = [hit.clone(), distance];
    }
  }
  return nearest;
}

/** Returns the joint that is seen nearest to a place of the canvas, in pixels, as indices of its skin and in it; null if none is near. */
export function jointNear({ joints, camera, view, canvas }, left, top) {
  if (!joints?.object.visible) return null;
  const { at, size } = paneAt({ view, canvas }, left, top);
  const place = new Vector3();
  let found = null, least = NEAR;
  joints.pairs.forEach(({ skin, joint }, number) => {
    place.fromArray(joints.places, 3 * number).project(camera);
    if (place.z > 1) return;
    const distance = Math.hypot(((1 + place.x) / 2) * size[0] - at[0], ((1 - place.y) / 2) * size[1] - at[1]);
    if (distance < least) [found, least] = [{ skin, joint }, distance];
  });
  return found;
}
