// Requests to the engine, and their results.

/** Work that takes longer is given up, in milliseconds. */
const LONGEST = 20000;

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
  #count = 0;
  #pending = new Map();

  /** Loads the module from `url`. */
  static async load(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    const engine = new Engine();
    engine.#module = await WebAssembly.compile(await response.arrayBuffer());
    engine.#startWorker();
    return engine;
  }

  #startWorker() {
    const worker = new Worker("worker.js");
    worker.onmessage = ({ data }) => this.#settle(data);
    worker.onerror = (event) => this.#restart(`The engine cannot run: ${event.message || "its script was not loaded"}`);
    this.#worker = worker;
    this.request("start", { module: this.#module });
  }

  /** Ends the work in progress with an error, and begins anew. */
  #restart(message) {
    this.#worker.terminate();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    this.#startWorker();
    for (const { reject, timer } of pending) {
      clearTimeout(timer);
      reject(new EngineError({ message, findings: null }));
    }
  }

  #settle({ number, result, error }) {
    const { resolve, reject, timer } = this.#pending.get(number);
    this.#pending.delete(number);
    clearTimeout(timer);
    if (error) reject(new EngineError(error));
    else resolve(result);
  }

  /** Asks for one of the functions of worker.js. */
  request(kind, given) {
    const number = this.#count++;
    return new Promise((resolve, reject) => {
      const giveUp = () => this.#restart(`This takes longer than ${LONGEST / 1000} seconds; the program has no such limit.`);
      this.#pending.set(number, { resolve, reject, timer: setTimeout(giveUp, LONGEST) });
      this.#worker.postMessage({ number, kind, given });
    });
  }
}
