// The editor of the document: CodeMirror with findings, proposals and explanations of the engine.
import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, insertCompletionText, pickedCompletion, startCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { element } from "../../viewer/src/view/elements.js";
import { markdown } from "./markdown.js";

const colours = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: "var(--key)" },
  { tag: tags.propertyName, color: "var(--key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: tags.content, color: "var(--ink)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--faint)" },
  { tag: [tags.labelName, tags.keyword, tags.meta], color: "var(--accent)" },
]);

/** CodeMirror's words for the kinds of proposals, which choose the sign before each. */
const KINDS = { key: "property", word: "enum", name: "variable" };

export class Editor {
  /**
   * `ask` has the functions `complete(text, offset)` and `hover(text, offset)`, which promise what the engine answers; `onchange` is called
   * with each new text.
   */
  constructor(parent, { ask, onchange }) {
    this.ask = ask;
    this.onchange = onchange;
    this.extensions = this.#extensions();
    this.view = new EditorView({ parent, state: this.#stateOf("") });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Puts another document in; nothing of the one before can be undone. `onchange` is not called. */
  open(text) {
    this.view.setState(this.#stateOf(text));
  }

  /** Underlines findings, which have `from`, `to`, `message`, `help`, `code` and `isWarning`. */
  mark(findings, describe) {
    const end = this.view.state.doc.length;
    const list = findings.map((finding) => ({
      from: Math.min(finding.from, end),
      to: Math.min(finding.to, end),
      severity: finding.isWarning ? "warning" : "error",
      message: finding.message,
      renderMessage: () => describe(finding),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, list));
  }

  /** Selects a range, shows it and gives the editor the keyboard. */
  goTo(from, to) {
    const end = this.view.state.doc.length;
    this.view.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, effects: EditorView.scrollIntoView(Math.min(from, end), { y: "center" }) });
    this.view.focus();
  }

  /** Puts a text in the place of a range, as if it had been typed. */
  replace(from, to, insert) {
    this.view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, scrollIntoView: true });
    this.view.focus();
  }

  #stateOf(doc) {
    return EditorState.create({ doc, extensions: this.extensions });
  }

  // Whatever is drawn beside the text costs time with each key stroke: no folding, no mark of the active line.
  #extensions() {
    return [
      lineNumbers(), lintGutter(), history(), indentOnInput(), bracketMatching(), closeBrackets(),
      search({ top: true }), yaml(), syntaxHighlighting(colours),
      indentUnit.of("  "), EditorState.tabSize.of(2),
      EditorView.contentAttributes.of({ "aria-label": "Document", spellcheck: "false", tabindex: "0" }),
      autocompletion({ override: [(context) => this.#proposals(context)] }),
      hoverTooltip((view, pos) => this.#explanation(view, pos)),
      EditorView.updateListener.of((update) => this.#changed(update)),
      keymap.of([{ key: "Tab", run: acceptCompletion }, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
    ];
  }

  #changed(update) {
    if (!update.docChanged) return;
    this.onchange(this.text);
    // Values and list items begin behind a blank, where CodeMirror would not propose anything by itself.
    const { head } = update.state.selection.main;
    const isTyped = update.transactions.some((transaction) => transaction.isUserEvent("input.type"));
    if (isTyped && /^\s*(- )*[\w."-]+: $|^\s*- $/.test(update.state.doc.lineAt(head).text.slice(0, head - update.state.doc.lineAt(head).from))) startCompletion(update.view);
  }

  async #proposals(context) {
    const isWord = context.matchBefore(/[\w$.]+/) !== null;
    const isBehindBlank = context.matchBefore(/[:-] /) !== null;
    if (!context.explicit && !isWord && !isBehindBlank) return null;
    const found = await this.ask.complete(context.state.doc.toString(), context.pos).catch(() => null);
    if (!found?.length || context.aborted) return null;
    const { from, to } = found[0];
    // The proposals are filtered by what stands before the cursor, and replace what stands behind it, too.
    const behind = to - context.pos;
    const insert = (text) => (view, option, from, to) => {
      view.dispatch({ ...insertCompletionText(view.state, text, from, to + behind), annotations: pickedCompletion.of(option) });
      if (text.endsWith(": ")) startCompletion(view);
    };
    const options = found.filter((proposal) => proposal.from === from).map((proposal, rank) => ({
      label: proposal.label,
      apply: insert(proposal.insert),
      type: KINDS[proposal.kind],
      detail: proposal.isRequired ? "required" : undefined,
      info: proposal.about ? () => element("div", { className: "explanation" }, ...markdown(proposal.about)) : undefined,
      sortText: String(rank).padStart(6, "0"),
    }));
    return { from, options, validFor: /^[\w.-]*$/ };
  }

  async #explanation(view, pos) {
    const found = await this.ask.hover(view.state.doc.toString(), pos).catch(() => null);
    if (!found) return null;
    return {
      pos: found.from,
      end: found.to,
      create: () => ({ dom: element("div", { className: "explanation" }, ...markdown(found.text)) }),
    };
  }
}
