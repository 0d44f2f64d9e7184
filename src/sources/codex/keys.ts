import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { asObject } from "../decoding/fields.ts";
import { parseJson } from "../decoding/parse.ts";
import { walkValue } from "../../kernel/json/document.ts";
import { jsonWalk } from "../../kernel/json/walk.ts";
import { metaOf, RECORD } from "./formats/row.ts";
import { nameOf, textBytes } from "./read.ts";
import { readMeta } from "./formats/meta.ts";
import { rolloutName } from "./names.ts";
import type { Meta } from "./content.ts";

/** Headers are long: they contain the whole system prompt. */
const USUAL_BYTES = 1 << 15;
const MOST_BYTES = 1 << 20;
const NEWLINE = 10;
/** Enough to recognise the type of a line. */
const HEAD_BYTES = 200;
/** Reused for all files: there may be thousands. */
const usual = Buffer.allocUnsafeSlow(USUAL_BYTES);
const PAYLOAD: number = RECORD.slot("payload");

/**
 * Returns the ids of a thread and of everything that it continues: the rollouts it is based on and
 * the thread it was forked from. Agents that start without the history of their parent are separate
 * threads.
 */
export function keysOf(file: SessionFile, stored: ByteSource): string[] {
  const name = rolloutName(nameOf(file));
  const keys = new Set<string>(name ? [name.threadId, name.rolloutId] : []);
  for (const { threadId, forkedFrom, base } of headers(textBytes(file, stored))) {
    for (const key of [threadId, forkedFrom, base?.rolloutId]) if (key !== undefined) keys.add(key);
  }
  return [...keys];
}

/** Reads the file's own header and, if lines were copied, the header of their thread. */
function headers(bytes: ByteSource): Meta[] {
  for (const size of [USUAL_BYTES, MOST_BYTES]) {
    const buffer = size === USUAL_BYTES ? usual : Buffer.allocUnsafe(size);
    const filled = buffer.subarray(0, bytes.fill(buffer));
    const isAll = filled.length < size || size === MOST_BYTES;
    const lines = firstLines(filled, isAll ? "all" : "beginning");
    if (!lines) continue;
    const metas = lines.flatMap(headerOf);
    return metas.length > 0 ? metas : documentHeader(filled);
  }
  return [];
}

/**
 * Returns the first line, and the second if complete. Undefined if the first line, or a header in
 * the second, is cut off.
 */
function firstLines(head: Buffer, part: "all" | "beginning"): Buffer[] | undefined {
  const first = head.indexOf(NEWLINE);
  if (first === -1) return part === "all" ? [head] : undefined;
  const line = head.subarray(0, first);
  const rest = head.subarray(first + 1);
  const second = rest.indexOf(NEWLINE);
  if (second !== -1) return [line, rest.subarray(0, second)];
  if (part === "all") return [line, rest];
  return rest.length < HEAD_BYTES || isHeader(rest) ? undefined : [line];
}

function isHeader(line: Buffer): boolean {
  return /"session_meta"|^\{"id":/.test(line.toString("latin1", 0, HEAD_BYTES));
}

function headerOf(line: Buffer): Meta[] {
  if (!isHeader(line)) return [];
  const walk = jsonWalk();
  const row = walk && walkValue(walk, line, RECORD)?.row;
  if (row?.isObject(PAYLOAD) === true) return [metaOf(row)];
  const parsed = parseJson(line);
  const record = asObject(parsed.isJson ? parsed.value : undefined);
  const payload = asObject(record?.["payload"]) ?? record;
  return payload ? [readMeta(payload)] : [];
}

/** `{"session": {"timestamp": "…", "id": "…", …}, "items": […` */
function documentHeader(head: Buffer): Meta[] {
  const id = /"session"\s*:\s*\{[^{}]*?"id"\s*:\s*"([^"\\]+)"/.exec(head.toString("latin1"))?.[1];
  return id === undefined ? [] : [{ threadId: id }];
}
