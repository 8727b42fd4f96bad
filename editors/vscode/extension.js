// Starts `rigy-batch lsp` and connects the editor to it.

"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** The files of which the server is told: documents, scenes, and what they import. */
const FILES = "**/*.{rigy,rigs,part,ricy}.{yaml,yml}";
const WEIGHTS = "**/*.weights.json";

/** @type {LanguageClient | undefined} */
let client;

/** Ends with the last step that has been asked for. Two steps at once would leave a server behind that nothing ends. */
let last = Promise.resolve();

function inTurn(step) {
  last = last.then(step);
  return last;
}

async function start() {
  const settings = vscode.workspace.getConfiguration("rigy.server");
  const command = settings.get("path");
  const patterns = [FILES, WEIGHTS];
  client = new LanguageClient(
    "rigy",
    "Rigy",
    { command, args: ["lsp", ...settings.get("options")] },
    {
      documentSelector: patterns.map((pattern) => ({ scheme: "file", pattern })),
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `\`${command} lsp\` does not start: ${error.message}. Set rigy.server.path to the program rigy-batch.`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  try {
    await running?.stop();
  } catch {
    // A server that does not end in time is killed, and one that has ended needs nothing.
  }
}

const restart = () => inTurn(() => stop().then(start));

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("rigy.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) =>
      change.affectsConfiguration("rigy.server") ? restart() : undefined,
    ),
  );
  await inTurn(start);
}

module.exports = { activate, deactivate: () => inTurn(stop) };
