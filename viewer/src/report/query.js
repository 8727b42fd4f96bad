// Which outputs are shown, and in which order.

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
  all: () => true,
  written: (row) => row.status === "written",
  unchanged: (row) => row.status === "unchanged",
  failed: (row) => row.status === "failed",
  removed: (row) => row.status === "removed",
  warnings: (row) => row.warnings > 0,
};

export const START = { q: "", status: "all", code: "", sort: "urgency", reverse: false, group: "" };

/** Returns the rows that a query selects, in its order. */
export function select(rows, query) {
  const words = query.q.toLowerCase().split(/\s+/).filter(Boolean);
  const hasStatus = STATUSES[query.status];
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
    for (const name in STATUSES) statuses[name] += STATUSES[name](row) ? 1 : 0;
    for (const code of row.codes) codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  return { statuses, codes: [...codes].sort(([a], [b]) => (a < b ? -1 : 1)) };
}
