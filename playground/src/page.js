// The page: the document in the editor, its findings and its picture.
import { element } from "../../viewer/src/view/elements.js";
import { openViewer } from "../../viewer/src/view/open.js";
import { Editor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { acceptDrops, chooser } from "./files.js";
import { GltfPane } from "./gltf_pane.js";
import { Judging } from "./judging.js";
import { Kept } from "./kept.js";
import { filesOf, hashOf } from "./link.js";
import { glbNameOf, poseOf } from "./moment.js";
import { Problems, describe, unplaced } from "./problems.js";
import { save, sizeOf } from "./save.js";

export class Page {
  constructor(engine, { bar, left, right }) {
    Object.assign(this, { engine, right });
    const explain = (code) => engine.request("explain", { code });
    this.describe = (finding) => describe(finding, explain);
    this.problems = new Problems({ explain, goTo: (finding) => this.editor.goTo(finding.from, finding.to) });
    this.judging = new Judging(engine, { onresult: (source, result) => this.#judged(source, result), onfailure: (error) => this.#say(error.message, true) });
    this.kept = new Kept();
    this.#makeBar(bar);
    this.beside = element("p", { className: "beside small", hidden: true });
    const text = element("div", { className: "editor" });
    this.editor = new Editor(text, { onchange: () => this.#edited(), ask: { complete: (...at) => this.#ask("complete", ...at), hover: (...at) => this.#ask("hover", ...at) } });
    const keys = element("p", { className: "small keys" }, "Ctrl-Space proposes, Tab accepts; Escape and then Tab leaves the editor.");
    this.documentPane = element("div", { className: "document" }, this.beside, text, keys);
    this.gltfPane = new GltfPane({ engine, viewer: () => this.opened, problems: this.problems, onclose: () => this.#closeGltf() });
    left.append(this.documentPane, this.gltfPane.node, this.problems.node);
    acceptDrops((what) => this.#open(what), (error) => this.#say(error.message, true));
  }

  #makeBar(bar) {
    const button = (text, onclick, title) => element("button", { type: "button", onclick, title }, text);
    this.examples = element("select", { "aria-label": "Examples", onchange: () => this.#openExample(Number(this.examples.value)) },
      element("option", { value: "", disabled: true, selected: true }, "Examples"), ...EXAMPLES.map(([title], index) => element("option", { value: index }, title)));
    const input = chooser((what) => this.#open(what), (error) => this.#say(error.message, true));
    this.status = element("span", { className: "status", role: "status" });
    this.saveGlb = button("Save GLB", () => this.#saveGlb(), "The GLB of the pose that is shown");
    this.forDocuments = [button("Save document", () => save(this.editor.text, this.name)), this.saveGlb, button("Copy link", () => this.#copyLink(), "A link that holds the document")];
    bar.append(element("h1", {}, element("a", { href: "../index.html" }, "rigy-batch"), " playground"), this.examples, input,
      button("Open…", () => input.click(), "A document with the files that it imports, or a glTF file"), ...this.forDocuments, this.status);
  }

  /** Begins with the document of the address, else with the one that was edited last, else with the first example. */
  async begin() {
    addEventListener("hashchange", () => this.#openLink(location.hash));
    if (await this.#openLink(location.hash)) return;
    this.setDocument(this.kept.files ?? EXAMPLES[0][1]);
  }

  async #openLink(hash) {
    try {
      const files = await filesOf(hash);
      if (files) this.setDocument(files);
      return files !== null;
    } catch (error) {
      this.#say(`The document of this link cannot be read: ${error.message}.`, true);
      return false;
    }
  }

  #openExample(index) {
    this.setDocument(EXAMPLES[index][1]);
    this.examples.value = "";
    if (location.hash) history.replaceState(null, "", location.pathname);
  }

  #open({ gltf, documents }) {
    if (gltf) this.#openGltf(gltf);
    else this.setDocument(documents);
  }

  /** Puts a document into the editor: `files` are pairs of name and text, the document first. */
  setDocument(files) {
    const [[name, text], ...others] = files;
    this.#leaveGltf();
    this.turn = Symbol("a document");
    this.name = name;
    this.others = new Map(others);
    this.beside.hidden = !others.length;
    this.beside.textContent = `Files beside it: ${others.map(([other]) => other).join(", ")}`;
    this.isNew = true;
    this.editor.open(text);
    this.#judge();
  }

  get source() {
    return { text: this.editor.text, name: this.name, files: this.others };
  }

  #ask(kind, text, offset) {
    return this.engine.request(kind, { ...this.source, text, offset });
  }

  #edited() {
    this.kept.later([[this.name, this.editor.text], ...this.others]);
    this.#judge();
  }

  #judge() {
    this.judging.judge({ ...this.source, since: performance.now(), turn: this.turn });
  }

  #judged(source, { findings, scene, block }) {
    if (source.turn !== this.turn) return; // another document or file is open by now
    if (source.text === this.editor.text) this.editor.mark(findings, this.describe);
    this.problems.show(findings);
    this.right.classList.toggle("stale", !scene);
    if (!scene) {
      this.#say(this.opened ? "The picture shows the last version without errors." : "");
      return;
    }
    if (!this.#show(scene, block)) return;
    this.took = performance.now() - source.since;
    this.#say(`Compiled and drawn in ${this.took.toFixed(0)} ms`);
  }

  /** Shows a scene: in the present viewer, from the same side unless another file is shown. Returns false if the browser cannot. */
  #show(scene, block) {
    if (!this.opened) this.opened = openViewer(this.right, scene, block, { link: false, region: "section", onset: () => this.gltfPane.say() });
    else this.opened.show(scene, block);
    if (!this.opened) return false;
    if (this.isNew) {
      this.opened.viewer.frameCamera();
      this.opened.controls.set({ pose: scene.poses.length ? 1 : 0, t: 1 });
    }
    this.isNew = false;
    this.opened.viewer.drawNow();
    return true;
  }

  async #openGltf(file) {
    const turn = (this.turn = Symbol("a glTF file"));
    const opened = this.engine.request("open", { name: file.name, bytes: file.bytes, files: file.files });
    const { findings, scene, block, message } = await opened.catch(({ findings, message }) => ({ findings: findings?.map(unplaced), message }));
    if (turn !== this.turn) return; // something else has been opened meanwhile
    if (!findings) return this.#say(message, true);
    this.problems.show(findings);
    this.documentPane.hidden = true;
    this.forDocuments.forEach((button) => { button.hidden = true; });
    this.right.classList.remove("stale");
    this.isNew = true;
    const isShown = scene ? this.#show(scene, block) : false;
    this.right.hidden = !scene;
    this.gltfPane.show(file, isShown);
    this.#say(scene ? "" : `${file.name} cannot be shown.`, !scene);
  }

  #leaveGltf() {
    this.gltfPane.node.hidden = true;
    this.right.hidden = false;
    this.documentPane.hidden = false;
    this.forDocuments.forEach((button) => { button.hidden = false; });
  }

  #closeGltf() {
    this.#leaveGltf();
    this.turn = Symbol("the document again");
    this.isNew = true;
    this.#judge();
  }

  async #saveGlb() {
    const pose = this.opened ? poseOf(this.opened) : null;
    try {
      const glb = await this.engine.request("glb", { ...this.source, pose });
      const name = glbNameOf(this.name, pose);
      save(glb, name);
      this.#say(`${name}: ${sizeOf(glb.length)}`);
    } catch (error) {
      this.#say(error.findings ? "The document has errors, so there is no GLB." : error.message, true);
    }
  }

  async #copyLink() {
    const hash = await hashOf([[this.name, this.editor.text], ...this.others]);
    history.replaceState(null, "", hash);
    try {
      await navigator.clipboard.writeText(location.href);
      this.#say(`The link has been copied (${hash.length} characters).`);
    } catch {
      this.#say("The link is in the address of this page.");
    }
  }

  #say(text, isError = false) {
    this.status.textContent = text;
    this.status.classList.toggle("error", isError);
  }
}
