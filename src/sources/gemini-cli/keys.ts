import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { sessionIdIn } from "../decoding/parse.ts";

/** In every generation the id is near the beginning of the file. */
const PEEK_BYTES = 4096;

/** Returns the id of the session. */
export function keysOf(_file: SessionFile, bytes: ByteSource): string[] {
  const id = sessionIdIn(bytes.range(0, PEEK_BYTES).toString("utf8")) ?? idAnywhere(bytes);
  return id === undefined ? [] : [id];
}

/**
 * Searches the whole file: a file without its header may name its session later, and a document may
 * name it after the messages.
 */
function idAnywhere(bytes: ByteSource): string | undefined {
  let tail = "";
  for (const chunk of bytes.chunks()) {
    const text = tail + chunk.toString("latin1");
    const id = sessionIdIn(text);
    if (id !== undefined) return id;
    tail = text.slice(-PEEK_BYTES);
  }
  return undefined;
}
