// Every run of every specification in tests/corpus is played, and compared with what the report says of its end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, chosen, key, plain, play, told } from "../src/play";
import type { Board, Run, Witness } from "../src/report";
import { check } from "./endstep";

const reports = check("tests/corpus");
const witnesses: [string, Witness][] = reports.flatMap((report) =>
  report.findings.flatMap((one): [string, Witness][] =>
    one.witness === null ? [] : [[`${report.name}: ${one.code} ${one.fingerprint.slice(0, 8)}`, one.witness]],
  ),
);

function end(run: Run) {
  const last = play(run).at(-1);
  assert.ok(last);
  return last.position;
}

test("every change is read, and what was there before is as it is said", () => {
  let changes = 0;
  for (const [where, witness] of witnesses) {
    for (const run of witness.runs) {
      for (const step of play(run)) {
        assert.deepEqual(step.unread, [], where);
        changes += step.moment?.changes.length ?? 0;
        const isStill = (step.moment?.changes.length ?? 0) === 0;
        assert.equal(step.changed.size === 0, isStill, where);
      }
    }
  }
  assert.ok(changes > 500, `only ${changes} changes`);
});

test("every moment has a name, and where it goes round is where a run never ends", () => {
  let rounds = 0;
  for (const [where, witness] of witnesses) {
    for (const run of witness.runs) {
      const all = (run.trace ?? []).map(told);
      assert.ok(all.every(({ name }) => name !== "" && !name.includes("?")), where);
      const lines = all.flatMap(({ name, more }) => [name, ...more]);
      const repeats = lines.filter((one) => one === "from here it repeats").length;
      assert.equal(repeats, ["diverges", "grows"].includes(run.outcome) ? 1 : 0, where);
      rounds += repeats;
    }
  }
  assert.ok(rounds > 10, `only ${rounds} rounds`);
});

test("where a run goes on after another, its board is the one on which that ended", () => {
  let compared = 0;
  for (const [where, { kind, runs }] of witnesses) {
    const [first, second] = runs;
    if (kind !== "again" || first === undefined || second === undefined) {
      continue;
    }
    const [ended, begun] = [end(first), begin(second.board)];
    // What is created has another name in the second run, and what is out of the game is no longer there.
    if ([...ended.things.values()].some((one) => one.sort === null || !one.isThere)) {
      continue;
    }
    assert.deepEqual(Object.fromEntries(ended.zones), Object.fromEntries(begun.zones), where);
    assert.deepEqual(Object.fromEntries(ended.variables), Object.fromEntries(begun.variables), where);
    assert.deepEqual([...ended.things.values()], [...begun.things.values()], where);
    compared += 1;
  }
  assert.ok(compared >= 10, `only ${compared} were compared`);
});

test("where two ends differ, each is as the report says", () => {
  let compared = 0;
  for (const [where, { kind, runs, differences }] of witnesses) {
    const [first, second] = runs;
    if (kind !== "versus" || first === undefined || second === undefined) {
      continue;
    }
    const ends = [end(first), end(second)] as const;
    for (const row of differences) {
      const what = plain(row.what);
      [row.first, row.second].forEach((said, at) => {
        const board = ends[at as 0 | 1];
        const value = board.variables.get(what) ?? fieldOf(board, what);
        const contents = board.zones.get(what);
        if (value !== undefined) {
          assert.equal(value, plain(said), `${where}: ${what}`);
          compared += 1;
        } else if (contents !== undefined && !said.includes("created")) {
          // Of a zone without an order only who lies in it counts.
          const found = said === "nothing" ? [] : plain(said).split(", ");
          assert.deepEqual([...contents].sort(), found.sort(), `${where}: ${what}`);
          compared += 1;
        }
      });
    }
  }
  assert.ok(compared > 200, `only ${compared} were compared`);
});

function fieldOf(position: ReturnType<typeof end>, what: string): string | undefined {
  for (const thing of position.things.values()) {
    const name = what.endsWith(` of ${thing.name}`) ? what.slice(0, -` of ${thing.name}`.length) : "";
    const value = thing.fields.get(name);
    if (value !== undefined && thing.isThere) {
      return value;
    }
  }
  return undefined;
}

// A run of these changes, one in each moment.
function made(board: Board, ...changes: string[]) {
  const moment = { heading: null, choice: null, follows: [], place: null };
  const trace = changes.map((change, at) => ({ ...moment, step: at + 1, changes: [change] }));
  return play({ title: "", board, readings: {}, outcome: "end", text: "", trace, unsettled: [] });
}

const BOARD: Board = {
  entities: [
    { name: "wolf", sort: "Card", removed: false, fields: { hit_points: "1", kind: "fire_and_ice" } },
    { name: "owl of night", sort: "Card", removed: false, fields: { hit_points: "2", kind: "plain" } },
    { name: "night", sort: "Phase", removed: false, fields: {} },
  ],
  zones: { deck: ["wolf", "owl of night"], from_here_to_there: [] },
  variables: { active: "wolf" },
};

test("names with any words in them are told apart", () => {
  const steps = made(
    BOARD,
    'wolf moves from deck to "from here to there"',
    "hit points of owl of night: from 2 to -1",
    'kind of wolf: from "fire and ice" to none',
    "active: from wolf to owl of night",
    "created 1 is new and comes to deck",
    "hit points of created 1: from 3 to 4",
    "created 1 leaves deck and is out of the game",
  );
  assert.deepEqual(
    steps.flatMap((one) => one.unread),
    [],
  );
  const last = steps.at(-1)!.position;
  assert.deepEqual(Object.fromEntries(last.zones), { deck: ["owl of night"], "from here to there": ["wolf"] });
  assert.equal(last.things.get("owl of night")!.fields.get("hit points"), "-1");
  assert.equal(last.things.get("wolf")!.fields.get("kind"), "none");
  assert.equal(last.variables.get("active"), "owl of night");
  assert.equal(last.things.get("created 1")!.isThere, false);
  const moved = steps[1]!.changed;
  assert.equal(moved.get(key({ kind: "thing", name: "wolf" })), "in deck");
  assert.equal(steps[2]!.changed.get(key({ kind: "field", of: "owl of night", name: "hit points" })), "2");
});

test("what does not fit the board is not believed", () => {
  const steps = made(
    BOARD,
    "hit points of wolf: from 7 to 8",
    "wolf moves from from here to there to deck",
    "bear leaves deck and is out of the game",
    "deck, now in this order: wolf",
    "something else",
  );
  assert.deepEqual(
    steps.map((one) => one.unread.length),
    [0, 1, 1, 1, 1, 1],
  );
  assert.deepEqual(steps.at(-1)!.position, steps[0]!.position);
});

test("a choice says what else there was, and who decides", () => {
  const choice = { kind: "order", decider: "nobody decides", taken: "wolf_one", offered: ["wolf_one", "owl"] } as const;
  const moment = { step: 1, heading: null, changes: [], follows: [], place: null };
  assert.equal(chosen({ ...moment, choice }), "next: wolf one (of wolf one, owl; nobody decides)");
  assert.equal(chosen({ ...moment, choice: null }), null);
});
