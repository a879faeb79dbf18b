// Where the program is.

import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** Where names without a path are looked for, and from where relative paths begin. */
export interface Surroundings {
  readonly path: string;
  readonly folder: string | undefined;
  readonly isWindows: boolean;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The path of a program that is called so; nothing if there is none. */
export function locate(called: string, { path, folder, isWindows }: Surroundings): string | null {
  const endings = isWindows ? ["", ".exe"] : [""];
  const first = (candidates: readonly string[]): string | null =>
    candidates.flatMap((one) => endings.map((ending) => one + ending)).find(isProgram) ?? null;
  if (called.startsWith("~/")) {
    return first([join(homedir(), called.slice(2))]);
  }
  if (called.includes("/") || (isWindows && called.includes("\\"))) {
    return first(isAbsolute(called) || folder === undefined ? [called] : [resolve(folder, called)]);
  }
  const folders = path.split(delimiter).filter((one) => one !== "");
  return called === "" ? null : first(folders.map((one) => join(one, called)));
}
