// Starts `rigy-batch lsp` and connects the editor to it.

"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** The files of which the server is told: documents, scenes, and what they import. */
const FILES = "**/*.{rigy,rigs,part,ricy}.{yaml,yml}";
const WEIGHTS = "**/*.weights.json";

/** @type {LanguageClient | undefined} */
let client;

async function start() {
  const command = vscode.workspace.getConfiguration("rigy").get("server.path");
  const patterns = [FILES, WEIGHTS];
  client = new LanguageClient(
    "rigy",
    "Rigy",
    { command, args: ["lsp"] },
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
  await running?.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("rigy.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) =>
      change.affectsConfiguration("rigy.server.path") ? restart() : undefined,
    ),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
