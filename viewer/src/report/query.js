// Which outputs are shown, in which order and in which groups: by input or by message. A group is a line of the list that opens and closes.

/** The orders, by name: what is compared, and whether the largest comes first. Equal outputs stay in the order of the run. */
export const ORDERS = {
  urgency: { label: "Failures first", key: (row) => row.rank, descending: false },
  run: { label: "Order of the run", key: (row) => row.index, descending: false },
  name: { label: "Name", key: (row) => row.path, descending: false },
  pose: { label: "Pose", key: (row) => row.pose ?? "", descending: false },
  status: { label: "Status", key: (row) => ["failed", "skipped", "removed", "written", "unchanged"].indexOf(row.status), descending: false },
  codes: { label: "Findings", key: (row) => row.errors * 1e6 + row.warnings, descending: true },
  bytes: { label: "Size", key: (row) => row.bytes ?? -1, descending: true },
  seconds: { label: "Time", key: (row) => row.seconds ?? -1, descending: true },
};

/** The tests of the buttons, by name. */
export const STATUSES = {
  all: { label: "All", test: () => true },
  written: { label: "Written", test: (row) => row.status === "written" },
  unchanged: { label: "Unchanged", test: (row) => row.status === "unchanged" },
  failed: { label: "Failed", test: (row) => row.status === "failed" },
  removed: { label: "Removed", test: (row) => row.status === "removed" },
  warnings: { label: "With warnings", test: (row) => row.warnings > 0 },
};

export const START = { q: "", status: "all", code: "", sort: "urgency", reverse: false, group: "" };

/** Returns the rows that a query selects, in its order. */
export function select(rows, query) {
  const words = query.q.toLowerCase().split(/\s+/).filter(Boolean);
  const hasStatus = STATUSES[query.status].test;
  const matches = (row) =>
    hasStatus(row) &&
    (query.code === "" || row.codes.includes(query.code)) &&
    words.every((word) => row.searched.includes(word));
  let selected = rows.filter(matches);
  const { key, descending } = ORDERS[query.sort];
  if (query.sort === "urgency") {
    selected = [0, 1, 2].flatMap((rank) => selected.filter((row) => row.rank === rank));
  } else if (query.sort !== "run") {
    const sign = descending ? -1 : 1;
    const keys = new Map(selected.map((row) => [row, key(row)]));
    selected.sort((a, b) => {
      const [x, y] = [keys.get(a), keys.get(b)];
      return x < y ? -sign : x > y ? sign : a.index - b.index;
    });
  }
  return query.reverse ? selected.reverse() : selected;
}

/** Returns the number of rows that each status button would show, and each code with its number of rows. */
export function counts(rows) {
  const statuses = Object.fromEntries(Object.keys(STATUSES).map((name) => [name, 0]));
  const codes = new Map();
  for (const row of rows) {
    for (const name in STATUSES) statuses[name] += STATUSES[name].test(row) ? 1 : 0;
    for (const code of row.codes) codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  return { statuses, codes: [...codes].sort(([a], [b]) => (a < b ? -1 : 1)) };
}

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
