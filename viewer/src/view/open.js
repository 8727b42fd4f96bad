// The viewer in an element: picture, labels and controls.
import { Controls } from "./controls.js";
import { SceneData, decodeBase64 } from "./data.js";
import { element } from "./elements.js";
import { Viewer } from "./viewer.js";

/**
 * Shows a scene in `root`. `description` is its parsed JSON, `block` the base64 text of its block. With `link`, the address
 * holds the view, and `keep` beside it. `back` is a link for the head of the page. Returns null if the browser cannot show it, else an object whose `close` frees the GPU's memory.
 */
export function openViewer(root, description, block, { link = true, back = null, keep = {} } = {}) {
  const canvas = element("canvas", { tabIndex: 0, "aria-label": `Picture of ${description.name}. Arrow keys turn it, plus and minus zoom.`, role: "img" });
  const left = element("span", { className: "tag left" });
  const right = element("span", { className: "tag right" });
  const line = element("div", { className: "line" });
  const picture = element("div", { className: "picture" }, canvas, line, left, right);
  const kind = { document: "Rigy document", gltf: "glTF file", comparison: "Comparison" }[description.kind];
  const short = description.comparison && shortNames(description.comparison);
  const header = element("header", {}, back, element("h1", {}, short ? `${short.a} → ${short.b}` : description.name), element("span", {}, kind));
  const main = element("main", { className: "viewer" }, header, picture);
  root.replaceChildren(main);
  const data = new SceneData(description, decodeBase64(block));
  let viewer;
  try {
    viewer = new Viewer(canvas, data);
  } catch (error) {
    picture.replaceChildren(element("p", { role: "alert", className: "failure" }, `This browser cannot show the model: ${error.message}`));
    return null;
  }
  const names = { lbs: "LBS", dqs: "DQS", baked: "Baked" };
  viewer.ondraw = () => {
    const view = viewer.view;
    const tag = (shown) => (short ? `${shown.toUpperCase()}: ${short[shown]}` : shown === "baked" ? `Baked by ${names[view.solver]}` : `GPU, ${names[shown]}`);
    left.textContent = tag(view.left);
    right.textContent = view.right === null ? "" : tag(view.right);
    line.hidden = right.hidden = view.right === null;
    line.style.left = `${100 * view.split}%`;
  };
  viewer.resize();
  viewer.frameCamera();
  const controls = new Controls(viewer, data, link, keep);
  main.append(controls.node);
  if (!controls.state.camera) viewer.frameCamera(); // of the moment that the address names
  listen(canvas, viewer, controls);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const recolor = () => controls.apply();
  scheme.addEventListener("change", recolor);
  const close = () => {
    scheme.removeEventListener("change", recolor);
    controls.state.playing = false;
    viewer.dispose();
    root.replaceChildren();
  };
  return { viewer, controls, data, close };
}

/** Returns two paths without the directories that both begin with. */
function shortNames({ a, b }) {
  const [first, second] = [a, b].map((path) => path.split("/"));
  let common = 0;
  while (common < Math.min(first.length, second.length) - 1 && first[common] === second[common]) common++;
  return { a: first.slice(common).join("/"), b: second.slice(common).join("/") };
}

/** Keys in the picture. */
function listen(canvas, viewer, controls) {
  const step = Math.PI / 24;
  const keys = {
    ArrowLeft: () => viewer.turn(-step, 0), ArrowRight: () => viewer.turn(step, 0),
    ArrowUp: () => viewer.turn(0, -step), ArrowDown: () => viewer.turn(0, step),
    "+": () => viewer.turn(0, 0, 1 / 1.15), "=": () => viewer.turn(0, 0, 1 / 1.15), "-": () => viewer.turn(0, 0, 1.15),
    f: () => viewer.frameCamera(), s: () => controls.screenshot(),
  };
  canvas.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
    controls.write();
  });
}
