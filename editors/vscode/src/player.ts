// The panel of the player, beside the text. There is one: another finding takes its place.

import { randomBytes } from "node:crypto";
import { dirname, sep } from "node:path";
import * as vscode from "vscode";
import type { Found } from "./findings";
import { type ToPage, fromPage } from "./messages";
import { page } from "./page";
import { type Place, mainPlace } from "./report";
import { follow, unfollow } from "./reveal";

/** The place in the text that belongs to a step of a run; before the first step, that of the finding. */
function placeOf({ finding }: Found, run: number, step: number): Place | null {
  const moment = finding.witness?.runs[run]?.trace?.[step - 1];
  return step === 0 ? mainPlace(finding) : (moment?.place ?? null);
}

export class Player {
  private panel: vscode.WebviewPanel | null = null;
  private found: Found | null = null;
  /** Whether the text has changed since it was found. */
  private isOld = false;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly log: (message: string) => void,
  ) {}

  /** Shows a finding. */
  show(found: Found): void {
    this.found = found;
    this.isOld = false;
    if (this.panel === null) {
      this.panel = this.open();
    } else {
      this.panel.reveal(undefined, true);
      this.send(true);
    }
    this.panel.title = `${found.finding.code} ${found.finding.title}`;
  }

  /** The texts of some specifications have changed since they were checked. */
  outdate(isOld: (uri: string) => boolean): void {
    if (this.found !== null && isOld(this.found.uri)) {
      this.tellOld();
    }
  }

  /** The texts have been checked again. */
  update(find: (uri: string, fingerprint: string) => Found | null): void {
    if (this.found === null) {
      return;
    }
    const now = find(this.found.uri, this.found.finding.fingerprint);
    if (now === null) {
      this.tellOld();
    } else {
      this.found = now;
      this.isOld = false;
      this.send(false);
    }
  }

  private open(): vscode.WebviewPanel {
    const { Uri, ViewColumn, window } = vscode;
    const resources = ["dist", "media"].map((name) => Uri.joinPath(this.extension, name));
    const panel = window.createWebviewPanel(
      "endstep.player",
      "Endstep",
      { viewColumn: ViewColumn.Beside, preserveFocus: false },
      { enableScripts: true, localResourceRoots: resources },
    );
    const { webview } = panel;
    const local = (...parts: string[]): string => webview.asWebviewUri(Uri.joinPath(this.extension, ...parts)).toString();
    panel.onDidDispose(() => {
      this.panel = null;
      this.found = null;
      unfollow();
    });
    webview.onDidReceiveMessage((message) => this.hear(message));
    webview.html = page({
      origin: webview.cspSource,
      script: local("dist", "player.js"),
      style: local("media", "player.css"),
      nonce: randomBytes(18).toString("base64url"),
    });
    return panel;
  }

  private hear(message: unknown): void {
    const heard = fromPage(message);
    if (heard?.kind === "ready") {
      // A page that was hidden begins anew.
      this.send(true);
      if (this.isOld) {
        this.tellOld();
      }
    } else if (heard?.kind === "step" && this.found !== null) {
      const place = placeOf(this.found, heard.run, heard.step);
      if (place !== null) {
        follow(place).catch((why) => this.log(`The text of a step cannot be shown: ${String(why)}`));
      }
    }
  }

  private tellOld(): void {
    this.isOld = true;
    this.post({ kind: "changed" });
    unfollow();
  }

  private send(isAsked: boolean): void {
    if (this.found !== null) {
      const open = vscode.workspace.workspaceFolders?.map((one) => one.uri.fsPath) ?? [];
      const folders = [...open, dirname(vscode.Uri.parse(this.found.uri).fsPath)].map((one) => one + sep);
      this.post({ kind: "finding", finding: this.found.finding, folders, isAsked });
    }
  }

  private post(message: ToPage): void {
    void this.panel?.webview.postMessage(message);
  }
}
