// Sliders of morph weights, which take the place of those of the frames until they are given back.
import { element, slider } from "./elements.js";

/** Most sliders of one node. */
const MOST = 64;

export class Morphs {
  /** `nodes` are those of `SceneData.morphNodes`; `onchange` is called after a change. */
  constructor(data, onchange) {
    this.data = data;
    this.sliders = data.morphNodes.flatMap(({ node, name, targets }) =>
      targets.slice(0, MOST).map((given, target) => ({ node, target, of: slider(`${name}, ${given.name || `target ${target}`}`, { max: 1, step: 0.01 }, (value) => this.#choose(node, target, value)) })));
    this.back = element("button", { type: "button", onclick: () => { data.chosenWeights.clear(); onchange(); } }, "As stored");
    this.onchange = onchange;
    this.node = element("div", { className: "group" }, element("h2", {}, "Morph targets"), element("div", { className: "morphs" }, ...this.sliders.map(({ of }) => of.node)),
      element("div", { className: "buttons" }, this.back));
  }

  #choose(node, target, value) {
    const weights = this.#present(node).slice();
    weights[target] = value;
    this.data.chosenWeights.set(node, weights);
    this.onchange();
  }

  #present(node) {
    const surface = this.data.surfaces.find((surface) => surface.node === node && surface.targets.length);
    const stored = this.data.weights(surface, this.frame, this.part);
    return surface.targets.map((_, target) => stored[target] ?? 0);
  }

  /** Shows the weights of a frame, or on the way to the next. */
  apply(frame, part) {
    Object.assign(this, { frame, part });
    for (const { node, target, of } of this.sliders) {
      const weight = this.#present(node)[target];
      // Files may have weights beyond those that are usual.
      if (weight < 0 || weight > 1) Object.assign(of.input, { min: Math.min(0, weight), max: Math.max(1, weight) });
      of.input.value = weight;
      of.output.textContent = weight.toFixed(2);
    }
    this.back.disabled = !this.data.chosenWeights.size;
  }
}
