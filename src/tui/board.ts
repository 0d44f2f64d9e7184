import { paintAgent } from "../cli/print/agent.ts";
import type { Costs } from "../cli/print/session-costs.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import type { SessionList } from "../library/library.ts";
import type { InsightsAnswer } from "../queries/insights/insights.ts";
import type { ToolsReport } from "../queries/tools.ts";
import type { UsageReport } from "../queries/usage/usage.ts";
import { LatestAnswer } from "./latest-answer.ts";
import type { BarRow } from "./ledger-panel.ts";
import { insightRows, toolRows, usageRows } from "./ledger-panel.ts";
import type { Span } from "./periods.ts";
import { spanOf } from "./periods.ts";
import type { HomeContext } from "./screen.ts";

/** The panels, in Tab order. */
export const PANELS = [
  "sessions",
  "projects",
  "models",
  "agents",
  "tools",
  "insights",
  "days",
] as const;
export type PanelName = (typeof PANELS)[number];
export type BarPanel = Exclude<PanelName, "sessions" | "days">;

/** What the panels of the first screen are drawn from. */
export class Board {
  focus: PanelName = "sessions";
  readonly chosen: Record<PanelName, number>;
  readonly time: LatestAnswer<UsageReport>;
  readonly before: LatestAnswer<UsageReport>;
  readonly groups: Record<"projects" | "models" | "agents", LatestAnswer<UsageReport>>;
  readonly tools: LatestAnswer<ToolsReport>;
  readonly recent: LatestAnswer<Pick<SessionList, "sessions" | "total">>;
  readonly insights: LatestAnswer<InsightsAnswer>;
  readonly costs: LatestAnswer<Costs>;
  readonly home: HomeContext;
  span: Span;

  constructor(home: HomeContext) {
    const changed = (): void => home.redraw();
    this.home = home;
    const lists = { sessions: 0, projects: 0, models: 0, agents: 0, tools: 0, insights: 0 };
    this.chosen = { ...lists, days: -1 };
    this.time = new LatestAnswer(changed);
    this.before = new LatestAnswer(changed);
    this.groups = {
      projects: new LatestAnswer(changed),
      models: new LatestAnswer(changed),
      agents: new LatestAnswer(changed),
    };
    this.tools = new LatestAnswer(changed);
    this.recent = new LatestAnswer(changed);
    this.insights = new LatestAnswer(changed);
    this.costs = new LatestAnswer(changed);
    this.span = spanOf(home.scope.period, home.now().getTime(), home.timezone);
  }

  get sessions(): readonly SessionSummary[] {
    return this.recent.value?.sessions ?? [];
  }

  /** The rows of a panel with bars. */
  rows(panel: BarPanel): BarRow[] {
    const { style } = this.home;
    if (panel === "tools") return toolRows(this.tools.value?.labels ?? [], this.home);
    if (panel === "insights") return insightRows(this.insights.value, this.home);
    const rows = this.groups[panel].value?.rows ?? [];
    if (panel !== "agents") return usageRows(rows, this.home);
    return usageRows(rows, this.home, ({ key }) => paintAgent(key, style));
  }

  /** Keys of the time bars: those of the period, or else those with usage. */
  get timeKeys(): readonly string[] {
    const { keys } = this.span;
    return keys.length > 0 ? keys : (this.time.value?.rows.map(({ key }) => key) ?? []);
  }

  /** Index of the selected time bar; the newest until another is selected. */
  get chosenTime(): number {
    const { days } = this.chosen;
    return days < 0 ? this.timeKeys.length - 1 : Math.min(days, this.timeKeys.length - 1);
  }

  /** Drops answers for another period, agent or project. */
  forget(): void {
    const { time, before, groups, tools, recent, insights, costs } = this;
    const all = [time, before, ...Object.values(groups), tools, recent, insights, costs];
    for (const asked of all) asked.forget();
  }
}
