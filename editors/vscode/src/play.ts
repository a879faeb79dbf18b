// The boards of a run, one after each of its moments.
//
// A report has the board on which a run begins, and says in words what each moment changes ("health of wolf: from 1
// to 0"). These sentences have a few fixed forms, and every name in them is one of the board or of something that was
// created since; so they are read back. Where one says what was there before, that is compared. What cannot be read
// is kept apart, and shown as a sentence only.

import type { Board, Moment, Run } from "./report";

/** Something on a board. What is created during a run has no `sort`: a report does not say it. */
export interface Thing {
  readonly name: string;
  readonly sort: string | null;
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
  /** Changes that could not be read: from here on the board may be another one. */
  readonly unread: readonly string[];
}

/** A name for a spot that no other has. */
export function key(spot: Spot): string {
  return JSON.stringify(spot.kind === "field" ? [spot.kind, spot.of, spot.name] : [spot.kind, spot.name]);
}

/** A name as it is read. */
export function plain(name: string): string {
  return name.replaceAll("_", " ");
}

/** A name without the quotation marks that it has where it could be misread. */
function bare(name: string): string {
  return name.length > 1 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
}

/** A board as it is read. */
export function begin(board: Board): Position {
  const values = (all: Readonly<Record<string, string>>): Map<string, string> =>
    new Map(Object.entries(all).map(([name, value]) => [plain(name), plain(value)]));
  const things = board.entities.map((one): [string, Thing] => {
    const name = plain(one.name);
    return [name, { name, sort: plain(one.sort), isThere: !one.removed, fields: values(one.fields) }];
  });
  const zones = Object.entries(board.zones).map(([name, contents]): [string, readonly string[]] => [
    plain(name),
    contents.map(plain),
  ]);
  return { things: new Map(things), zones: new Map(zones), variables: values(board.variables), queues: new Map() };
}

/** Reads the changes of one moment. */
class Reader {
  readonly things: Map<string, Thing>;
  readonly zones: Map<string, readonly string[]>;
  readonly variables: Map<string, string>;
  readonly queues: Map<string, string>;
  readonly changed = new Map<string, string>();
  readonly unread: string[] = [];

  constructor(before: Position) {
    this.things = new Map(before.things);
    this.zones = new Map(before.zones);
    this.variables = new Map(before.variables);
    this.queues = new Map(before.queues);
  }

  read(change: string): void {
    const is = this.flag(change) || this.order(change) || this.queue(change) || this.move(change) || this.value(change);
    if (!is) {
      this.unread.push(change);
    }
  }

  position(): Position {
    const { things, zones, variables, queues } = this;
    return { things, zones, variables, queues };
  }

  private touch(spot: Spot, before: string): void {
    const name = key(spot);
    if (!this.changed.has(name)) {
      this.changed.set(name, before);
    }
  }

  // `wolf is now marked "falls"`, `"beaten" is no longer true`
  private flag(change: string): boolean {
    const variable = /^"(.+)" is (now|no longer) true$/.exec(change);
    if (variable?.[1] !== undefined) {
      return this.setVariable(plain(variable[1]), null, variable[2] === "now" ? "true" : "false");
    }
    const field = /^(.+) is (now|no longer) marked "(.+)"$/.exec(change);
    if (field?.[1] !== undefined && field[3] !== undefined) {
      return this.setField(plain(bare(field[1])), plain(field[3]), null, field[2] === "now" ? "true" : "false");
    }
    return false;
  }

  // `deck, now in this order: wolf, owl`
  private order(change: string): boolean {
    const found = /^(.+), now in this order: (.*)$/.exec(change);
    const zone = plain(bare(found?.[1] ?? ""));
    const before = this.zones.get(zone);
    if (found?.[2] === undefined || before === undefined) {
      return false;
    }
    const after = found[2].split(", ").map(plain);
    const isSame = after.length === before.length && after.every((name) => before.includes(name));
    if (isSame) {
      this.setZone(zone, after);
    }
    return isSame;
  }

  // `effects: pending now heals, doubles`
  private queue(change: string): boolean {
    const found = /^(.+): (?:nothing is pending any more|(?:pending now|still pending) (.+))$/.exec(change);
    if (found?.[1] === undefined) {
      return false;
    }
    const name = plain(bare(found[1]));
    this.touch({ kind: "queue", name }, this.queues.get(name) ?? "");
    this.queues.set(name, found[2] ?? "");
    return true;
  }

  // `owl moves from board of ann to dying of ann` and the like
  private move(change: string): boolean {
    const whole = plain(change);
    const created = /^(.+?) is (?:created|new and comes to (.+))$/.exec(whole);
    if (created?.[1] !== undefined) {
      const name = bare(created[1]);
      // The name of what is out of the game can be given again.
      if (this.things.get(name)?.isThere === true) {
        return false;
      }
      this.touch({ kind: "thing", name }, "not there");
      this.things.set(name, { name, sort: null, isThere: true, fields: new Map() });
      return created[2] === undefined || this.enter(name, bare(created[2]));
    }
    for (const name of this.things.keys()) {
      if (!whole.startsWith(`${name} `)) {
        continue;
      }
      const what = whole.slice(name.length + 1);
      if (what === "is removed") {
        return this.remove(name);
      }
      const came = /^lay nowhere and comes to (.+)$/.exec(what);
      if (came?.[1] !== undefined) {
        return this.enter(name, bare(came[1]));
      }
      const left = /^leaves (.+) and (lies nowhere|is out of the game)$/.exec(what);
      if (left?.[1] !== undefined && this.leave(name, bare(left[1]))) {
        return left[2] === "lies nowhere" || this.remove(name);
      }
      const moved = /^moves from (.+)$/.exec(what);
      if (moved?.[1] !== undefined && this.moved(name, moved[1])) {
        return true;
      }
    }
    return false;
  }

  // What stands behind "moves from": both zones are known, whatever words are in their names.
  private moved(name: string, fromTo: string): boolean {
    for (const from of this.zones.keys()) {
      for (const written of [from, `"${from}"`]) {
        const to = fromTo.startsWith(`${written} to `) ? bare(fromTo.slice(written.length + 4)) : null;
        if (to !== null && this.zones.has(to) && this.leave(name, from)) {
          return this.enter(name, to);
        }
      }
    }
    return false;
  }

  // `health of wolf: from 1 to 0`
  private value(change: string): boolean {
    const at = change.indexOf(": from ");
    if (at < 0) {
      return false;
    }
    const place = plain(bare(change.slice(0, at)));
    const fromTo = plain(change.slice(at + 7));
    if (this.variables.has(place)) {
      return this.setVariable(place, fromTo, null);
    }
    const owners = [...this.things.keys()].filter((name) => place.endsWith(` of ${name}`));
    // Of things called "2" and "wolf of 2" the longer name is meant if it has such a field.
    owners.sort((one, other) => other.length - one.length);
    return owners.some((of) => this.setField(of, place.slice(0, -` of ${of}`.length), fromTo, null));
  }

  private setVariable(name: string, fromTo: string | null, value: string | null): boolean {
    const before = this.variables.get(name);
    const after = before === undefined ? null : (value ?? parted(fromTo ?? "", before));
    if (before === undefined || after === null) {
      return false;
    }
    this.touch({ kind: "variable", name }, before);
    this.variables.set(name, after);
    return true;
  }

  private setField(of: string, name: string, fromTo: string | null, value: string | null): boolean {
    const thing = this.things.get(of);
    const before = thing?.fields.get(name);
    // Of what was created nobody says what its fields are before they change.
    if (thing === undefined || (before === undefined && thing.sort !== null)) {
      return false;
    }
    const after = value ?? parted(fromTo ?? "", before ?? null);
    if (after === null) {
      return false;
    }
    this.touch({ kind: "field", of, name }, before ?? fromTo?.split(" to ")[0] ?? "");
    this.things.set(of, { ...thing, fields: new Map([...thing.fields, [name, after]]) });
    return true;
  }

  private setZone(name: string, contents: readonly string[]): void {
    this.touch({ kind: "zone", name }, (this.zones.get(name) ?? []).join(", "));
    this.zones.set(name, contents);
  }

  private enter(name: string, zone: string): boolean {
    const contents = this.zones.get(zone);
    if (contents === undefined) {
      return false;
    }
    this.touch({ kind: "thing", name }, "in no zone");
    this.setZone(zone, [...contents, name]);
    return true;
  }

  private leave(name: string, zone: string): boolean {
    const contents = this.zones.get(zone);
    if (contents === undefined || !contents.includes(name)) {
      return false;
    }
    this.touch({ kind: "thing", name }, `in ${zone}`);
    this.setZone(
      zone,
      contents.filter((one) => one !== name),
    );
    return true;
  }

  private remove(name: string): boolean {
    const thing = this.things.get(name);
    if (thing === undefined) {
      return false;
    }
    this.touch({ kind: "thing", name }, "there");
    this.things.set(name, { ...thing, isThere: false });
    return true;
  }
}

/** The second of two values with " to " in between, if the first one is as it is known to be; else nothing. */
function parted(fromTo: string, before: string | null): string | null {
  if (before === null) {
    const at = fromTo.indexOf(" to ");
    return at < 0 ? null : bare(fromTo.slice(at + 4));
  }
  const written = [before, `"${before}"`].find((one) => fromTo.startsWith(`${one} to `));
  return written === undefined ? null : bare(fromTo.slice(written.length + 4));
}

/** The boards of a run: the first one, and one after each moment. */
export function play(run: Run): Step[] {
  const steps: Step[] = [{ moment: null, position: begin(run.board), changed: new Map(), unread: [] }];
  for (const moment of run.trace ?? []) {
    const before = steps.at(-1)?.position ?? begin(run.board);
    const reader = new Reader(before);
    moment.changes.forEach((change) => reader.read(change));
    steps.push({ moment, position: reader.position(), changed: reader.changed, unread: reader.unread });
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

/**
 * What a moment is called, in a line, and the lines that say more. Of some moments a report has only the place: then that
 * is the name. One without a place is where a round begins that is done again and again.
 */
export function told(moment: Moment): { name: string; more: readonly string[] } {
  const own = lines(moment);
  const all = own.length === 0 && moment.place === null ? ["from here it repeats"] : own;
  const [first, ...more] = moment.heading === null ? all : [moment.heading, ...all];
  return { name: first ?? `line ${moment.place?.line ?? "?"} is carried out`, more };
}
