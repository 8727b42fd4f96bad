// Outputs in groups: by input or by message. A group is a line of the list that opens and closes.

import { counted, h, number } from "./text.js";

/** The ways of grouping, by name: the word for it, and the groups that a row belongs to. */
export const GROUPINGS = {
  "": { label: "No groups", of: null },
  input: { label: "By input", of: (row) => [{ key: row.input, title: row.input }] },
  message: { label: "By message", of: (row) => (row.messages.length > 0 ? row.messages.map(ofMessage) : [row.codes.length > 0 ? OTHERS : NONE]) },
};

const OTHERS = { key: "others", title: "Other messages" };
const NONE = { key: "none", title: "No findings" };

/** Errors come first, then what is found most often. */
function ofMessage(message) {
  const { level, code, text, times } = message;
  return { key: `${level} ${code} ${text}`, title: text, code, level, times };
}

export class Groups {
  #known = new Map();

  /** Returns the lines of a list: the groups of rows, in their order, each with its rows if it is open. */
  lines(rows, name) {
    const { of } = GROUPINGS[name];
    if (of === null) return rows;
    const groups = new Map();
    for (const row of rows) {
      for (const facts of of(row)) {
        let group = groups.get(facts.key);
        if (group === undefined) groups.set(facts.key, (group = this.#group(name, facts)));
        group.rows.push(row);
      }
    }
    const list = [...groups.values()];
    if (name === "message") list.sort((a, b) => weight(b) - weight(a));
    return list.flatMap((group) => (group.isOpen ? [group, ...group.rows] : [group]));
  }

  /** Opens the groups of a row, so that it is among the lines. */
  reveal(row, name) {
    for (const facts of GROUPINGS[name].of?.(row) ?? []) this.#group(name, facts).isOpen = true;
  }

  /** Returns a group without rows. It is the same object each time, so that it stays open and selected. */
  #group(name, facts) {
    const key = `${name} ${facts.key}`;
    if (!this.#known.has(key)) this.#known.set(key, { ...facts, isGroup: true, isOpen: false });
    return Object.assign(this.#known.get(key), { rows: [] });
  }
}

function weight({ key, level, times }) {
  if (key === NONE.key) return -2;
  if (key === OTHERS.key) return -1;
  return times + (level === "error" ? 1e12 : 0);
}

/** Returns the line of a group. */
export function groupLine(group) {
  const { code, level, title, times, rows, isOpen } = group;
  const failed = rows.filter((row) => row.status === "failed").length;
  const warned = rows.filter((row) => row.rank === 1).length;
  const marks = code === undefined ? [mark("failed", failed, "failed"), mark("warned", warned, "with warnings")] : [h("span", { class: times > 1 ? "times-of" : "group-mark" }, times === 1 ? "once" : `${number(times)} times`)];
  return h(
    "div",
    { class: "line item group", role: "row", "aria-expanded": String(isOpen) },
    h(
      "div",
      { role: "gridcell", class: "column-group" },
      h("span", { class: "chevron", "aria-hidden": "true" }, isOpen ? "▾" : "▸"),
      code === undefined ? null : h("span", { class: `code ${level}` }, code),
      h("bdi", { class: "group-title", title }, title),
      ...marks,
      h("span", { class: "group-count" }, counted(rows.length, "output")),
    ),
  );
}

function mark(kind, count, word) {
  return count === 0 ? null : h("span", { class: `group-mark ${kind}` }, `${number(count)} ${word}`);
}
