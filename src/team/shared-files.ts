import { originalPath } from "../core/files/session-file.ts";
import type { KnownFile } from "../core/files/kept.ts";
import type { FileRole, SessionFile } from "../core/files/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Store } from "../store/store.ts";

/** Files about several sessions, with prompts or titles of them. */
const SHARED_ROLES: readonly FileRole[] = ["prompt-log", "saved-chat", "evidence", "companion"];

/** A session's id, and what may be one. */
const NAMES = /[\w-]{6,}/g;

/**
 * Removes files that name a forgotten session, or one of the given ones, and hold prompts or titles
 * of others, too. They are not kept again. The prompts of other sessions are in those sessions.
 * Returns how many there were.
 */
export async function forgetSharedFiles(
  store: Store,
  nowMs: number,
  also: readonly string[] = [],
): Promise<number> {
  const ids = new Set([...(await store.forgotten()).sessions, ...also]);
  if (ids.size === 0) return 0;
  const files: KnownFile[] = [];
  for (const file of await store.known({ roles: SHARED_ROLES, replaced: "with" })) {
    const isOfSession = file.sessionIds.length > 0;
    if (!isOfSession && hasName(await store.bytes(file), ids)) files.push(file);
  }
  await forgetFiles(store, files, nowMs);
  return files.length;
}

/** Whether a file that arrives is about several sessions, and names one of these. */
export function isSharedBy(
  { role }: Pick<SessionFile, "role">,
  bytes: ByteSource,
  sessions: readonly string[],
): boolean {
  const isShared = SHARED_ROLES.includes(role) && sessions.length > 0;
  return isShared && hasName(bytes, new Set(sessions));
}

/** Removes files; their paths are noted, so that they are not kept again. */
export async function forgetFiles(
  store: Store,
  files: readonly KnownFile[],
  nowMs: number,
): Promise<void> {
  if (files.length === 0) return;
  const paths = files.map(originalPath);
  await store.forget({ files: files.map(({ id }) => id), sessions: [], paths, nowMs });
}

function hasName(bytes: ByteSource, names: ReadonlySet<string>): boolean {
  let end = "";
  for (const chunk of bytes.chunks()) {
    // Bytes are read as Latin-1, so that a character cut in two does no harm.
    const text = end + Buffer.from(chunk).toString("latin1");
    for (const [name] of text.matchAll(NAMES)) if (names.has(name)) return true;
    end = /[\w-]*$/.exec(text)?.[0].slice(-MOST_CHARACTERS) ?? "";
  }
  return false;
}

/** No session's id is longer. */
const MOST_CHARACTERS = 200;
