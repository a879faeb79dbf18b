// The settings of this extension.

import * as vscode from "vscode";
import { locate } from "./program";

/** What the server is told. */
export interface Wishes {
  readonly check: string;
  readonly hints: boolean;
  readonly lenses: boolean;
  /** What commands return is shown here, and not as a message of the server. */
  readonly showsResults: true;
}

export const SECTION = "endstep";

function own(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(SECTION);
}

export function wishes(): Wishes {
  return {
    check: own().get("check", "rest"),
    hints: own().get("hints", true),
    lenses: own().get("lenses", true),
    showsResults: true,
  };
}

/** How the program is called. */
export function called(): string {
  return own().get("path", "endstep");
}

/** The path of the program; nothing if there is none. */
export function program(): string | null {
  return locate(called(), {
    path: process.env["PATH"] ?? "",
    folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
    isWindows: process.platform === "win32",
  });
}

/** Options that say from where specifications may include files. */
export function includeRoots(): string[] {
  return own()
    .get<string[]>("includeRoots", [])
    .flatMap((folder) => ["--include-root", folder]);
}
