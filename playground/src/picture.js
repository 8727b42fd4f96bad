// The picture beside the document or the glTF file.
import { openViewer } from "../../viewer/src/view/open.js";

export class Picture {
  /** True if the next scene is not a new version of the present one. */
  isNew = true;
  /** The open viewer; null if there is none. */
  opened = null;

  /** `onset` is called when somebody chooses something beside the picture, `onlost` when the browser has lost the picture. */
  constructor(node, { onset, onlost }) {
    Object.assign(this, { node, onset, onlost });
  }

  /** True if nothing is shown. */
  get isEmpty() {
    return this.isNew || !this.opened;
  }

  /** The reason why nothing can be shown, as a sentence; null if it can. */
  get failure() {
    return this.opened ? null : "This browser cannot show the picture.";
  }

  /** Shows a scene. A new version of what is shown has the same pose, solver and camera, unless its size differs much. */
  show(description, block) {
    this.node.classList.remove("stale", "empty");
    if (!this.opened) this.#open(description, block);
    else this.opened.show(description, block, { fresh: this.isNew });
    if (!this.opened) return;
    const { viewer, controls, data } = this.opened;
    if (this.isNew) controls.set(beginning(data));
    if (this.isNew || viewer.size > 2 * this.framed || viewer.size < this.framed / 2) {
      viewer.frameCamera();
      this.framed = viewer.size;
    }
    this.isNew = false;
    viewer.drawNow();
  }

  /** Shows that the picture is not that of the present text: the last one, or none if it is of another file. */
  keepOld() {
    this.node.classList.add(this.isNew ? "empty" : "stale");
  }

  #open(description, block) {
    this.opened = openViewer(this.node, description, block, { link: false, region: "section", onset: this.onset });
    this.opened?.viewer.canvas.addEventListener("webglcontextlost", (event) => this.#lost(event));
  }

  /** Opens another viewer if the browser takes the GPU away. */
  #lost({ target }) {
    if (this.opened?.viewer.canvas !== target) return;
    const { opened } = this;
    this.opened = null;
    this.isNew = true;
    opened.close();
    setTimeout(this.onlost, 1000);
  }
}

/** Returns what is shown of a new scene: the first pose, or the beginning of the first animation. */
function beginning({ poses, clips }) {
  if (clips.length) return { clip: 1, t: clips[0].start };
  return { pose: poses.length ? 1 : 0, t: 1 };
}
