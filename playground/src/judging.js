// Judges the document after each edit. While the engine works on one text, later ones replace each other.

export class Judging {
  #waiting = null;
  #work = null;

  /** `onresult(source, result)` gets what the engine answers about a source, `onfailure(source, error)` the reason why it does not. */
  constructor(engine, { onresult, onfailure }) {
    Object.assign(this, { engine, onresult, onfailure });
  }

  /** Judges a source: `text`, `name` and `files`, and `since`, when it was typed. */
  judge(source) {
    this.#waiting = source;
    this.#work ??= this.#all().finally(() => {
      this.#work = null;
      if (this.#waiting) this.judge(this.#waiting);
    });
  }

  /** Promises that all sources have been judged. */
  async done() {
    while (this.#work) await this.#work;
  }

  async #all() {
    while (this.#waiting) {
      const source = this.#waiting;
      const { text, name, files } = source;
      this.#waiting = null;
      try {
        const result = await this.engine.request("judge", { text, name, files });
        this.onresult(source, result);
      } catch (error) {
        this.onfailure(source, error);
      }
    }
  }
}
