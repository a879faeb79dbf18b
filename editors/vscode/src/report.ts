// As much of a report (docs/json.md) as is shown here.

/** Lines and characters count from 1; the end is without. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
}

export interface Entity {
  readonly name: string;
  readonly sort: string;
  readonly removed: boolean;
  readonly fields: Readonly<Record<string, string>>;
}

export interface Board {
  readonly entities: readonly Entity[];
  readonly zones: Readonly<Record<string, readonly string[]>>;
  readonly variables: Readonly<Record<string, string>>;
  /** What waits in queues, where something does. */
  readonly waiting?: Readonly<Record<string, readonly string[]>>;
}

/**
 * What of a board is something else: entities that are new, changed or removed, of those that were there only with the
 * fields that changed; zones, variables and what waits in queues that changed, whole.
 */
export interface Patch extends Board {
  readonly waiting: Readonly<Record<string, readonly string[]>>;
}

export interface Choice {
  readonly kind: "order" | "selection" | "distribution" | "chance" | "gap";
  readonly decider: string;
  readonly taken: string;
  readonly offered: readonly string[];
}

/** What happens in a small step of a run. */
export interface Moment {
  readonly step: number;
  readonly heading: string | null;
  readonly choice: Choice | null;
  readonly changes: readonly string[];
  readonly follows: readonly string[];
  readonly place: Place | null;
  /** None if the board stays as it is. */
  readonly patch: Patch | null;
}

export interface Run {
  readonly title: string;
  readonly board: Board;
  readonly readings: Readonly<Record<string, string>>;
  readonly outcome: string;
  readonly text: string;
  readonly trace: readonly Moment[] | null;
  readonly unsettled: readonly string[];
}

export interface Difference {
  readonly what: string;
  readonly first: string;
  readonly second: string;
}

export interface Witness {
  readonly kind: "run" | "versus" | "again" | "lasso" | "growth" | "power" | "demands";
  readonly runs: readonly Run[];
  readonly differences: readonly Difference[];
}

export interface Clause {
  readonly id: string;
  readonly locator: string;
  readonly says: string;
}

export type Severity = "error" | "warning" | "note";

export interface Finding {
  readonly code: string;
  readonly title: string;
  readonly severity: Severity;
  readonly fingerprint: string;
  readonly status: "new" | "expected" | "accepted";
  readonly reason: string | null;
  readonly text: string;
  readonly clauses: readonly Clause[];
  readonly places: readonly (Place | null)[];
  readonly occurs_on: string | null;
  readonly occurs: { readonly words: string } | null;
  readonly witness: Witness | null;
}

/** What was found in a specification. */
export interface Report {
  readonly name: string;
  readonly game?: string;
  readonly findings: readonly Finding[];
}

/** The place that tells most of a finding. */
export function mainPlace(finding: Finding): Place | null {
  return finding.places.find((place) => place !== null) ?? null;
}

/** Whether something that a server sent looks like a report. */
export function isReport(value: unknown): value is Report {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "findings" in value &&
    Array.isArray(value.findings)
  );
}
