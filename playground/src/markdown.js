// The little Markdown of explanations as elements: paragraphs, lists, rules, fenced code, `code` and **bold**. Text is always set as text.
import { element } from "../../viewer/src/view/elements.js";

/** Returns the elements of a text. */
export function markdown(text) {
  const made = [];
  const blocks = text.split(/\n{2,}/);
  for (const block of blocks) {
    const lines = block.split("\n");
    if (block.startsWith("```")) made.push(element("pre", {}, lines.slice(1).filter((line) => !line.startsWith("```")).join("\n")));
    else if (/^-{3,}$/.test(block)) made.push(element("hr"));
    else if (lines.every((line) => line.startsWith("- "))) made.push(element("ul", {}, ...lines.map((line) => element("li", {}, ...inline(line.slice(2))))));
    else made.push(element("p", {}, ...inline(block)));
  }
  return made;
}

/** Returns a line as texts and elements. A code span ends with as many backquotes as it begins with. */
function inline(text) {
  const parts = [];
  let rest = text;
  for (let match; (match = /(`+)([^]*?[^`])\1(?!`)|\*\*([^*]+)\*\*/.exec(rest)); rest = rest.slice(match.index + match[0].length)) {
    parts.push(rest.slice(0, match.index));
    const code = match[2]?.replace(/^ (.*) $/, "$1");
    parts.push(match[1] ? element("code", {}, code) : element("strong", {}, match[3]));
  }
  return [...parts, rest];
}
