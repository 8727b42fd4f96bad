// What the link of a view holds: everything after the # of the address.

const KEYS = ["scene", "row", "pose", "clip", "t", "left", "right", "split", "heat", "solver", "edges", "normals", "joints", "bounds", "back", "camera"];

/** Returns the values of a link by key, as texts. */
export function parseHash(hash) {
  const found = new URLSearchParams(hash.replace(/^#/, ""));
  return Object.fromEntries(KEYS.filter((key) => found.has(key)).map((key) => [key, found.get(key)]));
}

/** Returns the link of values by key; those that are null, false or empty are left out. */
export function formatHash(values) {
  const made = new URLSearchParams();
  for (const key of KEYS) {
    const value = values[key];
    if (value === null || value === undefined || value === false || value === "") continue;
    made.set(key, value === true ? "1" : String(value));
  }
  return `#${made}`;
}

/** Returns a number of a link within bounds, or the default. */
export function numberOf(text, least, most, otherwise) {
  const number = Number(text);
  if (text === undefined || text === "" || !Number.isFinite(number)) return otherwise;
  return Math.min(Math.max(number, least), most);
}
