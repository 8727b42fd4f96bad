// Asks the extension in VS Code what an author would, and writes the answers as JSON to the file that RIGY_FOUND names. VS Code's
// extension host runs this as an extension of its own in a folder with a document `lamp.rigy.yaml`.

"use strict";

const { renameSync, writeFileSync } = require("node:fs");
const vscode = require("vscode");

const { executeCommand } = vscode.commands;
const found = { version: vscode.version };

async function waitFor(what, holds) {
  for (const end = Date.now() + 20_000; !holds(); await new Promise((resolve) => setTimeout(resolve, 20))) {
    if (Date.now() > end) throw new Error(`there is nothing of this after 20 s: ${what}`);
  }
}

const diagnostics = (document) => vscode.languages.getDiagnostics(document.uri);

/** Where a part of a line begins; lines are counted from 1. */
const place = (document, line, part) => new vscode.Position(line - 1, document.lineAt(line - 1).text.indexOf(part));

/** Restarts the server thrice at once, which leaves one that answers. */
async function restart() {
  await waitFor("our extension", () => vscode.extensions.getExtension("rigy-batch.rigy-batch").isActive);
  await Promise.all([1, 2, 3].map(() => executeCommand("rigy.restart")));
}

/** The first finding, and its quick fix, applied as the editor does. */
async function mend(editor) {
  const { document } = editor;
  await waitFor("a finding", () => diagnostics(document).length > 0);
  found.first = diagnostics(document).map(({ code, range }) => ({ code: code.value ?? code, line: range.start.line + 1 }));
  const { range } = diagnostics(document)[0];
  const fixes = await executeCommand("vscode.executeCodeActionProvider", document.uri, range, "quickfix");
  const preferred = fixes.filter(({ isPreferred }) => isPreferred);
  if (preferred.length !== 1) throw new Error(`${preferred.length} quick fixes are offered`);
  editor.selection = new vscode.Selection(range.start, range.start);
  await executeCommand("editor.action.codeAction", { kind: "quickfix", apply: "first" });
  await waitFor("no finding", () => diagnostics(document).length === 0);
  found.mended = document.getText();
}

async function propose(editor) {
  const { document } = editor;
  const before = document.getText();
  await editor.edit((edit) => edit.insert(new vscode.Position(document.lineCount, 0), "poses:\n  - "));
  const end = document.lineAt(document.lineCount - 1).range.end;
  const { items } = await executeCommand("vscode.executeCompletionItemProvider", document.uri, end);
  found.proposals = items.map(({ label }) => label.label ?? label);
  await executeCommand("undo");
  if (document.getText() !== before) throw new Error(`not undone: ${document.getText()}`);
}

async function edit(editor) {
  const { document } = editor;
  const ask = (command, ...more) => executeCommand(`vscode.${command}`, document.uri, ...more);
  await restart();
  await mend(editor);
  const hovers = await ask("executeHoverProvider", place(document, 5, "type"));
  found.hover = hovers.flatMap(({ contents }) => contents.map(({ value }) => value)).join("\n");
  await propose(editor);
  const renamed = await ask("executeDocumentRenameProvider", place(document, 11, "arm,"), "mast");
  if (!(await vscode.workspace.applyEdit(renamed))) throw new Error("the new name is refused");
  await executeCommand("editor.action.formatDocument");
  found.formatted = document.getText();
  found.symbols = (await ask("executeDocumentSymbolProvider")).length;
}

async function run() {
  const [folder] = vscode.workspace.workspaceFolders;
  await edit(await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, "lamp.rigy.yaml")));
}

exports.activate = async () => {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error(`no answer after ${Object.keys(found).at(-1)}`)), 60_000));
  try {
    await Promise.race([run(), late]);
  } catch (fault) {
    found.fault = fault.stack;
  }
  // The file appears at once with all that it has.
  writeFileSync(`${process.env.RIGY_FOUND}.new`, JSON.stringify(found));
  renameSync(`${process.env.RIGY_FOUND}.new`, process.env.RIGY_FOUND);
};
