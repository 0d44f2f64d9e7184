import type { Period } from "../calendar.ts";

export const GROUPINGS = [
  "hour",
  "day",
  "week",
  "month",
  "model",
  "project",
  "session",
  "agent",
  "kind",
  "tool",
  "mcp",
  "status",
  "root",
] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What a store groups by, as its contract calls it. */
export type StoredGrouping =
  | "range"
  | "source"
  | Exclude<Grouping, Period | "agent">
  | "standing"
  | "generation";

export function isPeriod(grouping: Grouping | undefined): grouping is Period {
  return ["hour", "day", "week", "month"].includes(grouping ?? "");
}

export function storedGrouping(grouping: Grouping): StoredGrouping {
  if (grouping === "agent") return "source";
  return isPeriod(grouping) ? "range" : grouping;
}

/** Whether a session can only be in one group of it: then sessions of several groups add up. */
export function isExclusive(grouping: Grouping | undefined): boolean {
  return ["project", "session", "agent", "kind", "status"].includes(grouping ?? "");
}

/** `models/name` is how the API calls `name`: people may have asked for either. */
export function modelName(model: string | null | undefined): string | null {
  return model?.replace(/^models\//, "") ?? null;
}
