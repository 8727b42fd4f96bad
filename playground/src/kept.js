// The documents that were edited last, which this browser keeps for the next visit.
import { isFiles } from "./link.js";

const KEY = "rigy-batch playground";
/** Most documents that are kept. */
const MOST = 8;

/** Returns what is kept, the newest first: documents with a key each, `files` as pairs of name and text, and the time in milliseconds. */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(kept) ? kept.filter((one) => one && typeof one.key === "string" && typeof one.at === "number" && isFiles(one.files)) : [];
  } catch {
    return [];
  }
}

export class Kept {
  #waiting = null;

  constructor() {
    addEventListener("pagehide", () => this.#write());
  }

  /** The documents that are kept, the newest first. */
  get all() {
    return read();
  }

  /** Keeps a document, soon, in the place of what was kept with this key. */
  later(key, files) {
    this.#waiting = { key, files, at: Date.now() };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#write(), 500);
  }

  #write() {
    if (!this.#waiting) return;
    const kept = [this.#waiting, ...read().filter(({ key }) => key !== this.#waiting.key)].slice(0, MOST);
    this.#waiting = null;
    try { localStorage.setItem(KEY, JSON.stringify(kept)); } catch { /* the browser keeps nothing, or the documents are too long */ }
  }
}
