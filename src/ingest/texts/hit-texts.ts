import { addAll } from "../../core/lists.ts";
import type { TextHit, TextPlace, TextRole } from "../../core/session/text.ts";
import type { FileRole } from "../../core/files/session-file.ts";
import type { Session } from "../../core/session/session.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { SessionPlace } from "../read-session.ts";
import { readSession } from "../read-session.ts";
import { textsOf } from "./texts.ts";

/** Larger records are not parsed just to show a few words. */
const LARGEST_BYTES = 4 * 1024 * 1024;

/**
 * Returns the texts of hits, in their order, reading only what is shown. If the record alone does
 * not contain a match, the whole session is read.
 */
export async function hitTexts(
  place: SessionPlace,
  hits: readonly TextHit[],
  isMatch: (text: string) => boolean,
): Promise<string[][]> {
  const files = await filesOf(place, hits);
  const sessions = new Map<string, Session | undefined>();
  const texts: string[][] = [];
  for (const hit of hits) {
    const found = hit.role === "title" ? await titleOf(place, hit) : textsAtPlaces(files, hit);
    const hasMatch = isMatch(found.join("\n"));
    texts.push(hasMatch ? found : await textsInSession(place, hit, sessions));
  }
  return texts;
}

async function titleOf({ store, scope }: SessionPlace, hit: TextHit): Promise<string[]> {
  const filter = { source: hit.source };
  const { items } = await store.sessions({ scope, ids: [hit.sessionId], filter, sort: "newest" });
  return items.flatMap(({ session }) => session.summary ?? []);
}

/** A kept file with its bytes. */
interface HitFile {
  role: FileRole;
  bytes: ByteSource;
}

/** All files that hits point to, by path: one query for all, and each opened once. */
async function filesOf(
  { store }: SessionPlace,
  hits: readonly TextHit[],
): Promise<Map<string, HitFile>> {
  const wanted = new Set(hits.flatMap(({ places }) => places.map(({ file }) => file)));
  const files = new Map<string, HitFile>();
  if (wanted.size === 0) return files;
  const paths = [...new Set([...wanted].map(originalPath))];
  for (const file of await store.known({ paths, replaced: "with" })) {
    const { path, role } = file;
    if (!wanted.has(path) || files.has(path)) continue;
    files.set(path, { role, bytes: await store.bytes(file) });
  }
  return files;
}

function textsAtPlaces(files: ReadonlyMap<string, HitFile>, hit: TextHit): string[] {
  const texts: string[] = [];
  for (const at of hit.places) {
    const file = files.get(at.file);
    if (!file) continue;
    const { role, bytes } = file;
    addAll(texts, role === "spill" ? spillAt(bytes, at) : textsAt(bytes, at, hit));
  }
  return texts;
}

/** A replaced content is looked up by its original path. */
function originalPath(path: string): string {
  return path.replace(/\.replaced-\d+$/, "");
}

/**
 * Reads the session, for records that are damaged, lack the match or are in no file of their own.
 */
async function textsInSession(
  place: SessionPlace,
  hit: TextHit,
  sessions: Map<string, Session | undefined>,
): Promise<string[]> {
  const key = `${hit.source}\n${hit.sessionId}`;
  if (!sessions.has(key)) {
    sessions.set(key, await readSession(place, { source: hit.source, id: hit.sessionId }));
  }
  const session = sessions.get(key);
  const pieces = session ? textsOf(session, () => undefined) : [];
  return pieces
    .filter(({ role, messageId }) => role === hit.role && messageId === hit.messageId)
    .map(({ texts }) => texts.join("\n"));
}

/** Reads a file that holds only the output of a tool. */
function spillAt(bytes: ByteSource, at: TextPlace): string[] {
  return [bytes.range(at.start, Math.min(at.end, LARGEST_BYTES)).toString("utf8")];
}

/**
 * Reads the texts of a message from the bytes of its record alone, which is quick. A record that
 * lists many messages holds each under its id. Returns none if the bytes are not a record (a
 * damaged line).
 */
function textsAt(bytes: ByteSource, at: TextPlace, { messageId, role }: TextHit): string[] {
  if (at.end - at.start > LARGEST_BYTES) return [];
  const record = parsed(bytes.range(at.start, at.end));
  const own = messageId === undefined ? record : (withId(record, messageId, 0) ?? record);
  const found = recordTexts(own, role);
  // Files that a prompt refers to are searched as outputs, but are written in the prompt.
  const texts = found.length === 0 && role === "tool" ? recordTexts(own, "prompt") : found;
  return texts.length === 0 ? [] : [texts.join("\n")];
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8")) as unknown;
  } catch {
    // Not a complete record.
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

type Part = "said" | "thought" | "tool";

/** The part of a record that holds the text of each role. */
const PARTS: Readonly<Record<TextRole, Part>> = {
  title: "said",
  prompt: "said",
  answer: "said",
  other: "said",
  thought: "thought",
  tool: "tool",
};

/** Keys and block types; agents differ little in them. */
const THOUGHT = /thought|thinking|reasoning/i;
const TOOL = /^(?:\w+_)?(?:tool|function)|^(?:args|arguments|input|output|result|response)/i;
const SAID = /^(?:text|content|message|parts|prompt|summary|display)$/;
/** Keys inside calls and thoughts that hold no text. */
const NO_TEXT = /^(?:\w*id|type|status|name|timestamp|signature|mimeType|data)$/i;

/**
 * Extracts the texts of a role from a record by its keys, without reading the rest of the session.
 * A heuristic, good enough for previews; for exact texts interpret the session.
 */
function recordTexts(record: unknown, role: TextRole): string[] {
  const wanted = PARTS[role];
  const texts: string[] = [];
  const collect = (value: unknown, at: { key: string; part: Part; depth: number }): void => {
    if (typeof value === "string") {
      const isText = at.part === "said" ? SAID.test(at.key) : !NO_TEXT.test(at.key);
      if (isText && at.part === wanted) texts.push(value);
      return;
    }
    if (typeof value !== "object" || value === null || at.depth > DEEPEST) return;
    const within = at.part === "said" ? partOfBlock(value) : at.part;
    for (const [name, inner] of Object.entries(value)) {
      const key = Array.isArray(value) ? at.key : name;
      const part = within === "said" ? partOf(key) : within;
      collect(inner, { key, part, depth: at.depth + 1 });
    }
  };
  collect(record, { key: "", part: "said", depth: 0 });
  return texts;
}

/** `{"type": "thinking", …}`, `{"text": "…", "thought": true}` */
function partOfBlock(value: object): Part {
  const { type, thought } = value as { type?: unknown; thought?: unknown };
  if (thought === true) return "thought";
  return typeof type === "string" ? partOf(type) : "said";
}

function partOf(name: string): Part {
  if (THOUGHT.test(name)) return "thought";
  return TOOL.test(name) ? "tool" : "said";
}
