import { exact } from "../cli/print/figures.ts";
import { safeLine } from "../cli/print/safe.ts";
import type { Costs } from "../cli/print/session-costs.ts";
import { costsOf } from "../cli/print/session-costs.ts";
import type { SessionFilter } from "../core/filter.ts";
import { optional } from "../core/optional.ts";
import type { SessionSummary } from "../core/summary.ts";
import type { SessionList } from "../library/library.ts";
import { Asked } from "./asked.ts";
import type { Part } from "./draw.ts";
import { endsOf, firstShown, rowOf, selected } from "./draw.ts";
import type { Key } from "./keys.ts";
import { stepOf } from "./keys.ts";
import type { Hint, HomeContext, Screen } from "./screen.ts";
import { sessionParts } from "./session-rows.ts";
import type { Size } from "./terminal.ts";
import { TranscriptScreen } from "./transcript-screen.ts";

const PAGE = 200;

/** The sessions behind a line of the dashboard, newest first, read page by page. */
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
  readonly #pages: Asked<SessionList>;
  readonly #costs: Asked<Costs>;
  #sessions: SessionSummary[] = [];
  #rows = 1;
  #at = 0;

  constructor(home: HomeContext, title: string, filter: SessionFilter) {
    this.#home = home;
    this.title = title;
    this.#filter = filter;
    this.#pages = new Asked(() => home.redraw());
    this.#costs = new Asked(() => home.redraw());
  }

  get session(): SessionSummary | undefined {
    return this.#sessions[this.#at];
  }

  load(): void {
    void this.#read("first");
  }

  async #read(which: "first" | "next"): Promise<void> {
    const { source, project } = this.#home.scope;
    const whose = { ...optional("source", source), ...optional("project", project) };
    const filter = { kind: "main", ...whose, ...this.#filter };
    const after = which === "next" ? this.#pages.value?.next : undefined;
    // What was read before is read again, so that the list stays where it is.
    const limit = which === "first" ? Math.max(PAGE, this.#sessions.length) : PAGE;
    const library = await this.#home.library();
    await this.#pages.ask(() =>
      library.sessions({ ...filter, limit, ...optional("after", after) }),
    );
    const read = this.#pages.value?.sessions ?? [];
    const chosen = this.session?.id;
    this.#sessions = which === "first" ? [...read] : [...this.#sessions, ...read];
    const found = this.#sessions.findIndex(({ id }) => id === chosen);
    this.#at = found === -1 ? Math.min(this.#at, Math.max(0, this.#sessions.length - 1)) : found;
    await this.#costs.ask(() =>
      costsOf(library, this.#sessions, { ...whose, subagents: "rolled-up" }),
    );
  }

  draw({ columns, rows }: Size): string[] {
    const { style } = this.#home;
    const { value, error } = this.#pages;
    this.#rows = Math.max(1, rows - 2);
    const first = firstShown(this.#at, this.#sessions.length, this.#rows);
    const shown = this.#sessions.slice(first, first + this.#rows);
    const costs = this.#costs.value ?? new Map<string, number | null>();
    const parts = sessionParts(shown, costs, { width: columns - 2, home: this.#home });
    const count = value ? `${exact(this.#at + 1)} of ${exact(value.total)} ` : "";
    const head = endsOf(
      columns,
      [[` ${safeLine(this.title)}`, (text) => style.bold(text)]],
      [[this.#sessions.length > 0 ? count : "", (text) => style.dim(text)]],
    );
    if (shown.length === 0) {
      const text = error ?? (value ? "No session here." : "reading …");
      return [head, "", rowOf(columns, [[`  ${safeLine(text)}`, (part) => style.dim(part)]])];
    }
    const lines = shown.map((session, at) => {
      const isChosen = first + at === this.#at;
      const line: Part[] = [[isChosen ? "› " : "  "], ...parts(session)];
      return isChosen ? selected(style, columns, line) : rowOf(columns, line);
    });
    return [head, "", ...lines];
  }

  press(key: Key): boolean {
    const step = stepOf(key, this.#rows);
    if (step !== undefined) this.#move(step);
    else if (key.name === "enter" && this.session) {
      this.#home.open(new TranscriptScreen(this.#home, this.session));
    } else return false;
    this.#home.redraw();
    return true;
  }

  #move(step: number): void {
    const last = Math.max(0, this.#sessions.length - 1);
    this.#at = Math.max(0, Math.min(this.#at + step, last));
    const isNearEnd = this.#at + this.#rows * 2 >= this.#sessions.length;
    const hasMore = this.#pages.value?.next !== undefined;
    if (isNearEnd && hasMore && !this.#pages.isWaiting) void this.#read("next");
  }
}
