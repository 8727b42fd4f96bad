// The report page: reads the data, and connects the controls with the list and the panel.

import { controls } from "./controls.js";
import { Data } from "./data.js";
import { Detail, explanations } from "./detail.js";
import { groupLine, line, tile } from "./items.js";
import { List } from "./list.js";
import { overview } from "./overview.js";
import { counts, GROUPINGS, Groups, ORDERS, select, START, STATUSES } from "./query.js";
import { h, number } from "./text.js";

const data = new Data();
let saving = 0;
const hasTimes = data.run.summary.timings !== null;
const state = readState();
const orders = Object.entries(ORDERS)
  .filter(([name]) => name !== "seconds" || hasTimes)
  .map(([name, order]) => [name, name === "pose" ? { ...order, label: data.kind } : order]);

const status = h("p", { class: "count", role: "status" });
const problem = h("p", { class: "note", role: "alert", hidden: true });
const explain = explanations(data.run.codes);
const groups = new Groups();
const detail = new Detail(data, explain, {
  address,
  closed: () => {
    state.open = false;
    saveState();
    setPanel(false);
    list.element.focus();
  },
});
const panel = controls({ state, orders, hasThumbnails: data.hasThumbnails, changed });

const header = h(
  "div",
  { class: "line header", role: "row", "aria-rowindex": "1" },
  data.hasThumbnails ? h("div", { role: "columnheader", class: "column-picture", "aria-label": "Picture" }) : null,
  column("status", "Status"),
  column("name", "Output"),
  column("pose", data.kind),
  column("codes", "Findings"),
  column("bytes", "Size"),
  hasTimes ? column("seconds", "Time") : null,
);
const isSheet = () => state.view === "sheet";
const isNarrow = () => matchMedia("(max-width: 760px)").matches;
const list = new List({
  header,
  render: (item, index) => {
    if (item.isGroup) return groupLine(item);
    return isSheet() ? tile(item, data) : line(item, data, hasTimes, index);
  },
  measure: (width) => {
    if (!isSheet()) return { columns: 1, line: isNarrow() ? 66 : 50 };
    return { columns: Math.max(2, Math.floor(width / 190)), line: 238 };
  },
  selected: (item) => {
    const row = item?.isGroup ? null : item;
    state.row = row === null ? null : row.index;
    if (detail.isOpen && row !== null) detail.show(row);
    saveState();
  },
  opened: (row) => {
    if (row.isGroup) {
      row.isOpen = !row.isOpen;
      show();
      return;
    }
    state.open = true;
    saveState();
    detail.show(row);
    setPanel(true);
    detail.heading.focus({ preventScroll: true });
  },
});

const main = h("div", { class: "main" }, overview(data, (text) => panel.search(text)), panel.element, problem, status, list.element);
const app = document.getElementById("app");
app.append(h("main", {}, main, detail.element), explain.element);
list.element.classList.toggle("with-pictures", data.hasThumbnails);
document.documentElement.classList.toggle("times", hasTimes);
// The list takes keys from the start, and shows that it has them once the keyboard is used.
document.documentElement.classList.add("no-keys");
addEventListener("keydown", () => document.documentElement.classList.remove("no-keys"), { capture: true, once: true });
addEventListener("keydown", key);
// The way back leads to what is shown now.
addEventListener("click", (event) => event.target.closest?.("a") && writeAddress());
addEventListener("resize", () => setPanel(detail.isOpen));

function column(name, label) {
  const sort = () => {
    const reverse = state.sort === name && !state.reverse;
    panel.sort(name, reverse);
  };
  const button = h("button", { type: "button", tabindex: "-1", click: sort }, label);
  const cell = h("div", { role: "columnheader", class: `column-${name}` }, button);
  cell.dataset.sort = name;
  return cell;
}

/** Shows what the state selects. */
function show() {
  const selected = select(data.rows, state);
  // Only lines of a tree open and close.
  list.element.setAttribute("role", !isSheet() && state.group !== "" ? "treegrid" : "grid");
  list.set(isSheet() ? selected : groups.lines(selected, state.group));
  const loaded = data.rows.length < data.total ? `; ${number(data.rows.length)} of ${number(data.total)} loaded` : "";
  const reach = list.isCut ? `; the list ends after ${number(list.reachable)}, search for the others` : "";
  const all = selected.length === data.total ? number(data.total) : `${number(selected.length)} of ${number(data.total)}`;
  status.textContent = `${all} output${data.total === 1 ? "" : "s"}${loaded}${reach}`;
  for (const cell of header.querySelectorAll("[data-sort]")) {
    const isSorted = cell.dataset.sort === state.sort;
    const isDown = isSorted && ORDERS[state.sort].descending !== state.reverse;
    cell.setAttribute("aria-sort", isSorted ? (isDown ? "descending" : "ascending") : "none");
  }
  list.element.classList.toggle("as-sheet", isSheet());
}

/** Shows the results after a control has changed the state. */
function changed() {
  show();
  if (list.current === null) list.element.scrollTop = 0;
  saveState();
}

/** Opens or closes the room of the panel. On a narrow screen the panel covers the rest, which then cannot be reached. */
function setPanel(isOpen) {
  document.documentElement.classList.toggle("open", isOpen);
  main.inert = isOpen && isNarrow();
}

function key(event) {
  const isTyping = event.target.closest?.("input, select, textarea") !== null;
  if (event.key === "/" && !isTyping && !main.inert) {
    event.preventDefault();
    panel.focus();
  } else if (event.key === "Escape" && !event.defaultPrevented) {
    if (detail.isOpen) detail.close();
    else if (state.q !== "") panel.search("");
    else list.element.focus();
  } else if (event.key === "ArrowDown" && event.target === panel.input) {
    event.preventDefault();
    list.element.focus();
    if (list.current === null) list.select(0);
  }
}

/** Returns the state that the address holds. Values that are not known are left out. */
function readState() {
  const given = new URLSearchParams(location.hash.slice(1));
  const text = (name) => given.get(name) ?? START[name];
  const view = given.get("view") === "sheet" && data.hasThumbnails ? "sheet" : "list";
  const sort = Object.hasOwn(ORDERS, text("sort")) ? text("sort") : START.sort;
  const status = Object.hasOwn(STATUSES, text("status")) ? text("status") : START.status;
  const group = Object.hasOwn(GROUPINGS, text("group")) ? text("group") : START.group;
  const row = /^\d{1,9}$/.test(given.get("row") ?? "") ? Number(given.get("row")) : null;
  const open = given.get("open") === "1";
  return { ...START, q: text("q"), code: text("code"), reverse: given.get("reverse") === "1", sort, status, group, view, row, open };
}

/** Puts the state into the address a moment later, so that a link restores it. Browsers limit how often that is done. */
function saveState() {
  clearTimeout(saving);
  saving = setTimeout(writeAddress, 250);
}

/** Returns the state as the address holds it after `#`. */
function address() {
  const values = new URLSearchParams();
  for (const name of ["q", "status", "code", "sort", "group"]) if (state[name] !== START[name]) values.set(name, state[name]);
  if (state.reverse) values.set("reverse", "1");
  if (isSheet()) values.set("view", "sheet");
  if (state.row !== null) values.set("row", String(state.row));
  if (state.open && state.row !== null) values.set("open", "1");
  return values.toString();
}

function writeAddress() {
  detail.relink();
  try {
    history.replaceState(null, "", `#${address()}`);
  } catch {
    // Some browsers refuse this for files.
  }
}

let shown = null;
data
  .loadRows(() => {
    // Sorting what has been loaded so far takes longer the more there is, so it is not done for each part.
    if (shown !== null && performance.now() - shown < 300) return;
    show();
    panel.count(counts(data.rows), data.run.codes);
    if (shown === null) list.element.focus({ preventScroll: true });
    shown = performance.now();
  })
  .then(() => {
    show();
    panel.count(counts(data.rows), data.run.codes);
    const row = data.rows[state.row];
    if (row) {
      groups.reveal(row, state.group);
      show();
      list.selectItem(row, state.open);
    }
    document.documentElement.dataset.loaded = "true";
  })
  .catch((error) => {
    problem.textContent = error.message;
    problem.hidden = false;
  });
