/* global DEFAULTS, ROW_FIELDS -- from docs/src/reference/schemas: what the program leaves out, and the names of a row's fields: see viewer/build.mjs */
// The data of the page: chunks in script elements of the page itself, or in files beside it that script elements load.

import { sharedDirectory, splitPath } from "./text.js";

/** The largest number of chunks of findings, of thumbnails and of models that are kept. */
const KEPT = 24;
const NO_MESSAGES = [];

/** One output. Its fields have the names and the order of `row` in docs/src/reference/schemas/page.json. */
class Row {
  #searched;

  constructor(fields, index, messages) {
    ROW_FIELDS.forEach((name, at) => (this[name] = fields[at] ?? null));
    this.index = index;
    this.messages = this.messages === null ? NO_MESSAGES : this.messages.map((number) => messages[number]);
    /** 0 for outputs that have failed, 1 for those with warnings, 2 for the rest. */
    this.rank = this.status === "failed" ? 0 : this.warnings > 0 ? 1 : 2;
  }

  /** What a search looks at; it is made when the first search needs it. */
  get searched() {
    const texts = () => [this.input, this.output, this.pose, this.sha256, ...this.messages.map(({ text }) => text), ...this.codes];
    this.#searched ??= texts().filter((text) => text !== null).join("\n").toLowerCase();
    return this.#searched;
  }

  get path() {
    return this.output ?? this.input;
  }
}

export class Data {
  /** The facts of the run: see `RunFacts` in src/cli/page/html.rs. */
  run = { ...DEFAULTS.run, ...JSON.parse(document.getElementById("run").textContent) };
  /** When, where and how it ran: see `Circumstances` there. */
  circumstances = JSON.parse(document.getElementById("circumstances").textContent);
  /** The messages of findings, each once. */
  messages = this.run.messages.map(([level, code, text, times]) => ({ level, code, text, times }));
  /** The outputs that have been loaded, in the order of the run. */
  rows = [];
  #chunks = { rows: new Map(), findings: new Map(), thumbnails: new Map(), models: new Map() };
  #received = new Map();
  /** The directory that the paths of all rows share. */
  #shared = null;

  constructor() {
    globalThis.rigyReport = (kind, number, elements) => this.#received.set(`${kind} ${number}`, elements);
    // The viewer shows scenes; this page only looks whether they are there.
    globalThis.rigyScene = () => {};
    this.run.summary = { ...DEFAULTS.counts, ...this.run.summary };
    const { written, unchanged, failed, skipped, removed } = this.run.summary;
    this.total = written + unchanged + failed + skipped + removed;
    this.chunkCount = this.run.chunks.rows.length;
    /** What an output of an input is: a pose of a document, or a moment of a file. */
    this.kind = this.run.input === "file" ? "Moment" : "Pose";
    this.hasThumbnails = this.run.chunks.thumbnails.length > 0;
  }

  /** Loads all rows, those in the page first and at once. Calls `added` after each part. */
  async loadRows(added) {
    const files = this.run.chunks.rows;
    let number = 0;
    for (; number < files.length && files[number] === null; number += 1) this.#add(this.#inline("rows", number));
    added();
    for (; number < files.length; number += 1) {
      const elements = files[number] === null ? this.#inline("rows", number) : await this.#load("rows", number);
      this.#add(elements);
      added();
    }
  }

  #add(elements) {
    for (const fields of elements) {
      const row = new Row(fields, this.rows.length, this.messages);
      this.#shared = sharedDirectory(this.#shared ?? splitPath(row.path)[0], row.path);
      this.rows.push(row);
    }
  }

  /** Returns the directory of a row below the one that all rows share, and its name. */
  shortPath(row) {
    return splitPath(row.path.slice(this.#shared.length));
  }

  /** Returns the errors and warnings of a row. */
  async findings(row) {
    if (row.findingsChunk === null) return { errors: [], warnings: [] };
    return (await this.#chunk("findings", row.findingsChunk))[row.findingsIndex];
  }

  /** Returns the URL of the picture of a row, or null. */
  async thumbnail(row) {
    if (row.thumbnailChunk === null) return null;
    return (await this.#chunk("thumbnails", row.thumbnailChunk))[row.thumbnailIndex];
  }

  /** Returns the model of a row, `model` of the schema, or null. */
  async model(row) {
    if (row.modelChunk === null) return null;
    return (await this.#chunk("models", row.modelChunk))[row.modelIndex];
  }

  /** Returns the relative URL by which the viewer shows a model. `report` is what follows `#` in the address it leads back to. */
  viewerUrl(model, report) {
    const address = new URLSearchParams({ scene: model.scene, report });
    for (const [name, value] of model.view) address.set(name, value);
    return `${this.run.data}/${this.run.viewer.file}#${address}`;
  }

  /** Promises that the data file of a model is there; it is not if the page has been sent alone. */
  async findScene(model) {
    await this.#execute(`scene-${model.scene}.js`);
  }

  /** Returns the elements of a chunk, which are kept until many others have been needed. */
  #chunk(kind, number) {
    const chunks = this.#chunks[kind];
    let elements = chunks.get(number);
    if (elements === undefined) {
      const isInline = this.run.chunks[kind][number] === null;
      elements = isInline ? Promise.resolve(this.#inline(kind, number)) : this.#load(kind, number);
      elements.catch(() => chunks.delete(number));
    }
    // A map lists its keys in the order in which they were set.
    chunks.delete(number);
    chunks.set(number, elements);
    if (chunks.size > KEPT) chunks.delete(chunks.keys().next().value);
    return elements;
  }

  #inline(kind, number) {
    return JSON.parse(document.querySelector(`script[data-kind="${kind}"][data-number="${number}"]`).textContent);
  }

  async #load(kind, number) {
    const name = this.run.chunks[kind][number];
    await this.#execute(name);
    const elements = this.#received.get(`${kind} ${number}`);
    // A file that has run and is not the one that was asked for.
    if (elements === undefined) throw this.#missing(name);
    this.#received.delete(`${kind} ${number}`);
    return elements;
  }

  /** Loads a data file. A page that is opened as a file may load scripts and may not fetch. */
  #execute(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const end = (settle, value) => {
        script.remove();
        settle(value);
      };
      script.onload = () => end(resolve);
      script.onerror = () => end(reject, this.#missing(name));
      script.src = `${this.run.data}/${name}`;
      document.head.append(script);
    });
  }

  #missing(name) {
    const directory = decodeURIComponent(this.run.data);
    return new Error(`The data file ${directory}/${name} cannot be loaded. The directory ${directory} belongs beside this page. If it is there, the report has been written anew: reload the page.`);
  }
}
