import type { Clues, Reading, TextDraft } from "../store/archive.ts";
import type { Digest } from "../core/digest.ts";
import { groupBy } from "../core/group.ts";
import { optional } from "../core/optional.ts";
import type { Session } from "../core/session.ts";
import type { SessionFile } from "../core/session-file.ts";
import { digestOf } from "../core/make-digest.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { assemble, hasSession, sessionIdOf } from "./assemble.ts";
import type { Home } from "./gather.ts";
import { outdatedOf } from "./outdated.ts";
import { playFile } from "./read.ts";
import type { PlacedText } from "./texts.ts";
import { spillReader, textsOf } from "./texts.ts";

/** A session as it goes into the archive. */
export interface ReadySession {
  id: string;
  digest: Digest;
  clues: Clues;
  /** Absent when the words are left for later. */
  words?: ReadyWords;
  /** Paths of all files that were put together. */
  paths: string[];
}

/** The words of a session are on their way into the index already, under this number. */
export interface ReadyWords {
  draft: TextDraft;
  number: number;
  pieces: ReadyPiece[];
}

/** A piece without what it says. */
export type ReadyPiece = Omit<PlacedText, "texts">;

export interface ReadyFile {
  path: string;
  reading: Omit<Reading, "fileId" | "stream" | "sizeBytes">;
}

export interface Ready {
  files: ReadyFile[];
  sessions: ReadySession[];
}

/**
 * Reads files and makes everything that is to be stored of them; their words only when there is a
 * draft for them, for they may be many. Touches no database.
 */
export function makeReady(
  home: Home,
  files: readonly { file: SessionFile; bytes: ByteSource }[],
  draft: TextDraft | undefined,
): Ready {
  const weight = draft ? "full" : "outline";
  const played = files.map(({ file, bytes }) => {
    return { home, ...playFile(home.source, file, { bytes, weight }) };
  });
  const outdated = outdatedOf(played);
  const ready = played.map((one): ReadyFile => {
    const { file, format, generation } = one;
    const isOutdated = outdated.has(one);
    const reading = {
      ...optional("sessionId", hasSession(one) ? sessionIdOf(one) : undefined),
      format,
      generation,
      isRead: hasSession(one) && !isOutdated,
      diagnostics: isOutdated ? [] : one.diagnostics,
    };
    return { path: file.path, reading };
  });
  const told = played.filter((one) => hasSession(one) && !outdated.has(one));
  const groups = groupBy(told, sessionIdOf);
  const sessions = [...groups].map(([id, group]): ReadySession => {
    const { session, clues } = assemble(id, group);
    const paths = group.map(({ file }) => file.path);
    return {
      id,
      digest: digestOf(session),
      clues,
      ...optional("words", draft && wordsOf(session, home, draft)),
      paths,
    };
  });
  return { files: ready, sessions };
}

function wordsOf(session: Session, home: Home, draft: TextDraft): ReadyWords {
  const pieces = textsOf(session, spillReader(home.view));
  const number = draft.add(pieces);
  // What they say is on its way already, and is long.
  for (const piece of pieces) piece.texts = NO_TEXTS;
  return { draft, number, pieces };
}

const NO_TEXTS: readonly string[] = [];
