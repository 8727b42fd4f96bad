// The bar above the document: what can be opened and saved, and what happens.
import { element } from "../../viewer/src/view/elements.js";
import { EXAMPLES } from "./examples.js";
import { chooser } from "./files.js";

export class Bar {
  #act;

  /** `act` has a function for each thing that can be done; `kept` returns the documents that this browser keeps. */
  constructor(node, act) {
    this.#act = act;
    this.examples = element("select", { "aria-label": "Documents", onchange: () => this.#choose(), onpointerdown: () => this.#fill(), onfocus: () => this.#fill() });
    this.#fill();
    this.document = element("input", { type: "text", "aria-label": "Name of the document", spellcheck: false, onchange: () => act.rename(this.document.value) });
    const button = (text, onclick, title) => element("button", { type: "button", onclick, title }, text);
    const input = chooser(act.open, act.refuse);
    this.forDocuments = [this.document, button("Save document", act.saveDocument, "The text of the editor"),
      button("Save GLB", act.saveGlb, "The GLB of the pose that is chosen, by the document’s own solver; without a pose, of the rest"),
      button("Copy link", act.copyLink, "A link that holds the document")];
    this.status = element("span", { className: "status", role: "status" });
    node.append(element("h1", {}, element("a", { href: "../index.html" }, "rigy-batch"), " playground"), this.examples, input,
      button("Open…", () => input.click(), "A document with the files that it imports, or a glTF file with the files that it names"), ...this.forDocuments, this.status);
  }

  /** Lists the examples, and the documents that were edited before. */
  #fill() {
    const option = (value, text) => element("option", { value }, text);
    const when = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });
    this.listed = this.#act.kept();
    const edited = this.listed.map(({ files: [[name]], at }, index) => option(`k${index}`, `${name}, ${when.format(at)}`));
    this.examples.replaceChildren(element("option", { value: "", disabled: true, selected: true }, "Documents"),
      element("optgroup", { label: "Examples" }, ...EXAMPLES.map(([title], index) => option(`e${index}`, title))),
      edited.length ? element("optgroup", { label: "Edited in this browser" }, ...edited) : "");
  }

  #choose() {
    const index = Number(this.examples.value.slice(1));
    if (this.examples.value.startsWith("e")) this.#act.choose(EXAMPLES[index][1]);
    else this.#act.choose(this.listed[index].files, this.listed[index].key);
    this.examples.value = "";
  }

  set name(name) {
    this.document.value = name;
  }

  /** False hides what is for documents only. */
  set isOfDocument(isDocument) {
    this.forDocuments.forEach((part) => { part.hidden = !isDocument; });
  }

  say(text, isError = false) {
    this.status.textContent = text;
    this.status.classList.toggle("error", isError);
  }
}
