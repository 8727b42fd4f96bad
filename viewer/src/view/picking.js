// What is under a point of the picture: the surface nearest to the camera, and joints.
import { Vector2, Vector3, Raycaster } from "three";

/** How near a pointer has to be to a joint, in pixels. */
const NEAR = 16;

/** Returns the point of the surfaces under a place of the picture, from -1 to 1 to the right and up; null if there is none. */
export function pointUnder(viewer, x, y) {
  const caster = new Raycaster();
  caster.setFromCamera(new Vector2(x, y), viewer.camera);
  const { ray } = caster;
  const [a, b, c, hit] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  let nearest = null, least = Infinity;
  for (const { surface, positions } of viewer.shownVertices(x)) {
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

/** Returns the index of the point that is seen nearest to a place of the canvas in pixels; -1 if none is near. `points` has x y z of each. */
export function pointNear(viewer, points, left, top) {
  const { clientWidth: width, clientHeight: height } = viewer.canvas;
  const at = new Vector3();
  let found = -1, least = NEAR;
  for (let i = 0; 3 * i < points.length; i++) {
    at.fromArray(points, 3 * i).project(viewer.camera);
    if (at.z > 1) continue;
    const distance = Math.hypot(((1 + at.x) / 2) * width - left, ((1 - at.y) / 2) * height - top);
    if (distance < least) [found, least] = [i, distance];
  }
  return found;
}
