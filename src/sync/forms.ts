import type { ServerSession, SyncServer } from "../core/team/sync-protocol.ts";
import type { SyncLevel } from "../core/team/team.ts";
import type { SessionRef } from "../store/store.ts";
import type { Outgoing, OutgoingSession } from "./outgoing.ts";
import type { HiddenNames } from "./hidden-names.ts";

/** Sessions that the server has in another form than they are sent in now. */
export interface FormerForms {
  /** Rows sent under a former name; they would count twice. */
  outdated: ServerSession[];
  /** Sessions to send as rows whose bytes were sent before; the bytes stay, as they hold more. */
  inFull: OutgoingSession[];
}

/** Asks the server for its forms, after a level has changed or if it is unknown what was sent. */
export async function outdatedForms(
  server: SyncServer,
  { sessions, whole }: Outgoing,
  names: HiddenNames,
): Promise<FormerForms> {
  const held = new Map((await server.sessions()).map((session) => [nameOf(session), session]));
  const heldRows = (source: string, id: string): ServerSession[] => {
    const session = held.get(nameOf({ source, id }));
    return session?.hasRowsOnly === true ? [session] : [];
  };
  const outdated = [
    ...whole.flatMap(({ source, id, parentId }) => {
      return [...heldRows(source, id), ...heldRows(source, names.session({ id, parentId }))];
    }),
    ...sessions.flatMap(({ level, row: { summary } }) => {
      return heldRows(summary.source, level === "usage" ? summary.id : names.session(summary));
    }),
  ];
  const inFull = sessions.filter(({ row }) => held.get(nameOf(row.summary))?.hasRowsOnly === false);
  return { outdated, inFull };
}

/** The form in which each session is sent. */
export type Forms = Record<string, SyncLevel>;

export function formsOf({ sessions, whole }: Outgoing): Forms {
  const asRows = sessions.map(({ level, row }) => [nameOf(row.summary), level]);
  return Object.fromEntries([...whole.map((ref) => [nameOf(ref), "full"]), ...asRows]) as Forms;
}

/** True if the server can have each of these sessions in this form only. */
export function formsUnchanged(forms: Forms, before: Forms | undefined): boolean {
  if (!before) return false;
  return Object.entries(forms).every(([name, level]) => (before[name] ?? level) === level);
}

function nameOf({ source, id }: SessionRef): string {
  return JSON.stringify([source, id]);
}
