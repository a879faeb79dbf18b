// The view of findings: files, and in each what was found there.

import * as vscode from "vscode";
import { type Checked, type Found, type Group, called, count, described, group, told } from "./findings";
import { isReport } from "./report";

/** An entry of the view. */
export type Node = { readonly kind: "file"; readonly group: Group } | { readonly kind: "finding"; readonly found: Found };

/** What has been found in all specifications that are open. */
export class Findings implements vscode.TreeDataProvider<Node> {
  private readonly checked = new Map<string, Checked>();
  /** Specifications that have changed since they were checked. */
  private readonly old = new Set<string>();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  /** Takes over which specifications were checked, and what was found in each. */
  take(all: ReadonlyMap<string, unknown>): void {
    const before = new Map(this.checked);
    this.checked.clear();
    this.old.clear();
    for (const [uri, report] of all) {
      const known = before.get(uri);
      if (isReport(report)) {
        this.checked.set(uri, { uri, report });
      } else if (known !== undefined) {
        // It has changed in the meantime, and will be checked again.
        this.checked.set(uri, known);
        this.old.add(uri);
      }
    }
    this.changed.fire();
  }

  /** A text has changed: what was found in it, and in what includes it, may no longer be so. */
  outdate(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    const isWhole = this.checked.has(uri);
    const before = this.old.size;
    for (const one of this.checked.keys()) {
      if (!isWhole || one === uri) {
        this.old.add(one);
      }
    }
    if (this.old.size !== before) {
      this.changed.fire();
    }
  }

  /** Whether the text of a specification has changed since it was checked. */
  isOld(uri: string): boolean {
    return this.old.has(uri);
  }

  /** How many new findings there are that are more than notes. */
  get count(): number {
    return count([...this.checked.values()]);
  }

  /** A finding of a specification, or of one that includes this file. */
  find(uri: string, fingerprint: string): Found | null {
    const own = this.checked.get(uri);
    for (const one of own === undefined ? this.checked.values() : [own]) {
      const finding = one.report.findings.find((finding) => finding.fingerprint === fingerprint);
      if (finding !== undefined) {
        return { uri: one.uri, finding };
      }
    }
    return null;
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      return group([...this.checked.values()]).map((one): Node => ({ kind: "file", group: one }));
    }
    return node.kind === "file" ? node.group.found.map((found): Node => ({ kind: "finding", found })) : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return node.kind === "file" ? this.file(node.group) : this.finding(node.found);
  }

  private file({ file, found }: Group): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.Uri.file(file), vscode.TreeItemCollapsibleState.Expanded);
    item.id = file;
    item.iconPath = vscode.ThemeIcon.File;
    const isOld = found.every((one) => this.old.has(one.uri));
    item.description = isOld ? "changed since it was checked" : true;
    item.contextValue = "file";
    return item;
  }

  private finding(found: Found): vscode.TreeItem {
    const { finding, uri } = found;
    const item = new vscode.TreeItem(called(found));
    item.id = `${uri} ${finding.fingerprint}`;
    item.description = described(found);
    item.tooltip = told(found);
    item.iconPath = icon(found);
    item.contextValue = `finding.${finding.status}`;
    item.command = { command: "endstep.goToFinding", title: "Go to the Finding", arguments: [{ kind: "finding", found }] };
    return item;
  }
}

function icon({ finding }: Found): vscode.ThemeIcon {
  if (finding.status !== "new") {
    return new vscode.ThemeIcon("pass");
  }
  const names = { error: "error", warning: "warning", note: "info" };
  const colours = { error: "list.errorForeground", warning: "list.warningForeground", note: "editorInfo.foreground" };
  return new vscode.ThemeIcon(names[finding.severity], new vscode.ThemeColor(colours[finding.severity]));
}
