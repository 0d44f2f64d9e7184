import { costsOf } from "../cli/print/session-costs.ts";
import type { LedgerFilter } from "../core/filter/filter.ts";
import { optional } from "../core/optional.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import { Board, PANELS } from "./board.ts";
import { drawDashboard } from "./dashboard-layout.ts";
import { InsightsScreen } from "./insights-screen.ts";
import type { Key } from "./keys.ts";
import { stepOf } from "./keys.ts";
import { shortKey, spanOf } from "./periods.ts";
import type { Hint, Screen } from "./screen.ts";
import { projectFilter, scopeFilter } from "./screen.ts";
import { SessionListScreen } from "./session-list-screen.ts";
import type { Size } from "./terminal.ts";
import { TranscriptScreen } from "./transcript-screen.ts";

const RECENT = 100;
const MOST_ROWS = 50;
const PAGE = 10;

/** The first screen: how much was used, for what, and the latest sessions. */
export class Dashboard extends Board implements Screen {
  readonly title = "";
  #scope = "";
  #isFirst = true;

  get hints(): readonly Hint[] {
    return [
      ["/", "search"],
      ["⏎", "open"],
      ["Tab", "panel"],
      ["←→", "period"],
      ["a p", "filter"],
      ["r", "resume"],
      ["?", "keys"],
    ];
  }

  get session(): SessionSummary | undefined {
    return this.focus === "sessions" ? this.sessions[this.chosen.sessions] : undefined;
  }

  load(): void {
    void this.#load();
  }

  async #load(): Promise<void> {
    const { home } = this;
    const { period, source, project } = home.scope;
    this.span = spanOf(period, home.now().getTime(), home.timezone);
    const scope = JSON.stringify([period, source, project]);
    if (scope !== this.#scope) this.forget();
    this.#scope = scope;
    const whose = scopeFilter(home.scope);
    const filter = { ...whose, ...optional("sinceMs", this.span.sinceMs) };
    // Kept sessions are listed immediately; sums may have to be read from disk first.
    await Promise.all([this.#loadSums(whose, filter), this.#loadLists(filter)]);
    // Sessions that are not kept yet may belong to this period.
    if (home.isGrowing || this.#goesFurtherBack(scope)) return;
    const questions = await home.questions();
    await this.costs.ask(() => costsOf(questions, this.sessions, whose));
    await this.insights.ask(() => questions.insights(filter));
  }

  /** If the initial period is empty, switches to all time, so that older work is visible. */
  #goesFurtherBack(asked: string): boolean {
    const { home, time, recent } = this;
    const isBeginning = this.#isFirst && asked === this.#scope;
    this.#isFirst = false;
    const isEmpty = time.value?.totals.requests === 0 && recent.value?.total === 0;
    const { period } = home.scope;
    if (!isBeginning || !isEmpty || period === "all") return false;
    home.say(`Nothing in the last ${period}: all time is shown.`);
    home.setScope({ ...home.scope, period: "all" });
    return true;
  }

  async #loadSums(whose: LedgerFilter, filter: LedgerFilter): Promise<void> {
    const { before, by } = this.span;
    const zone = optional("timezone", this.home.timezone);
    const sums = await this.home.sums();
    const usage = (group: "model" | "agent") => () =>
      sums.usage({ ...filter, by: [group], limit: MOST_ROWS });
    await this.time.ask(() => sums.usage({ ...filter, ...zone, by: [by] }));
    await this.groups.agents.ask(usage("agent"));
    await this.groups.models.ask(usage("model"));
    if (before) await this.before.ask(() => sums.usage({ ...whose, ...rangeOf(before) }));
    else this.before.value = undefined;
  }

  async #loadLists(filter: LedgerFilter): Promise<void> {
    const library = await this.home.library();
    await this.recent.ask(() => library.review.stretch(filter, { limit: RECENT }));
    const projects = { ...filter, by: ["project"], limit: MOST_ROWS } as const;
    const questions = await this.home.questions();
    await this.groups.projects.ask(() => questions.usage(projects));
    await this.tools.ask(() => questions.tools(filter));
  }

  draw(size: Size): string[] {
    return drawDashboard(this, size);
  }

  press(key: Key): boolean {
    const step = this.#barStep(key) ?? stepOf(key, PAGE);
    if (step !== undefined) this.#move(step);
    else if (key.name === "tab") this.#turn(1);
    else if (key.name === "backtab") this.#turn(-1);
    else if (key.name === "enter") this.#enter();
    else return false;
    this.home.redraw();
    return true;
  }

  /** Time bars are moved through with left and right. */
  #barStep({ name }: Key): number | undefined {
    return this.focus === "days" ? { left: -1, right: 1 }[name] : undefined;
  }

  #turn(step: 1 | -1): void {
    const at = PANELS.indexOf(this.focus) + step;
    this.focus = PANELS[(at + PANELS.length) % PANELS.length] ?? "sessions";
  }

  #count(): number {
    if (this.focus === "sessions") return this.sessions.length;
    return this.focus === "days" ? this.timeKeys.length : this.rows(this.focus).length;
  }

  #move(step: number): void {
    const at = this.focus === "days" ? this.chosenTime : this.chosen[this.focus];
    this.chosen[this.focus] = Math.max(0, Math.min(at + step, this.#count() - 1));
  }

  /** Opens the sessions behind the selected row, or the selected session. */
  #enter(): void {
    const { home, focus } = this;
    if (focus === "sessions") {
      if (this.session) home.open(new TranscriptScreen(home, this.session));
      return;
    }
    if (focus === "tools") return this.#openTool();
    if (focus === "insights") return this.#openInsights();
    if (focus === "days") return this.#openTime();
    const row = this.rows(focus)[this.chosen[focus]];
    if (!row) return;
    const { key } = row;
    const filters = {
      projects: projectFilter(key),
      models: { model: key },
      agents: { source: key },
    };
    const range = optional("sinceMs", this.span.sinceMs);
    home.open(new SessionListScreen(home, row.name, { ...range, ...filters[focus] }));
  }

  /** Opens the sessions with a call of the selected tool. */
  #openTool(): void {
    const row = this.rows("tools")[this.chosen.tools];
    if (!row) return;
    const range = optional("sinceMs", this.span.sinceMs);
    this.home.open(new SessionListScreen(this.home, row.name, { ...range, tool: row.key }));
  }

  #openInsights(): void {
    const { value } = this.insights;
    const chosen = this.rows("insights")[this.chosen.insights]?.key;
    if (value) this.home.open(new InsightsScreen(this.home, value, chosen));
  }

  #openTime(): void {
    const key = this.timeKeys[this.chosenTime];
    if (key === undefined) return;
    const range = this.span.rangeOf(key);
    if (!range) return;
    const within = { sinceMs: range.from, untilMs: range.to };
    this.home.open(new SessionListScreen(this.home, shortKey(key), within));
  }
}

function rangeOf({ sinceMs, untilMs }: { sinceMs: number; untilMs: number }) {
  return { sinceMs, untilMs, by: ["agent"] as const };
}
