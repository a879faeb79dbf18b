// The boards of a run, one after each of its moments.
//
// A report has the board on which a run begins, and for each moment a patch: what is something else on the board after
// it. One is applied after the other; names and values are made readable on the way.

import type { Board, Entity, Moment, Patch, Run } from "./report";

/** Something on a board. */
export interface Thing {
  readonly name: string;
  readonly sort: string;
  readonly isThere: boolean;
  readonly fields: ReadonlyMap<string, string>;
}

/** A board at some moment; all names as they are read. */
export interface Position {
  readonly things: ReadonlyMap<string, Thing>;
  readonly zones: ReadonlyMap<string, readonly string[]>;
  readonly variables: ReadonlyMap<string, string>;
  /** What waits in queues, in words. */
  readonly queues: ReadonlyMap<string, string>;
}

/** Something on a board that can change. */
export type Spot =
  | { readonly kind: "thing"; readonly name: string }
  | { readonly kind: "field"; readonly of: string; readonly name: string }
  | { readonly kind: "zone"; readonly name: string }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "queue"; readonly name: string };

/** A moment of a run, and the board after it. */
export interface Step {
  /** None before the first moment. */
  readonly moment: Moment | null;
  readonly position: Position;
  /** What changed, by `key`, with what was there before. */
  readonly changed: ReadonlyMap<string, string>;
}

/** A name for a spot that no other has. */
export function key(spot: Spot): string {
  return JSON.stringify(spot.kind === "field" ? [spot.kind, spot.of, spot.name] : [spot.kind, spot.name]);
}

/** A name as it is read. */
export function plain(name: string): string {
  return name.replaceAll("_", " ");
}

function values(all: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(all).map(([name, value]) => [plain(name), plain(value)]);
}

function lists(all: Readonly<Record<string, readonly string[]>>): [string, readonly string[]][] {
  return Object.entries(all).map(([name, contents]) => [plain(name), contents.map(plain)]);
}

/** A thing as a board or a patch tells it, where `before` has its name. */
function thing(told: Entity, before: Thing | undefined): Thing {
  const [name, sort] = [plain(told.name), plain(told.sort)];
  // A name can be given again. All fields of what is new are told, but it need not have those of what had the name.
  const kept = before?.sort === sort ? before.fields : [];
  return { name, sort, isThere: !told.removed, fields: new Map([...kept, ...values(told.fields)]) };
}

function patched(before: Position, patch: Patch): Position {
  const things = new Map(before.things);
  for (const told of patch.entities) {
    const name = plain(told.name);
    things.set(name, thing(told, before.things.get(name)));
  }
  const waiting = lists(patch.waiting).map(([name, all]): [string, string] => [name, all.join(", ")]);
  return {
    things,
    zones: new Map([...before.zones, ...lists(patch.zones)]),
    variables: new Map([...before.variables, ...values(patch.variables)]),
    queues: new Map([...before.queues, ...waiting]),
  };
}

/** A board as it is read. */
export function begin(board: Board): Position {
  const nothing = { things: new Map(), zones: new Map(), variables: new Map(), queues: new Map() };
  return patched(nothing, { waiting: {}, ...board });
}

function whereabouts(position: Position, name: string): string {
  if (position.things.get(name)?.isThere !== true) {
    return "not there";
  }
  const zone = [...position.zones].find(([, contents]) => contents.includes(name))?.[0];
  return zone === undefined ? "in no zone" : `in ${zone}`;
}

/** What is something else on a board than on the one before it, by `key`, with what was there. */
function differences(before: Position, after: Position): Map<string, string> {
  const changed = new Map<string, string>();
  const compare = (spot: Spot, was: string, is: string): void => {
    if (was !== is) {
      changed.set(key(spot), was);
    }
  };
  for (const [name, { fields }] of after.things) {
    compare({ kind: "thing", name }, whereabouts(before, name), whereabouts(after, name));
    const known = before.things.get(name);
    for (const [field, value] of fields) {
      // No value of what is new was another one before.
      const was = known?.isThere === true ? known.fields.get(field) : undefined;
      compare({ kind: "field", of: name, name: field }, was ?? value, value);
    }
  }
  for (const [name, contents] of after.zones) {
    compare({ kind: "zone", name }, before.zones.get(name)?.join(", ") ?? "", contents.join(", "));
  }
  for (const [name, value] of after.variables) {
    compare({ kind: "variable", name }, before.variables.get(name) ?? "", value);
  }
  for (const [name, waiting] of after.queues) {
    compare({ kind: "queue", name }, before.queues.get(name) ?? "", waiting);
  }
  return changed;
}

/** The boards of a run: the first one, and one after each moment. */
export function play(run: Run): Step[] {
  let position = begin(run.board);
  const steps: Step[] = [{ moment: null, position, changed: new Map() }];
  for (const moment of run.trace ?? []) {
    const before = position;
    position = moment.patch ? patched(before, moment.patch) : before;
    steps.push({ moment, position, changed: position === before ? new Map() : differences(before, position) });
  }
  return steps;
}

/** What is chosen in a moment, as a sentence without its end. */
export function chosen(moment: Moment): string | null {
  const choice = moment.choice;
  if (choice === null) {
    return null;
  }
  const what = { order: "next", selection: "chosen", distribution: "chosen", chance: "by chance", gap: "left open, here" };
  const others = choice.offered.length > 1 ? `of ${choice.offered.map(plain).join(", ")}; ` : "";
  return `${what[choice.kind]}: ${plain(choice.taken)} (${others}${choice.decider})`;
}

/** All that a moment does, a line each. */
export function lines(moment: Moment): string[] {
  const choice = chosen(moment);
  return [...(choice === null ? [] : [choice]), ...moment.changes, ...moment.follows];
}

/** Whether a round begins here that is done again and again: nothing happens, and nothing in the text says so. */
export function repeats(moment: Moment): boolean {
  return lines(moment).length === 0 && moment.place === null;
}

/**
 * What a moment is called, in a line, and the lines that say more. Of some moments a report has only the place: then that
 * is the name.
 */
export function told(moment: Moment): { name: string; more: readonly string[] } {
  const all = repeats(moment) ? ["from here it repeats"] : lines(moment);
  const [first, ...more] = moment.heading === null ? all : [moment.heading, ...all];
  return { name: first ?? `line ${moment.place?.line ?? "?"} is carried out`, more };
}
