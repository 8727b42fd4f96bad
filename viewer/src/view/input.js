// Handlers of the keyboard and of the pointer in the picture, the dialog that lists the keys, and the handle of the split line.
import { element } from "./elements.js";
import { jointNear } from "./picking.js";

const STEP = Math.PI / 24;

/** What keys do: keys of an event, how they are called, what they do, and whether they only work in the picture. */
function actions(opened) {
  const { viewer } = opened;
  const moved = (act) => () => { act(); opened.controls.write(); };
  const turn = (...by) => moved(() => viewer.turn(...by));
  return [
    { name: "Arrows", text: "turn the model", inPicture: true, keys: { ArrowLeft: turn(-STEP, 0), ArrowRight: turn(STEP, 0), ArrowUp: turn(0, -STEP), ArrowDown: turn(0, STEP) } },
    { name: "+ −", text: "zoom", inPicture: true, keys: { "+": turn(0, 0, 1 / 1.15), "=": turn(0, 0, 1 / 1.15), "-": turn(0, 0, 1.15) } },
    { name: "F", text: "frame the model", inPicture: true, keys: { f: moved(() => viewer.frameCamera()) } },
    { name: "Space", text: "play or pause", keys: { " ": () => opened.controls.transport?.toggle() } },
    { name: ", .", text: "one frame back, or on; so do the arrows in the bar of the time", keys: { ",": () => opened.controls.transport?.step(-1), ".": () => opened.controls.transport?.step(1) } },
    { name: "B", text: "in a comparison, show the other model alone", inPicture: true, keys: { b: () => opened.controls.blink() } },
    { name: "S", text: "save a screenshot", inPicture: true, keys: { s: () => opened.controls.screenshot() } },
    { name: "?", text: "show the keys", keys: { "?": () => opened.showKeys() } },
  ];
}

const POINTER = [
  ["Drag", "turn the model; with the right button or two fingers, move it"],
  ["Wheel or pinch", "zoom"],
  ["Double click", "bring what is there to the middle; beside the model, frame all"],
  ["Click near a joint", "pick it, while joints or weights are shown"],
  ["Drag the split line", "move it"],
];

/** Returns the dialog of keys. */
export function keyDialog(opened) {
  const rows = [...actions(opened).map(({ name, text }) => [name, text]), ...POINTER];
  const list = rows.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]);
  const dialog = element("dialog", { className: "keys", "aria-label": "Keys" }, element("h2", {}, "Keys and pointer"), element("dl", {}, ...list),
    element("button", { type: "button", onclick: () => dialog.close() }, "Close"));
  return dialog;
}

/** Listens to keys. `where` is the page, or the part of it that belongs to the viewer. */
export function listenToKeys(where, canvas, opened) {
  const all = actions(opened);
  const act = (event, inPicture) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const found = all.find((action) => Boolean(action.inPicture) === inPicture && action.keys[event.key]);
    if (!found) return;
    event.preventDefault();
    found.keys[event.key]();
  };
  const inPage = (event) => {
    // Fields take letters, and buttons and the like are pressed by Space.
    const { target } = event;
    const isField = target.matches?.("textarea, select, input:not([type=range]), [contenteditable]");
    if (!isField && !(event.key === " " && target.matches?.("button, a, summary"))) act(event, false);
  };
  canvas.addEventListener("keydown", (event) => act(event, true));
  where.addEventListener("keydown", inPage);
  return () => where.removeEventListener("keydown", inPage);
}

/** Listens to the pointer: a double click brings a point to the middle, a click near a joint picks it. */
export function listenToPointer(canvas, opened) {
  let down = null;
  const place = ({ clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
  const pick = (at) => {
    const joint = down && Math.hypot(at[0] - down[0], at[1] - down[1]) <= 4 && jointNear(opened.viewer, ...at);
    if (joint) opened.controls.pick(joint);
  };
  canvas.addEventListener("pointerdown", (event) => { down = place(event); });
  canvas.addEventListener("click", (event) => pick(place(event)));
  canvas.addEventListener("dblclick", (event) => { opened.viewer.frameAt(...place(event)); opened.controls.write(); });
}

/** Returns the line; `onmove` is called with the part of the picture that is left of it, from 0 to 1. */
export function splitLine(onmove) {
  const node = element("div", { className: "line", tabIndex: 0, role: "slider", "aria-label": "Split line", "aria-valuemin": 0, "aria-valuemax": 100 });
  let part = 0.5;
  const moveTo = (value) => {
    part = Math.min(Math.max(value, 0), 1);
    onmove(part);
  };
  const follow = ({ clientX }) => {
    const { left, width } = node.parentElement.getBoundingClientRect();
    moveTo((clientX - left) / width);
  };
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    node.focus();
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => node.hasPointerCapture(event.pointerId) && follow(event));
  node.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 0.1 : 0.01;
    const to = { ArrowLeft: part - step, ArrowDown: part - step, ArrowRight: part + step, ArrowUp: part + step, PageDown: part - 0.1, PageUp: part + 0.1, Home: 0, End: 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    moveTo(to);
  });
  return {
    node,
    set(value) {
      part = value;
      node.style.left = `${100 * value}%`;
      node.setAttribute("aria-valuenow", Math.round(100 * value));
      node.setAttribute("aria-valuetext", `${Math.round(100 * value)} % of the picture`);
    },
  };
}
