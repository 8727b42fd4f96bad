// What the page says about a model: numbers, remarks and the winding of its triangles.
import { element, figure } from "./elements.js";
import { materialOf } from "./materials.js";

/** Returns the group of facts; `size` is the diagonal of the bounds. */
export function facts(data, size) {
  const models = data.comparison ? [0, 1] : [0];
  const number = (value) => value.toLocaleString("en");
  const sum = (of) => models.map((model) => number(data.surfaces.reduce((all, surface) => all + (surface.model === model ? of(surface) : 0), 0))).join(" | ");
  const rows = [["Vertices", sum((s) => s.vertices)], ["Triangles", sum((s) => s.triangles)], ["Surfaces", sum(() => 1)]];
  if (!data.comparison) {
    const joints = data.skins.reduce((total, skin) => total + (skin.isNodes ? 0 : skin.joints.length), 0);
    const influences = Math.max(0, ...data.surfaces.map((surface) => surface.slots));
    rows.push(["Joints", number(joints)], ["Influences of a vertex, at most", number(influences)]);
  }
  rows.push(["Size (diagonal of the bounds)", figure(size)]);
  const list = rows.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]);
  const names = data.comparison && element("p", { className: "small" }, `A is ${data.comparison.a}, B is ${data.comparison.b}. Numbers are those of A | B.`);
  const notes = (data.comparison ? [] : data.notes).map((note) => element("li", {}, note));
  return element("div", { className: "group" }, element("h2", {}, data.comparison ? "Both models" : "Model"), names, element("dl", {}, ...list),
    notes.length ? element("ul", { className: "small" }, ...notes) : null,
    element("p", { className: "small" }, "Press ? for the keys."));
}

/** Returns what the page says beside the distances of a comparison. */
export function beside({ notes }) {
  return notes.map((note) => element("p", { className: "small" }, note));
}

/** Returns what the page says about front and back of triangles. */
export function winding(data) {
  const { surfaces, kind } = data;
  const oneSided = surfaces.filter((surface) => !materialOf(data, surface).doubleSided).length;
  const clockwise = surfaces.filter((surface) => surface.isClockwise).length;
  let text = "Both sides of every triangle are shown.";
  if (oneSided) text = `Triangles of ${oneSided} of ${surfaces.length} ${surfaces.length === 1 ? "surface" : "surfaces"} are seen from their front only, as materials say; “Back faces” shows their backs, too.`;
  if (clockwise) {
    text += ` ${clockwise} of ${surfaces.length} ${surfaces.length === 1 ? "surface is" : "surfaces are"} wound clockwise, so “Back faces” marks the outside of them.`;
    if (kind === "document") text += " The language winds spheres, cylinders and capsules so.";
  }
  return text;
}
