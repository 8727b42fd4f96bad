// The panel with everything about one output, and the dialog with the text of a code, as `rigy-batch explain` prints it.

import { copyButton, counted, duration, h, number, size } from "./text.js";

/** Findings that are in the document at a time. */
const PER_PAGE = 50;

export class Detail {
  #row = null;
  /** Makes the link to the viewer lead back to what the page shows now. */
  relink = () => {};

  /** `explanations` shows the text of a code, `address()` returns what the address of the page is to hold, and `closed()` is called when the panel closes. */
  constructor(data, explanations, { address, closed }) {
    Object.assign(this, { data, explanations, address, closed });
    this.heading = h("h2", { tabindex: "-1" });
    this.body = h("div", { class: "detail-body" });
    const close = h("button", { type: "button", class: "close", "aria-label": "Close details", click: () => this.close() }, "✕");
    this.element = h(
      "section",
      { class: "detail", "aria-label": "Details", hidden: true, keydown: (event) => this.#key(event) },
      h("div", { class: "detail-head" }, this.heading, close),
      this.body,
    );
  }

  get isOpen() {
    return this.#row !== null;
  }

  #key(event) {
    if (event.key === "Escape") {
      event.stopPropagation();
      this.close();
    }
  }

  close() {
    if (!this.isOpen) return;
    this.#row = null;
    this.relink = () => {};
    this.element.hidden = true;
    this.closed();
  }

  /** Shows an output. */
  async show(row) {
    this.#row = row;
    this.relink = () => {};
    this.element.hidden = false;
    this.element.scrollTop = 0;
    this.heading.replaceChildren(h("bdi", {}, row.path));
    const facts = h("dl", {}, ...this.#facts(row));
    const place = h("div", { class: "findings" });
    this.body.replaceChildren(...[this.#picture(row), this.#model(row), facts, place].filter(Boolean));
    if (row.findingsChunk === null) return;
    try {
      const { errors, warnings } = await this.data.findings(row);
      if (this.#row === row) this.#showFindings(place, errors, warnings, 0);
    } catch (error) {
      if (this.#row === row) place.replaceChildren(h("p", { class: "note", role: "alert" }, error.message));
    }
  }

  #facts(row) {
    const fact = (name, value, copied) => {
      if (value === null) return [];
      return [h("dt", {}, name), h("dd", {}, h("bdi", {}, value), copied ? copyButton(value, copied) : null)];
    };
    return [
      h("dt", {}, "Status"),
      h("dd", {}, h("span", { class: `status ${row.status}` }, row.status)),
      ...fact("Input", row.input, "the path of the input"),
      ...fact(this.data.kind, row.pose),
      ...fact("Output", row.output, "the path of the output"),
      ...fact("Size", row.bytes === null ? null : row.bytes < 1000 ? size(row.bytes) : `${size(row.bytes)} (${number(row.bytes)} bytes)`),
      ...fact("SHA-256", row.sha256, "the hash"),
      ...fact("Time", row.seconds === null ? null : duration(row.seconds)),
    ];
  }

  /** The picture, or why there is none. */
  #picture(row) {
    if (row.thumbnailChunk === null) {
      const isOther = ["written", "unchanged"].includes(row.status) && !row.path.endsWith(".glb");
      return isOther ? h("p", { class: "no-picture" }, "There is no picture of this file: GLBs alone have pictures.") : null;
    }
    const image = h("img", { class: "picture", alt: "" });
    this.data.thumbnail(row).then((url) => url && (image.src = url), () => image.remove());
    return image;
  }

  /** The link to the viewer, or why there is none. */
  #model(row) {
    if (row.modelChunk === null) return h("p", { class: "no-model" }, withoutModel(row, this.data.run));
    const place = h("p", { class: "model" });
    const alert = (error) => place.replaceChildren(h("span", { class: "note", role: "alert" }, error.message));
    const show = (model) => {
      if (model.note) {
        place.append(h("span", { class: "no-model" }, h("bdi", {}, model.note)));
        return;
      }
      const follow = (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.data.findScene(model).then(() => location.assign(link.href), alert);
      };
      const link = h("a", { class: "open-viewer", click: follow }, "Open in the viewer", h("span", { class: "number" }, size(model.bytes)));
      const lead = () => link.setAttribute("href", this.data.viewerUrl(model, this.address()));
      lead();
      if (this.#row === row) this.relink = lead;
      place.append(link);
      if (!hasWebGl()) place.append(h("span", { class: "no-model" }, "This browser has no WebGL 2, which the viewer needs: open the page in another one."));
    };
    this.data.model(row).then(show, alert);
    return place;
  }

  /** Shows findings from number `from` on. */
  #showFindings(place, errors, warnings, from) {
    const all = [...errors.map((f) => [f, "error"]), ...warnings.map((f) => [f, "warning"])];
    const shown = all.slice(from, from + PER_PAGE).map(([finding, level]) => this.#finding(finding, level));
    const numbers = [errors.length && counted(errors.length, "error"), warnings.length && counted(warnings.length, "warning")];
    const title = h("h3", { tabindex: "-1" }, numbers.filter(Boolean).join(", "));
    const step = (label, to) => {
      const show = () => {
        this.#showFindings(place, errors, warnings, to);
        place.firstChild.focus();
      };
      return h("button", { type: "button", disabled: to < 0 || to >= all.length, click: show }, label);
    };
    const pager = h(
      "p",
      { class: "pager" },
      step("Earlier", from - PER_PAGE),
      `${number(from + 1)} to ${number(Math.min(from + PER_PAGE, all.length))} of ${number(all.length)}`,
      step("Later", from + PER_PAGE),
    );
    place.replaceChildren(...[title, all.length > PER_PAGE ? pager : null, ...shown].filter(Boolean));
    // What is underlined may lie far to the right in a long line.
    for (const mark of place.querySelectorAll("mark")) {
      const scroller = mark.closest("pre");
      const end = mark.offsetLeft + Math.min(mark.offsetWidth, scroller.clientWidth / 2);
      scroller.scrollLeft = Math.max(0, end - scroller.clientWidth + 24);
    }
  }

  #finding(finding, level) {
    const { code: name } = finding;
    const meaning = this.data.run.codes[name]?.title ?? finding.category;
    const explain = { type: "button", class: `code ${level}`, "aria-label": `Explain ${name}`, title: `Explain ${name}`, click: () => this.explanations.show(name) };
    const code = name && this.explanations.has(name) ? h("button", explain, name) : null;
    const place = finding.place ? `${finding.place.file}${finding.place.position ? `:${finding.place.position.join(":")}` : ""}: ` : "";
    const text = [`${place}${level}${name ? ` ${name}` : ""}: ${finding.message}`, ...(finding.help ? [`help: ${finding.help}`] : [])].join("\n");
    return h(
      "article",
      { class: `finding ${level}` },
      h("h4", {}, code, h("span", { class: "level" }, `${level}: ${meaning}`), copyButton(text, "the finding")),
      h("p", { class: "message" }, h("bdi", {}, finding.message)),
      finding.place ? source(finding.place, null) : null,
      ...finding.importers.map((importer) => source(importer, "imported here")),
      finding.promoted ? h("p", { class: "note" }, "A warning, which --warn-as-error made an error.") : null,
      finding.help ? h("p", { class: "help" }, h("b", {}, "Help: "), h("bdi", {}, finding.help)) : null,
    );
  }
}

/** Returns the sentence about an output that the viewer cannot show. */
function withoutModel(row, run) {
  if (row.status === "failed") return "There is nothing to see: the output has failed.";
  if (row.status === "removed" || row.status === "skipped") return `There is nothing to see: the output was ${row.status}.`;
  if (run.models === 0) return "This page has no models for the viewer, because --models is 0.";
  if (run.viewer === null) return "This page has no models for the viewer. They are made for at most 50 inputs, and for more with --models 32M.";
  return "The viewer has no model of this output.";
}

let webGl;

/** Returns true if this browser can show the viewer. */
function hasWebGl() {
  webGl ??= document.createElement("canvas").getContext("webgl2") !== null;
  return webGl;
}

/** Returns a place with the line of source that it quotes. */
function source(place, note) {
  const position = place.position ? `:${place.position.join(":")}` : "";
  const title = h("figcaption", {}, h("bdi", {}, place.file), position, place.path ? h("span", { class: "path" }, h("bdi", {}, place.path)) : null, note ? h("span", { class: "path" }, note) : null);
  if (!place.excerpt) return h("figure", { class: "source" }, title);
  const bytes = new TextEncoder().encode(place.excerpt.line);
  const part = (from, to) => new TextDecoder().decode(bytes.subarray(from, to)).replaceAll("\t", "    ");
  const { start, end } = place.excerpt;
  const [before, marked, after] = [part(0, start), part(start, end), part(end)];
  const line = h("code", {}, before, h("mark", {}, marked === "" ? " " : marked), after);
  const gutter = h("span", { class: "gutter", "aria-hidden": "true" }, String(place.position[0]));
  return h("figure", { class: "source" }, title, h("pre", { tabindex: "0", "aria-label": `line ${place.position[0]}` }, gutter, line));
}

/** Returns a dialog, whose `show(code)` opens it. `codes` has the texts. */
export function explanations(codes) {
  const body = h("div", {});
  const close = h("button", { type: "button", class: "close", "aria-label": "Close explanation", click: () => dialog.close() }, "✕");
  const heading = h("h2", {});
  const dialog = h(
    "dialog",
    { class: "explain", "aria-label": "Explanation", click: (event) => event.target === dialog && dialog.close(), keydown: (event) => event.stopPropagation() },
    h("div", { class: "detail-head" }, heading, close),
    body,
  );
  const show = (code) => {
    const { title, meaning, mend, example } = codes[code];
    heading.replaceChildren(h("span", { class: `code ${code.startsWith("W") ? "warning" : "error"}` }, code), ` ${title}`);
    const command = `rigy-batch explain ${code}`;
    body.replaceChildren(
      h("p", {}, meaning),
      h("p", { class: "help" }, h("b", {}, "Mend: "), mend),
      ...exampleOf(example),
      h("p", { class: "command" }, h("code", {}, command), copyButton(command, "the command")),
    );
    dialog.showModal();
  };
  return { element: dialog, show, has: (code) => Object.hasOwn(codes, code) };
}

/** Returns an example: its lines with those that the mend removes and adds, or the sentence that says why there is none. */
function exampleOf(text) {
  const at = text.indexOf("\n\n");
  if (at < 0) return [h("p", { class: "below" }, text)];
  const lines = text.slice(at + 2).split("\n").map((line) => {
    const kind = line.startsWith("- ") ? "removed" : line.startsWith("+ ") ? "added" : line.startsWith("--- ") ? "file" : "";
    return h("span", { class: `example-line ${kind}` }, line === "" ? " " : line);
  });
  return [h("p", { class: "reason" }, text.slice(0, at)), h("pre", { class: "example", tabindex: "0", "aria-label": "Example" }, ...lines)];
}
