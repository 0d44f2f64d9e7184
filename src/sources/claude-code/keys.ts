import { originalPath } from "../../core/files/session-file.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { ownText } from "../decoding/outline.ts";
import { mayHoldTitles } from "./formats/generation.ts";
import { transcriptIn } from "./formats/user-text.ts";
import { sessionIdOfPath } from "./interpret/conversations.ts";

const HEAD_BYTES = 16 * 1024;
/**
 * Tried if a shorter head names no session or not the first record: titles of others, snapshots and
 * answers may come before it, and a long prompt before its id; a summary ends with the session's.
 */
const LONG_HEADS = [1 << 18, 1 << 22];
const TAIL_BYTES = 16 * 1024;
const MOST_SESSIONS = 4;
const MOST_LEAVES = 20;
const head = Buffer.allocUnsafeSlow(HEAD_BYTES);

/**
 * Returns the keys of what a file belongs to:
 * - the session that it is named after or is in the folder of, and the one that its records name
 * - the session that it was forked from: by name, or by the first record, which a fork copies; the
 *   fork of a compacted session begins with the summary, which names the file of its session
 * - up to 2.0.77, the sessions whose titles it holds: a title names the last record of its session
 */
export function keysOf(file: SessionFile, bytes: ByteSource): string[] {
  const { text, sessions, summarised } = headOf(file, bytes);
  const keys = new Set<string>();
  if (file.role !== "subagent") keys.add(sessionIdOfPath(originalPath(file)));
  if (file.parentId !== undefined) keys.add(file.parentId);
  for (const id of sessions) keys.add(id);
  const first = rootOf(text) ?? firstOf(text, "uuid");
  for (const key of [first, forkedIn(text), summarised]) if (key !== undefined) keys.add(key);
  if (file.role !== "subagent" && mayHoldTitles(firstOf(text, "version"))) {
    for (const leaf of leavesOf(text, file, bytes)) keys.add(`leaf ${leaf}`);
  }
  return [...keys].map(ownText);
}

interface Head {
  text: string;
  sessions: ReadonlySet<string>;
  /** The session whose file a summary names. */
  summarised: string | undefined;
}

function headOf({ sizeBytes }: SessionFile, bytes: ByteSource): Head {
  let found = readHead(head.toString("latin1", 0, bytes.fill(head)));
  for (const size of LONG_HEADS) {
    if (found.text.length >= sizeBytes || isEnough(found)) break;
    found = readHead(bytes.range(0, size).toString("latin1"));
  }
  return found;
}

function readHead(text: string): Head {
  return { text, sessions: sessionsIn(text), summarised: transcriptIn(text) };
}

function isEnough({ text, sessions, summarised }: Head): boolean {
  const isBegun = rootOf(text) !== undefined || !text.includes('"parentUuid":');
  const isCut = summarised === undefined && /"subtype"\s*:\s*"compact_boundary"/.test(text);
  return isBegun && !isCut && sessions.size > 0;
}

/** Usually one; the first records of a fork or an agent may name another session. */
function sessionsIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const match of text.matchAll(/"sessionId"\s*:\s*"([^"\\]{1,300})"/g)) {
    if (found.size < MOST_SESSIONS) found.add(match[1] ?? "");
  }
  return found;
}

/** The first record without a parent: an answer may be written before its prompt. */
function rootOf(text: string): string | undefined {
  const at = text.indexOf('"parentUuid":null');
  if (at === -1) return undefined;
  const end = text.indexOf("\n", at);
  const start = text.lastIndexOf("\n", at) + 1;
  return firstOf(text.slice(start, end === -1 ? undefined : end), "uuid");
}

function forkedIn(text: string): string | undefined {
  // Searching for a word is much faster than for a pattern, and few files have it.
  if (!text.includes('"forkedFrom"')) return undefined;
  return /"forkedFrom"\s*:\s*\{\s*"sessionId"\s*:\s*"([^"\\]{1,300})"/.exec(text)?.[1];
}

function firstOf(text: string, name: string): string | undefined {
  return new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]{1,300})"`).exec(text)?.[1];
}

/**
 * Returns the records named by titles in this file, and the last records of this file. Several of
 * them: a title names the last record of its session, but the session may have continued since.
 */
function leavesOf(text: string, { sizeBytes }: SessionFile, bytes: ByteSource): string[] {
  const named = [...text.matchAll(/"leafUuid"\s*:\s*"([^"\\]{1,300})"/g)];
  const tail = bytes.range(Math.max(0, sizeBytes - TAIL_BYTES), sizeBytes).toString("latin1");
  const last = [...tail.matchAll(/"uuid"\s*:\s*"([^"\\]{1,300})"/g)].slice(-MOST_LEAVES);
  return [...named, ...last].map((match) => match[1] ?? "");
}
