// The document that was edited last, which this browser keeps for the next visit.

const KEY = "rigy-batch playground";

export class Kept {
  /** The files that were kept, as pairs of name and text; null if there are none. */
  get files() {
    try {
      const files = JSON.parse(localStorage.getItem(KEY));
      return Array.isArray(files) && files.length ? files : null;
    } catch {
      return null;
    }
  }

  /** Keeps files, soon. */
  later(files) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      try { localStorage.setItem(KEY, JSON.stringify(files)); } catch { /* the browser keeps nothing, or the document is too long */ }
    }, 500);
  }
}
