// What comes from a page or from a specification is not taken at its word.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fromPage } from "../src/messages";
import { page } from "../src/page";
import { locate } from "../src/program";
import { isReport } from "../src/report";

test("the page has one script, which its policy names, and nothing from elsewhere", () => {
  const made = page({ origin: "https://local", script: "player.js", style: "player.css", nonce: "abc" });
  assert.equal(made.match(/<script/g)?.length, 1);
  assert.match(made, /<script nonce="abc" src="player.js"><\/script>/);
  assert.match(made, /content="default-src 'none'; style-src https:\/\/local; script-src 'nonce-abc'"/);
  assert.doesNotMatch(made, /unsafe|http:|style=|onclick/);
});

test("only messages of the page are heard", () => {
  assert.deepEqual(fromPage({ kind: "step", run: 1, step: 2, file: "/etc/passwd" }), { kind: "step", run: 1, step: 2 });
  assert.deepEqual(fromPage({ kind: "ready" }), { kind: "ready" });
  for (const other of [null, "ready", { kind: "step", run: "1", step: 2 }, { kind: "step", run: 0.5, step: 0 }, { kind: "go" }]) {
    assert.equal(fromPage(other), null);
  }
  assert.ok(isReport({ name: "a", findings: [] }));
  assert.ok(!isReport(null) && !isReport({ name: "a" }) && !isReport({ findings: [], name: 1 }));
});

test("the program is found on the PATH, at a path, or not at all", () => {
  const folder = mkdtempSync(join(tmpdir(), "endstep-path-"));
  try {
    const program = join(folder, "endstep");
    writeFileSync(program, "");
    const where = { path: `/nowhere:${folder}`, folder, isWindows: false };
    // It is there, and cannot be run.
    assert.equal(locate("endstep", where), null);
    chmodSync(program, 0o755);
    assert.equal(locate("endstep", where), program);
    assert.equal(locate(program, where), program);
    assert.equal(locate("./endstep", where), program);
    assert.equal(locate("./endstep", { ...where, folder: "/nowhere" }), null);
    assert.equal(locate("endstep", { ...where, path: "" }), null);
    assert.equal(locate("", where), null);
    assert.equal(locate(folder, where), null);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
