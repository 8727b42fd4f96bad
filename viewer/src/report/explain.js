// The text of a code, as `rigy-batch explain` prints it.

import { copyButton, h } from "./text.js";

/** Returns a dialog, whose `show(code)` opens it. `codes` has the texts. */
export function explanations(codes) {
  const body = h("div", {});
  const close = h("button", { type: "button", class: "close", "aria-label": "Close explanation", click: () => dialog.close() }, "✕");
  const heading = h("h2", {});
  const dialog = h(
    "dialog",
    { class: "explain", "aria-label": "Explanation", click: (event) => event.target === dialog && dialog.close(), keydown: (event) => event.stopPropagation() },
    h("div", { class: "detail-head" }, heading, close),
    body,
  );
  const show = (code) => {
    const { title, meaning, mend, example } = codes[code];
    heading.replaceChildren(h("span", { class: `code ${code.startsWith("W") ? "warning" : "error"}` }, code), ` ${title}`);
    const command = `rigy-batch explain ${code}`;
    body.replaceChildren(
      h("p", {}, meaning),
      h("p", { class: "help" }, h("b", {}, "Mend: "), mend),
      ...exampleOf(example),
      h("p", { class: "command" }, h("code", {}, command), copyButton(command, "the command")),
    );
    dialog.showModal();
  };
  return { element: dialog, show, has: (code) => Object.hasOwn(codes, code) };
}

/** Returns an example: its lines with those that the mend removes and adds, or the sentence that says why there is none. */
function exampleOf(text) {
  const at = text.indexOf("\n\n");
  if (at < 0) return [h("p", { class: "below" }, text)];
  const lines = text.slice(at + 2).split("\n").map((line) => {
    const kind = line.startsWith("- ") ? "removed" : line.startsWith("+ ") ? "added" : line.startsWith("--- ") ? "file" : "";
    return h("span", { class: `example-line ${kind}` }, line === "" ? " " : line);
  });
  return [h("p", { class: "reason" }, text.slice(0, at)), h("pre", { class: "example", tabindex: "0", "aria-label": "Example" }, ...lines)];
}
