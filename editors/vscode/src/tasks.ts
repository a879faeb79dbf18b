// Tasks: `endstep check` of a folder, or of what a task in tasks.json names.

import * as vscode from "vscode";
import { includeRoots, program, called } from "./settings";

export const TYPE = "endstep";

function task(definition: vscode.TaskDefinition, scope: vscode.WorkspaceFolder | vscode.TaskScope): vscode.Task {
  const named: unknown = definition["paths"];
  const paths = Array.isArray(named) ? named.filter((one) => typeof one === "string") : [];
  const name = ["check", ...paths].join(" ");
  const execution = new vscode.ProcessExecution(program() ?? called(), ["check", ...includeRoots(), ...paths]);
  const made = new vscode.Task(definition, scope, name, "endstep", execution, ["$endstep", "$endstep-finding"]);
  made.group = vscode.TaskGroup.Test;
  return made;
}

export const tasks: vscode.TaskProvider = {
  provideTasks: () =>
    (vscode.workspace.workspaceFolders ?? []).map((folder) => task({ type: TYPE, task: "check" }, folder)),
  resolveTask: ({ definition, scope }) =>
    definition["task"] === "check" ? task(definition, scope ?? vscode.TaskScope.Workspace) : undefined,
};
