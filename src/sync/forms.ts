import type { HeldSession, SyncServer } from "../core/sync-protocol.ts";
import type { SyncLevel } from "../core/team.ts";
import type { SessionRef } from "../store/store.ts";
import type { Outgoing, OutgoingSession } from "./outgoing.ts";
import { hidden } from "./outgoing-rows.ts";

/** What the team has of sessions in another form than the one that they are sent in now. */
export interface FormerForms {
  /** Rows that were told under a name which is not theirs any more: they would count twice. */
  outdated: HeldSession[];
  /** Sessions to be told of whose bytes were sent before: those stay, and tell more. */
  inFull: OutgoingSession[];
}

/** A level was raised or lowered, or nothing is known of what was sent: the server says. */
export async function formerForms(
  server: SyncServer,
  { sessions, whole }: Outgoing,
  key: string,
): Promise<FormerForms> {
  const held = new Map((await server.sessions()).map((one) => [nameOf(one), one]));
  const told = (source: string, id: string): HeldSession[] => {
    const one = held.get(nameOf({ source, id }));
    return one?.hasRowsOnly === true ? [one] : [];
  };
  const outdated = [
    ...whole.flatMap(({ source, id }) => {
      return [...told(source, id), ...told(source, hidden(id, key))];
    }),
    ...sessions.flatMap(({ level, row: { summary } }) => {
      return told(summary.source, level === "usage" ? summary.id : hidden(summary.id, key));
    }),
  ];
  const inFull = sessions.filter(({ row }) => held.get(nameOf(row.summary))?.hasRowsOnly === false);
  return { outdated, inFull };
}

/** In which form each session goes. */
export type Forms = Record<string, SyncLevel>;

export function formsOf({ sessions, whole }: Outgoing): Forms {
  const told = sessions.map(({ level, row }) => [nameOf(row.summary), level]);
  return Object.fromEntries([...whole.map((ref) => [nameOf(ref), "full"]), ...told]) as Forms;
}

/** Whether the team can have any of these only in this form. */
export function areSettled(forms: Forms, before: Forms | undefined): boolean {
  if (!before) return false;
  return Object.entries(forms).every(([name, level]) => (before[name] ?? level) === level);
}

function nameOf({ source, id }: SessionRef): string {
  return JSON.stringify([source, id]);
}
