// The controls beside the picture. They hold the state of the page and write it to the address.
import { Vector3 } from "three";
import { choice, element, figure, toggle } from "./elements.js";
import { beside, facts, winding } from "./facts.js";
import { heatStops } from "./fragment.js";
import { gridStep } from "./ground.js";
import { Morphs } from "./morphs.js";
import { HEATS, LAYOUTS, SIDES, TOGGLES, linkOf, readState } from "./state.js";
import { Transport, placeOf, timeOf } from "./transport.js";
import { Influences, JointList } from "./weights.js";

export class Controls {
  /**
   * `link` is false if the address belongs to someone else; `keep` has what else stays in it. The controls begin with the state
   * of the link `hash`, and call `onset` after each change of it.
   */
  constructor(viewer, data, { link, keep, hash, onset }) {
    this.viewer = viewer;
    this.data = data;
    this.isLinked = link;
    this.keep = keep;
    this.onset = onset;
    this.kind = data.comparison ? "models" : "solvers";
    const { camera, ...state } = readState(hash, data);
    this.state = state;
    if (camera) {
      state.camera = camera;
      viewer.camera.position.set(...camera.slice(0, 3));
      viewer.orbit.target.set(...camera.slice(3));
      viewer.orbit.update();
    }
    this.facts = facts(data, viewer.size);
    this.influences = new Influences(data);
    if (data.morphNodes.length) this.morphs = new Morphs(data, () => this.set({}));
    this.node = element("section", { className: "controls", "aria-label": "Controls" },
      data.comparison ? null : this.#moments(), this.#shown(), this.#heat(), this.#lines(), this.morphs?.node, this.#buttons(), this.facts);
    this.apply();
    if (data.images.length) this.#loadTextures();
  }

  /** Shows another scene of a document, and changes no element but the facts about it. Returns false if there must be others. */
  follow(data) {
    const names = ({ kind, poses, skins }) => JSON.stringify([kind, poses.map((pose) => pose.name), skins.map((skin) => skin.joints.map((joint) => [joint.name, joint.parent]))]);
    if (data.kind !== "document" || names(data) !== names(this.data)) return false;
    this.data = data;
    this.influences = new Influences(data);
    const about = facts(data, this.viewer.size);
    this.facts.replaceWith(about);
    this.facts = about;
    this.winding.textContent = winding(data);
    this.apply();
    return true;
  }

  /** Writes the state to the address, soon: browsers limit how often it may change. */
  write() {
    if (!this.isLinked || this.state.playing) return;
    clearTimeout(this.later);
    this.later = setTimeout(() => this.#writeNow(), 150);
  }

  /** Returns the link of what is shown, seen from a camera: its position and its target. */
  link(camera = []) {
    return linkOf(this.state, this.data, camera, this.keep);
  }

  #writeNow() {
    const { camera, orbit } = this.viewer;
    try { history.replaceState(null, "", this.link([...camera.position.toArray(), ...orbit.target.toArray()])); } catch { /* an address that cannot be changed */ }
  }

  #moments() {
    const { data, state } = this;
    const parts = [];
    if (data.kind === "document") {
      const names = ["Rest", ...data.poses.map((pose) => pose.name)];
      this.poseButtons = names.map((name, index) =>
        element("button", { type: "button", title: name, onclick: () => this.set({ pose: index, t: 1 }) }, name || "(no id)"));
      parts.push(element("div", { className: "poses", role: "group", "aria-label": "Poses" }, ...this.poseButtons));
    } else if (data.clips.length) {
      const options = ["Rest", ...data.clips.map((clip) => clip.name)].map((name, index) => element("option", { value: index }, name));
      this.clips = element("select", { onchange: () => this.#chooseClip(Number(this.clips.value)) }, ...options);
      parts.push(element("label", { className: "field" }, element("span", {}, "Animation"), this.clips));
      this.bakedButtons = element("div", { className: "poses", role: "group", "aria-label": "Baked times" });
      parts.push(this.bakedButtons);
    }
    state.playing = false;
    if (parts.length) this.transport = new Transport(this);
    return element("div", { className: "group" }, element("h2", {}, data.kind === "document" ? "Pose" : "Animation"), ...parts,
      parts.length ? null : element("p", {}, "The file has no animations: it is shown as its nodes are stored."));
  }

  #chooseClip(clip) {
    this.set({ clip, t: this.data.clips[clip - 1]?.start ?? 0 });
  }

  #shown() {
    const { comparison } = this.data;
    const [heading, ...legends] = comparison ? ["Models", "Left", "Right"] : ["Skinning", "Skinning", "Right of the split line"];
    this.left = choice(legends[0], "left", SIDES[this.kind], (left) => this.#show({ left }));
    this.right = choice(legends[1], "right", [["", "Same"], ...SIDES[this.kind]], (right) => this.#show({ right }));
    if (comparison) this.layout = choice("Layout", "layout", LAYOUTS, (layout) => this.#layOut(layout));
    this.status = element("p", { className: "status", role: "status" });
    return element("div", { className: "group" }, element("h2", {}, heading), this.layout?.node, this.left.node, this.right.node, this.status);
  }

  /** Shows both models of a comparison, each in its half or left and right of a line. */
  #layOut(layout) {
    const { left, right } = this.state;
    this.set({ layout, right: right || (left === "a" ? "b" : "a") });
    this.viewer.frameCamera(this.viewer.direction);
    this.write();
  }

  /** Shows a solver or the baked vertices; for the latter it goes to the nearest moment that has them. */
  #show(change) {
    const gpu = [change.left, change.right].find((shown) => shown === "lbs" || shown === "dqs");
    if (gpu && !(this.state.left === "baked" && change.right)) change.solver = gpu;
    if (change.left === "baked" || change.right === "baked") Object.assign(change, this.#nearestBaked());
    this.set(change);
  }

  #nearestBaked() {
    const { data, state } = this;
    if (data.kind === "document") return { t: 1 };
    const times = this.#bakedTimes();
    const distance = (time) => Math.abs(time - state.t);
    return times.length ? { t: times.reduce((a, b) => (distance(b) < distance(a) ? b : a)) } : {};
  }

  /** Returns the times of the present clip for which there are baked vertices. */
  #bakedTimes() {
    const clip = this.data.clips[this.state.clip - 1];
    if (!clip) return [];
    const frames = Array.from({ length: clip.count }, (_, i) => i).filter((i) => this.data.frames[clip.first + i].baked);
    return frames.map((i) => timeOf(clip, i));
  }

  #heat() {
    this.heat = choice(this.data.comparison ? "Colour by distance" : "Colour by distance or weights", "heat", HEATS[this.kind], (heat) =>
      this.set(heat === "baked" ? { heat, ...this.#nearestBaked() } : { heat }));
    const colors = heatStops.map((stop) => `rgb(${stop.join()})`).join();
    const bar = element("div", { className: "bar" });
    bar.style.background = `linear-gradient(to right, ${colors})`;
    this.most = element("span", {});
    this.mean = element("p", {});
    this.noColors = element("p", { className: "status", role: "status" });
    this.legend = element("div", { className: "legend" }, bar, element("div", { className: "ends" }, element("span", {}, "0"), this.most), this.mean);
    const skins = this.data.skins.filter((_, index) => index !== this.data.nodesSkin);
    if (skins.length && !this.data.comparison) this.joints = new JointList(skins, (joint) => this.set({ joint, heat: "joint" }));
    const { comparison } = this.data;
    const rule = comparison && (comparison.byNumber
      ? "Each vertex is compared with the vertex of the same number in the other model."
      : "The meshes do not pair vertex by vertex, so each vertex is compared with the nearest vertex of the other model.");
    return element("div", { className: "group" }, element("h2", {}, this.data.comparison ? "Distances" : "Colours"), this.heat.node, this.noColors, this.legend, this.joints?.node,
      ...(comparison ? beside(this.data) : []), rule && element("p", { className: "small" }, rule));
  }

  #lines() {
    const wanted = Object.entries(TOGGLES).filter(([key]) => key !== "joints" || !this.data.comparison);
    this.toggles = Object.fromEntries(wanted.map(([key, text]) => [key, toggle(text, (on) => this.set({ [key]: on }))]));
    const nodes = Object.values(this.toggles).map(({ node }) => node);
    if (this.data.images.length) {
      this.textures = toggle("Textures", (on) => this.set({ plain: !on }));
      nodes.push(this.textures.node);
    }
    this.step = element("p", { className: "small" }, `Grid: ${figure(gridStep(this.viewer.size))} units`);
    this.undecoded = element("p", { className: "status", role: "status" });
    this.winding = element("p", { className: "small" }, winding(this.data));
    return element("div", { className: "group" }, element("h2", {}, "Show"), element("div", { className: "toggles" }, ...nodes),
      this.step, this.undecoded, this.winding);
  }

  async #loadTextures() {
    const failed = await this.viewer.loadTextures();
    if (failed) this.undecoded.textContent = `This browser cannot decode ${failed} of ${this.data.images.length} images.`;
  }

  #buttons() {
    const button = (text, onclick) => element("button", { type: "button", onclick }, text);
    this.copied = element("span", { role: "status", className: "small" });
    return element("div", { className: "group buttons" },
      button("Frame", () => { this.viewer.frameCamera(); this.write(); }),
      ...(this.data.comparison ? SIDES.models : []).map(([model, name]) => button(`Only ${name}`, () => this.#frameOnly(model))),
      this.data.comparison ? button("Blink", () => this.blink()) : null,
      ...[["Front", [0, 0, 1]], ["Side", [1, 0, 0]], ["Top", [0, 1, 0.001]]].map(([name, to]) =>
        button(name, () => { this.viewer.frameCamera(new Vector3(...to)); this.write(); })),
      button("Screenshot", () => this.screenshot()), this.copied);
  }

  /** Shows one model of a comparison alone, as large as the picture. */
  #frameOnly(model) {
    this.set({ left: model, right: "" });
    this.viewer.frameCamera();
  }

  /** Shows the other model of a comparison alone, from the same place. */
  blink() {
    if (this.data.comparison) this.set({ left: this.state.left === "a" ? "b" : "a", right: "" });
  }

  screenshot() {
    this.viewer.drawNow();
    this.viewer.canvas.toBlob((blob) => {
      const link = element("a", { href: URL.createObjectURL(blob), download: `${this.data.name}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      this.copied.textContent = "The picture has been saved.";
    });
  }

  set(change) {
    Object.assign(this.state, change);
    this.apply();
    this.write();
    this.onset();
  }

  /** Brings the picture and the controls to the state. */
  apply() {
    const { state, data, viewer } = this;
    const [frame, blend, part = 0] = this.#moment();
    const { dqs: isDual } = data.frames[frame];
    const solver = isDual ? state.solver : "lbs";
    const isBaked = part === 0 && data.hasBaked(frame, blend, solver);
    const shown = (value) => (data.comparison ? value : value === "baked" && isBaked ? "baked" : value === "lbs" || !isDual ? "lbs" : value === "baked" ? solver : value);
    const wanted = [state.left, state.right, state.heat];
    Object.assign(viewer.view, { left: shown(state.left), right: state.right ? shown(state.right) : null, split: state.split, layout: state.layout, solver });
    viewer.view.heat = (state.heat === "baked" && !isBaked) || (state.heat === "solvers" && !isDual) ? "none" : state.heat;
    viewer.uniforms.backFaces.value = state.back;
    viewer.setFrame(frame, blend, part);
    viewer.showLines(state.edges, state.normals);
    const [skin, joint] = state.joint.split(".").map(Number);
    this.picked = state.joint ? { skin, joint } : null;
    viewer.showJoints(state.joints || state.heat === "joint", this.picked);
    viewer.meshes.forEach((mesh) => mesh.pick(this.picked));
    viewer.showBounds(state.bounds);
    viewer.showGround(state.shadow, state.grid);
    viewer.showTextures(!state.plain);
    const remarks = [];
    if (wanted.includes("baked") && !isBaked && !state.playing) remarks.push("There are no baked vertices for this moment; the GPU’s are shown.");
    if (!isDual && !data.comparison) remarks.push("There are no dual quaternions for this moment, because a joint’s matrix has no rotation, or its scale is rejected.");
    if (state.playing && data.clips.length) remarks.push("While it plays, the picture is interpolated between the frames that rigy-batch has sampled.");
    this.status.textContent = remarks.join(" ");
    this.noColors.textContent = this.#whyNoColors(isBaked, isDual);
    this.#applyHeat();
    this.#applyControls();
    this.transport?.apply();
    this.morphs?.apply(frame, part);
  }

  /** Returns why the distances that are wanted are not shown, as a sentence; empty if they are. */
  #whyNoColors(isBaked, isDual) {
    const { heat, playing } = this.state;
    if (heat === "baked" && playing) return "While it plays, there are no baked vertices to measure distances from.";
    if (heat === "baked" && !isBaked) return "There are no baked vertices for this moment, so there are no distances to show.";
    if (heat === "joint" && !this.joints) return "The model has no joints that move vertices.";
    if (heat === "joint" && !this.picked) return "Pick a joint in the list, or near it in the picture.";
    if (heat === "solvers" && !isDual) return "There are no dual quaternions for this moment, so there are no distances to show.";
    return "";
  }

  #moment() {
    const { state, data } = this;
    if (data.kind === "document") return state.pose ? [data.poses[state.pose - 1].frame, state.t] : [0, 1];
    const clip = data.clips[state.clip - 1];
    if (!clip) return [0, 1];
    const place = placeOf(clip, state.t);
    const frame = clip.first + Math.floor(place);
    // Comparisons are of sampled frames only, so the picture stays at these unless it plays.
    const isBetween = state.playing && place % 1 > 0 && data.frames[frame].dqs === data.frames[frame + 1].dqs;
    return isBetween ? [frame, 1, place % 1] : [clip.first + Math.round(place), 1];
  }

  /** Measures the distances of the heat map. While an animation plays, the scale only grows. */
  #applyHeat() {
    const { viewer, state } = this;
    const isOn = viewer.view.heat !== "none";
    this.legend.hidden = !isOn;
    if (this.joints) this.joints.node.hidden = state.heat !== "joint";
    if (!isOn) return;
    if (state.heat === "joint" || state.heat === "count") return this.#applyWeights();
    if (state.playing) return;
    const gap = viewer.measureGap();
    viewer.uniforms.heatScale.value = gap && gap.most > 0 ? gap.most : 1;
    this.most.textContent = gap ? `${figure(gap.most)} units` : "";
    const share = gap ? (100 * gap.most) / viewer.size : 0;
    this.mean.textContent = gap ? `Greatest distance ${figure(share)} % of the size, mean ${figure(gap.mean)} units.` : "There is nothing to compare.";
  }

  /** Shows what the colours of weights mean. */
  #applyWeights() {
    const { scale, end, text } = this.influences.legend(this.state.heat === "count", this.picked);
    this.viewer.uniforms.heatScale.value = scale;
    this.most.textContent = end;
    this.mean.textContent = text;
  }

  /** Picks a joint, given by indices of its skin and in it, and shows its weights. */
  pick({ skin, joint }) {
    this.set({ joint: `${skin}.${joint}`, heat: "joint" });
  }

  #applyControls() {
    const { state, data } = this;
    this.left.set(state.left);
    this.right.set(state.right);
    this.layout?.set(state.layout);
    this.heat.set(state.heat);
    this.joints?.set(state.joint || null);
    for (const [key, { input }] of Object.entries(this.toggles)) input.checked = state[key];
    this.step.hidden = !state.grid;
    if (this.textures) this.textures.input.checked = !state.plain;
    this.poseButtons?.forEach((button, index) => button.setAttribute("aria-pressed", String(index === state.pose)));
    if (!this.clips) return;
    const clip = data.clips[state.clip - 1];
    this.clips.value = state.clip;
    this.bakedButtons.hidden = !clip;
    if (!clip) return;
    if (this.bakedClip !== state.clip) {
      this.bakedClip = state.clip;
      const button = (t) => element("button", { type: "button", onclick: () => this.set({ t }) }, `${t.toFixed(2)} s`);
      const buttons = this.#bakedTimes().map(button);
      this.bakedButtons.replaceChildren(...(buttons.length ? [element("span", { className: "small" }, "Baked at")] : []), ...buttons);
    }
  }
}
