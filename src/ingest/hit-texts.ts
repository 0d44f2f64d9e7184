import type { ByteSource } from "../kernel/bytes.ts";

/** A record larger than this is not looked into for a few words. */
const LARGEST_BYTES = 4 * 1024 * 1024;

/** A file that is nothing but the output of a tool. */
export function spillAt(bytes: ByteSource, place: { start: number; end: number }): string[] {
  return [bytes.range(place.start, Math.min(place.end, LARGEST_BYTES)).toString("utf8")];
}

/**
 * The texts of a message, straight from the bytes of its record: quick, for nothing else of the
 * session is read. A record that lists many messages holds each under its id. Nothing comes back
 * when the bytes are not a record of their own (a damaged line): then the session is read.
 */
export function textsAt(
  bytes: ByteSource,
  place: { start: number; end: number },
  messageId: string | undefined,
): string[] | undefined {
  if (place.end - place.start > LARGEST_BYTES) return undefined;
  const record = parsed(bytes.range(place.start, place.end));
  if (record === undefined) return undefined;
  const own = messageId === undefined ? record : (withId(record, messageId, 0) ?? record);
  const texts: string[] = [];
  collect(own, texts, 0);
  return texts;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8")) as unknown;
  } catch {
    // Not a record of its own.
    return undefined;
  }
}

const DEEPEST = 12;

function withId(value: unknown, id: string, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return undefined;
  if ((value as { id?: unknown }).id === id) return value;
  for (const inner of Object.values(value)) {
    const found = withId(inner, id, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function collect(value: unknown, into: string[], depth: number): void {
  if (typeof value === "string") into.push(value);
  else if (typeof value === "object" && value !== null && depth <= DEEPEST) {
    for (const inner of Object.values(value)) collect(inner, into, depth + 1);
  }
}
