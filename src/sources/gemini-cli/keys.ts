import { originalPath } from "../../core/files/session-file.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { sessionIdIn } from "../decoding/parse.ts";

/** In every generation the id is near the beginning of the file. */
const PEEK_BYTES = 4096;

/**
 * Returns the id of the session; also that of the parent for documents of subagents (0.37, 0.38):
 * only both together tell which call started the subagent.
 */
export function keysOf(file: SessionFile, bytes: ByteSource): string[] {
  const id = sessionIdIn(bytes.range(0, PEEK_BYTES).toString("utf8")) ?? idAnywhere(bytes);
  const parentId = originalPath(file).endsWith(".json") ? file.parentId : undefined;
  return [id, parentId].filter((key) => key !== undefined);
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
