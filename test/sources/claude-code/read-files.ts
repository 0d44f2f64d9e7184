import type { Diagnostic } from "../../../src/core/files/diagnostic.ts";
import { linkSessions } from "../../../src/core/session/links.ts";
import { rowsOf } from "../../../src/core/rows/rows-of.ts";
import type { Message } from "../../../src/core/session/message.ts";
import type { Session } from "../../../src/core/session/session.ts";
import type { SessionFile } from "../../../src/core/files/session-file.ts";
import type { UsageFact } from "../../../src/core/usage/usage-fact.ts";
import { memoryBytes } from "../../../src/kernel/bytes.ts";
import { interpretFiles } from "../../../src/ingest/decode.ts";
import { claudeCode } from "../../../src/sources/claude-code/index.ts";
import type { Transcript } from "../../../src/sources/claude-code/content.ts";
import type { DecodedFile, Depth, HomeView } from "../../../src/sources/source.ts";

export interface MadeFile {
  /** Path below the project folder. */
  name: string;
  bytes: Uint8Array;
}

export interface ReadFiles {
  sessions: Session[];
  diagnostics: Diagnostic[];
}

const FOLDER = "-home-ada-ledger";
export const ID = "11111111-1111-4111-8111-111111111111";

/** Reads files as if they were in one project folder; all of them belong together. */
export function readFiles(files: readonly MadeFile[], depth: Depth = "full"): ReadFiles {
  const decoded = files.map((file) => decode(file, depth));
  return {
    sessions: interpretFiles(claudeCode, decoded, depth),
    diagnostics: decoded.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Reads a session of one main file. */
export function readLines(lines: readonly unknown[], depth: Depth = "full"): ReadFiles {
  return readFiles([mainFile(lines)], depth);
}

export function mainFile(lines: readonly unknown[], name = `${ID}.jsonl`): MadeFile {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  return { name, bytes: Buffer.from(`${text.join("\n")}\n`) };
}

export function ownFacts({ sessions }: ReadFiles): UsageFact[] {
  const rows = sessions.map((session) => rowsOf(session, () => []));
  return linkSessions(rows).sessions.flatMap(({ usage }) => usage);
}

const home: HomeView = {
  root: "/home/ada/.claude",
  folders: [FOLDER],
  view: {
    read: () => {
      throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    },
    list: () => [],
    sizeOf: () => undefined,
  },
};

function decode({ name, bytes }: MadeFile, depth: Depth): DecodedFile<Transcript> {
  const path = `/home/ada/.claude/projects/${FOLDER}/${name}`;
  const file: SessionFile = {
    path,
    root: home.root,
    role: name.includes("agent-") ? "subagent" : "main",
    sizeBytes: bytes.length,
    modifiedMs: 0,
    folder: FOLDER,
    isCleaned: true,
  };
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const source = memoryBytes(path, bytes);
  claudeCode.keysOf(file, source);
  const read = claudeCode.read(file, source, { depth, report });
  if (read === "declined") throw new Error("It never declines.");
  return { ...read, file, home, diagnostics };
}

let made = 0;

/** A record of the conversation; the given fields win. */
export function record(type: string, fields: Record<string, unknown>): Record<string, unknown> {
  made += 1;
  return {
    parentUuid: null,
    isSidechain: false,
    cwd: "/home/ada/ledger",
    sessionId: ID,
    version: "2.1.97",
    type,
    uuid: `u${made}`,
    timestamp: new Date(Date.UTC(2026, 10, 15, 10, 0, made)).toISOString(),
    ...fields,
  };
}

export function prompt(
  text: string,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  return record("user", { message: { role: "user", content: text }, ...fields });
}

export function answer(
  id: string,
  blocks: readonly unknown[],
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  const usage = {
    input_tokens: 4,
    cache_creation_input_tokens: 30,
    cache_read_input_tokens: 200,
    output_tokens: 50,
  };
  const { message, ...rest } = fields;
  const own = { id, role: "assistant", model: "claude-opus-5-5", stop_reason: "end_turn", usage };
  return record("assistant", {
    message: { ...own, content: blocks, ...(message as object | undefined) },
    requestId: `req_${id}`,
    ...rest,
  });
}

export function textBlock(text: string): Record<string, unknown> {
  return { type: "text", text };
}

export function callBlock(id: string, name: string, input: unknown): Record<string, unknown> {
  return { type: "tool_use", id, name, input };
}

export function resultRecord(
  callId: string,
  content: unknown,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  const { isError, ...rest } = fields;
  const block = { type: "tool_result", tool_use_id: callId, content };
  const blocks = [isError === true ? { ...block, is_error: true } : block];
  return record("user", { message: { role: "user", content: blocks }, ...rest });
}

/** The only session of a main file. */
export function onlySession(lines: readonly unknown[]): Session {
  const [session, ...others] = readLines(lines).sessions;
  if (!session || others.length > 0) throw new Error("It is not one session.");
  return session;
}

/** Links records, each to the one before it. */
export function chain(...records: Record<string, unknown>[]): Record<string, unknown>[] {
  return records.map((line, at) => ({ ...line, parentUuid: records[at - 1]?.["uuid"] ?? null }));
}

export function summaryOf({ author, text, standing, reason }: Message): unknown[] {
  return reason === undefined ? [author, text, standing] : [author, text, standing, reason];
}
