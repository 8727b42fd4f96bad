// The pane of a glTF file that was dropped on the page: what is wrong with it, and baking the moment that is shown.
import { choice, element } from "../../viewer/src/view/elements.js";
import { momentInWords, momentOf } from "./moment.js";
import { unplaced } from "./problems.js";
import { save, sizeOf } from "./save.js";

export class GltfPane {
  /** `onclose` goes back to the document; `problems` shows findings. */
  constructor({ engine, viewer, problems, onclose }) {
    this.engine = engine;
    this.viewer = viewer;
    this.problems = problems;
    this.solver = "lbs";
    this.scale = "global";
    const solver = choice("Solver", "bake-solver", [["lbs", "LBS"], ["dqs", "DQS"]], (value) => { this.solver = value; });
    const scale = choice("Scale of joints under DQS", "bake-scale", [["global", "Global"], ["local", "Local"], ["reject", "Reject"]], (value) => { this.scale = value; });
    solver.set("lbs");
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
    this.title.textContent = file.name;
    this.result.textContent = "";
    this.node.hidden = false;
    if (canBake) this.say();
  }

  /** Says the moment that is shown. */
  say() {
    if (!this.node.hidden) this.moment.textContent = `Moment: ${momentInWords(this.viewer())}`;
  }

  async #bake() {
    const { name, bytes, files } = this.file;
    this.button.disabled = true;
    try {
      const options = { name, bytes, files, solver: this.solver, ...(this.solver === "dqs" ? { scale: this.scale } : {}), ...momentOf(this.viewer()) };
      const begin = performance.now();
      const { glb, warnings } = await this.engine.request("bake", options);
      const took = performance.now() - begin;
      this.problems.show(warnings.map(unplaced));
      const output = name.replace(/\.(glb|gltf|vrm)$/i, "") + ".baked.glb";
      save(glb, output);
      this.result.textContent = `${output} has ${sizeOf(glb.length)} and took ${took.toFixed(0)} ms. The bytes are those that \`rigy-batch bake\` writes.`;
    } catch (error) {
      this.problems.show((error.findings ?? []).map(unplaced));
      this.result.textContent = error.findings ? "The file cannot be baked so; the reasons are below." : error.message;
    } finally {
      this.button.disabled = false;
    }
  }
}
