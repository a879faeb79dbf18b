// The player: a finding, its board, and its runs beside each other, step by step.

import type { FromPage, ToPage } from "../messages";
import { type Step, plain, play, told } from "../play";
import type { Finding, Run, Witness } from "../report";
import { board } from "./board";
import { element } from "./dom";

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

const editor = acquireVsCodeApi();
const root = document.getElementById("player") ?? document.body.appendChild(element("main"));

/** A run on the page. */
interface Column {
  readonly run: Run;
  readonly steps: readonly Step[];
  readonly section: HTMLElement;
  readonly board: HTMLElement;
  readonly list: HTMLElement;
  readonly items: readonly HTMLButtonElement[];
  readonly end: HTMLElement;
}

/** Names of files as from the folder that is open. */
function inShort(text: string, folders: readonly string[]): string {
  return folders.reduce((text, folder) => text.replaceAll(folder, ""), text);
}

function column(run: Run, at: number, player: Player): Column {
  const steps = play(run);
  const items = steps.map(({ moment }, number) => {
    const button = element("button", { type: "button", class: "moment" });
    if (moment === null) {
      button.append("The board");
    } else {
      const { name, more } = told(moment);
      button.append(name, ...more.map((line) => element("span", { class: "line" }, line)));
    }
    button.addEventListener("click", () => player.go(number, at));
    return button;
  });
  const shown = element("div", { class: "board" });
  const end = element("p", { class: "end" }, `End: ${run.text}`, ...run.unsettled.map((one) => `; ${one}`));
  const readings = Object.entries(run.readings).map(([name, value]) => `${plain(name)}: ${plain(value)}`);
  const title = element("button", { type: "button", class: "title" }, run.title === "" ? "The run" : run.title);
  title.addEventListener("click", () => player.go(player.at, at));
  const list = element("ol", { class: "moments", start: "0" }, ...items.map((one) => element("li", {}, one)));
  const section = element(
    "section",
    { class: "run", "aria-label": run.title === "" ? "The run" : run.title },
    element("h2", {}, title),
    ...(readings.length === 0 ? [] : [element("p", { class: "aside" }, `Readings: ${readings.join("; ")}`)]),
    shown,
    end,
    element("h3", {}, "What happens"),
    list,
  );
  return { run, steps, section, board: shown, list, items, end };
}

class Player {
  at = 0;
  private active = 0;
  private readonly columns: readonly Column[];
  private readonly last: number;
  private readonly counter = element("output", { class: "counter", "aria-live": "off" });
  private readonly spoken = element("p", { class: "spoken", "aria-live": "polite" });
  private readonly slider = element("input", { type: "range", min: "0", value: "0", "aria-label": "Step" });
  private readonly back: readonly HTMLButtonElement[];
  private readonly forth: readonly HTMLButtonElement[];

  constructor(
    readonly finding: Finding,
    folders: readonly string[],
  ) {
    this.columns = (finding.witness?.runs ?? []).map((run, at) => column(run, at, this));
    this.last = Math.max(0, ...this.columns.map((one) => one.steps.length - 1));
    this.slider.max = String(this.last);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    const button = (label: string, symbol: string, to: () => number): HTMLButtonElement => {
      const made = element("button", { type: "button", "aria-label": label, title: label }, symbol);
      made.addEventListener("click", () => this.go(to()));
      return made;
    };
    this.back = [button("First step", "|◀", () => 0), button("Step back (left arrow)", "◀", () => this.at - 1)];
    this.forth = [
      button("Step on (right arrow)", "▶", () => this.at + 1),
      button("Last step", "▶|", () => this.last),
    ];
    root.replaceChildren(
      element("h1", {}, `${finding.code}: ${finding.title}`),
      element("p", { class: "text" }, inShort(finding.text, folders)),
      ...occurs(finding),
      ...finding.clauses.map((one) => element("p", { class: "aside" }, `${one.locator}: “${one.says}”`)),
      ...this.runs(),
      ...differences(finding.witness),
    );
  }

  private runs(): HTMLElement[] {
    if (this.columns.length === 0) {
      return [element("p", { class: "aside" }, "This is seen in the text alone: there is no board to show.")];
    }
    const [first, previous] = this.back;
    const [next, last] = this.forth;
    const buttons = [first, previous, this.slider, next, last].filter((one) => one !== undefined);
    return [
      element("div", { class: "controls", role: "group", "aria-label": "Steps" }, ...buttons, this.counter),
      this.spoken,
      element("div", { class: "runs" }, ...this.columns.map((one) => one.section)),
    ];
  }

  /** Shows a step of all runs; the line of the specification is that of one of them. */
  go(to: number, active = this.active, isFollowed = true): void {
    this.at = Math.min(Math.max(to, 0), this.last);
    this.active = Math.min(active, Math.max(0, this.columns.length - 1));
    this.columns.forEach((column, number) => this.draw(column, number === this.active));
    this.slider.value = String(this.at);
    this.counter.value = `Step ${this.at} of ${this.last}`;
    // A button that has the focus stays what it is, even where it does nothing any more.
    this.back.forEach((one) => one.setAttribute("aria-disabled", String(this.at === 0)));
    this.forth.forEach((one) => one.setAttribute("aria-disabled", String(this.at === this.last)));
    const followed = this.columns[this.active];
    const moment = followed?.steps[Math.min(this.at, followed.steps.length - 1)]?.moment;
    const said = moment ? told(moment) : { name: "The board", more: [] };
    this.spoken.textContent = [said.name, ...said.more].join(". ");
    editor.setState({ fingerprint: this.finding.fingerprint, at: this.at, active: this.active });
    if (followed !== undefined && isFollowed) {
      editor.postMessage({ kind: "step", run: this.active, step: Math.min(this.at, followed.steps.length - 1) });
    }
  }

  private draw({ steps, section, board: shown, list, items, end }: Column, isActive: boolean): void {
    const at = Math.min(this.at, steps.length - 1);
    const step = steps[at];
    if (step === undefined) {
      return;
    }
    shown.replaceChildren(...board(step));
    items.forEach((item, number) => {
      if (number === at) {
        item.setAttribute("aria-current", "step");
        scrollTo(list, item);
      } else {
        item.removeAttribute("aria-current");
      }
    });
    end.classList.toggle("reached", at === steps.length - 1);
    section.classList.toggle("active", isActive && this.columns.length > 1);
    section.querySelector(".title")?.setAttribute("aria-pressed", String(isActive));
  }

  /** Whether a key is one of the player's. */
  press(pressed: string): boolean {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last }[pressed];
    if (to === undefined) {
      return false;
    }
    this.go(to);
    return true;
  }
}

/** Brings an item of a list into view, and moves nothing but the list. */
function scrollTo(list: HTMLElement, item: HTMLElement): void {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) {
    list.scrollTop -= outer.top - inner.top;
  } else if (inner.bottom > outer.bottom) {
    list.scrollTop += inner.bottom - outer.bottom;
  }
}

function occurs(finding: Finding): HTMLElement[] {
  if (finding.occurs_on === null) {
    return [];
  }
  const words = finding.occurs?.words ?? "";
  return [element("p", { class: "aside" }, `On ${finding.occurs_on}${words === "" ? "" : `: ${words}`}.`)];
}

function differences(witness: Witness | null): HTMLElement[] {
  const [first, second] = witness?.runs ?? [];
  if (witness === null || first === undefined || second === undefined || witness.differences.length === 0) {
    return [];
  }
  const heading = ["At the end", first.title, second.title].map((one) => element("th", { scope: "col" }, one));
  const rows = witness.differences.map((one) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, plain(one.what)),
      element("td", {}, plain(one.first)),
      element("td", {}, plain(one.second)),
    ),
  );
  const caption = "Where they end differently";
  const body = [element("thead", {}, element("tr", {}, ...heading)), element("tbody", {}, ...rows)];
  const table = element("table", { class: "differences" }, element("caption", {}, caption), ...body);
  return [element("div", { class: "wide", role: "group", "aria-label": caption, tabindex: "0" }, table)];
}

let player: Player | null = null;

/** Where a player of this finding was, before its page was hidden or the text was checked again. */
function remembered(finding: Finding): { at: number; active: number } {
  const state = editor.getState();
  const isOurs = typeof state === "object" && state !== null && "fingerprint" in state;
  if (isOurs && state.fingerprint === finding.fingerprint && "at" in state && "active" in state) {
    return { at: Number(state.at), active: Number(state.active) };
  }
  return { at: 0, active: 0 };
}

/** That what is shown belongs to another text. */
function tellChanged(): void {
  if (root.querySelector(".gone") === null) {
    const text = "The text has changed since this was found.";
    root.prepend(element("p", { class: "gone", role: "status" }, text));
  }
}

addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  if (data.kind === "changed") {
    tellChanged();
    return;
  }
  const { finding, folders, isAsked } = data;
  // Who reads it, or has the focus on a button of it, is not disturbed by a check that finds the same.
  if (!isAsked && JSON.stringify(player?.finding) === JSON.stringify(finding)) {
    root.querySelector(".gone")?.remove();
    return;
  }
  player = new Player(finding, folders);
  const { at, active } = remembered(finding);
  player.go(at, active, isAsked);
});

addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  // A slider has these keys itself, and something wide is scrolled by them.
  const isTaken = event.altKey || event.ctrlKey || event.metaKey || target?.closest("input, .wide") != null;
  if (!isTaken && player?.press(event.key) === true) {
    event.preventDefault();
  }
});

editor.postMessage({ kind: "ready" });
