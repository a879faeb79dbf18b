// Places of a report as ranges of an editor.

import type { Place } from "./report";

/** A position as an editor counts it: from 0, characters in units of UTF-16. */
export interface Point {
  readonly line: number;
  readonly character: number;
}

/** The units of UTF-16 before a column, which counts characters from 1. */
export function units(line: string, column: number): number {
  return [...line].slice(0, Math.max(0, column - 1)).join("").length;
}

/** The range of a place in a text of which `line` gives the lines, counted from 0. */
export function range(place: Place, line: (at: number) => string): { start: Point; end: Point } {
  const point = (at: number, column: number): Point => ({
    line: Math.max(0, at - 1),
    character: units(line(at - 1), column),
  });
  return { start: point(place.line, place.column), end: point(place.end_line, place.end_column) };
}
