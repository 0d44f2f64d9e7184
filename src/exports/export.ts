import type { Message } from "../core/message.ts";
import type { Session } from "../core/session.ts";
import type { SessionRow } from "../core/session-rows.ts";
import type { TokenSums } from "../core/summary.ts";
import type { UsageFact } from "../core/usage-fact.ts";
import type { EventExtra } from "../queries/events/event.ts";
import type { RedactionCounts } from "../queries/redaction/masker.ts";

/** A form in which sessions leave Pollux: bytes for others. */
export interface Export {
  name: string;
  /** One line for the help, no full stop. */
  title: string;
  mediaType: string;
  /** Of file names, without the dot. */
  extension: string;
  /** What one file holds: one session, or as many as there are. */
  subject: "session" | "sessions";
  /** Of a form that is a table: the tables there are, the usual one first. */
  tables?: readonly string[];
  /** Sessions of agents stand inside the one that began them, and are not written twice. */
  hasAgentsInside?: boolean;
  /** Written message by message: a large session is read so, and never held as a whole. */
  isLineByLine?: boolean;
  /** Made for people to read, and so to be passed on. */
  isForPeople?: boolean;
  /** Not text: no terminal wants to see it. */
  isBinary?: boolean;
  /** Piece by piece; a piece is never larger than what one message holds. */
  write(content: ExportContent): AsyncIterable<Chunk>;
}

export type Chunk = string | Uint8Array;

export interface ExportContent {
  /** One after the other, each read when it is asked for. Exactly one for `subject: "session"`. */
  sessions: AsyncIterable<ExportedSession>;
  /**
   * The same for forms that are written line by line: what is known of a session before it is read,
   * for that may take long. Nothing is known before when it is masked.
   */
  upcoming: AsyncIterable<UpcomingSession>;
  nowMs: number;
  /** Of a table form: which one. */
  table?: string;
  /** Kinds of events beside the usual ones. */
  with?: readonly EventExtra[];
  /** What was masked in what was asked for so far; absent when nothing is masked. */
  redaction?: () => RedactionCounts;
}

export interface UpcomingSession {
  row: SessionRow | undefined;
  read: () => Promise<ExportedSession>;
}

/** A session with what is known about it beside its own files. */
export interface ExportedSession {
  /** Of a large one that is written line by line: in outline. */
  session: Session;
  /** All of them in full, one after the other; mostly those of the session itself. */
  messages: Iterable<Message>;
  /** Replies that this session paid for: an import repeats those of others. */
  usage: readonly UsageFact[];
  tokens: TokenSums;
  /** Sessions of the agents that it started, and of those that they started. */
  subsessions: readonly Session[];
  agent: ExportedAgent;
}

/** The program whose session it is, as other formats want to call it. */
export interface ExportedAgent {
  id: string;
  name: string;
  /** Who makes its models, in the words of OpenTelemetry and of models.dev. */
  vendor?: { otel: string; models: string };
}

/** The one session of a form that holds one. */
export async function onlySession(content: ExportContent): Promise<ExportedSession> {
  for await (const session of content.sessions) return session;
  throw new RangeError("This form holds one session, and none was given.");
}
