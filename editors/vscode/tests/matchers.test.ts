// The problem matchers of the extension, on what Endstep writes.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";

interface Pattern {
  readonly regexp: string;
  readonly file?: number;
  readonly line?: number;
  readonly column?: number;
  readonly code?: number;
  readonly severity?: number;
  readonly message?: number;
}

const { contributes } = JSON.parse(readFileSync("package.json", "utf8")) as {
  contributes: {
    problemPatterns: (Pattern & { name: string })[];
    problemMatchers: { name: string; pattern: string | Pattern[] }[];
  };
};

function patterns(name: string): readonly Pattern[] {
  const pattern = contributes.problemMatchers.find((one) => one.name === name)?.pattern;
  assert.ok(pattern !== undefined);
  return typeof pattern === "string" ? contributes.problemPatterns.filter((one) => `$${one.name}` === pattern) : pattern;
}

// What an editor makes of a text: patterns stand for lines that follow each other.
function matched(name: string, text: string): Record<string, string>[] {
  const all = patterns(name);
  const lines = text.split("\n");
  return lines.flatMap((_, at) => {
    const found: Record<string, string> = {};
    for (const [more, { regexp, ...groups }] of all.entries()) {
      const match = new RegExp(regexp).exec(lines[at + more] ?? "");
      if (match === null) {
        return [];
      }
      for (const [what, number] of Object.entries(groups)) {
        if (typeof number === "number") {
          found[what] = match[number] ?? "";
        }
      }
    }
    return [found];
  });
}

function check(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "endstep-matchers-"));
  try {
    writeFileSync(join(folder, "duel.endstep"), text);
    const result = spawnSync(process.env["ENDSTEP"] ?? "", ["check", "--no-cache"], { cwd: folder, encoding: "utf8" });
    return result.stdout + result.stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const DUEL = readFileSync(resolve("../../tests/editors/duel.endstep"), "utf8");

test("findings are matched", () => {
  const text = check(DUEL);
  const lines = matched("endstep-finding", text).map((one) => [one["file"], one["line"]]);
  assert.deepEqual(lines, [["duel.endstep", "9"], ["duel.endstep", "12"], ["duel.endstep", "16"]]);
  assert.deepEqual(matched("endstep", text), []);
});

test("errors are matched", () => {
  const text = check(DUEL.replace("decrease", "decrese"));
  const [found, ...others] = matched("endstep", text);
  assert.deepEqual(others, []);
  assert.equal(found?.["severity"], "error");
  assert.equal(found["code"], "E0110");
  assert.match(found["message"] ?? "", /^found `decrese`, expected a statement/);
  assert.deepEqual([found["file"], found["line"], found["column"]], ["duel.endstep", "14", "11"]);
  assert.deepEqual(matched("endstep-finding", text), []);
});
