// Saving files.
import { element } from "../../viewer/src/view/elements.js";

/** Saves bytes or text as a file, as the browser does. */
export function save(content, name) {
  const url = URL.createObjectURL(new Blob([content]));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Returns a size in words. */
export function sizeOf(bytes) {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(2)} MB`;
}
