import assert from "node:assert/strict";
import { test } from "node:test";
import { range, units } from "../src/places";

test("columns count characters, and an editor counts units of UTF-16", () => {
  assert.equal(units("a𝄞b", 1), 0);
  assert.equal(units("a𝄞b", 3), 3);
  assert.equal(units("a𝄞b", 99), 4);
  const lines = ["", "  𝄞 set x"];
  const place = { file: "", line: 2, column: 5, end_line: 2, end_column: 8 };
  assert.deepEqual(
    range(place, (at) => lines[at] ?? ""),
    { start: { line: 1, character: 5 }, end: { line: 1, character: 8 } },
  );
});
