// The group of the controls that colours the picture by distances or weights, with the legend of the colours.
import { choice, element, figure } from "./elements.js";
import { beside } from "./facts.js";
import { heatStops } from "./materials.js";
import { gapOf } from "./readback.js";
import { HEATS } from "./state.js";
import { Influences, JointList } from "./weights.js";

export class Colors {
  /** `controls` hold the state. */
  constructor(controls) {
    this.controls = controls;
    const { data } = controls;
    const { comparison } = data;
    this.choice = choice(comparison ? "Colour by distance" : "Colour by distance or weights", "heat", HEATS[controls.kind], (heat) =>
      controls.set(heat === "baked" ? { heat, ...controls.moments.nearestBaked() } : { heat }));
    const colors = heatStops.map((stop) => `rgb(${stop.join()})`).join();
    const bar = element("div", { className: "bar" });
    bar.style.background = `linear-gradient(to right, ${colors})`;
    this.most = element("span", {});
    this.mean = element("p", {});
    this.noColors = element("p", { className: "status", role: "status" });
    this.legend = element("div", { className: "legend" }, bar, element("div", { className: "ends" }, element("span", {}, "0"), this.most), this.mean);
    const skins = data.skins.filter((skin) => !skin.isNodes);
    if (skins.length && !comparison) this.joints = new JointList(skins, (joint) => controls.set({ joint, heat: "joint" }));
    const rule = comparison && (comparison.byNumber
      ? "Each vertex is compared with the vertex of the same number in the other model."
      : "The meshes do not pair vertex by vertex, so each vertex is compared with the nearest vertex of the other model.");
    this.node = element("div", { className: "group" }, element("h2", {}, comparison ? "Distances" : "Colours"), this.choice.node, this.noColors, this.legend, this.joints?.node,
      ...(comparison ? beside(data) : []), rule && element("p", { className: "small" }, rule));
    this.follow();
  }

  /** Takes the influences of the present scene. */
  follow() {
    this.influences = new Influences(this.controls.data);
  }

  /** Brings the group to the state, and the scale of the colours to what the picture shows. */
  apply(isBaked, isDual) {
    const { state, viewer } = this.controls;
    const isOn = viewer.view.heat !== "none";
    this.choice.set(state.heat);
    this.joints?.set(state.joint || null);
    this.noColors.textContent = this.#whyNone(isBaked, isDual);
    this.legend.hidden = !isOn;
    if (this.joints) this.joints.node.hidden = state.heat !== "joint";
    if (!isOn) return;
    if (state.heat === "joint" || state.heat === "count") this.#applyWeights();
    else if (!state.playing) this.#applyDistances(); // while an animation plays, the scale stays
  }

  #applyDistances() {
    const { viewer } = this.controls;
    const gap = gapOf(viewer);
    viewer.uniforms.heatScale.value = gap && gap.most > 0 ? gap.most : 1;
    this.most.textContent = gap ? `${figure(gap.most)} units` : "";
    const share = gap ? (100 * gap.most) / viewer.size : 0;
    this.mean.textContent = gap ? `Greatest distance ${figure(share)} % of the size, mean ${figure(gap.mean)} units.` : "There is nothing to compare.";
  }

  /** Shows what the colours of weights mean. */
  #applyWeights() {
    const { state, picked, viewer } = this.controls;
    const { scale, end, text } = this.influences.legend(state.heat === "count", picked);
    viewer.uniforms.heatScale.value = scale;
    this.most.textContent = end;
    this.mean.textContent = text;
  }

  /** Returns why the distances that are wanted are not shown, as a sentence; empty if they are. */
  #whyNone(isBaked, isDual) {
    const { heat, playing } = this.controls.state;
    if (heat === "baked" && playing) return "While it plays, there are no baked vertices to measure distances from.";
    if (heat === "baked" && !isBaked) return "There are no baked vertices for this moment, so there are no distances to show.";
    if (heat === "models" && this.controls.state.clip) return "Distances are those at rest, so moments of an animation have no colours.";
    if (heat === "joint" && !this.joints) return "The model has no joints that move vertices.";
    if (heat === "joint" && !this.controls.picked) return "Pick a joint in the list, or near it in the picture.";
    if (heat === "solvers" && !isDual) return "There are no dual quaternions for this moment, so there are no distances to show.";
    return "";
  }
}
