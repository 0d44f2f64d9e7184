import { originalPath } from "../../core/files/session-file.ts";
import { basename } from "node:path";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { sessionIdIn } from "../decoding/parse.ts";
import { stemOf } from "./names.ts";
import { USAGE_RECORD } from "./formats/usage-record.ts";
import { keysOfTotals } from "./totals.ts";

/** The id is in the first record, or near the start of a document. */
const PEEK_BYTES = 4096;

/** Records of agents have the id of their parent session, so both are read together. */
export function keysOf(file: SessionFile, bytes: ByteSource): string[] {
  if (basename(originalPath(file)) === USAGE_RECORD) return keysOfTotals(file, bytes);
  const head = bytes.range(0, PEEK_BYTES).toString("utf8");
  const id = file.parentId ?? stemOf(file);
  // The same id, unless the record is damaged.
  return [...new Set([sessionIdIn(head) ?? id, id])];
}
