// The head of the page: counts, the way the run was made, and times.

import { counted, duration, h, number, size } from "./text.js";

const MODES = { check: "Only checked: nothing was written; “written” and “removed” mark what would be. ", "dry-run": "A dry run: nothing was written; “written” and “removed” mark what would be. " };

/** Returns the head. `search(text)` is called with the name of an input that is to be searched for. */
export function overview(data, search) {
  const { run } = data;
  const { summary } = run;
  const parts = ["written", "unchanged", "failed", "skipped", "removed"].filter((name) => summary[name] > 0).map((name) => `${number(summary[name])} ${name}`);
  if (summary.warnings > 0) parts.push(counted(summary.warnings, "warning"));
  const sentence = `${counted(summary.inputs, run.input)}${parts.length ? `: ${parts.join(", ")}` : ""}`;
  const notes = [
    MODES[run.mode] ?? null,
    run.shard ? `Shard ${run.shard} of the inputs. ` : null,
    run.interrupted ? "The run ended early: inputs are missing. " : null,
  ];
  return h(
    "header",
    {},
    h("div", { class: "title" }, h("h1", {}, "rigy-batch ", h("span", { class: "version" }, run.version)), h("button", { type: "button", class: "theme" })),
    h("p", { class: `sentence ${summary.failed > 0 ? "bad" : "good"}` }, sentence),
    notes.some(Boolean) ? h("p", { class: "note" }, ...notes) : null,
    run.viewer ? h("p", { class: "below" }, `${counted(run.viewer.models, "model")} for the viewer, ${size(run.viewer.bytes)} beside this page`) : null,
    summary.timings ? times(summary.timings, search) : null,
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
