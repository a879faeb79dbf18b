// What the real Endstep reports: the tests need it, and are never skipped without it.

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import type { Report } from "../src/report";

// The tests are run in the folder of the extension.
const ROOT = resolve("../..");

export function check(...paths: string[]): Report[] {
  const program = process.env["ENDSTEP"];
  if (program === undefined) {
    throw new Error("the variable ENDSTEP does not say where Endstep is");
  }
  const result = spawnSync(program, ["check", "--format", "json", ...paths], {
    cwd: ROOT,
    env: { ...process.env, ENDSTEP_NO_CACHE: "1" },
    maxBuffer: 1 << 28,
    encoding: "utf8",
  });
  const told = JSON.parse(result.stdout) as { specifications: (Report & { compiled: boolean })[] };
  return told.specifications.filter((one) => one.compiled);
}
