// Judges the document after each edit. While the engine works on one text, later ones replace each other.

export class Judging {
  #isBusy = false;
  #waiting = null;

  /** `onresult(source, result)` gets what the engine answers about a source, `onfailure(error)` the reason why it does not. */
  constructor(engine, { onresult, onfailure }) {
    Object.assign(this, { engine, onresult, onfailure });
  }

  /** Judges a source: `text`, `name` and `files`, and `since`, when it was typed. */
  async judge(source) {
    this.#waiting = source;
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#waiting) {
      const { text, name, files } = (source = this.#waiting);
      this.#waiting = null;
      try {
        const result = await this.engine.request("judge", { text, name, files });
        this.onresult(source, result);
      } catch (error) {
        this.onfailure(error);
      }
    }
    this.#isBusy = false;
  }
}
