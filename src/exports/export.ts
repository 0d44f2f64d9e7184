import type { Message } from "../core/session/message.ts";
import type { Session } from "../core/session/session.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import type { TokenSums } from "../core/rows/summary.ts";
import type { UsageFact } from "../core/usage/usage-fact.ts";
import type { EventExtra } from "../queries/events/event.ts";
import type { RedactionCounts } from "../queries/redaction/masker.ts";

/** An export format. */
export interface Export {
  name: string;
  /** One line for the help, no full stop. */
  title: string;
  mediaType: string;
  /** File extension, without the dot. */
  extension: string;
  /** Whether one file holds one session or several. */
  subject: "session" | "sessions";
  /** For table formats: the names of the tables, the default first. */
  tables?: readonly string[];
  /** Subagent sessions are embedded in their parent and not written separately. */
  hasAgentsInside?: boolean;
  /** Written message by message, so that a large session is never held in memory as a whole. */
  isLineByLine?: boolean;
  /** Meant for people to read, so it is likely to be shared. */
  isForPeople?: boolean;
  /** Binary output, not suitable for a terminal. */
  isBinary?: boolean;
  /** Yields chunks; a chunk is never larger than one message. */
  write(content: ExportContent): AsyncIterable<Chunk>;
}

export type Chunk = string | Uint8Array;

export interface ExportContent {
  /** Sessions, each read on demand. Exactly one for `subject: "session"`. */
  sessions: AsyncIterable<ExportedSession>;
  /**
   * The same for formats written line by line, where `row` is available before the session is read,
   * because reading may take long. With masking, `row` is absent.
   */
  upcoming: AsyncIterable<UpcomingSession>;
  nowMs: number;
  /** For table formats: the selected table. */
  table?: string;
  /** Additional kinds of events. */
  with?: readonly EventExtra[];
  /** Counts what was masked so far; absent without masking. */
  redaction?: () => RedactionCounts;
}

export interface UpcomingSession {
  row: SessionRow | undefined;
  read: () => Promise<ExportedSession>;
}

/** A session with related data from outside its own files. */
export interface ExportedSession {
  /** Only an outline for a large session that is written line by line. */
  session: Session;
  /** All messages in full; usually those of `session` itself. */
  messages: Iterable<Message>;
  /** Replies paid for by this session; an import also contains replies of others. */
  usage: readonly UsageFact[];
  tokens: TokenSums;
  /** Sessions of its subagents, including nested ones. */
  subsessions: readonly Session[];
  agent: ExportedAgent;
}

/** The agent that recorded the session, with its names in other formats. */
export interface ExportedAgent {
  id: string;
  name: string;
  /** The vendor of its models, as named by OpenTelemetry and by models.dev. */
  vendor?: { otel: string; models: string };
}

/** The single session of an export with `subject: "session"`. */
export async function onlySession(content: ExportContent): Promise<ExportedSession> {
  for await (const session of content.sessions) return session;
  throw new RangeError("This form holds one session, and none was given.");
}
