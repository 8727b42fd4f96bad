// The split line of the picture, which is dragged by hand and by keys.
import { element } from "./elements.js";

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
