import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { KnownFile } from "../core/files/kept.ts";
import { optional } from "../core/optional.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Batch, NewContent, Store } from "./store.ts";

/** A version of a file from another store. */
export interface ForeignVersion {
  rootId: number;
  /** The file as it was in this version. */
  file: SessionFile;
  keptMs: number;
  digest: string;
  bytes: ByteSource;
}

/**
 * Stores a version of a file that another store has kept. Existing content is not duplicated:
 * content that extends the newest one is appended to it, anything else becomes a separate content.
 * The version with the latest modification time stays the newest. Returns `outdated` if another
 * writer committed first; the caller tries again.
 */
export async function importVersion(
  store: Store,
  state: ForeignVersion,
): Promise<"taken" | "there" | "outdated"> {
  const { rootId, file, bytes } = state;
  const [known] = await store.known({ rootId, paths: [file.path] });
  if (!known) return put(store, state);
  if (known.digest === state.digest && known.sizeBytes === file.sizeBytes) return "there";
  // A file may return to earlier content: the last written version is the newest in any case.
  const isOlder = file.modifiedMs <= known.modifiedMs;
  if (isOlder && (await isThere(store, known, state))) return "there";
  const newest = known.digest ?? (await digestOf(await store.bytes(known)));
  // An older version that starts with the newest content is not its continuation.
  const isGrown = file.sizeBytes > known.sizeBytes && file.modifiedMs >= known.modifiedMs;
  if (isGrown && (await digestOf(bytes, known.sizeBytes)) === newest) {
    return put(store, { ...state, known, from: known.sizeBytes });
  }
  const taken = await put(store, { ...state, known });
  if (taken === "outdated" || file.modifiedMs >= known.modifiedMs) return taken;
  const [older] = await store.known({ rootId, paths: [file.path] });
  const former = { rootId, file: known, keptMs: state.keptMs, digest: newest };
  const content = { bytes: await store.bytes(known), ...optional("known", older) };
  return put(store, { ...former, ...content });
}

async function put(
  store: Store,
  state: ForeignVersion & { known?: KnownFile; from?: number },
): Promise<"taken" | "outdated"> {
  const { rootId, file, keptMs, digest, bytes, known, from = 0 } = state;
  const { sizeBytes } = file;
  const content: NewContent = {
    how: from > 0 ? "appended" : "whole",
    sizeBytes,
    digest,
    isSettled: true,
    pieces: piecesOf(bytes, from, sizeBytes),
  };
  const change = { kind: "content", rootId, file, content, ...optional("known", known) } as const;
  const batch: Batch = { nowMs: keptMs, files: [change], readings: [], sessions: [], dropped: [] };
  return (await store.commit(batch)) === "outdated" ? "outdated" : "taken";
}

/** Returns true if one of the file's contents equals these bytes or starts with them. */
async function isThere(store: Store, known: KnownFile, state: ForeignVersion): Promise<boolean> {
  const { file, digest } = state;
  const versions = await store.versions(known.id);
  if (versions.some((version) => version.digest === digest)) return true;
  const lengths = new Map<number, number>();
  for (const { content, sizeBytes } of versions) {
    lengths.set(content, Math.max(sizeBytes, lengths.get(content) ?? 0));
  }
  for (const [content, sizeBytes] of lengths) {
    if (sizeBytes < file.sizeBytes) continue;
    const held = await store.bytes({ path: file.path, content, sizeBytes: file.sizeBytes });
    if ((await digestOf(held)) === digest) return true;
  }
  return false;
}

const PIECE_BYTES = 1 << 20;

function* piecesOf(bytes: ByteSource, from: number, to: number): Generator<Uint8Array> {
  for (let at = from; at < to; at += PIECE_BYTES)
    yield bytes.range(at, Math.min(to, at + PIECE_BYTES));
}

/** Yield to the event loop after this many bytes. */
const TURN_BYTES = 1 << 24;

/** SHA-256 of the first `sizeBytes` bytes; of all bytes by default. */
export async function digestOf(bytes: ByteSource, sizeBytes: number = Infinity): Promise<string> {
  const hash = createHash("sha256");
  let left = sizeBytes;
  let turn = 0;
  for (const chunk of bytes.chunks()) {
    hash.update(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) break;
    turn += chunk.length;
    if (turn < TURN_BYTES) continue;
    turn = 0;
    await nextTurn();
  }
  return hash.digest("hex");
}
