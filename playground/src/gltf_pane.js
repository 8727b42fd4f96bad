// The pane of a glTF file that was dropped on the page: what is wrong with it, and baking the moment that is shown.
import { choice, element } from "../../viewer/src/view/elements.js";
import { printable } from "../../viewer/src/printable.js";
import { momentInWords, momentOf } from "./moment.js";
import { unplaced } from "./problems.js";
import { save, sizeOf } from "./save.js";

export class GltfPane {
  /** `onclose` goes back to the document; `problems` shows findings. */
  constructor({ engine, picture, problems, onclose }) {
    Object.assign(this, { engine, picture, problems });
    this.solver = "lbs";
    this.scale = "global";
    const solver = choice("Solver", "bake-solver", [["lbs", "LBS"], ["dqs", "DQS"]], (value) => this.#chooseSolver(value));
    const scale = choice("Scale of joints under DQS", "bake-scale", [["global", "Global"], ["local", "Local"], ["reject", "Reject"]], (value) => { this.scale = value; });
    this.solverChoice = solver;
    scale.set("global");
    this.title = element("h2", {});
    this.moment = element("p", {});
    this.result = element("p", { role: "status" });
    this.button = element("button", { type: "button", className: "main", onclick: () => this.#bake() }, "Bake and save");
    const about = element("p", { className: "small" }, "A bake writes the vertices of one moment and removes the skin. Choose the moment beside the picture. The file stays on this machine.");
    this.forBaking = [about, solver.node, scale.node, this.moment, this.button];
    this.node = element("section", { className: "gltf", "aria-label": "glTF file", hidden: true },
      element("button", { type: "button", onclick: onclose }, "← Back to the document"), this.title, ...this.forBaking, this.result);
  }

  /** Shows a file; without `canBake`, only its name. */
  show(file, canBake) {
    this.file = file;
    this.forBaking.forEach((part) => { part.hidden = !canBake; });
    this.title.textContent = printable(file.name);
    this.result.textContent = "";
    this.node.hidden = false;
    this.follow();
  }

  get isOpen() {
    return !this.node.hidden;
  }

  close() {
    this.node.hidden = true;
  }

  /** Takes the moment and the solver that are shown. */
  follow() {
    if (!this.isOpen) return;
    this.moment.textContent = `Moment: ${momentInWords(this.picture.opened)}`;
    this.solver = this.picture.opened?.controls.state.solver ?? this.solver;
    this.solverChoice.set(this.solver);
  }

  #chooseSolver(solver) {
    this.solver = solver;
    this.picture.opened?.controls.set({ left: solver, solver });
  }

  async #bake() {
    const { file } = this;
    const { name, bytes, files } = file;
    this.button.disabled = true;
    try {
      const options = { name, bytes, files, solver: this.solver, ...(this.solver === "dqs" ? { jointScale: this.scale } : {}), ...momentOf(this.picture.opened) };
      const begin = performance.now();
      const { glb, warnings } = await this.engine.request("bake", options);
      const took = performance.now() - begin;
      const output = name.replace(/\.(glb|gltf|vrm)$/i, "") + ".baked.glb";
      save(glb, output);
      if (file !== this.file || !this.isOpen) return;
      this.problems.show(warnings.map(unplaced), name);
      this.result.textContent = `${printable(output)} has ${sizeOf(glb.length)} and took ${took.toFixed(0)} ms. The bytes are those that \`rigy-batch bake\` writes.`;
    } catch (error) {
      if (file !== this.file || !this.isOpen) return;
      this.problems.show((error.findings ?? []).map(unplaced), name);
      this.result.textContent = error.findings ? "The file cannot be baked so; the reasons are below." : error.message;
    } finally {
      this.button.disabled = false;
    }
  }
}
