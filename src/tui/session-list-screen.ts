import { exact } from "../cli/print/figures.ts";
import { safeLine } from "../cli/print/safe.ts";
import type { Costs } from "../cli/print/session-costs.ts";
import { costsOf } from "../cli/print/session-costs.ts";
import type { SessionFilter } from "../core/filter/filter.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import { LatestAnswer } from "./latest-answer.ts";
import type { Part } from "./draw.ts";
import { endsOf, firstShown, rowOf, selected } from "./draw.ts";
import type { Key } from "./keys.ts";
import { stepOf } from "./keys.ts";
import type { Hint, HomeContext, Screen } from "./screen.ts";
import { scopeFilter } from "./screen.ts";
import { sessionParts } from "./session-rows.ts";
import type { Size } from "./terminal.ts";
import { TranscriptScreen } from "./transcript-screen.ts";

const PAGE = 100;
/** Number of pages kept in memory, so that scrolling back is fast. */
const MOST_PAGES = 20;

/** The sessions behind a dashboard row, newest first; pages are loaded when they come into view. */
export class SessionListScreen implements Screen {
  readonly title: string;
  readonly hints: readonly Hint[] = [
    ["⏎", "open"],
    ["r", "resume"],
    ["e", "export"],
    ["y", "copy id"],
    ["Esc", "back"],
    ["?", "keys"],
  ];
  readonly #home: HomeContext;
  readonly #filter: SessionFilter;
  /** By page number; the most recently used are at the end. */
  readonly #pages = new Map<number, LatestAnswer<SessionPage>>();
  #total: number | undefined;
  #rows = 1;
  #at = 0;

  constructor(home: HomeContext, title: string, filter: SessionFilter) {
    this.#home = home;
    this.title = title;
    this.#filter = filter;
  }

  get session(): SessionSummary | undefined {
    return this.#sessionAt(this.#at);
  }

  /** Loads the visible page again and drops the others. */
  load(): void {
    const seen = Math.floor(this.#at / PAGE);
    for (const number of this.#pages.keys()) if (number !== seen) this.#pages.delete(number);
    this.#ask(seen);
  }

  #sessionAt(at: number): SessionSummary | undefined {
    return this.#pages.get(Math.floor(at / PAGE))?.value?.sessions[at % PAGE];
  }

  #ask(number: number): void {
    const page =
      this.#pages.get(number) ?? new LatestAnswer<SessionPage>(() => this.#home.redraw());
    this.#pages.delete(number);
    this.#pages.set(number, page);
    for (const old of this.#pages.keys())
      if (this.#pages.size > MOST_PAGES) this.#pages.delete(old);
    const chosen = this.session?.id;
    void page.ask(async () => {
      const whose = scopeFilter(this.#home.scope);
      const filter = { ...whose, ...this.#filter };
      const library = await this.#home.library();
      const stretch = { offset: number * PAGE, limit: PAGE };
      const { sessions, total } = await library.review.stretch(filter, stretch);
      this.#total = total;
      this.#stayAt(chosen, sessions, number);
      page.value = { sessions, costs: page.value?.costs ?? new Map() };
      this.#home.redraw();
      return { sessions, costs: await costsOf(await this.#home.questions(), sessions, whose) };
    });
  }

  /** Keeps the same session selected, even if others were added before it. */
  #stayAt(id: string | undefined, sessions: readonly SessionSummary[], page: number): void {
    const found = sessions.findIndex((session) => session.id === id);
    const at = found === -1 ? this.#at : page * PAGE + found;
    this.#at = Math.max(0, Math.min(at, (this.#total ?? 1) - 1));
  }

  draw({ columns, rows }: Size): string[] {
    const { style } = this.#home;
    const total = this.#total ?? 0;
    this.#rows = Math.max(1, rows - 2);
    const count = total > 0 ? `${exact(this.#at + 1)} of ${exact(total)} ` : "";
    const head = endsOf(
      columns,
      [[` ${safeLine(this.title)}`, (text) => style.bold(text)]],
      [[count, (text) => style.dim(text)]],
    );
    if (total > 0) return [head, "", ...this.#lines(columns, total)];
    const { error } = this.#pages.get(0) ?? {};
    const text = error ?? (this.#total === undefined ? "reading …" : "No sessions.");
    return [head, "", rowOf(columns, [[`  ${safeLine(text)}`, (part) => style.dim(part)]])];
  }

  #lines(columns: number, total: number): string[] {
    const { style } = this.#home;
    const first = firstShown(this.#at, total, this.#rows);
    const seen = Array.from({ length: Math.min(this.#rows, total) }, (_, line) => first + line);
    const numbers = new Set(seen.map((at) => Math.floor(at / PAGE)));
    for (const number of numbers) if (!this.#pages.has(number)) this.#ask(number);
    const shown = seen.map((at) => this.#sessionAt(at));
    const costs = new Map(
      [...numbers].flatMap((at) => [...(this.#pages.get(at)?.value?.costs ?? [])]),
    );
    const known = shown.filter((session) => session !== undefined);
    const parts = sessionParts(known, costs, { width: columns - 2, home: this.#home });
    return seen.map((at, line) => {
      const isChosen = at === this.#at;
      const session = shown[line];
      const rest: Part[] = session
        ? parts(session)
        : [[this.#pages.get(Math.floor(at / PAGE))?.error ?? "reading …"]];
      const all: Part[] = [[isChosen ? "› " : "  "], ...rest];
      return isChosen ? selected(style, columns, all) : rowOf(columns, all);
    });
  }

  press(key: Key): boolean {
    const step = stepOf(key, this.#rows);
    if (step !== undefined) {
      this.#at = Math.max(0, Math.min(this.#at + step, (this.#total ?? 1) - 1));
    } else if (key.name === "enter" && this.session) {
      this.#home.open(new TranscriptScreen(this.#home, this.session));
    } else return false;
    this.#home.redraw();
    return true;
  }
}

interface SessionPage {
  sessions: readonly SessionSummary[];
  costs: Costs;
}
