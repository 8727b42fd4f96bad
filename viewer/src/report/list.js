// A list, or a sheet of tiles, of which only the visible part is in the document.

import { h } from "./text.js";

/** Lines above and below the visible ones that are in the document, too. */
const SPARE = 6;
/** Browsers limit the height of an element; further lines are not reached by scrolling. */
const MOST_PIXELS = 16e6;

export class List {
  #items = [];
  #shown = new Map();
  #selected = -1;
  #columns = 1;
  #line = 52;

  /**
   * `header` is the row above the list. `render(item, index)` returns the element of an item, `measure(width)` the number of
   * items in a line and the height of a line. `selected(item)` is called when the selection moves, `opened(item)` when an
   * item is opened.
   */
  constructor({ header, render, measure, selected, opened }) {
    Object.assign(this, { render, measure, selected, opened });
    this.lines = h("div", { class: "lines", role: "presentation" });
    this.header = header;
    this.element = h(
      "div",
      {
        class: "list",
        role: "grid",
        tabindex: "0",
        "aria-label": "Outputs",
        scroll: () => this.#draw(),
        keydown: (event) => this.#key(event),
        click: (event) => this.#click(event),
      },
      header,
      this.lines,
    );
    new ResizeObserver(() => this.refresh()).observe(this.element);
  }

  /** Returns true if the list goes on beyond what can be reached by scrolling. */
  get isCut() {
    return this.reachable < this.#items.length;
  }

  get current() {
    return this.#items[this.#selected] ?? null;
  }

  /** Shows other items. The selection stays on its item if that is among them. */
  set(items) {
    const current = this.current;
    this.#items = items;
    this.#selected = current === null ? -1 : items.indexOf(current);
    this.refresh();
  }

  /** Draws everything anew. */
  refresh() {
    const { columns, line } = this.measure(this.element.clientWidth);
    [this.#columns, this.#line] = [columns, line];
    const most = Math.floor(MOST_PIXELS / line) * columns;
    this.reachable = Math.min(this.#items.length, most);
    const lines = Math.max(1, Math.ceil(this.reachable / columns));
    this.lines.style.height = `${lines * line}px`;
    this.element.setAttribute("aria-rowcount", String(lines + 1));
    this.lines.replaceChildren();
    this.#shown.clear();
    this.#draw();
  }

  #draw() {
    if (this.#items.length === 0) {
      const cell = h("div", { role: "gridcell" }, "No output matches.");
      this.lines.replaceChildren(h("div", { class: "line empty", role: "row" }, cell));
      this.#mark();
      return;
    }
    const { scrollTop, clientHeight } = this.element;
    const last = Math.ceil(this.reachable / this.#columns) - 1;
    const from = Math.max(0, Math.floor(scrollTop / this.#line) - SPARE);
    const to = Math.min(last, Math.ceil((scrollTop + clientHeight) / this.#line) + SPARE);
    for (const [number, element] of this.#shown) {
      if (number < from || number > to) {
        element.remove();
        this.#shown.delete(number);
      }
    }
    for (let number = from; number <= to; number += 1) {
      if (!this.#shown.has(number)) this.#shown.set(number, this.#add(number));
    }
    this.#mark();
  }

  #add(number) {
    const start = number * this.#columns;
    const end = Math.min(start + this.#columns, this.reachable);
    const items = [];
    for (let index = start; index < end; index += 1) {
      const element = this.render(this.#items[index], index);
      element.id = `item-${index}`;
      element.dataset.index = String(index);
      items.push(element);
    }
    let line = items[0];
    if (this.#columns > 1) line = h("div", { class: "line sheet", role: "row" }, ...items);
    line.setAttribute("aria-rowindex", String(number + 2));
    line.style.top = `${number * this.#line}px`;
    line.style.height = `${this.#line}px`;
    line.style.setProperty("--columns", String(this.#columns));
    this.lines.append(line);
    return line;
  }

  /** Marks the selected item. */
  #mark() {
    const id = `item-${this.#selected}`;
    for (const element of this.lines.querySelectorAll("[data-index]")) {
      element.setAttribute("aria-selected", String(element.id === id));
    }
    if (document.getElementById(id)) this.element.setAttribute("aria-activedescendant", id);
    else this.element.removeAttribute("aria-activedescendant");
  }

  /** Selects an item by its index and scrolls to it. */
  select(index) {
    if (this.#items.length === 0) return;
    this.#selected = Math.max(0, Math.min(index, this.reachable - 1));
    const top = Math.floor(this.#selected / this.#columns) * this.#line;
    const room = this.element.clientHeight - this.header.offsetHeight - this.#line;
    const { scrollTop } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top > scrollTop + room) this.element.scrollTop = top - Math.max(0, room);
    this.#draw();
    this.selected(this.current);
  }

  /** Selects an item, if it is among those of the list, and opens it if `opens`. */
  selectItem(item, opens) {
    const index = this.#items.indexOf(item);
    if (index < 0) return;
    this.select(index);
    if (opens) this.opened(item);
  }

  #key(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.#line) - 1) * this.#columns;
    const steps = {
      ArrowDown: this.#columns,
      ArrowUp: -this.#columns,
      ArrowRight: this.#columns > 1 ? 1 : 0,
      ArrowLeft: this.#columns > 1 ? -1 : 0,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    };
    if (steps[event.key]) {
      event.preventDefault();
      const step = steps[event.key];
      this.select(this.#selected < 0 && step > 0 && step < Infinity ? 0 : this.#selected + step);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (this.#selected < 0) this.select(0);
      if (this.current !== null) this.opened(this.current);
    }
  }

  #click(event) {
    const element = event.target.closest("[data-index]");
    if (element === null || String(getSelection()) !== "") return;
    this.select(Number(element.dataset.index));
    this.opened(this.current);
  }
}
