// Every run of every specification in tests/corpus is played. A patch that is wrong or missing shows where two boards
// are the same one: a run begins where another one ends, a round ends where it begins.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type Position, type Step, begin, chosen, key, plain, play, repeats, told } from "../src/play";
import type { Board, Patch, Run, Witness } from "../src/report";
import { check } from "./endstep";

const reports = check("tests/corpus");
const witnesses: [string, Witness][] = reports.flatMap((report) =>
  report.findings.flatMap((one): [string, Witness][] =>
    one.witness === null ? [] : [[`${report.name}: ${one.code} ${one.fingerprint.slice(0, 8)}`, one.witness]],
  ),
);

const played: [string, Step[]][] = witnesses.flatMap(([where, { runs }]) =>
  runs.map((run): [string, Step[]] => [where, play(run)]),
);

function end(run: Run): Position {
  const last = play(run).at(-1);
  assert.ok(last);
  return last.position;
}

/** What is on a board, whatever was on it once: two that have the same look the same. */
function seen({ things, zones, variables, queues }: Position) {
  return {
    things: new Map([...things].filter(([, one]) => one.isThere)),
    zones,
    variables,
    queues: new Map([...queues].filter(([, waiting]) => waiting !== "")),
  };
}

test("what is marked is what a moment says that it changes", () => {
  let changes = 0;
  for (const [where, steps] of played) {
    for (const { moment, changed } of steps) {
      const said = moment?.changes.length ?? 0;
      assert.equal(changed.size === 0, said === 0, where);
      changes += said;
    }
  }
  assert.ok(changes > 500, `only ${changes} changes`);
});

test("whatever lies in a zone is there, and in no other", () => {
  let lying = 0;
  for (const [where, steps] of played) {
    for (const { position } of steps) {
      const all = [...position.zones.values()].flat();
      assert.equal(new Set(all).size, all.length, where);
      assert.ok(all.every((name) => position.things.get(name)?.isThere === true), where);
      lying += all.length;
    }
  }
  assert.ok(lying > 1000, `only ${lying} lie anywhere`);
});

test("all of a sort have the same fields at all times, what is created as well", () => {
  let created = 0;
  for (const [where, steps] of played) {
    const fields = new Map<string, readonly string[]>();
    for (const { position, changed } of steps) {
      for (const { name, sort, fields: own } of position.things.values()) {
        assert.deepEqual([...own.keys()], fields.get(sort) ?? [...own.keys()], `${where}: ${name}`);
        fields.set(sort, [...own.keys()]);
        created += changed.get(key({ kind: "thing", name })) === "not there" ? 1 : 0;
      }
    }
  }
  assert.ok(created >= 10, `only ${created} were created`);
});

test("every moment has a name, and where it goes round is where a run never ends", () => {
  let rounds = 0;
  for (const [where, witness] of witnesses) {
    for (const run of witness.runs) {
      const all = (run.trace ?? []).map(told);
      assert.ok(all.every(({ name }) => name !== "" && !name.includes("?")), where);
      const lines = all.flatMap(({ name, more }) => [name, ...more]);
      const begun = lines.filter((one) => one === "from here it repeats").length;
      assert.equal(begun, ["diverges", "grows"].includes(run.outcome) ? 1 : 0, where);
      rounds += begun;
    }
  }
  assert.ok(rounds > 10, `only ${rounds} rounds`);
});

test("where a run goes on after another, its board is the one on which that ended", () => {
  let compared = 0;
  for (const [where, { kind, runs }] of witnesses) {
    const [first, second] = runs;
    if (kind === "again" && first !== undefined && second !== undefined) {
      assert.deepEqual(seen(end(first)), seen(begin(second.board)), where);
      compared += 1;
    }
  }
  assert.ok(compared >= 10, `only ${compared} were compared`);
});

/** The same without numbers. */
function uncounted(position: Position) {
  const masked = (values: ReadonlyMap<string, string>): Map<string, string> =>
    new Map([...values].map(([name, value]) => [name, value.replace(/^-?\d+$/, "a number")]));
  const { things, variables, ...rest } = seen(position);
  const alike = [...things].map(([name, one]) => [name, { ...one, fields: masked(one.fields) }] as const);
  return { ...rest, things: new Map(alike), variables: masked(variables) };
}

test("a round that is done again and again ends on the board on which it begins", () => {
  let same = 0;
  let counted = 0;
  let changes = 0;
  for (const [where, { kind, runs }] of witnesses) {
    for (const run of kind === "lasso" ? runs : []) {
      const steps = play(run);
      const at = steps.findIndex(({ moment }) => moment !== null && repeats(moment));
      const begins = steps[at]?.position;
      assert.ok(begins, where);
      if (isDeepStrictEqual(seen(end(run)), seen(begins))) {
        same += 1;
        changes += steps.slice(at + 1).reduce((sum, { changed }) => sum + changed.size, 0);
      } else {
        // A score that nobody reads can be another one after each round.
        assert.deepEqual(uncounted(end(run)), uncounted(begins), where);
        counted += 1;
      }
    }
  }
  assert.ok(same >= 20 && changes >= 50, `only ${same} were compared, with ${changes} changes`);
  assert.ok(4 * counted < same, `of ${counted} numbers were not compared`);
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
        } else if (contents !== undefined) {
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

function fieldOf(position: Position, what: string): string | undefined {
  for (const thing of position.things.values()) {
    const name = what.endsWith(` of ${thing.name}`) ? what.slice(0, -` of ${thing.name}`.length) : "";
    const value = thing.fields.get(name);
    if (value !== undefined && thing.isThere) {
      return value;
    }
  }
  return undefined;
}

/** A run with these patches, one in each moment. */
function made(board: Board, ...patches: (Partial<Patch> | null)[]): Step[] {
  const moment = { heading: null, choice: null, changes: [], follows: [], place: null };
  const nothing = { entities: [], zones: {}, variables: {}, waiting: {} };
  const trace = patches.map((patch, at) => ({ ...moment, step: at + 1, patch: patch && { ...nothing, ...patch } }));
  return play({ title: "", board, readings: {}, outcome: "end", text: "", trace, unsettled: [] });
}

function card(name: string, fields: Readonly<Record<string, string>>, removed = false): Board["entities"][number] {
  return { name, sort: "Card", removed, fields };
}

const BOARD: Board = {
  entities: [card("wolf", { hit_points: "1", kind: "fire_and_ice" }), card("owl", { hit_points: "2", kind: "plain" })],
  zones: { deck: ["wolf", "owl"], bin_of_ann: [] },
  variables: { active: "wolf" },
};

test("a patch changes what it tells and nothing else, and what was there before is known", () => {
  const [first, moves, stays, waits] = made(
    BOARD,
    {
      entities: [card("owl", { hit_points: "-1" })],
      zones: { deck: ["wolf"], bin_of_ann: ["owl"] },
      variables: { active: "the_other" },
    },
    null,
    { waiting: { all_effects: ["fire_of wolf", "ice"] } },
  );
  assert.ok(first && moves && stays && waits);
  assert.deepEqual(moves.position.things.get("wolf"), first.position.things.get("wolf"));
  assert.deepEqual([...moves.position.things.get("owl")!.fields], [["hit points", "-1"], ["kind", "plain"]]);
  assert.deepEqual(Object.fromEntries(moves.position.zones), { deck: ["wolf"], "bin of ann": ["owl"] });
  assert.equal(moves.position.variables.get("active"), "the other");
  assert.deepEqual(
    moves.changed,
    new Map([
      [key({ kind: "thing", name: "owl" }), "in deck"],
      [key({ kind: "field", of: "owl", name: "hit points" }), "2"],
      [key({ kind: "zone", name: "deck" }), "wolf, owl"],
      [key({ kind: "zone", name: "bin of ann" }), ""],
      [key({ kind: "variable", name: "active" }), "wolf"],
    ]),
  );
  assert.deepEqual(stays.position, moves.position);
  assert.equal(stays.changed.size, 0);
  assert.deepEqual([...waits.position.queues], [["all effects", "fire of wolf, ice"]]);
  assert.deepEqual([...waits.changed], [[key({ kind: "queue", name: "all effects" }), ""]]);
});

test("a name that is given again is that of something else", () => {
  const gone = { entities: [card("created 1", {}, true)] };
  const [, comes, goes, again, , other] = made(
    BOARD,
    { entities: [card("created 1", { hit_points: "3", kind: "plain" })] },
    gone,
    { entities: [card("created 1", { hit_points: "4", kind: "plain" })] },
    gone,
    { entities: [{ ...card("created 1", { colour: "red" }), sort: "Token" }] },
  );
  assert.ok(comes && goes && again && other);
  const mark = key({ kind: "thing", name: "created 1" });
  assert.deepEqual([...comes.changed], [[mark, "not there"]]);
  assert.deepEqual([...goes.changed], [[mark, "in no zone"]]);
  assert.equal(goes.position.things.get("created 1")!.isThere, false);
  // No field of something new was another one before.
  assert.deepEqual([...again.changed], [[mark, "not there"]]);
  assert.equal(again.position.things.get("created 1")!.fields.get("hit points"), "4");
  const token = { name: "created 1", sort: "Token", isThere: true, fields: new Map([["colour", "red"]]) };
  assert.deepEqual(other.position.things.get("created 1"), token);
});

test("a choice says what else there was, and who decides", () => {
  const choice = { kind: "order", decider: "nobody decides", taken: "wolf_one", offered: ["wolf_one", "owl"] } as const;
  const moment = { step: 1, heading: null, changes: [], follows: [], place: null, patch: null };
  assert.equal(chosen({ ...moment, choice }), "next: wolf one (of wolf one, owl; nobody decides)");
  assert.equal(chosen({ ...moment, choice: null }), null);
});
