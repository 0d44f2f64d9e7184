import { createHash } from "node:crypto";
import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import type { PulledFile, PulledSession, SyncServer } from "../core/team/sync-protocol.ts";
import { memoryBytes } from "../kernel/bytes.ts";
import type { Store } from "../store/store.ts";
import { importVersion } from "../store/import-version.ts";

const PART_BYTES = 4 * 1024 * 1024;

export interface PullAnswer {
  source: string;
  id: string;
  title: string | null;
  files: number;
  bytes: number;
}

/** Fetches the user's own session; its files are stored under the machine that they come from. */
export async function pull(
  { store, server, clock }: { store: Store; server: SyncServer; clock: () => number },
  session: string,
): Promise<PullAnswer> {
  const found = await server.find(session);
  const answer = { source: found.source, id: found.id, title: found.title, files: 0, bytes: 0 };
  for (const file of found.files) {
    const bytes = await bytesOf(server, file);
    const taken = await take(store, found, { file, bytes, nowMs: clock() });
    answer.files += taken === "taken" ? 1 : 0;
    answer.bytes += taken === "taken" ? bytes.length : 0;
  }
  return answer;
}

async function bytesOf(
  server: SyncServer,
  { id, path, sizeBytes, digest }: PulledFile,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < sizeBytes; from += PART_BYTES) {
    parts.push(await server.read({ id, from, to: Math.min(sizeBytes, from + PART_BYTES) }));
  }
  const bytes = Buffer.concat(parts);
  if (createHash("sha256").update(bytes).digest("hex") === digest) return bytes;
  throw new PolluxError(
    "wrong-digest",
    `The server sent other bytes for ${path} than it announced.`,
    {
      remedy: "Try again; the file may have changed in the meantime.",
    },
  );
}

async function take(
  store: Store,
  { source }: PulledSession,
  { file, bytes, nowMs }: { file: PulledFile; bytes: Buffer; nowMs: number },
): Promise<"taken" | "there" | "outdated"> {
  const { root: path, machine, role, folder, parentId, isCleaned, modifiedMs, sizeBytes } = file;
  const root = await store.addRoot({ source, path, how: "usual", machine }, nowMs);
  const seen = { path: file.path, root: path, role, folder, isCleaned, modifiedMs, sizeBytes };
  return importVersion(store, {
    rootId: root.id,
    file: { ...seen, ...optional("parentId", parentId) },
    keptMs: nowMs,
    digest: file.digest,
    bytes: memoryBytes(file.path, bytes),
  });
}
