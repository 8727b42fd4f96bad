// Weights: those of joints, which are in an indented list with a search box, and what their colours mean; those of morph targets, by sliders.
import { element, slider } from "./elements.js";

/** Most sliders of one node. */
const MOST = 64;

/** What is known of the influences of a scene. Numbers are counted when they are first asked for. */
export class Influences {
  constructor(data) {
    this.data = data;
    this.moved = new Map();
  }

  /** The greatest number of joints that have a weight of a vertex. */
  get most() {
    return (this.greatest ??= this.data.surfaces.reduce((most, surface) => influencesOf(surface).reduce((a, b) => Math.max(a, b), most), 1));
  }

  /** Returns how many vertices a joint moves, given by indices of its skin and in it. */
  movedBy({ skin, joint }) {
    const key = `${skin}.${joint}`;
    if (!this.moved.has(key)) {
      const surfaces = this.data.surfaces.filter((surface) => surface.skin === skin && surface.slots);
      this.moved.set(key, surfaces.reduce((sum, surface) => sum + influencesOf(surface, joint).filter(Boolean).length, 0));
    }
    return this.moved.get(key);
  }

  /** Returns the value of the last colour, what stands there, and a sentence, for the number of influences or the joint that is picked. */
  legend(isCount, picked) {
    if (isCount) return { scale: this.most, end: `${this.most} ${this.most === 1 ? "joint" : "joints"}`, text: "Number of joints with a weight." };
    const name = picked && this.data.skins[picked.skin].joints[picked.joint].name;
    return { scale: 1, end: "1", text: picked ? `“${name}” moves ${this.movedBy(picked).toLocaleString("en")} vertices.` : "" };
  }
}

/** Returns how many influences of each vertex have a weight, of a joint or of all. */
function influencesOf({ sets, vertices }, wanted = null) {
  const counts = new Uint8Array(vertices);
  for (const { joints, weights } of sets) {
    weights.forEach((weight, at) => { if (weight > 0 && (wanted === null || joints[at] === wanted)) counts[at >> 2]++; });
  }
  return counts;
}

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

/** Sliders of morph weights, which take the place of those of the model until they are given back. */
export class Morphs {
  /** `nodes` are those of `SceneData.morphNodes`; `onchange` is called after a change. */
  constructor(data, onchange) {
    this.data = data;
    this.sliders = data.morphNodes.flatMap(({ key, surface, name, targets }) =>
      targets.slice(0, MOST).map((given, target) => ({ key, surface, target, of: slider(`${name}, ${given.name || `target ${target}`}`, { max: 1, step: 0.01 }, (value) => this.#choose(key, surface, target, value)) })));
    this.back = element("button", { type: "button", onclick: () => { data.chosenWeights.clear(); onchange(); } }, "As stored");
    this.onchange = onchange;
    this.node = element("div", { className: "group" }, element("h2", {}, "Morph targets"), element("div", { className: "morphs" }, ...this.sliders.map(({ of }) => of.node)),
      element("div", { className: "buttons" }, this.back));
  }

  #choose(key, surface, target, value) {
    const weights = this.#present(surface).slice();
    weights[target] = value;
    this.data.chosenWeights.set(key, weights);
    this.onchange();
  }

  #present(surface) {
    const stored = this.data.weights(surface, this.moment);
    return surface.targets.map((_, target) => stored[target] ?? 0);
  }

  /** Shows the weights of a moment. */
  apply(moment) {
    this.moment = moment;
    for (const { surface, target, of } of this.sliders) {
      const weight = this.#present(surface)[target];
      // Files may have weights beyond those that are usual.
      if (weight < 0 || weight > 1) Object.assign(of.input, { min: Math.min(0, weight), max: Math.max(1, weight) });
      of.input.value = weight;
      of.output.textContent = weight.toFixed(2);
    }
    this.back.disabled = !this.data.chosenWeights.size;
  }
}
