// The joints of a scene as an indented list with a search box, of which one is picked to see its weights.
import { element } from "./elements.js";

export class JointList {
  /** `skins` have joints; `onpick` is called with the index of a skin and of its joint. */
  constructor(skins, onpick) {
    this.entries = skins.map((skin, index) => ({ skin, index, joints: ordered(skin.joints) }));
    this.search = element("input", { type: "search", "aria-label": "Search joints", placeholder: "Search joints", oninput: () => this.#fill() });
    this.list = element("select", { size: 9, "aria-label": "Joints", onchange: () => onpick(this.list.value) });
    this.said = element("p", { className: "small", role: "status" });
    this.node = element("div", { className: "joints" }, this.search, this.list, this.said);
    this.#fill();
  }

  #fill() {
    const wanted = this.search.value.trim().toLowerCase();
    const groups = this.entries.map(({ skin, index, joints }) => {
      const shown = joints.filter(({ joint }) => joint.name.toLowerCase().includes(wanted));
      const options = shown.map(({ joint, number, depth }) =>
        element("option", { value: `${index}.${number}` }, `${"\u2003".repeat(wanted ? 0 : depth)}${joint.name || "(no name)"}`));
      return options.length && this.entries.length > 1 ? [element("optgroup", { label: skin.name }, ...options)] : options;
    });
    this.list.replaceChildren(...groups.flat());
    this.list.value = this.picked ?? "";
    this.said.textContent = wanted && !this.list.options.length ? "No joint has this in its name." : "";
  }

  /** Shows which joint is picked, as `SKIN.JOINT`, and scrolls to it. */
  set(picked) {
    if (picked === this.picked) return;
    this.picked = picked;
    this.list.value = picked ?? "";
    this.list.selectedOptions[0]?.scrollIntoView?.({ block: "nearest" });
  }
}

/** Returns joints with their numbers, each before those below it, and how deep they are. */
function ordered(joints) {
  const below = joints.map(() => []);
  const roots = [];
  joints.forEach(({ parent }, number) => (parent === null ? roots : below[parent]).push(number));
  const found = [];
  const waiting = roots.reverse().map((number) => [number, 0]);
  while (waiting.length) {
    const [number, depth] = waiting.pop();
    found.push({ joint: joints[number], number, depth: Math.min(depth, 12) });
    waiting.push(...below[number].reverse().map((child) => [child, depth + 1]));
  }
  return found;
}
