// A board as tables: what lies in each zone, with its fields; then variables, and what waits.

import { type Position, type Step, type Thing, key } from "../play";
import { element } from "./dom";

/** A cell; what has changed in this step says what was there before. */
function cell(tag: "td" | "th", text: string, before: string | undefined): HTMLElement {
  const attributes: Record<string, string> = tag === "th" ? { scope: "row" } : {};
  if (before === undefined) {
    return element(tag, attributes, text);
  }
  const was = before === "" ? "changed" : `was ${before}`;
  return element(tag, { ...attributes, class: "changed" }, element("strong", {}, text), " ", element("small", {}, was));
}

/** What can be wider than its place is scrolled there, by the keyboard as well. */
function wide(label: string, table: HTMLElement): HTMLElement {
  return element("div", { class: "wide", role: "group", "aria-label": label, tabindex: "0" }, table);
}

/** Things of a sort: all of them have the same fields. */
function thingsTable(caption: string | null, things: readonly Thing[], step: Step, before: string | undefined): HTMLElement {
  const [first] = things;
  const sort = first?.sort ?? "";
  const heading = [sort, ...(first?.fields.keys() ?? [])].map((name) => element("th", { scope: "col" }, name));
  const rows = things.map((thing) => {
    const name = cell("th", thing.name, step.changed.get(key({ kind: "thing", name: thing.name })));
    const values = [...thing.fields].map(([field, value]) => {
      const spot = key({ kind: "field", of: thing.name, name: field });
      return cell("td", value, step.changed.get(spot));
    });
    return element("tr", {}, name, ...values);
  });
  const table = element("table", {});
  if (caption !== null) {
    const changed = before === undefined ? {} : { class: "changed" };
    table.append(element("caption", changed, caption));
  }
  table.append(element("thead", {}, element("tr", {}, ...heading)), element("tbody", {}, ...rows));
  return wide(caption ?? sort, table);
}

function bySort(things: readonly Thing[]): Thing[][] {
  const sorts = new Map<string, Thing[]>();
  for (const thing of things) {
    sorts.set(thing.sort, [...(sorts.get(thing.sort) ?? []), thing]);
  }
  return [...sorts.values()];
}

function named(position: Position, names: readonly string[]): Thing[] {
  return names.flatMap((name) => position.things.get(name) ?? []);
}

/** A list of pairs: variables, queues. */
function pairs(caption: string, kind: "variable" | "queue", all: ReadonlyMap<string, string>, step: Step): HTMLElement[] {
  const rows = [...all].map(([name, value]) => {
    const before = step.changed.get(key({ kind, name }));
    return element("tr", {}, element("th", { scope: "row" }, name), cell("td", value === "" ? "nothing" : value, before));
  });
  const table = element("table", {}, element("caption", {}, caption), element("tbody", {}, ...rows));
  return rows.length === 0 ? [] : [wide(caption, table)];
}

/** The board after a step. */
export function board(step: Step): HTMLElement[] {
  const { position } = step;
  const lying = new Set([...position.zones.values()].flat());
  const nowhere = [...position.things.values()].filter((one) => one.isThere && !lying.has(one.name));
  const parts = bySort(nowhere).map((things) => thingsTable(null, things, step, undefined));
  const empty: Node[] = [];
  for (const [zone, contents] of position.zones) {
    const before = step.changed.get(key({ kind: "zone", name: zone }));
    if (contents.length === 0) {
      empty.push(element("span", before === undefined ? {} : { class: "changed" }, zone));
    }
    const tables = bySort(named(position, contents));
    parts.push(...tables.map((things) => thingsTable(zone, things, step, before)));
  }
  if (empty.length > 0) {
    const listed = empty.flatMap((one, at) => (at === 0 ? [one] : [", ", one]));
    parts.push(element("p", { class: "aside" }, "Empty: ", ...listed));
  }
  parts.push(...pairs("Variables", "variable", position.variables, step));
  parts.push(...pairs("Waiting", "queue", position.queues, step));
  if (parts.length === 0) {
    parts.push(element("p", { class: "aside" }, "Nothing lies on this board."));
  }
  return parts;
}
