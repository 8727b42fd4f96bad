// The camera: how it moves around what it looks at, and which parts of the canvas have its picture.
import { Vector2, Vector3 } from "three";
import light from "../../../crates/view/src/light.json";

const UP = new Vector3(0, 1, 0);
const radians = (degrees) => (Math.PI * degrees) / 180;

/** Returns the direction from which a scene with this box is first seen: a flat one from higher up than a tall one. */
export function firstDirection(box) {
  const { azimuth, elevation } = light.camera;
  const { x, y, z } = box.getSize(new Vector3());
  const breadth = Math.max(x, z);
  const tallness = y < breadth ? y / breadth : 1;
  const angle = elevation.flat + (elevation.tall - elevation.flat) * tallness;
  return new Vector3().setFromSphericalCoords(1, radians(90 - angle), radians(azimuth));
}

/** Moves the camera so that a box is just in the picture, seen from a direction. */
export function frameBox({ camera, orbit }, box, direction) {
  const centre = box.getCenter(new Vector3());
  const radius = box.getSize(new Vector3()).length() / 2 || 1;
  const tangent = Math.tan(radians(camera.fov / 2));
  const away = direction.clone().normalize();
  const right = UP.clone().cross(away).normalize();
  const up = away.clone().cross(right);
  // The distance from which each corner of the bounds is just in the picture.
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const point = new Vector3(...["x", "y", "z"].map((axis, bit) => box[corner & (1 << bit) ? "max" : "min"][axis])).sub(centre);
    const [x, y] = [Math.abs(point.dot(right)) / camera.aspect, Math.abs(point.dot(up))];
    distance = Math.max(distance, point.dot(away) + Math.max(x, y) / tangent);
  }
  orbit.target.copy(centre);
  camera.position.copy(away).multiplyScalar(1.08 * distance + 1e-6 * radius).add(centre);
  orbit.update();
}

/** Turns the camera around its target by angles in radians and moves it closer by a factor. */
export function turn({ camera, orbit }, around, up, closer = 1) {
  const offset = camera.position.clone().sub(orbit.target);
  offset.applyAxisAngle(UP, around);
  const side = new Vector3().crossVectors(UP, offset).normalize();
  const angle = offset.angleTo(UP);
  offset.applyAxisAngle(side, Math.min(Math.max(up, 0.05 - angle), Math.PI - 0.05 - angle));
  camera.position.copy(orbit.target).add(offset.multiplyScalar(closer));
  orbit.update();
}

/** Brings a point to the middle of the picture. */
export function lookAt({ camera, orbit }, point) {
  camera.position.add(point).sub(orbit.target);
  orbit.target.copy(point);
  orbit.update();
}

/**
 * Sets the shape of the camera's picture, and how near and how far it sees, by its distance from what it turns around: models may differ much
 * in size.
 */
export function setLens({ camera, orbit, size, renderer, view }) {
  const { x: width, y: height } = renderer.getSize(new Vector2());
  const distance = camera.position.distanceTo(orbit.target);
  camera.aspect = panesOf(view, width)[0].whole.width / height;
  camera.near = distance / 600;
  camera.far = 100 * Math.max(size, distance);
  camera.updateProjectionMatrix();
}

/**
 * Returns the parts of a canvas of some width: what each shows, where it begins and how wide it is, and the same of the whole picture that it
 * is a part of. Left and right of a split line are parts of one picture; side by side each has its own.
 */
export function panesOf({ left, right, split, layout }, width) {
  if (right === null) return [{ shown: left, start: 0, width, whole: { start: 0, width } }];
  const isSplit = layout === "split";
  const line = Math.round((isSplit ? split : 0.5) * width);
  return [[left, 0, line], [right, line, width - line]].map(([shown, start, across]) =>
    ({ shown, start, width: across, whole: isSplit ? { start: 0, width } : { start, width: across } }));
}
