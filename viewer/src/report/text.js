// Text and elements. Text from files reaches the page through textContent only.

import { printable } from "../printable.js";

/**
 * Returns an element with attributes and children. Strings among the children are shown as they are, with control characters
 * escaped. Attributes whose value is null or false are left out; functions are listeners.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children) {
    if (child === null || child === undefined) continue;
    element.append(typeof child === "string" ? document.createTextNode(printable(child)) : child);
  }
  return element;
}

const NUMBERS = new Intl.NumberFormat("en");

/** Returns a whole number with separators of thousands. */
export function number(value) {
  return NUMBERS.format(value);
}

/** Returns a number with a word in the singular or the plural. */
export function counted(count, word) {
  return `${number(count)} ${word}${count === 1 ? "" : "s"}`;
}

/** Returns a length in bytes with a unit, or a dash if it is null. */
export function size(bytes) {
  if (bytes === null) return "–";
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < 2) [value, unit] = [value / 1000, unit + 1];
  return `${value.toPrecision(3)} ${units[unit]}`;
}

/** Returns a time in seconds with a unit, or a dash if it is null. */
export function duration(seconds) {
  if (seconds === null) return "–";
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(0)} µs`;
  if (seconds < 1) return `${(seconds * 1e3).toPrecision(3)} ms`;
  if (seconds < 100) return `${seconds.toPrecision(3)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns the directory and the name of a path with `/` or `\` between its parts. */
export function splitPath(path) {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return [path.slice(0, at + 1), path.slice(at + 1)];
}

/** Returns the directory that the paths `a` and `b` share. */
export function sharedDirectory(a, b) {
  if (b.startsWith(a)) return a;
  let end = 0;
  while (a[end] === b[end]) end += 1;
  return splitPath(a.slice(0, end))[0];
}

/** Returns a button that copies a text as the page shows it. `what` says which, for those who hear it. */
export function copyButton(text, what) {
  const button = h("button", { type: "button", class: "copy", title: `Copy ${what}` });
  const say = (word) => {
    button.textContent = word;
    button.setAttribute("aria-label", `${word} ${what}`);
  };
  say("Copy");
  button.addEventListener("click", async (event) => {
    event.stopPropagation();
    say((await copied(printable(text))) ? "Copied" : "Not copied");
    setTimeout(() => say("Copy"), 1500);
  });
  return button;
}

/** Copies a text. Returns whether that was possible: some browsers refuse it for files, and do it by the older way. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea", { class: "copied", readonly: true });
    area.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
