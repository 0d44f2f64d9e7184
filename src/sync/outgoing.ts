import { hash } from "node:crypto";
import type { KnownFile, KnownRoot } from "../core/files/kept.ts";
import { groupBy } from "../core/group.ts";
import type { FolderRef, SyncPolicy } from "../core/team/sync-protocol.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import type { SessionRef, Store } from "../store/store.ts";
import type { HiddenNames } from "./hidden-names.ts";
import { FileLevels, levelOf } from "./levels.ts";
import type { SyncSettings } from "./settings.ts";

/** A folder whose files are sent as bytes. */
export interface OutgoingFolder extends FolderRef {
  /** Identifies the folder, and the digest of its state. */
  key: string;
  digest: string;
  files: KnownFile[];
}

/** A session of which only rows are sent. */
export interface OutgoingSession {
  key: string;
  digest: string;
  level: "usage" | "outline";
  row: SessionRow;
}

export interface Outgoing {
  folders: OutgoingFolder[];
  sessions: OutgoingSession[];
  /** Sessions whose files are sent. */
  whole: (SessionRef & { parentId: string | null })[];
  /** Number of sessions that the user does not send. */
  withheld: number;
}

/** Everything to send, by the team's policy and the user's settings. */
export async function outgoingOf(
  store: Store,
  settings: Pick<SyncSettings, "level" | "projects">,
  { policy, names }: { policy: SyncPolicy; names: HiddenNames },
): Promise<Outgoing> {
  const roots = (await store.roots()).filter(({ machine, how }) => {
    return machine.isThis && how !== "visited";
  });
  const { items: rows } = await store.sessions({ scope: "own" });
  const outgoing: Outgoing = { folders: [], sessions: [], whole: [], withheld: 0 };
  const here = new Set<string>();
  for (const root of roots) {
    const files = await store.known({ rootId: root.id });
    for (const { sessionIds } of files) for (const id of sessionIds) here.add(id);
    const levels = new FileLevels(files, rows, { chosen: settings, policy });
    const whole = files.filter((file) => levels.of(file) === "full");
    outgoing.folders.push(...foldersOf(root, whole, policy));
  }
  for (const row of rows.filter(({ summary }) => here.has(summary.id))) {
    const level = levelOf(row.summary.project, settings, policy);
    if (level === "none") outgoing.withheld += 1;
    const { source, id, parentId } = row.summary;
    if (level === "full") outgoing.whole.push({ source, id, parentId });
    if (level === "usage") outgoing.sessions.push(sessionOf(row, level, names.digest));
    if (level === "outline") outgoing.sessions.push(sessionOf(row, level));
  }
  return outgoing;
}

function foldersOf(
  { source, path: root }: KnownRoot,
  files: readonly KnownFile[],
  { masked }: SyncPolicy,
): OutgoingFolder[] {
  return [...groupBy(files, ({ folder }) => folder)].map(([folder, own]) => {
    const states = own.map((file) => {
      const { path, content, sizeBytes, modifiedMs, goneSinceMs = null } = file;
      return [path, content, sizeBytes, modifiedMs, goneSinceMs];
    });
    const key = JSON.stringify([source, root, folder]);
    return { source, root, folder, key, digest: digestOf([masked, states]), files: own };
  });
}

function sessionOf(
  row: SessionRow,
  level: OutgoingSession["level"],
  names?: string,
): OutgoingSession {
  const { source, id } = row.summary;
  return { key: JSON.stringify([source, id]), digest: digestOf([level, row, names]), level, row };
}

function digestOf(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "hex");
}
