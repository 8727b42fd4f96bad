// The viewer in an element: picture, labels and controls.
import { Controls } from "./controls.js";
import { SceneData } from "./data.js";
import { element } from "./elements.js";
import { keyDialog, listenToKeys, listenToPointer, splitLine } from "./input.js";
import { listenToFiles } from "./scenes.js";
import { Viewer } from "./viewer.js";

const KINDS = { document: "Rigy document", gltf: "glTF file", comparison: "Comparison" };
const SOLVERS = { lbs: "LBS", dqs: "DQS" };

/**
 * Shows a scene in `root`. `description` is its parsed JSON, `block` the bytes of its block. With `link`, the address
 * holds the view, and `keep` beside it. `back` is a link for the head of the page, and `region` the kind of element that the viewer is. `onset` is called after each change of the controls. Returns null if the browser cannot show it, else the
 * open viewer.
 */
export function openViewer(root, description, block, { link = true, back = null, keep = {}, region = "main", onset = () => {} } = {}) {
  const frame = pageFrame(back, region);
  root.replaceChildren(frame.main);
  const data = new SceneData(description, block);
  try {
    return new OpenViewer(root, frame, data, { link, keep, onset });
  } catch (error) {
    frame.title(data);
    frame.picture.replaceChildren(element("p", { role: "alert", className: "failure" }, `This browser cannot show the model: ${error.message}`));
    return null;
  }
}

/** Returns the elements around the picture. */
function pageFrame(back, region) {
  const canvas = element("canvas", { tabIndex: 0, role: "img" });
  const [left, right] = ["left", "right"].map((side) => element("span", { className: `tag ${side}` }));
  const picture = element("div", { className: "picture" }, canvas, left, right);
  const [name, kind] = [element("h1", {}), element("span", {})];
  const main = element(region, { className: "viewer", "aria-label": "Model" }, element("header", {}, back, name, kind), picture);
  const title = (data) => {
    const short = data.comparison && shortNames(data.comparison);
    canvas.setAttribute("aria-label", `Picture of ${data.name}. Arrow keys turn it, plus and minus zoom, question mark lists all keys.`);
    name.textContent = short ? `${short.a} → ${short.b}` : data.name;
    kind.textContent = KINDS[data.kind];
  };
  return { main, picture, canvas, left, right, title };
}

/** A viewer that is open: `viewer` draws, `controls` are beside it, `data` is the scene. */
class OpenViewer {
  constructor(root, frame, data, options) {
    Object.assign(this, { root, frame, data, options });
    frame.title(data);
    this.viewer = new Viewer(frame.canvas, data);
    this.line = splitLine((split) => this.controls.set({ split }));
    frame.picture.append(this.line.node);
    this.viewer.ondraw = () => this.#label();
    this.viewer.orbit.addEventListener("end", () => this.controls.write());
    this.viewer.resize();
    this.viewer.frameCamera();
    this.#setControls(options.link ? location.hash : "");
    this.viewer.resize(); // the controls have taken some of the room
    if (!this.controls.state.camera) this.viewer.frameCamera(); // of the moment that the address names
    this.keys = keyDialog(this);
    frame.main.append(this.keys);
    this.unlisten = [listenToKeys(options.link ? document : frame.main, frame.canvas, this)];
    listenToPointer(frame.canvas, this);
    if (options.link) this.unlisten.push(listenToFiles(frame.picture, this));
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.recolor = () => { this.viewer.recolor(); this.controls.apply(); };
    this.scheme.addEventListener("change", this.recolor);
  }

  /**
   * Shows another scene in the place of the present one, and of it what was shown before: the pose of the same name, from the same
   * side. A `fresh` scene is shown as one with which the viewer opens.
   */
  show(description, block, { fresh = false } = {}) {
    const data = new SceneData(description, block); // which may throw an error
    this.controls.state.playing = false;
    this.data = data;
    this.viewer.show(this.data);
    this.frame.title(this.data);
    if (!fresh && this.controls.follow(this.data)) return;
    const { scrollTop } = this.controls.node;
    this.#setControls(fresh ? "" : this.controls.link());
    this.controls.node.scrollTop = scrollTop;
  }

  /** Shows another scene that someone has chosen, as one with which the viewer opens. */
  replace(description, block) {
    this.show(description, block, { fresh: true });
    document.title = `${this.data.name} – rigy-batch`;
    this.viewer.frameCamera();
    this.say("");
  }

  /** Says something in the picture; nothing if the text is empty. */
  say(text) {
    this.said?.remove();
    this.said = text ? element("p", { role: "alert", className: "said" }, text, " ", element("button", { type: "button", onclick: () => this.say("") }, "Close")) : null;
    if (this.said) this.frame.picture.append(this.said);
  }

  #setControls(hash) {
    const { viewer, data, options } = this;
    this.controls?.node.remove();
    this.controls?.transport?.node.remove();
    this.short = data.comparison && shortNames(data.comparison);
    this.controls = new Controls(viewer, data, { ...options, hash });
    this.frame.picture.after(...[this.controls.transport?.node, this.controls.node].filter(Boolean));
  }

  /** Says in the picture what is left and right of the split line. */
  #label() {
    const { viewer: { view }, short, line, frame: { picture, left, right } } = this;
    const tag = (shown) => (short ? `${shown.toUpperCase()}: ${short[shown]}` : shown === "baked" ? `Baked by ${SOLVERS[view.solver]}` : `GPU, ${SOLVERS[shown]}`);
    left.textContent = tag(view.left);
    right.textContent = view.right === null ? "" : tag(view.right);
    right.hidden = view.right === null;
    line.node.hidden = right.hidden || view.layout === "side";
    picture.classList.toggle("halves", !right.hidden && view.layout === "side");
    line.set(view.split);
  }

  /** Shows the dialog of keys. */
  showKeys() {
    if (!this.keys.open) this.keys.showModal();
  }

  /** Frees the GPU's memory and removes the viewer. */
  close() {
    this.scheme.removeEventListener("change", this.recolor);
    this.unlisten.forEach((stop) => stop());
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
