// Goes to places of specifications.

import * as vscode from "vscode";
import { range } from "./places";
import type { Place } from "./report";

const CURRENT = vscode.window.createTextEditorDecorationType({
  isWholeLine: true,
  backgroundColor: new vscode.ThemeColor("editor.stackFrameHighlightBackground"),
  overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.infoForeground"),
});

async function open(place: Place, preserveFocus: boolean): Promise<[vscode.TextEditor, vscode.Range]> {
  const uri = vscode.Uri.file(place.file);
  const document = await vscode.workspace.openTextDocument(uri);
  // Where it is shown already, it stays; else it comes where texts are, and not over a player.
  const shown = vscode.window.visibleTextEditors.find((one) => one.document === document);
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
  const editor = await vscode.window.showTextDocument(document, { viewColumn, preserveFocus });
  const line = (at: number): string => (at >= 0 && at < document.lineCount ? document.lineAt(at).text : "");
  const { start, end } = range(place, line);
  return [editor, new vscode.Range(start.line, start.character, end.line, end.character)];
}

/** Goes to a place. */
export async function goTo(place: Place): Promise<void> {
  const [editor, at] = await open(place, false);
  editor.selection = new vscode.Selection(at.start, at.start);
  editor.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Shows a place as the one where a run is. */
export async function follow(place: Place): Promise<void> {
  const [editor, at] = await open(place, true);
  unfollow();
  // Of a block the first line: all of it would be the page. From its beginning, so that nothing moves sideways.
  const line = new vscode.Range(at.start.line, 0, at.start.line, 0);
  editor.setDecorations(CURRENT, [line]);
  editor.revealRange(line, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** No run is anywhere any more. */
export function unfollow(): void {
  vscode.window.visibleTextEditors.forEach((editor) => editor.setDecorations(CURRENT, []));
}
