import type { Archive } from "../store/archive.ts";
import type { KeptFile } from "../core/kept.ts";
import type { Session } from "../core/session.ts";
import type { FindWish, FoundText, FoundTexts, TextHit } from "../core/text.ts";
import { spillAt, textsAt } from "./hit-texts.ts";
import type { ReadSpill } from "./texts.ts";
import { textsOf } from "./texts.ts";

/** Without an index: every session is read and looked through. The newest come first. */
export function findBySearching(
  ids: readonly string[],
  { read, readSpill }: Pick<Around, "read" | "readSpill">,
  { sessions, roles, matches, limit }: FindWish,
): FoundTexts {
  const found = ids
    .filter((id) => sessions?.has(id) ?? true)
    .flatMap((id) => {
      const session = read(id);
      if (!session) return [];
      return textsOf(session, readSpill)
        .map((piece) => ({ ...piece, text: piece.texts.join("\n") }))
        .filter(({ role, text }) => (roles?.includes(role) ?? true) && matches(text))
        .map((piece): FoundText => {
          const { messageId, role, standing, atMs, text } = piece;
          const candidates = (): string[][] => [[text]];
          return { sessionId: id, messageId, role, standing, atMs, rank: 0, candidates };
        });
    })
    .toSorted((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0));
  const ranked = found.slice(0, limit).map((one, at) => ({ ...one, rank: 1 / (at + 1) }));
  return { found: ranked, total: found.length, order: "newest" };
}

interface Around {
  /** Ids of all sessions that answers are about, by their key. */
  keys: ReadonlyMap<number, string>;
  titles: (id: string) => string | undefined;
  read: (id: string) => Session | undefined;
  readSpill: ReadSpill;
}

/** With the archive's index; only what is shown is read. */
export function findInIndex(archive: Archive, around: Around, wish: FindWish): FoundTexts {
  const { query, roles, limit } = wish;
  const { keys } = around;
  const files = new Map<number, KeptFile | undefined>();
  const fileOf = (id: number): KeptFile | undefined => {
    if (!files.has(id)) files.set(id, archive.files.file(id));
    return files.get(id);
  };
  const { sessions: ids } = wish;
  const isMeant = (key: number): boolean => ids?.has(keys.get(key) ?? "") ?? true;
  const sessions = ids ? new Set([...keys.keys()].filter(isMeant)) : keys;
  // Copies of a session are found as well: then all that is ranked is asked for, and counted once.
  const hasCopies = new Set(keys.values()).size < keys.size;
  const { hits, total, order } = archive.texts.find({
    query,
    ...(roles ? { roles } : {}),
    sessions,
    limit: hasCopies ? Math.max(limit * 2, MOST_RANKED) : limit,
  });
  const own = distinct(hits, keys);
  const found = own.slice(0, limit).map(({ hit, sessionId }): FoundText => {
    const { messageId, role, standing, atMs, rank } = hit;
    const candidates = (): Iterable<readonly string[]> => {
      return textsOfHit(archive, around, { hit, sessionId, fileOf });
    };
    return { sessionId, messageId, role, standing, atMs, rank, candidates };
  });
  return { found, total: hasCopies ? own.length : total, order };
}

/** More than this the index does not rank. */
const MOST_RANKED = 1001;

/** A session that lies in several roots is found in each of them: once is enough. */
function distinct(
  hits: readonly TextHit[],
  keys: ReadonlyMap<number, string>,
): { hit: TextHit; sessionId: string }[] {
  const seen = new Set<string>();
  return hits.flatMap((hit) => {
    const sessionId = keys.get(hit.session);
    const key = `${sessionId} ${hit.messageId ?? ""} ${hit.role}`;
    if (sessionId === undefined || seen.has(key)) return [];
    seen.add(key);
    return [{ hit, sessionId }];
  });
}

interface HitAt {
  hit: TextHit;
  sessionId: string;
  fileOf: (id: number) => KeptFile | undefined;
}

function* textsOfHit(
  archive: Archive,
  around: Around,
  { hit, sessionId, fileOf }: HitAt,
): Generator<readonly string[]> {
  if (hit.role === "title") yield [around.titles(sessionId) ?? ""];
  for (const place of hit.places) {
    const file = fileOf(place.file);
    if (!file) continue;
    const bytes = archive.files.bytes(file);
    if (file.role === "spill") yield spillAt(bytes, place);
    else yield textsAt(bytes, place, hit.messageId) ?? [];
  }
  // The record is damaged, or stands in no file of its own: the session is read.
  const session = around.read(sessionId);
  const pieces = session ? textsOf(session, around.readSpill) : [];
  const own = pieces.filter(({ role, messageId }) => {
    return role === hit.role && messageId === hit.messageId;
  });
  yield own.map(({ texts }) => texts.join("\n"));
}
