import type { FoundTexts } from "./answers.ts";
import { counted, exact } from "./figures.ts";

type Found = Pick<FoundTexts, "total" | "order"> & {
  hits: readonly unknown[];
  sessions: readonly unknown[];
};

/** Number of results shown, and of all results. */
export function foundText({ hits, sessions, total, order }: Found): string {
  const all = counted(total, "hit");
  const shown = exact(hits.length);
  const best = total > hits.length ? `the best ${shown} of ${all}` : all;
  const found = order === "newest" ? `the newest ${shown} of at least ${all}` : best;
  return `${found} in ${counted(sessions.length, "session")}`;
}
