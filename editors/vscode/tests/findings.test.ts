import assert from "node:assert/strict";
import { test } from "node:test";
import { called, count, described, group, told } from "../src/findings";
import type { Finding } from "../src/report";
import { check } from "./endstep";

function finding(code: string, line: number | null, more: Partial<Finding> = {}): Finding {
  const place = { file: "/game/parts.endstep", line: line ?? 0, column: 1, end_line: line ?? 0, end_column: 2 };
  return {
    code,
    title: "the order matters",
    severity: "warning",
    fingerprint: code.repeat(6),
    status: "new",
    reason: null,
    text: "It makes a difference.",
    clauses: [],
    places: line === null ? [null] : [null, place],
    occurs_on: null,
    occurs: null,
    witness: null,
    ...more,
  };
}

test("findings are grouped by file: new ones first, then by how bad they are, then by line", () => {
  const findings = [
    finding("F0005", 9, { severity: "note" }),
    finding("F0004", 8),
    finding("F0001", 1, { status: "expected" }),
    finding("F0003", 2),
    finding("F0002", 20, { severity: "error" }),
    finding("F0006", null),
  ];
  const groups = group([{ uri: "file:///game/game.endstep", report: { name: "/game/game.endstep", findings } }]);
  assert.deepEqual(
    groups.map(({ file, found }) => [file, found.map((one) => one.finding.code)]),
    [
      ["/game/game.endstep", ["F0006"]],
      ["/game/parts.endstep", ["F0002", "F0003", "F0004", "F0005", "F0001"]],
    ],
  );
  assert.ok(groups.every(({ found }) => found.every((one) => one.uri === "file:///game/game.endstep")));
  assert.deepEqual(group([]), []);
  assert.equal(count([{ uri: "", report: { name: "", findings } }]), 4);
});

test("a finding says where it is, on which boards, and whether it is known", () => {
  const one = { uri: "", finding: finding("F0001", 3, { status: "accepted", reason: "so be it" }) };
  assert.equal(called(one), "F0001 line 3");
  assert.equal(described(one), "accepted: the order matters");
  assert.match(told(one), /^F0001: the order matters\n\nIt makes a difference\.\n\nThis finding is accepted: so be it\.$/);
  const found = finding("F0001", null, { occurs_on: "1 of 2 legal boards", occurs: { words: "those with a wolf" } });
  assert.equal(called({ uri: "", finding: found }), "F0001");
  assert.equal(described({ uri: "", finding: found }), "the order matters");
  assert.match(told({ uri: "", finding: found }), /\n\nOn 1 of 2 legal boards: those with a wolf\.$/);
});

test("what the real Endstep reports can be grouped", () => {
  const reports = check("examples/conformance/ember.endstep", "tests/corpus/order");
  const groups = group(reports.map((report) => ({ uri: `file:///${report.name}`, report })));
  const found = groups.flatMap((one) => one.found);
  assert.equal(found.length, reports.flatMap((one) => one.findings).length);
  assert.ok(found.length > 20);
  for (const one of found) {
    assert.match(called(one), /^F\d{4}( line \d+)?$/);
    assert.notEqual(described(one), "");
  }
});
