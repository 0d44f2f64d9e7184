import { originalPath } from "../../core/files/session-file.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { asName, asObject } from "../decoding/fields.ts";
import { parseJson } from "../decoding/parse.ts";
import { walkValue } from "../../kernel/json/document.ts";
import { Fields } from "../../kernel/json/fields.ts";
import { jsonWalk } from "../../kernel/json/walk.ts";
import { textBytes } from "./read.ts";
import { readMeta } from "./formats/meta.ts";
import { rolloutName } from "./names.ts";

/** Headers are long: they contain the whole system prompt. */
const USUAL_BYTES = 1 << 15;
const MOST_BYTES = 1 << 20;
const NEWLINE = 10;
/** Enough to recognise the type of a line. */
const HEAD_BYTES = 200;
/** Reused for all files: there may be thousands. */
const usual = Buffer.allocUnsafeSlow(USUAL_BYTES);
/** The fields of a header that connect rollouts. */
const HEADER = new Fields([
  "payload",
  "payload/id",
  "payload/forked_from_id",
  "payload/history_base/thread_id",
  "payload/history_base/end_ordinal_exclusive",
]);
const PAYLOAD: number = HEADER.slot("payload");
const ID: number = HEADER.slot("payload/id");
const FORKED: number = HEADER.slot("payload/forked_from_id");
const BASE: number = HEADER.slot("payload/history_base/thread_id");
const BASE_END: number = HEADER.slot("payload/history_base/end_ordinal_exclusive");

/**
 * Returns the ids of a thread and of everything that it continues: the rollouts it is based on and
 * the thread it was forked from. Agents that start without the history of their parent are separate
 * threads.
 */
export function keysOf(file: SessionFile, stored: ByteSource): string[] {
  const name = rolloutName(originalPath(file));
  const keys = new Set<string>(name ? [name.threadId, name.rolloutId] : []);
  for (const key of headerKeys(textBytes(file, stored))) keys.add(key);
  return [...keys];
}

/** Keys of the file's own header and, if lines were copied, of the header of their thread. */
function headerKeys(bytes: ByteSource): string[] {
  for (const size of [USUAL_BYTES, MOST_BYTES]) {
    const buffer = size === USUAL_BYTES ? usual : Buffer.allocUnsafe(size);
    const filled = buffer.subarray(0, bytes.fill(buffer));
    const isAll = filled.length < size || size === MOST_BYTES;
    const lines = firstLines(filled, isAll ? "all" : "beginning");
    if (!lines) continue;
    return lines.some(isHeader) ? lines.flatMap(keysIn) : documentKeys(filled);
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

function keysIn(line: Buffer): string[] {
  if (!isHeader(line)) return [];
  const walk = jsonWalk();
  const row = walk && walkValue(walk, line, HEADER)?.row;
  if (row?.isObject(PAYLOAD) === true) {
    const base = row.count(BASE_END) === undefined ? undefined : row.text(BASE);
    return [row.text(ID), row.text(FORKED), base].flatMap((key) => asName(key) ?? []);
  }
  const parsed = parseJson(line);
  const record = asObject(parsed.isJson ? parsed.value : undefined);
  const { threadId, forkedFrom, base } = readMeta(asObject(record?.["payload"]) ?? record ?? {});
  return [threadId, forkedFrom, base?.rolloutId].flatMap((key) => key ?? []);
}

/** `{"session": {"timestamp": "…", "id": "…", …}, "items": […` */
function documentKeys(head: Buffer): string[] {
  const id = /"session"\s*:\s*\{[^{}]*?"id"\s*:\s*"([^"\\]+)"/.exec(head.toString("latin1"))?.[1];
  return id === undefined ? [] : [id];
}
