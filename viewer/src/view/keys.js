// Keys, and the dialog that lists them.
import { element } from "./elements.js";

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
export function listen(where, canvas, opened) {
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
