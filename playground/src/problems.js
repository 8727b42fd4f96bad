// The list of findings below the editor.
import { element } from "../../viewer/src/view/elements.js";
import { printable } from "../../viewer/src/printable.js";
import { markdown } from "./markdown.js";

/**
 * Returns the elements that describe a finding: its message, what to do about it, a button that does it if there is one definite edit, and the
 * explanation of its code on demand.
 */
export function describe(finding, { explain, fix }) {
  const label = finding.code ?? finding.category;
  const about = element("div", { className: "explanation", hidden: true });
  let asked = null;
  const toggle = async () => {
    about.hidden = !about.hidden;
    button.setAttribute("aria-expanded", String(!about.hidden));
    asked ??= explain(finding.code).catch((error) => { asked = null; return error.message; });
    about.replaceChildren(...markdown((await asked) ?? "There is no explanation."));
  };
  const button = finding.code ? element("button", { type: "button", className: "code", title: "What does this code mean?", "aria-expanded": "false", onclick: toggle }, label) : element("span", { className: "code" }, label);
  return element("div", { className: "finding" }, button, element("span", { className: "message" }, printable(finding.message)),
    finding.help && element("p", { className: "help" }, printable(finding.help)),
    finding.mend && element("button", { type: "button", className: "fix", onclick: () => fix(finding.mend) }, printable(finding.mend.title)), about);
}

/** Returns a finding of a glTF file, which has no place in the editor, in the form of those that have one. */
export function unplaced(finding) {
  return { ...finding, from: 0, to: 0 };
}

export class Problems {
  /** `goTo(finding)` shows a finding's place, and `describe(finding)` returns the elements that describe it. */
  constructor({ goTo, describe }) {
    Object.assign(this, { goTo, describe });
    this.list = element("ul", {});
    this.count = element("p", { className: "count", role: "status" });
    this.node = element("section", { className: "problems", "aria-label": "Findings" }, this.count, this.list);
  }

  /** Shows findings of a file, whose name those of other files are told from. */
  show(findings, name) {
    const errors = findings.filter((finding) => !finding.isWarning).length;
    const warnings = findings.length - errors;
    this.count.textContent = findings.length ? [of(errors, "error"), of(warnings, "warning")].filter(Boolean).join(", ") : "No findings";
    this.list.replaceChildren(...findings.slice(0, 100).map((finding) => this.#item(finding, name)));
    if (findings.length > 100) this.list.append(element("li", {}, `and ${findings.length - 100} more`));
  }

  #item(finding, name) {
    const file = finding.file === name ? "" : finding.file ?? "";
    const at = printable([file, finding.line, finding.column].filter((part) => part !== "" && part !== null).join(":"));
    const place = element("button", { type: "button", className: "place", title: "Go there", onclick: () => this.goTo(finding) }, at || "file");
    return element("li", { className: finding.isWarning ? "warning" : "error" }, place, this.describe(finding));
  }
}

function of(count, word) {
  return count ? `${count} ${word}${count === 1 ? "" : "s"}` : "";
}
