// Starts the server, and shows what it finds: in a view, on the board, as text.

import type { Middleware } from "vscode-languageclient/node";
import * as vscode from "vscode";
import { Client } from "./client";
import { type Found, told } from "./findings";
import { Player } from "./player";
import { isReport, mainPlace } from "./report";
import { goTo } from "./reveal";
import { SECTION } from "./settings";
import { TYPE, tasks } from "./tasks";
import { Texts } from "./texts";
import { Findings, type Node } from "./tree";

/** The text that a command of the server returns. */
function textOf(result: unknown): string | null {
  return typeof result === "object" && result !== null && "text" in result && typeof result.text === "string"
    ? result.text
    : null;
}

class Extension {
  private readonly findings = new Findings();
  private readonly texts = new Texts();
  private readonly player: Player;
  private readonly client: Client;
  private readonly view: vscode.TreeView<Node>;
  /** Which answer of the server is the last one. */
  private generation = 0;

  constructor(context: vscode.ExtensionContext) {
    this.client = new Client(this.middleware(), (uris) => void this.looked(uris));
    this.player = new Player(context.extensionUri, (message) => this.client.log(message));
    this.view = vscode.window.createTreeView("endstep.findings", { treeDataProvider: this.findings });
    const command = (name: string, run: (node?: Node) => unknown): vscode.Disposable =>
      vscode.commands.registerCommand(name, run);
    const finding = (name: string, run: (found: Found) => unknown): vscode.Disposable =>
      command(name, (node) => (node?.kind === "finding" ? run(node.found) : undefined));
    context.subscriptions.push(
      this.view,
      this.texts.register(),
      vscode.tasks.registerTaskProvider(TYPE, tasks),
      command("endstep.checkNow", () => this.checkNow()),
      command("endstep.restart", () => this.client.restart()),
      finding("endstep.goToFinding", (found) => this.goToFinding(found)),
      finding("endstep.showFinding", (found) => this.play(found)),
      finding("endstep.showFindingText", (found) => this.showText(found)),
      finding("endstep.expectFinding", (found) => this.expect(found.uri, found.finding.fingerprint)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.languageId === SECTION && contentChanges.length > 0) {
          this.findings.outdate(document);
          this.outdate();
        }
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("endstep.path") || event.affectsConfiguration("endstep.includeRoots")) {
          void this.client.restart();
        } else if (event.affectsConfiguration(SECTION)) {
          void this.client.change();
        }
      }),
    );
  }

  async start(): Promise<void> {
    await vscode.commands.executeCommand("setContext", "endstep.isActive", true);
    await this.client.restart();
  }

  stop(): Promise<void> {
    return this.client.stop();
  }

  /** What the server's own commands do when they are called from above a line, or from a light bulb. */
  private middleware(): Middleware {
    return {
      executeCommand: async (command, args: unknown[], next) => {
        const [uri, what] = args;
        if (typeof uri !== "string" || typeof what !== "string") {
          return next(command, args);
        }
        switch (command) {
          case "endstep.replay":
            return this.show(uri, what);
          case "endstep.checkOne":
            return this.checkOne(uri, what);
          case "endstep.expect":
            return this.expect(uri, what);
          default:
            return next(command, args);
        }
      },
    };
  }

  /** Specifications were checked. */
  private async looked(uris: readonly string[]): Promise<void> {
    this.generation += 1;
    const generation = this.generation;
    const reports = await Promise.all(
      uris.map(async (uri): Promise<[string, unknown]> => [uri, await this.ask("endstep.report", uri)]),
    );
    // Others have been checked in the meantime.
    if (generation !== this.generation) {
      return;
    }
    this.findings.take(new Map(reports));
    const { count } = this.findings;
    this.view.badge = count === 0 ? undefined : { value: count, tooltip: count === 1 ? "1 new finding" : `${count} new findings` };
    this.player.update((uri, fingerprint) => this.findings.find(uri, fingerprint));
  }

  /** What a command returns; if it fails, it is said why. */
  private async ask(...command: Parameters<Client["run"]>): Promise<unknown> {
    try {
      return await this.client.run(...command);
    } catch (why) {
      const message = why instanceof Error ? why.message : String(why);
      this.client.log(message);
      if (command[0] !== "endstep.report") {
        void vscode.window.showWarningMessage(`Endstep: ${message}`);
      }
      return null;
    }
  }

  private async checkNow(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId === SECTION) {
      await this.ask("endstep.check", document.uri.toString());
    }
  }

  private async goToFinding({ finding, uri }: Found): Promise<void> {
    const place = mainPlace(finding);
    if (place !== null) {
      await goTo(place);
    } else {
      await vscode.window.showTextDocument(vscode.Uri.parse(uri));
    }
  }

  private play(found: Found): void {
    this.player.show(found);
    this.outdate();
  }

  /** Says of what is played that its text has changed, if it has. */
  private outdate(): void {
    this.player.outdate((uri) => this.findings.isOld(uri));
  }

  private async show(uri: string, fingerprint: string): Promise<void> {
    const found = this.findings.find(uri, fingerprint) ?? (await this.fetch(uri, fingerprint));
    if (found !== null) {
      this.play(found);
      return;
    }
    // The server says that it is no longer there, or has it as text.
    const text = textOf(await this.ask("endstep.replay", uri, fingerprint));
    if (text !== null) {
      await this.texts.show(fingerprint.slice(0, 8), text);
    }
  }

  /** A finding of which the view does not know: a light bulb names the file in which it stands. */
  private async fetch(uri: string, fingerprint: string): Promise<Found | null> {
    const report = await this.ask("endstep.report", uri);
    const finding = isReport(report) ? report.findings.find((one) => one.fingerprint === fingerprint) : undefined;
    return finding === undefined ? null : { uri, finding };
  }

  private async showText({ uri, finding }: Found): Promise<void> {
    const text = textOf(await this.ask("endstep.replay", uri, finding.fingerprint));
    await this.texts.show(`${finding.code}-${finding.fingerprint.slice(0, 8)}`, text ?? told({ uri, finding }));
  }

  /** Checks one claim, question or example: what shows the verdict is played, if anything does. */
  private async checkOne(uri: string, name: string): Promise<void> {
    const location = vscode.ProgressLocation.Window;
    const asked = (): Promise<unknown> => this.ask("endstep.checkOne", uri, name);
    const result = await vscode.window.withProgress({ location, title: `Endstep checks ${name}` }, asked);
    const text = textOf(result);
    if (text === null) {
      return;
    }
    const report = typeof result === "object" && result !== null && "report" in result ? result.report : null;
    const findings = isReport(report) ? report.findings : [];
    const [board, all] = ["Show the Board", "Show as Text"];
    const shown = findings.find((one) => one.witness !== null);
    const choices = [...(shown === undefined ? [] : [board]), ...(text.includes("\n") ? [all] : [])];
    const chosen = await vscode.window.showInformationMessage(text.split("\n")[0] ?? text, ...choices);
    if (chosen === board && shown !== undefined) {
      this.play({ uri, finding: shown });
    } else if (chosen === all) {
      await this.texts.show(name, text);
    }
  }

  private async expect(uri: string, fingerprint: string): Promise<void> {
    const text = textOf(await this.ask("endstep.expect", uri, fingerprint));
    if (text !== null) {
      void vscode.window.showInformationMessage(text);
    }
  }
}

let extension: Extension | null = null;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  extension = new Extension(context);
  await extension.start();
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}
