// Findings by the file in which they are, for the view of findings.

import { type Finding, type Report, type Severity, mainPlace } from "./report";

/** A specification that was checked: its URI, and what was found in it. */
export interface Checked {
  readonly uri: string;
  readonly report: Report;
}

/** A finding, with the URI of the specification that has it. */
export interface Found {
  readonly uri: string;
  readonly finding: Finding;
}

/** The findings in a file. */
export interface Group {
  readonly file: string;
  readonly found: readonly Found[];
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 };

/** What is new comes first, then what is worse, then what is further up. */
function compare(one: Found, other: Found): number {
  const known = (found: Found): number => (found.finding.status === "new" ? 0 : 1);
  const line = (found: Found): number => mainPlace(found.finding)?.line ?? 0;
  return (
    known(one) - known(other) ||
    RANK[one.finding.severity] - RANK[other.finding.severity] ||
    line(one) - line(other)
  );
}

/**
 * Groups findings by the file of their main place, the files in alphabetical order. What is about no place
 * belongs to the file of its specification. A finding of a file that several specifications include is there once
 * for each of them: on other boards it is another one.
 */
export function group(all: readonly Checked[]): Group[] {
  const groups = new Map<string, Found[]>();
  for (const { uri, report } of all) {
    for (const finding of report.findings) {
      const file = mainPlace(finding)?.file ?? report.name;
      const found = groups.get(file) ?? [];
      found.push({ uri, finding });
      groups.set(file, found);
    }
  }
  const sorted = [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([file, found]) => ({ file, found: found.sort(compare) }));
}

/** Whether something new was found that is worse than a note. */
export function count(all: readonly Checked[]): number {
  const findings = all.flatMap(({ report }) => report.findings);
  return findings.filter((one) => one.status === "new" && one.severity !== "note").length;
}

/** What a finding is called in a narrow view: what is not seen there any more is the same for all of its kind. */
export function called({ finding }: Found): string {
  const place = mainPlace(finding);
  return place === null ? finding.code : `${finding.code} line ${place.line}`;
}

/** What stands beside it. */
export function described({ finding }: Found): string {
  return finding.status === "new" ? finding.title : `${finding.status}: ${finding.title}`;
}

/** All of a finding in a few lines. */
export function told({ finding }: Found): string {
  const lines = [`${finding.code}: ${finding.title}`, "", finding.text];
  if (finding.occurs_on !== null) {
    const words = finding.occurs?.words ?? "";
    lines.push("", `On ${finding.occurs_on}${words === "" ? "" : `: ${words}`}.`);
  }
  if (finding.status !== "new") {
    const reason = finding.reason === null ? "" : `: ${finding.reason}`;
    lines.push("", `This finding is ${finding.status}${reason}.`);
  }
  return lines.join("\n");
}
