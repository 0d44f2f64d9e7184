import type { Message } from "../../core/session/message.ts";
import type { Session } from "../../core/session/session.ts";
import type { FoundSecret, Scanner } from "./secret.ts";
import { TEXT_BORDER } from "./secret.ts";
import { visitStrings } from "./strings.ts";

/** A secret and its location in the session. */
export interface PlacedSecret extends FoundSecret {
  /** Absent if it is outside the messages: in the title, a path, … */
  messageId?: string;
  /** `text`, `toolCalls[0].output`, … */
  field: string;
}

interface Spot {
  messageId?: string;
  field: string;
  start: number;
}

/** Scanning many short texts one by one costs ten times as much as one long text. */
const BATCH_LENGTH = 1 << 20;

/** A session whose messages may be streamed. */
export interface ScannedSession extends Omit<Session, "messages"> {
  messages: Iterable<Message>;
}

/** All secrets in a session, in order of appearance. */
export async function scanSession(
  session: ScannedSession,
  scanner: Scanner,
): Promise<PlacedSecret[]> {
  const found: PlacedSecret[] = [];
  for (const { text, spots } of batchesOf(session)) {
    const secrets = await scanner.scan(text);
    for (const secret of secrets.toSorted((a, b) => a.start - b.start)) {
      const { messageId, field } = spotAt(spots, secret.start);
      found.push({ ...secret, field, ...(messageId === undefined ? {} : { messageId }) });
    }
  }
  return found;
}

function* batchesOf(session: ScannedSession): Generator<{ text: string; spots: Spot[] }> {
  let texts: string[] = [];
  let spots: Spot[] = [];
  let length = 0;
  for (const { part, messageId } of partsOf(session)) {
    visitStrings(part, (text, field) => {
      if (text.length < 5) return;
      spots.push({ field, start: length, ...(messageId === undefined ? {} : { messageId }) });
      texts.push(text);
      length += text.length + TEXT_BORDER.length;
    });
    if (length < BATCH_LENGTH) continue;
    yield { text: texts.join(TEXT_BORDER), spots };
    texts = [];
    spots = [];
    length = 0;
  }
  if (texts.length > 0) yield { text: texts.join(TEXT_BORDER), spots };
}

function* partsOf(session: ScannedSession): Generator<{ part: unknown; messageId?: string }> {
  const { messages, ...rest } = session;
  yield { part: rest };
  for (const message of messages) yield { part: message, messageId: message.id };
}

function spotAt(spots: readonly Spot[], start: number): Spot {
  let low = 0;
  let high = spots.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((spots[middle]?.start ?? 0) <= start) low = middle;
    else high = middle - 1;
  }
  return spots[low] ?? { field: "", start: 0 };
}
