import { hash } from "node:crypto";
import { PolluxError } from "../core/error.ts";
import type { KnownFile, Version } from "../core/files/kept.ts";
import { optional } from "../core/optional.ts";
import type {
  FolderRef,
  ServerFile,
  PutFileResult,
  SentFile,
  SyncServer,
} from "../core/team/sync-protocol.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { CHUNK_BYTES, pack } from "../store/codec.ts";
import { digestOf } from "../store/import-version.ts";
import type { Store } from "../store/store.ts";

/** Segments per request. */
const GROUP = 256;
/** Attempts per file, if another process sends it at the same time. */
const MOST_TRIES = 4;

export interface Sending {
  store: Store;
  server: SyncServer;
  folder: FolderRef;
  /** Masks the bytes; returns undefined if they cannot be masked. */
  masked?: (bytes: ByteSource) => Promise<ByteSource | undefined>;
  /** Called after every segment, for pacing and progress. */
  sent: (bytes: number) => Promise<void>;
}

export interface SentCounts {
  contents: number;
  bytes: number;
  /** Paths of files that are too large for the server, or cannot be masked. */
  tooLarge: string[];
}

/** Sends every content of a file that the server does not have, and whether the file is deleted. */
export async function sendFile(
  sending: Sending,
  file: KnownFile,
  held: ServerFile | undefined,
): Promise<SentCounts> {
  const counts: SentCounts = { contents: 0, bytes: 0, tooLarge: [] };
  if (held?.isErased === true) return counts;
  const { store } = sending;
  let there = held;
  let isGuessed = false;
  for (const version of lastOfEach(await store.versions(file.id), file)) {
    const { content, sizeBytes } = version;
    const plain = await store.bytes({ path: file.path, content, sizeBytes });
    const bytes = sending.masked ? await sending.masked(plain) : plain;
    if (!bytes) {
      counts.tooLarge.push(file.path);
      continue;
    }
    const plainDigest = sending.masked ? undefined : version.digest;
    const digest = plainDigest ?? (await digestOf(bytes));
    const isNewest = content === file.content;
    // An older content sent before may have become the server's newest, so ask again.
    if (isNewest && isGuessed) there = await lookAgain(sending, file);
    const heldContents = isNewest ? there?.contents.slice(-1) : there?.contents;
    const isThere = heldContents?.some((each) => each.digest === digest) === true;
    const isGone = isNewest && file.goneSinceMs !== undefined;
    const isPresenceNews = isNewest && isGone !== (there?.isGone === true);
    if (isThere && !isPresenceNews) continue;
    const size = sending.masked ? sizeOf(bytes) : sizeBytes;
    const state = { file, version, digest, bytes, sizeBytes: size, isNewest };
    for (let tries = 1; ; tries += 1) {
      const said = await sendState(sending, state, { held: there, counts });
      if (said === "erased") return counts;
      if (said === "too-large") {
        counts.tooLarge.push(file.path);
        return counts;
      }
      if (said === "other") {
        if (tries === MOST_TRIES) throw stillOther(file.path);
        there = await lookAgain(sending, file);
        continue;
      }
      const newest = { sizeBytes: size, digest };
      const others = there?.contents.filter((known) => known.digest !== digest) ?? [];
      there = { path: file.path, contents: [...others, newest], isGone, isErased: false };
      isGuessed = true;
      break;
    }
    counts.contents += isThere ? 0 : 1;
  }
  return counts;
}

/** The last version of each content, in the order of the contents; the newest content last. */
function lastOfEach(versions: readonly Version[], { content: newest }: KnownFile): Version[] {
  const last = new Map<number, Version>();
  for (const version of versions) {
    const known = last.get(version.content);
    if (!known || known.sizeBytes <= version.sizeBytes) last.set(version.content, version);
  }
  const all = [...last.values()];
  const rank = ({ content }: Version): number => (content === newest ? 1 : 0);
  return all.toSorted((a, b) => rank(a) - rank(b));
}

interface State {
  file: KnownFile;
  version: Version;
  digest: string;
  sizeBytes: number;
  bytes: ByteSource;
  isNewest: boolean;
}

async function sendState(
  { server, folder, sent }: Sending,
  state: State,
  { held, counts }: { held: ServerFile | undefined; counts: SentCounts },
): Promise<Exclude<PutFileResult["answer"], "missing">> {
  const { file, version, bytes, sizeBytes, digest, isNewest } = state;
  const from = await startOf(state, held);
  const { path, role, parentId, isCleaned } = file;
  const { modifiedMs, keptMs } = version;
  const segments: string[] = [];
  const put = async (wanted: ReadonlySet<string>): Promise<void> => {
    for (const segment of cut(bytes, from, sizeBytes)) {
      const name = hash("sha256", segment, "hex");
      if (!wanted.has(name)) continue;
      const { codec, stored } = pack(segment, "fast");
      await server.putSegment({ digest: name, codec, stored });
      counts.bytes += stored.length;
      await sent(stored.length);
    }
  };
  for (const segment of cut(bytes, from, sizeBytes)) segments.push(hash("sha256", segment, "hex"));
  for (let at = 0; at < segments.length; at += GROUP) {
    const missing = await server.missing(segments.slice(at, at + GROUP));
    if (missing.length > 0) await put(new Set(missing));
  }
  const { lastSeenMs: seenMs, goneSinceMs } = file;
  const presence = isNewest ? { seenMs, ...optional("goneSinceMs", goneSinceMs) } : {};
  const seen = { path, role, isCleaned, ...optional("parentId", parentId), modifiedMs, keptMs };
  const whole: SentFile = { ...folder, ...seen, ...presence, sizeBytes, digest, from, segments };
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const said = await server.putFile(whole);
    if (said.answer !== "missing") return said.answer;
    await put(new Set(said.segments));
  }
  return "other";
}

/** The length of the server's newest content, if these bytes start with it; else 0. */
async function startOf(
  { bytes, sizeBytes, digest }: State,
  held: ServerFile | undefined,
): Promise<number> {
  const newest = held?.contents.at(-1);
  if (!newest) return 0;
  if (newest.digest === digest) return sizeBytes;
  if (newest.sizeBytes === 0 || newest.sizeBytes > sizeBytes) return 0;
  const begins = await digestOf(bytes, newest.sizeBytes);
  return begins === newest.digest ? newest.sizeBytes : 0;
}

function* cut(bytes: ByteSource, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; at += CHUNK_BYTES) {
    yield bytes.range(at, Math.min(to, at + CHUNK_BYTES));
  }
}

function stillOther(path: string): PolluxError {
  return new PolluxError("sync-refused", `${path} could not be sent because it keeps changing.`, {
    remedy: "Nothing is lost: the next run tries again.",
  });
}

async function lookAgain(
  { server, folder }: Sending,
  file: KnownFile,
): Promise<ServerFile | undefined> {
  const [held] = await server.held([folder]);
  return held?.files.find(({ path }) => path === file.path);
}

function sizeOf(bytes: ByteSource): number {
  let size = 0;
  for (const chunk of bytes.chunks()) size += chunk.length;
  return size;
}
