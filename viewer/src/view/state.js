// What the link of a view holds: everything after the # of the address.

const KEYS = ["scene", "report", "pose", "clip", "t", "left", "right", "layout", "split", "heat", "joint", "solver", "shadow", "grid", "edges", "normals", "joints", "bounds", "back", "plain", "camera"];

/** Returns the values of a link by key, as texts. */
function parseHash(hash) {
  const found = new URLSearchParams(hash.replace(/^#/, ""));
  return Object.fromEntries(KEYS.filter((key) => found.has(key)).map((key) => [key, found.get(key)]));
}

/** Returns the link of values by key; those that are null, false or empty are left out. */
function formatHash(values) {
  const made = new URLSearchParams();
  for (const key of KEYS) {
    const value = values[key];
    if (value === null || value === undefined || value === false || value === "") continue;
    made.set(key, value === true ? "1" : String(value));
  }
  return `#${made}`;
}

/** Returns a number of a link within bounds, or the default. */
function numberOf(text, least, most, otherwise) {
  const number = Number(text);
  if (text === undefined || text === "" || !Number.isFinite(number)) return otherwise;
  return Math.min(Math.max(number, least), most);
}

/** What the picture can show of a scene, as pairs of value and label. */
export const SIDES = {
  solvers: [["lbs", "LBS"], ["dqs", "DQS"], ["baked", "Baked"]],
  models: [["a", "A"], ["b", "B"]],
};
/** Arrangements of two models in the picture. */
export const LAYOUTS = [["split", "Split line"], ["side", "Side by side"]];
/** What colours can show of a scene. */
export const HEATS = {
  solvers: [["none", "Off"], ["solvers", "LBS to DQS"], ["baked", "GPU to baked"], ["joint", "Weights of a joint"], ["count", "Number of joints"]],
  models: [["none", "Off"], ["models", "A to B"]],
};
/** What can be shown in addition: keys of the state, and labels. */
export const TOGGLES = { shadow: "Shadow", grid: "Grid", edges: "Wireframe", normals: "Normals", joints: "Joints", bounds: "Bounds", back: "Back faces" };

/** Returns the state of a link, or that with which a scene begins. */
export function readState(hash, data) {
  const isDocument = data.kind === "document";
  const solver = data.surfaces.find((surface) => surface.solver)?.solver ?? "lbs";
  const state = data.comparison
    ? { left: "a", right: "b", heat: "models", solver }
    : { left: solver, right: "", heat: "none", solver };
  Object.assign(state, { pose: 0, clip: 0, t: isDocument ? 1 : 0, layout: "split", split: 0.5 });
  const from = parseHash(hash);
  const one = (key, values) => { if (values.includes(from[key])) state[key] = from[key]; };
  state.pose = Math.max(0, data.poses.findIndex((pose) => pose.name === from.pose) + 1);
  state.clip = from.clip === undefined ? (data.clips.length && !data.comparison ? 1 : 0) : Math.round(numberOf(from.clip, 0, data.clips.length, 0));
  const clip = data.clips[state.clip - 1];
  state.t = clip ? numberOf(from.t, clip.start, clip.end, clip.start) : numberOf(from.t, 0, 1, state.t);
  const values = (of) => of[data.comparison ? "models" : "solvers"].map(([value]) => value);
  one("left", values(SIDES));
  one("right", values(SIDES));
  if (from.right === "same") state.right = "";
  if (data.comparison) one("layout", LAYOUTS.map(([value]) => value));
  one("heat", values(HEATS));
  one("solver", ["lbs", "dqs"]);
  if (state.left === "lbs" || state.left === "dqs") state.solver = state.left;
  state.split = numberOf(from.split, 0, 1, 0.5);
  for (const key of [...Object.keys(TOGGLES), "plain"]) state[key] = from[key] === "1";
  state.shadow = from.shadow !== "0";
  const [skin, joint] = (from.joint ?? "").split(".").map(Number);
  state.joint = data.skins[skin]?.joints[joint] && !data.skins[skin].isNodes ? `${skin}.${joint}` : "";
  const camera = (from.camera ?? "").split(",").map(Number);
  if (camera.length === 6 && camera.every(Number.isFinite)) state.camera = camera;
  return state;
}

/** Returns the link of a state; `camera` has the position of the camera and its target, `keep` has what else stays in the link. */
export function linkOf(state, data, camera, keep) {
  const round = (number) => Number(number.toPrecision(5));
  const isDocument = data.kind === "document";
  const isDefault = state.heat === (data.comparison ? "models" : "none");
  return formatHash({
    ...keep, ...state, camera: camera.map(round).join(","), heat: isDefault ? null : state.heat, split: state.right && state.layout === "split" ? round(state.split) : null,
    shadow: state.shadow ? null : 0, layout: state.layout === "split" ? null : state.layout,
    right: state.right || (data.comparison ? "same" : null),
    pose: state.pose ? data.poses[state.pose - 1].name : null, clip: data.clips.length ? state.clip : null,
    t: (isDocument && !state.pose) || (data.comparison && !state.clip) ? null : round(state.t),
  });
}
