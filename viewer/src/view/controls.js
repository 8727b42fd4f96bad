// The controls beside the picture. They hold the state of the page and write it to the address.
import { Vector3 } from "three";
import { Colors } from "./colors.js";
import { choice, element, figure, toggle } from "./elements.js";
import { facts, winding } from "./facts.js";
import { LAYOUTS, SIDES, TOGGLES, linkOf, readState } from "./state.js";
import { Moments, Transport } from "./time.js";
import { Morphs } from "./weights.js";

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
    this.moments = new Moments(this);
    this.colors = new Colors(this);
    if (this.moments.hasChoice) this.transport = new Transport(this);
    if (data.morphNodes.length) this.morphs = new Morphs(data, () => this.set({}));
    this.node = element("section", { className: "controls", "aria-label": "Controls" },
      data.comparison && !data.clips.length ? null : this.moments.node, this.#shown(), this.colors.node, this.#lines(), this.morphs?.node, this.#buttons(), this.facts);
    this.apply();
    if (data.images.length) this.#loadTextures();
  }

  /** Shows another scene of a document, and changes no element but the facts about it. Returns false if there must be others. */
  follow(data) {
    const names = ({ kind, poses, skins }) => JSON.stringify([kind, poses.map((pose) => pose.name), skins.map((skin) => skin.joints.map((joint) => [joint.name, joint.parent]))]);
    if (data.kind !== "document" || names(data) !== names(this.data)) return false;
    this.data = data;
    this.colors.follow();
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
    if (change.left === "baked" || change.right === "baked") Object.assign(change, this.moments.nearestBaked());
    this.set(change);
  }

  #lines() {
    const wanted = Object.entries(TOGGLES).filter(([key]) => key !== "joints" || !this.data.comparison);
    this.toggles = Object.fromEntries(wanted.map(([key, text]) => [key, toggle(text, (on) => this.set({ [key]: on }))]));
    const nodes = Object.values(this.toggles).map(({ node }) => node);
    if (this.data.images.length) {
      this.textures = toggle("Textures", (on) => this.set({ plain: !on }));
      nodes.push(this.textures.node);
    }
    this.step = element("p", { className: "small" });
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
    const moment = data.at(this.moments.now());
    const isDual = !data.comparison && moment.hasDual;
    const solver = isDual ? state.solver : "lbs";
    const isBaked = data.hasBaked(moment, solver);
    const shown = (value) => (data.comparison ? value : value === "baked" && isBaked ? "baked" : value === "lbs" || !isDual ? "lbs" : value === "baked" ? solver : value);
    const wanted = [state.left, state.right, state.heat];
    Object.assign(viewer.view, { left: shown(state.left), right: state.right ? shown(state.right) : null, split: state.split, layout: state.layout, solver });
    const isKnown = { baked: isBaked, solvers: isDual, models: moment.clip === null }[state.heat] ?? true;
    viewer.view.heat = isKnown ? state.heat : "none";
    viewer.uniforms.backFaces.value = state.back;
    viewer.showGround(state.shadow, state.grid);
    viewer.setMoment(moment);
    viewer.showLines(state.edges, state.normals);
    const [skin, joint] = state.joint.split(".").map(Number);
    this.picked = state.joint ? { skin, joint } : null;
    viewer.showMarks(state.joints || state.heat === "joint", this.picked, state.bounds);
    viewer.meshes.forEach((mesh) => mesh.pick(this.picked));
    viewer.showTextures(!state.plain);
    const remarks = [];
    if (wanted.includes("baked") && !isBaked && !state.playing) remarks.push("There are no baked vertices for this moment; the GPU’s are shown.");
    if (!isDual && !data.comparison) remarks.push("There are no dual quaternions for this moment, because a joint’s matrix has no rotation, its scale is rejected, or an instance is scaled.");
    this.status.textContent = remarks.join(" ");
    this.colors.apply(isBaked, isDual);
    this.moments.apply();
    this.#applyControls();
    this.transport?.apply();
    this.morphs?.apply(moment);
  }

  /** Picks a joint, given by indices of its skin and in it, and shows its weights. */
  pick({ skin, joint }) {
    this.set({ joint: `${skin}.${joint}`, heat: "joint" });
  }

  #applyControls() {
    const { state } = this;
    this.left.set(state.left);
    this.right.set(state.right);
    this.layout?.set(state.layout);
    for (const [key, { input }] of Object.entries(this.toggles)) input.checked = state[key];
    this.step.hidden = !state.grid;
    if (state.grid) this.step.textContent = `Grid: ${figure(this.viewer.ground.step)} units`;
    if (this.textures) this.textures.input.checked = !state.plain;
  }
}
