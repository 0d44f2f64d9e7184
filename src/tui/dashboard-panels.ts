import type { Costs } from "../cli/print/session-costs.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import type { SessionList } from "../library/library.ts";
import type { InsightsAnswer } from "../queries/insights/insights.ts";
import type { ToolsReport } from "../queries/tools.ts";
import type { UsageReport } from "../queries/usage/usage.ts";
import type { LatestAnswer } from "./latest-answer.ts";
import type { BarRow } from "./ledger-panel.ts";
import type { Span } from "./periods.ts";
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
export interface Board {
  readonly home: HomeContext;
  readonly span: Span;
  readonly focus: PanelName;
  readonly chosen: Readonly<Record<PanelName, number>>;
  readonly time: LatestAnswer<UsageReport>;
  readonly before: LatestAnswer<UsageReport>;
  readonly groups: Record<"projects" | "models" | "agents", LatestAnswer<UsageReport>>;
  readonly tools: LatestAnswer<ToolsReport>;
  readonly recent: LatestAnswer<Pick<SessionList, "sessions" | "total">>;
  readonly insights: LatestAnswer<InsightsAnswer>;
  readonly costs: LatestAnswer<Costs>;
  readonly sessions: readonly SessionSummary[];
  /** Keys of the time bars: those of the period, or else those with usage. */
  readonly timeKeys: readonly string[];
  /** Index of the selected time bar; the newest until another is selected. */
  readonly chosenTime: number;
  /** The rows of a panel with bars. */
  rows(panel: BarPanel): BarRow[];
}
