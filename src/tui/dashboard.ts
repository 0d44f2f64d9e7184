import { paintAgent } from "../cli/print/agent.ts";
import type { Costs } from "../cli/print/session-costs.ts";
import { costsOf } from "../cli/print/session-costs.ts";
import { optional } from "../core/optional.ts";
import type { SessionSummary } from "../core/summary.ts";
import type { SessionList } from "../library/library.ts";
import type { ToolsReport } from "../queries/tools.ts";
import type { UsageReport } from "../queries/usage.ts";
import { Asked } from "./asked.ts";
import { drawDashboard } from "./dashboard-layout.ts";
import type { Key } from "./keys.ts";
import { stepOf } from "./keys.ts";
import type { BarRow } from "./ledger-panel.ts";
import { toolRows, usageRows } from "./ledger-panel.ts";
import type { Span } from "./periods.ts";
import { shortKey, spanOf } from "./periods.ts";
import type { Hint, HomeContext, Screen } from "./screen.ts";
import { SessionListScreen } from "./session-list-screen.ts";
import type { Size } from "./terminal.ts";
import { TranscriptScreen } from "./transcript-screen.ts";

/** What Tab moves through. */
export const PANELS = ["sessions", "projects", "models", "agents", "tools", "days"] as const;
export type PanelName = (typeof PANELS)[number];
type BarPanel = Exclude<PanelName, "sessions" | "days">;

const RECENT = 100;
const MOST_ROWS = 50;
const PAGE = 10;

/** The first screen: how much, on what, and what was worked on lately. */
export class Dashboard implements Screen {
  readonly title = "";
  focus: PanelName = "sessions";
  readonly chosen: Record<PanelName, number>;
  readonly time: Asked<UsageReport>;
  readonly before: Asked<UsageReport>;
  readonly groups: Record<"projects" | "models" | "agents", Asked<UsageReport>>;
  readonly tools: Asked<ToolsReport>;
  readonly recent: Asked<SessionList>;
  readonly costs: Asked<Costs>;
  readonly home: HomeContext;
  span: Span;

  constructor(home: HomeContext) {
    const changed = (): void => home.redraw();
    this.home = home;
    this.chosen = { sessions: 0, projects: 0, models: 0, agents: 0, tools: 0, days: -1 };
    this.time = new Asked(changed);
    this.before = new Asked(changed);
    this.groups = {
      projects: new Asked(changed),
      models: new Asked(changed),
      agents: new Asked(changed),
    };
    this.tools = new Asked(changed);
    this.recent = new Asked(changed);
    this.costs = new Asked(changed);
    this.span = spanOf(home.scope.period, home.now().getTime(), home.timezone);
  }

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

  get sessions(): readonly SessionSummary[] {
    return this.recent.value?.sessions ?? [];
  }

  load(): void {
    void this.#load();
  }

  async #load(): Promise<void> {
    const { home } = this;
    const { period, source, project } = home.scope;
    this.span = spanOf(period, home.now().getTime(), home.timezone);
    const { sinceMs, before, by } = this.span;
    const whose = { ...optional("source", source), ...optional("project", project) };
    const filter = { ...whose, ...optional("sinceMs", sinceMs) };
    const zone = optional("timezone", home.timezone);
    const library = await home.library();
    const usage = (group: "project" | "model" | "agent") => () =>
      library.usage({ ...filter, by: [group], limit: MOST_ROWS });
    // The sums first: while nothing is kept they come from the disk, and all else has to wait.
    await Promise.all([
      this.time.ask(() => library.usage({ ...filter, ...zone, by: [by] })),
      this.groups.agents.ask(usage("agent")),
      this.groups.models.ask(usage("model")),
    ]);
    await Promise.all([
      this.recent.ask(() => library.sessions({ ...filter, kind: "main", limit: RECENT })),
      this.groups.projects.ask(usage("project")),
      this.tools.ask(() => library.tools(filter)),
      ...(before ? [this.before.ask(() => library.usage({ ...whose, ...rangeOf(before) }))] : []),
    ]);
    if (before === undefined) this.before.value = undefined;
    await this.costs.ask(() =>
      costsOf(library, this.sessions, { ...whose, subagents: "rolled-up" }),
    );
  }

  draw(size: Size): string[] {
    return drawDashboard(this, size);
  }

  /** The lines of a panel with bars. */
  rows(panel: BarPanel): BarRow[] {
    const { style } = this.home;
    if (panel === "tools") return toolRows(this.tools.value?.labels ?? [], this.home);
    const rows = this.groups[panel].value?.rows ?? [];
    if (panel !== "agents") return usageRows(rows, this.home);
    return usageRows(rows, this.home, ({ key }) => paintAgent(key, style));
  }

  /** Keys of the bars by time: those of the period, or those that hold anything. */
  get timeKeys(): readonly string[] {
    const { keys } = this.span;
    return keys.length > 0 ? keys : (this.time.value?.rows.map(({ key }) => key) ?? []);
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

  /** Bars by time lie side by side. */
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

  /** Which bar by time is chosen: the newest, until another one is. */
  get chosenTime(): number {
    const { days } = this.chosen;
    return days < 0 ? this.timeKeys.length - 1 : Math.min(days, this.timeKeys.length - 1);
  }

  #move(step: number): void {
    const at = this.focus === "days" ? this.chosenTime : this.chosen[this.focus];
    this.chosen[this.focus] = Math.max(0, Math.min(at + step, this.#count() - 1));
  }

  /** Down to the sessions behind the chosen line, or into the chosen session. */
  #enter(): void {
    const { home, focus } = this;
    if (focus === "sessions") {
      if (this.session) home.open(new TranscriptScreen(home, this.session));
      return;
    }
    if (focus === "tools") return home.say("`pollux tools` tells more of what tools did.");
    if (focus === "days") return this.#openTime();
    const row = this.rows(focus)[this.chosen[focus]];
    if (!row) return;
    const filter = { projects: "project", models: "model", agents: "source" } as const;
    const { sinceMs } = this.span;
    const range = optional("sinceMs", sinceMs);
    home.open(new SessionListScreen(home, row.name, { ...range, [filter[focus]]: row.key }));
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
