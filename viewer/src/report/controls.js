// Search, filters, order and view.

import { counts, GROUPINGS, STATUSES } from "./query.js";
import { h, number } from "./text.js";

/** Returns the controls. `changed()` is called after they have changed `state`. */
export function controls({ state, orders, hasThumbnails, changed }) {
  const set = (name, value) => {
    state[name] = value;
    mark();
    changed();
  };
  const input = h("input", {
    type: "search",
    placeholder: "Search names, codes, messages, hashes",
    "aria-label": "Search",
    "aria-keyshortcuts": "/",
    autocomplete: "off",
    spellcheck: "false",
    input: () => set("q", input.value),
  });
  input.value = state.q;
  const statuses = Object.entries(STATUSES).map(([name, { label }]) => {
    const count = h("span", { class: "number" });
    const button = h("button", { type: "button", class: `filter ${name}`, click: () => set("status", name) }, label, count);
    button.dataset.status = name;
    return button;
  });
  const code = h("select", { "aria-label": "Code", change: () => set("code", code.value) });
  const sort = h(
    "select",
    { "aria-label": "Sort by", change: () => order(sort.value, false) },
    ...orders.map(([name, { label }]) => h("option", { value: name }, label)),
  );
  const group = h(
    "select",
    { "aria-label": "Group", change: () => set("group", group.value) },
    ...Object.entries(GROUPINGS).map(([name, { label }]) => h("option", { value: name }, label)),
  );
  const direction = h("button", { type: "button", class: "direction", "aria-label": "Reverse order", click: () => set("reverse", !state.reverse) }, "⇅");
  const view = h("button", { type: "button", hidden: !hasThumbnails, click: () => set("view", state.view === "sheet" ? "list" : "sheet") }, "Pictures");

  function order(name, reverse) {
    state.reverse = reverse;
    set("sort", name);
  }

  function mark() {
    for (const button of statuses) button.setAttribute("aria-pressed", String(button.dataset.status === state.status));
    direction.setAttribute("aria-pressed", String(state.reverse));
    view.setAttribute("aria-pressed", String(state.view === "sheet"));
    sort.value = state.sort;
    group.value = state.group;
    group.disabled = state.view === "sheet";
    code.value = state.code;
  }

  /** Shows how many outputs each filter has. `texts` has the text of each code. */
  function count({ statuses: numbers, codes }, texts) {
    for (const button of statuses) {
      button.querySelector(".number").textContent = number(numbers[button.dataset.status]);
    }
    const options = codes.map(([name, many]) => h("option", { value: name }, `${name} ${texts[name]?.title ?? ""} (${number(many)})`.replace("  ", " ")));
    code.replaceChildren(h("option", { value: "" }, "All codes"), ...options);
    if (state.code !== "" && !codes.some(([name]) => name === state.code)) code.append(h("option", { value: state.code }, state.code));
    code.disabled = codes.length === 0;
    mark();
  }

  count(counts([]), {});
  return {
    element: h(
      "div",
      { class: "controls" },
      input,
      h("div", { class: "filters", role: "group", "aria-label": "Status" }, ...statuses),
      h("div", { class: "selects" }, code, sort, direction, group, view),
    ),
    input,
    count,
    sort: order,
    focus: () => input.select(),
    search: (text) => {
      input.value = text;
      set("q", text);
    },
  };
}
