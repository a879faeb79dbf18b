// What the extension and the page of the player say to each other.

import type { Finding } from "./report";

/** To the page. */
export type ToPage =
  | {
      readonly kind: "finding";
      readonly finding: Finding;
      /** How paths begin that need not be shown in full. */
      readonly folders: readonly string[];
      /** Whether somebody wants to see it; else it is what a new check has found, and nothing is to move. */
      readonly isAsked: boolean;
    }
  /** The text has changed: the finding may be gone. */
  | { readonly kind: "changed" };

/** From the page: it can hear now; or it shows this step of this run, and step 0 is the board before the first one. */
export type FromPage =
  | { readonly kind: "ready" }
  | { readonly kind: "step"; readonly run: number; readonly step: number };

/** A message of a page, if it is one. */
export function fromPage(message: unknown): FromPage | null {
  if (typeof message !== "object" || message === null || !("kind" in message)) {
    return null;
  }
  if (message.kind === "ready") {
    return { kind: "ready" };
  }
  if (message.kind === "step" && "run" in message && "step" in message) {
    const { run, step } = message;
    return Number.isInteger(run) && Number.isInteger(step)
      ? { kind: "step", run: run as number, step: step as number }
      : null;
  }
  return null;
}
