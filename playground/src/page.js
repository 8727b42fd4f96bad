// The page: the document in the editor, its findings and its picture.
import { element } from "../../viewer/src/view/elements.js";
import { printable } from "../../viewer/src/printable.js";
import { Bar } from "./bar.js";
import { Editor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { acceptDrops } from "./files.js";
import { GltfPane } from "./gltf_pane.js";
import { Judging } from "./judging.js";
import { Kept } from "./kept.js";
import { filesOf, hashOf } from "./link.js";
import { glbNameOf, poseOf } from "./moment.js";
import { Picture } from "./picture.js";
import { Problems, describe, unplaced } from "./problems.js";
import { save, sizeOf } from "./save.js";

/** Work that takes longer is announced, in milliseconds. */
const LONG = 300;

export class Page {
  constructor(engine, { bar, left, right }) {
    this.engine = engine;
    const explain = (code) => engine.request("explain", { code });
    const fix = ({ from, to, insert }) => this.judged === this.editor.text && this.editor.replace(from, to, insert);
    this.describe = (finding) => describe(finding, { explain, fix });
    this.problems = new Problems({ describe: this.describe, goTo: (finding) => this.editor.goTo(finding.from, finding.to) });
    this.picture = new Picture(right, { onset: () => this.gltfPane.follow(), onlost: () => this.#judge() });
    this.judging = new Judging(engine, {
      onresult: (source, result) => source.turn === this.turn && this.#judged(source, result),
      onfailure: (source, error) => source.turn === this.turn && this.#failed(error),
    });
    this.kept = new Kept();
    const refuse = (error) => this.bar.say(error.message, true);
    const open = (what) => this.#open(what);
    this.bar = new Bar(bar, {
      open, refuse, choose: (files, key) => this.#choose(files, key), kept: () => this.kept.all, rename: (name) => this.#rename(name),
      saveDocument: () => save(this.editor.text, this.name), saveGlb: () => this.#saveGlb(), copyLink: () => this.#copyLink(),
    });
    this.beside = element("p", { className: "beside small", hidden: true });
    const text = element("div", { className: "editor" });
    this.editor = new Editor(text, { onchange: () => this.#edited(), ask: { complete: (...at) => this.#ask("complete", ...at), hover: (...at) => this.#ask("hover", ...at) } });
    const keys = element("p", { className: "small keys" }, "Ctrl-Space proposes, Tab accepts; Escape and then Tab leaves the editor.");
    this.documentPane = element("div", { className: "document" }, this.beside, text, keys);
    this.gltfPane = new GltfPane({ engine, picture: this.picture, problems: this.problems, onclose: () => this.#closeGltf() });
    left.append(this.documentPane, this.gltfPane.node, this.problems.node);
    acceptDrops(open, refuse);
  }

  /** Begins with the document of the address, else with the one that was edited last, else with the first example. */
  async begin() {
    addEventListener("hashchange", () => this.#openLink(location.hash));
    if (await this.#openLink(location.hash)) return;
    const [last] = this.kept.all;
    this.setDocument(last?.files ?? EXAMPLES[1][1], last?.key);
  }

  async #openLink(hash) {
    try {
      const files = await filesOf(hash);
      if (files) this.setDocument(files);
      return files !== null;
    } catch (error) {
      this.note = `The document of this link cannot be read: ${error.message}.`;
      this.bar.say(this.note, true);
      return false;
    }
  }

  #choose(files, key) {
    this.note = null;
    this.setDocument(files, key);
    forgetLink();
  }

  #open({ gltf, documents }) {
    this.note = null;
    if (gltf) return this.#openGltf(gltf);
    forgetLink();
    this.setDocument(documents);
  }

  /** Puts a document into the editor: `files` are pairs of name and text, the document first. `key` is that of a kept one. */
  setDocument(files, key = crypto.randomUUID()) {
    const [[name, text], ...others] = files;
    this.#leaveGltf();
    this.key = key;
    this.name = documentName(name);
    this.others = new Map(others);
    this.beside.hidden = !others.length;
    this.beside.textContent = printable(`Files beside it: ${others.map(([other]) => other).join(", ")}`);
    this.editor.open(text);
    this.#begin();
  }

  /** Begins to show the document of the editor, which has not been shown yet. */
  #begin() {
    this.turn = Symbol("a document");
    this.listed = null;
    this.engine.abandon(LONG);
    this.picture.isNew = true;
    this.bar.name = this.name;
    this.#judge();
  }

  get source() {
    return { text: this.editor.text, name: this.name, files: this.others };
  }

  #ask(kind, text, offset) {
    return this.engine.request(kind, { ...this.source, text, offset });
  }

  #edited() {
    this.note = null;
    forgetLink();
    this.#keep();
    this.#judge();
  }

  #keep() {
    this.kept.later(this.key, [[this.name, this.editor.text], ...this.others]);
  }

  #rename(name) {
    this.name = this.bar.name = documentName(name);
    this.#keep();
    this.#judge();
  }

  #judge() {
    if (this.gltfPane.isOpen) return;
    this.#announce();
    this.judging.judge({ ...this.source, since: performance.now(), turn: this.turn });
  }

  /** Says that the engine works, if it takes long. */
  #announce() {
    clearTimeout(this.announcement);
    this.announcement = setTimeout(() => this.bar.say("Working…"), LONG);
  }

  #say(text, isError = false) {
    clearTimeout(this.announcement);
    this.bar.say(this.note ?? text, isError || Boolean(this.note));
  }

  #judged(source, { findings, scene, block, note }) {
    this.#list(source, findings);
    if (!scene) {
      this.picture.keepOld();
      this.#say(note ? `There is no picture: ${note}.` : (this.picture.isEmpty ? "There is no picture while the document has errors." : "The picture shows the last version without errors."), Boolean(note));
      return;
    }
    this.picture.show(scene, block);
    this.drawn = source.text;
    this.took = performance.now() - source.since;
    this.#say(this.picture.failure ?? `Compiled and drawn in ${this.took.toFixed(0)} ms`, Boolean(this.picture.failure));
  }

  /** Shows findings, in the editor only those of its present text. Nothing changes after most key strokes, and then nothing is done. */
  #list(source, findings) {
    this.judged = source.text;
    const listed = JSON.stringify(findings);
    if (listed === this.listed) return;
    this.problems.show(findings, source.name);
    const isPresent = source.text === this.editor.text;
    if (isPresent) this.editor.mark(findings, this.describe);
    this.listed = isPresent ? listed : null;
  }

  #failed(error) {
    this.#list(this.source, []);
    this.picture.keepOld();
    this.#say(error.message, true);
  }

  async #openGltf(file) {
    const turn = (this.turn = Symbol("a glTF file"));
    this.engine.abandon(LONG);
    this.#announce();
    const opened = this.engine.request("open", { name: file.name, bytes: file.bytes, files: file.files });
    const { findings, scene, block, message } = await opened.catch(({ findings, message }) => ({ findings: findings?.map(unplaced), message }));
    if (turn !== this.turn) return; // something else has been opened meanwhile
    if (!findings) return this.#say(message, true);
    this.problems.show(findings, file.name);
    this.documentPane.hidden = true;
    this.bar.isOfDocument = false;
    this.picture.isNew = true;
    if (scene) this.picture.show(scene, block);
    else this.picture.keepOld();
    this.gltfPane.show(file, Boolean(scene));
    this.#say(scene ? file.note : `${printable(file.name)} cannot be shown. Files that it names must be dropped together with it.`, !scene);
  }

  #leaveGltf() {
    this.gltfPane.close();
    this.documentPane.hidden = false;
    this.bar.isOfDocument = true;
  }

  #closeGltf() {
    this.#leaveGltf();
    this.#begin();
  }

  /** Saves the GLB of the pose that is chosen, when the picture is that of the present text. */
  async #saveGlb() {
    await this.judging.done();
    const pose = this.drawn === this.editor.text ? poseOf(this.picture.opened) : null;
    const name = glbNameOf(this.name, pose);
    try {
      const glb = await this.engine.request("glb", { ...this.source, pose });
      save(glb, name);
      this.#say(`${printable(name)}: ${sizeOf(glb.length)}`);
    } catch (error) {
      this.#say(error.findings ? "The document has errors, so there is no GLB." : error.message, true);
    }
  }

  async #copyLink() {
    const hash = await hashOf([[this.name, this.editor.text], ...this.others]);
    if (!hash) return this.#say("The document is too long for a link: at most 1 MiB.", true);
    history.replaceState(null, "", hash);
    try {
      await navigator.clipboard.writeText(location.href);
      this.#say(`The link has been copied (${hash.length} characters).`);
    } catch {
      this.#say("The link is in the address of this page.");
    }
  }
}

/** Removes a document from the address, which no longer holds the one in the editor. */
function forgetLink() {
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
}

/** Returns a name of a document without folders, and with an ending that no system takes for a program's. */
function documentName(name) {
  const last = name.split(/[\\/]/).at(-1).trim() || "untitled";
  return /\.ya?ml$/i.test(last) ? last : `${last}.rigy.yaml`;
}
