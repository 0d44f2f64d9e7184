import { originalPath } from "../core/files/session-file.ts";
import { PolluxError } from "../core/error.ts";
import type { KnownFile } from "../core/files/kept.ts";
import { optional } from "../core/optional.ts";
import type { FilePart, PulledFile, PulledSession } from "../core/team/sync-protocol.ts";
import { hasRowsOnly } from "../core/team/sync-protocol.ts";
import { withSubsessions } from "../ingest/subsessions.ts";
import type { Store } from "../store/store.ts";
import { digestOf } from "../store/import-version.ts";

const MOST_BYTES = 8 * 1024 * 1024;

/** Finds a person's own session by id prefix, with its files and those of its subagents. */
export async function findPulled(store: Store, session: string): Promise<PulledSession> {
  const query = {
    scope: "own",
    idStarts: [session],
    limit: 2,
  } as const;
  const { items, total } = await store.sessions(query);
  const [row] = items;
  if (!row) {
    throw notThere(`The team's store has none of your sessions with id ${session}.`, FIND);
  }
  if (total > 1) throw notThere(`${total} of your sessions begin with ${session}.`, LONGER);
  const { source, id, title } = row.summary;
  if (hasRowsOnly(row.summary)) {
    throw notThere(`Only rows of ${id} were sent, not the conversation.`, SEND);
  }
  const family = await withSubsessions({ store, scope: "own" }, [{ source, id }]);
  const ids = family.flatMap(({ summary }) => (hasRowsOnly(summary) ? [] : summary.id));
  const known = await store.known({ source, replaced: "with" });
  const roots = new Map((await store.roots()).map((root) => [root.id, root]));
  const files: PulledFile[] = [];
  for (const file of known.filter((each) => isOf(each, ids))) {
    const root = roots.get(file.rootId);
    if (root) files.push(await pulledFile(store, file, root));
  }
  return { source, id, title, files };
}

/** True for the sessions' files, their spilled tool output, and files that identify projects. */
function isOf(file: KnownFile, ids: readonly string[]): boolean {
  if (file.role === "evidence" || ids.some((id) => file.sessionIds.includes(id))) return true;
  const isBeside = file.role === "spill" || file.role === "companion";
  return isBeside && ids.some((id) => file.path.includes(id));
}

async function pulledFile(
  store: Store,
  file: KnownFile,
  { path: root, machine }: { path: string; machine: { uid: string; name: string } },
): Promise<PulledFile> {
  const { id, role, folder, parentId, isCleaned, modifiedMs, sizeBytes, lastSeenMs } = file;
  const seen = {
    role,
    folder,
    ...optional("parentId", parentId),
    isCleaned,
    modifiedMs,
    sizeBytes,
  };
  return {
    id,
    root,
    path: originalPath(file),
    machine: { uid: machine.uid, name: machine.name },
    ...seen,
    keptMs: lastSeenMs,
    digest: file.digest ?? (await digestOf(await store.bytes(file))),
  };
}

export async function readPulled(store: Store, { id, from, to }: FilePart): Promise<Uint8Array> {
  const [file] = await store.known({ ids: [id], replaced: "with" });
  if (!file) throw notThere("No such file.", "Run the command again.");
  return (await store.bytes(file)).range(from, Math.min(to, from + MOST_BYTES));
}

const FIND =
  "Its id is on the page Sessions in the browser. Only sessions that were sent are there.";
const LONGER = "Give more of the id.";
const SEND =
  "On the machine that has it, set the level of its project to full, and run `pollux sync`.";

function notThere(message: string, remedy: string): PolluxError {
  return new PolluxError("no-such-session", message, { remedy });
}
