// The head of the page: counts, when and how the run was made, times, and the button for colours.

import { copyButton, counted, duration, h, number, size } from "./text.js";

const MODES = { check: "Only checked: nothing was written; “written” and “removed” mark what would be.", "dry-run": "A dry run: nothing was written; “written” and “removed” mark what would be." };

/** Returns the head. `search(text)` is called with the name of an input that is to be searched for. */
export function overview(data, search) {
  const { run, circumstances } = data;
  const { summary } = run;
  const facts = [when(circumstances.began), `took ${duration(circumstances.seconds)}`, `version ${run.version}`, circumstances.machine];
  return h(
    "header",
    {},
    h("div", { class: "title" }, h("h1", {}, "rigy-batch report"), theme()),
    h("p", { class: `sentence ${summary.failed > 0 || run.interrupted ? "bad" : "good"}` }, run.sentence),
    h("p", { class: "facts-line" }, ...facts.map((fact) => h("span", {}, fact))),
    run.mode ? h("p", { class: "note" }, MODES[run.mode]) : null,
    h("div", { class: "more" }, about(data), summary.timings ? times(summary.timings, search) : null),
  );
}

function when(seconds) {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Everything about the run, which opens on demand. */
function about({ run, circumstances, total }) {
  const { command, directory, options } = circumstances;
  const fact = (name, ...values) => [h("dt", {}, name), h("dd", {}, ...values)];
  const shown = (text) => h("code", {}, h("bdi", {}, text));
  const { inputs } = run;
  const adds = ["written", "unchanged", "failed", "skipped"].filter((name) => inputs[name] > 0).map((name) => `${number(inputs[name])} ${name}`);
  return h(
    "details",
    { class: "about" },
    h("summary", {}, "About this run"),
    h(
      "dl",
      {},
      ...fact("Command", shown(command), copyButton(command, "the command")),
      ...fact("Directory", shown(directory), copyButton(directory, "the directory")),
      ...(options.length ? fact("Options of a file", ...options.map(([name, place]) => h("div", {}, h("code", {}, `--${name}`), " ", h("bdi", { class: "soft" }, place)))) : []),
      ...fact("Inputs", `${adds.join(" + ") || "0"} = ${number(run.summary.inputs)}`),
      ...fact("Outputs", number(total)),
      ...fact("Viewer", run.viewer ? `${counted(run.viewer.models, "model")}, ${size(run.viewer.bytes)} beside this page` : "no models"),
    ),
  );
}

function times({ stages, inputs, slowest }, search) {
  const figures = (name, f) =>
    h("tr", {}, h("th", { scope: "row" }, name), ...["p50", "p99", "max", "total"].map((key) => h("td", {}, duration(f[key]))));
  const heads = ["Stage", "Median", "99 %", "Largest", "Total"].map((name) => h("th", { scope: "col" }, name));
  const slow = slowest.map(({ input, seconds }) => {
    const button = h("button", { type: "button", class: "link", click: () => search(input) }, h("bdi", {}, input));
    return h("li", {}, `${duration(seconds)} `, button);
  });
  return h(
    "details",
    { class: "times" },
    h("summary", {}, "Times"),
    h(
      "div",
      { class: "times-body" },
      h("table", {}, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...stages.map((s) => figures(s.stage, s)), figures("inputs", inputs))),
      h("div", {}, h("h2", {}, "Slowest inputs"), h("ol", {}, ...slow)),
    ),
  );
}

/** Returns a button that switches between the colours of the system, light and dark. The choice is kept where the browser allows that. */
function theme() {
  const names = ["auto", "light", "dark"];
  const button = h("button", { type: "button", class: "theme" });
  let name = "auto";
  try {
    name = localStorage.getItem("rigy-batch-theme") ?? "auto";
  } catch {
    // The browser keeps nothing for files.
  }
  const apply = () => {
    document.documentElement.dataset.theme = name;
    button.textContent = `Colours: ${name}`;
  };
  if (!names.includes(name)) name = "auto";
  apply();
  button.addEventListener("click", () => {
    name = names[(names.indexOf(name) + 1) % names.length];
    apply();
    try {
      localStorage.setItem("rigy-batch-theme", name);
    } catch {
      // As above.
    }
  });
  return button;
}
