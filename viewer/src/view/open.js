// The viewer in an element: picture, labels and controls.
import { Controls } from "./controls.js";
import { SceneData, decodeBase64 } from "./data.js";
import { element } from "./elements.js";
import { Viewer } from "./viewer.js";

const KINDS = { document: "Rigy document", gltf: "glTF file", comparison: "Comparison" };
const SOLVERS = { lbs: "LBS", dqs: "DQS" };

/**
 * Shows a scene in `root`. `description` is its parsed JSON, `block` its block, as bytes or as base64 text. With `link`, the address
 * holds the view, and `keep` beside it. `back` is a link for the head of the page, and `region` the kind of element that the viewer is. `onset` is called after each change of the controls. Returns null if the browser cannot show it, else the
 * open viewer.
 */
export function openViewer(root, description, block, { link = true, back = null, keep = {}, region = "main", onset = () => {} } = {}) {
  const frame = pageFrame(back, region);
  root.replaceChildren(frame.main);
  const data = sceneOf(description, block);
  try {
    return new OpenViewer(root, frame, data, { link, keep, onset });
  } catch (error) {
    frame.title(data);
    frame.picture.replaceChildren(element("p", { role: "alert", className: "failure" }, `This browser cannot show the model: ${error.message}`));
    return null;
  }
}

function sceneOf(description, block) {
  return new SceneData(description, typeof block === "string" ? decodeBase64(block) : block);
}

/** Returns the elements around the picture. */
function pageFrame(back, region) {
  const canvas = element("canvas", { tabIndex: 0, role: "img" });
  const [left, right, line] = [element("span", { className: "tag left" }), element("span", { className: "tag right" }), element("div", { className: "line" })];
  const picture = element("div", { className: "picture" }, canvas, line, left, right);
  const [name, kind] = [element("h1", {}), element("span", {})];
  const main = element(region, { className: "viewer", "aria-label": "Model" }, element("header", {}, back, name, kind), picture);
  const title = (data) => {
    const short = data.comparison && shortNames(data.comparison);
    canvas.setAttribute("aria-label", `Picture of ${data.name}. Arrow keys turn it, plus and minus zoom.`);
    name.textContent = short ? `${short.a} → ${short.b}` : data.name;
    kind.textContent = KINDS[data.kind];
  };
  return { main, picture, canvas, left, right, line, title };
}

/** A viewer that is open: `viewer` draws, `controls` are beside it, `data` is the scene. */
class OpenViewer {
  constructor(root, frame, data, options) {
    Object.assign(this, { root, frame, data, options });
    frame.title(data);
    this.viewer = new Viewer(frame.canvas, data);
    this.viewer.ondraw = () => this.#label();
    this.viewer.orbit.addEventListener("end", () => this.controls.write());
    this.viewer.resize();
    this.viewer.frameCamera();
    this.#setControls(options.link ? location.hash : "");
    if (!this.controls.state.camera) this.viewer.frameCamera(); // of the moment that the address names
    listen(frame.canvas, this);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.recolor = () => { this.viewer.recolor(); this.controls.apply(); };
    this.scheme.addEventListener("change", this.recolor);
  }

  /**
   * Shows another scene in the place of the present one, and of it what was shown before: the pose of the same name, from the same
   * side. A `fresh` scene is shown as one with which the viewer opens.
   */
  show(description, block, { fresh = false } = {}) {
    this.controls.state.playing = false;
    this.data = sceneOf(description, block);
    this.viewer.show(this.data);
    this.frame.title(this.data);
    if (!fresh && this.controls.follow(this.data)) return;
    const { scrollTop } = this.controls.node;
    this.#setControls(fresh ? "" : this.controls.link());
    this.controls.node.scrollTop = scrollTop;
  }

  #setControls(hash) {
    const { viewer, data, options } = this;
    this.controls?.node.remove();
    this.short = data.comparison && shortNames(data.comparison);
    this.controls = new Controls(viewer, data, { ...options, hash });
    this.frame.main.append(this.controls.node);
  }

  /** Says in the picture what is left and right of the split line. */
  #label() {
    const { viewer: { view }, short, frame: { left, right, line } } = this;
    const tag = (shown) => (short ? `${shown.toUpperCase()}: ${short[shown]}` : shown === "baked" ? `Baked by ${SOLVERS[view.solver]}` : `GPU, ${SOLVERS[shown]}`);
    left.textContent = tag(view.left);
    right.textContent = view.right === null ? "" : tag(view.right);
    line.hidden = right.hidden = view.right === null;
    line.style.left = `${100 * view.split}%`;
  }

  /** Frees the GPU's memory and removes the viewer. */
  close() {
    this.scheme.removeEventListener("change", this.recolor);
    this.controls.state.playing = false;
    this.viewer.dispose();
    this.root.replaceChildren();
  }
}

/** Returns two paths without the directories that both begin with. */
function shortNames({ a, b }) {
  const [first, second] = [a, b].map((path) => path.split("/"));
  let common = 0;
  while (common < Math.min(first.length, second.length) - 1 && first[common] === second[common]) common++;
  return { a: first.slice(common).join("/"), b: second.slice(common).join("/") };
}

/** Keys in the picture. */
function listen(canvas, opened) {
  const { viewer } = opened;
  const step = Math.PI / 24;
  const keys = {
    ArrowLeft: () => viewer.turn(-step, 0), ArrowRight: () => viewer.turn(step, 0),
    ArrowUp: () => viewer.turn(0, -step), ArrowDown: () => viewer.turn(0, step),
    "+": () => viewer.turn(0, 0, 1 / 1.15), "=": () => viewer.turn(0, 0, 1 / 1.15), "-": () => viewer.turn(0, 0, 1.15),
    f: () => viewer.frameCamera(), s: () => opened.controls.screenshot(),
  };
  canvas.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
    opened.controls.write();
  });
}
