import { emptyMessage } from "../../src/core/session/message.ts";
import { randomUUID } from "node:crypto";
import type { Message } from "../../src/core/session/message.ts";
import type { Session } from "../../src/core/session/session.ts";
import { decodeFile, interpretFiles } from "../../src/ingest/decode.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import type { HandoverPlan, HandoverRequest, Source } from "../../src/sources/source.ts";
import { diskView } from "../../src/sources/view.ts";

export const NOW: number = Date.UTC(2026, 10, 16, 12);
const PLACE = { file: "f", line: 1, start: 0, end: 1 };

export function message(
  author: Message["author"],
  text: string,
  more: Partial<Message> = {},
): Message {
  return {
    ...emptyMessage(author),
    id: randomUUID(),
    text,
    at: "2026-11-15T10:00:00.000Z",
    isPrompt: author === "user",
    standing: "live",
    place: PLACE,
    places: [PLACE],
    ...more,
  };
}

export function call(id: string, more: object = {}): Message["toolCalls"][number] {
  const known = { label: "Read", canonical: "file_read", category: "Read" } as const;
  return { id, name: "read_file", ...known, args: { path: "a" }, output: "A", ...more };
}

export function session(...messages: Message[]): Session {
  return {
    id: "old-session",
    source: "gemini-cli",
    ledgerName: "gemini",
    kind: "main",
    project: { name: "ledger", path: "/home/ada/projects/ledger", knownBy: "recorded" },
    directories: [],
    messages,
    replies: [],
    compressions: [],
    isImport: false,
    files: [],
    diagnostics: [],
  };
}

/** A request for a new session of an agent. */
export function requestAt(root: string): HandoverRequest {
  return {
    root,
    newId: randomUUID(),
    uuid: randomUUID,
    platform: "linux",
    nowMs: NOW,
    localOffsetMinutes: () => 60,
  };
}

/** Reads a planned session as the agent that it was written for. */
export function readBack(
  { file, sessionId }: HandoverPlan,
  source: Source,
  root: string,
): Session | undefined {
  const bytes = Buffer.from(file.text);
  const place = { path: file.path, root, role: "main", folder: "" } as const;
  const opened = {
    file: { ...place, sizeBytes: bytes.length, modifiedMs: 0, isCleaned: false },
    bytes: memoryBytes(file.path, bytes),
    home: { root, folders: [], view: diskView },
  };
  const decoded = decodeFile(source, opened, "full");
  return interpretFiles(source, [decoded], "full").find(({ id }) => id === sessionId);
}
