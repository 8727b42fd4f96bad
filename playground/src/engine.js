// Requests to the engine, and their results. The engine does one after another.

/** Work that takes longer is given up, in milliseconds. */
const LONGEST = 20000;

/** Requests of which only the newest matters; an older one that waits is answered with null. */
const REPLACED = new Set(["complete", "hover"]);

/** An error of the engine. `findings` are those of the file, if it is about a file. */
export class EngineError extends Error {
  constructor({ message, findings }) {
    super(message);
    this.findings = findings;
  }
}

export class Engine {
  #worker;
  #module;
  #queue = [];
  /** The request that the worker does: its functions, and when it was posted. */
  #active = null;
  /** The reason why the engine cannot run at all. */
  #broken = null;
  #hasStarted = false;

  /** Loads the module from `url`. */
  static async load(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    const engine = new Engine();
    engine.#module = await WebAssembly.compile(await response.arrayBuffer());
    await engine.#startWorker();
    return engine;
  }

  #startWorker() {
    const worker = new Worker("worker.js");
    worker.onmessage = ({ data }) => this.#settle(data);
    worker.onerror = (event) => this.#fail(event.message || "its script was not loaded");
    this.#worker = worker;
    return new Promise((resolve, reject) => this.#post({ kind: "start", given: { module: this.#module }, resolve, reject }));
  }

  /** Ends the work in progress with an error, and begins anew. Requests that wait are done then. */
  restart(message) {
    const active = this.#end();
    this.#worker.terminate();
    this.#hasStarted = false;
    this.#startWorker().catch(() => {}); // those who ask for something are told
    active?.reject(new EngineError({ message, findings: null }));
  }

  /** Begins anew if the work in progress has taken longer than some milliseconds: nobody waits for it any more. */
  abandon(milliseconds) {
    if (this.#active && performance.now() - this.#active.since > milliseconds) this.restart("Something else has been opened.");
  }

  #fail(message) {
    if (this.#hasStarted) return this.restart(`The engine has stopped: ${message}`);
    this.#broken = new EngineError({ message: `The engine cannot run: ${message}`, findings: null });
    for (const request of [this.#end(), ...this.#queue.splice(0)]) request?.reject(this.#broken);
  }

  /** Takes the request that is being done. */
  #end() {
    const active = this.#active;
    clearTimeout(active?.timer);
    this.#active = null;
    return active;
  }

  #settle({ result, error }) {
    const { resolve, reject } = this.#end();
    this.#hasStarted = true;
    if (error) reject(new EngineError(error));
    else resolve(result);
    this.#next();
  }

  #next() {
    if (!this.#active && this.#queue.length) this.#post(this.#queue.shift());
  }

  #post(request) {
    const giveUp = () => this.restart(`This takes longer than ${LONGEST / 1000} seconds. The program has no such limit.`);
    this.#active = { ...request, since: performance.now(), timer: setTimeout(giveUp, LONGEST) };
    this.#worker.postMessage({ kind: request.kind, given: request.given });
  }

  /** Asks for one of the functions of worker.js. */
  request(kind, given) {
    if (this.#broken) return Promise.reject(this.#broken);
    return new Promise((resolve, reject) => {
      const older = REPLACED.has(kind) ? this.#queue.findIndex((request) => request.kind === kind) : -1;
      if (older >= 0) this.#queue.splice(older, 1)[0].resolve(null);
      this.#queue.push({ kind, given, resolve, reject });
      this.#next();
    });
  }
}
