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

/** The groupings of the store contract. */
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

/** Whether a session belongs to exactly one group, so that session counts add up. */
export function isExclusive(grouping: Grouping | undefined): boolean {
  return ["project", "session", "agent", "kind", "status"].includes(grouping ?? "");
}

/** The API also calls a model `models/name`; both forms are accepted. */
export function modelName(model: string | null | undefined): string | null {
  return model?.replace(/^models\//, "") ?? null;
}
