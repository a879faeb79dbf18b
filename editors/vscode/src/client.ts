// Speaks with the server.

import * as vscode from "vscode";
import { LanguageClient, type Middleware, State } from "vscode-languageclient/node";
import { SECTION, called, includeRoots, program, wishes } from "./settings";

/** A command of the server. */
export type Command = "endstep.check" | "endstep.checkOne" | "endstep.replay" | "endstep.expect" | "endstep.report";

/** What is shown if the program cannot be found. */
async function missing(): Promise<void> {
  const open = "Open Settings";
  const told = `The program "${called()}" is not there. Install Endstep so that it is on the PATH, or say in the setting "endstep.path" where it is.`;
  if ((await vscode.window.showErrorMessage(told, open)) === open) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "endstep.path");
  }
}

export class Client {
  private client: LanguageClient | null = null;
  private readonly channel = vscode.window.createOutputChannel("Endstep");
  /** Starting and stopping, one after the other. */
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly middleware: Middleware,
    /** Called with the URIs of all specifications whose findings are known. */
    private readonly looked: (uris: readonly string[]) => void,
  ) {}

  log(message: string): void {
    this.channel.appendLine(message);
  }

  restart(): Promise<void> {
    this.turn = this.turn.then(() => this.stop()).then(() => this.start());
    return this.turn;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = null;
    // One that has not come so far has nothing to stop.
    await client?.dispose().catch((why) => this.log(String(why)));
  }

  /** Tells the server that settings have changed. */
  async change(): Promise<void> {
    await this.client?.sendNotification("workspace/didChangeConfiguration", { settings: { [SECTION]: wishes() } });
  }

  /** Has the server carry out a command; nothing if there is no server. */
  async run(command: Command, ...args: unknown[]): Promise<unknown> {
    if (this.client?.state !== State.Running) {
      return null;
    }
    return this.client.sendRequest("workspace/executeCommand", { command, arguments: args });
  }

  private async start(): Promise<void> {
    const path = program();
    if (path === null) {
      void missing();
      return;
    }
    const client = new LanguageClient(
      SECTION,
      "Endstep",
      { command: path, args: ["lsp", ...includeRoots()] },
      {
        documentSelector: [{ language: SECTION }],
        initializationOptions: wishes(),
        outputChannel: this.channel,
        middleware: this.middleware,
      },
    );
    client.onNotification("endstep/looked", ({ uris }: { uris: string[] }) => this.looked(uris));
    this.client = client;
    try {
      await client.start();
    } catch (why) {
      this.log(String(why));
      void vscode.window.showErrorMessage(`"${path} lsp" could not be started: ${String(why)}`);
    }
  }
}
