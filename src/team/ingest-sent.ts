import { indexTexts } from "../ingest/texts/index-texts.ts";
import { rebuild } from "../ingest/rebuild.ts";
import type { Source } from "../sources/source.ts";
import type { Team } from "../store/team.ts";
import { readSentRows } from "./sent-rows.ts";

export interface Reading {
  sources: readonly Source[];
  clock: () => number;
}

/**
 * Reads files that a person's machines sent, with the same code as local ingest. The store knows
 * which files are unread, so an interrupted run continues the next time.
 */
export async function ingestSent(
  team: Team,
  person: number,
  { sources, clock, how = "unread" }: Reading & { how?: "unread" | "all" },
): Promise<number> {
  const store = team.storeOf({ viewer: person, role: "developer" });
  const only = how === "unread" ? { only: "unread" as const } : {};
  await rebuild(store, { sources, clock, ...only });
  await readSentRows(store, clock());
  await indexTexts(store, { sources });
  const list = { scope: "own", limit: 1 } as const;
  return (await store.sessions(list)).total;
}
