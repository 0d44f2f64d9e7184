import type { Archive, Clues, NewContent, Reading } from "../../src/store/archive.ts";
import type { Digest } from "../../src/core/digest.ts";
import type { KeptFile, KeptRoot } from "../../src/core/kept.ts";
import type { SessionFile } from "../../src/core/session-file.ts";
import type { TextPiece } from "../../src/core/text.ts";

export const clues: Clues = { files: [{ folder: "ledger" }], directories: [] };

export function begin(archive: Archive): { archive: Archive; root: KeptRoot } {
  const root = archive.files.addRoot(
    { source: "test", path: "/home/ada/agent", how: "usual" },
    1000,
  );
  return { archive, root };
}

export function rootLike(archive: Archive, { path }: KeptRoot): KeptRoot {
  const found = archive.files.roots().find((root) => root.path === path);
  if (!found) throw new RangeError("no such root");
  return found;
}

export function fileAt(root: KeptRoot, path: string, sizeBytes: number): SessionFile {
  const where = { path: `${root.path}/${path}`, root: root.path, folder: "ledger" };
  return { ...where, role: "main", sizeBytes, modifiedMs: 1, isCleaned: true, inode: 7 };
}

type Told = Partial<Pick<NewContent, "known" | "how">>;

export function content(archive: Archive, text: string, told: Told): NewContent {
  const prepared = archive.files.prepare([Buffer.from(text)]);
  return { content: prepared, how: "whole", isSettled: true, nowMs: 2000, ...told };
}

export function keep(
  archive: Archive,
  root: KeptRoot,
  { path, text, ...told }: { path: string; text: string } & Told,
): KeptFile {
  const file = fileAt(root, path, Buffer.byteLength(text));
  const kept = archive.files.keep(root, file, content(archive, text, told));
  if (!kept) throw new RangeError("not kept");
  return kept;
}

export function readingOf(fileId: number, told: { stream: number; sessionId: string }): Reading {
  const how = { format: "append-jsonl", generation: "0.39", isRead: true } as const;
  return { fileId, sizeBytes: 1, ...how, diagnostics: [], ...told };
}

export function textOf(
  archive: Archive,
  file: Pick<KeptFile, "path" | "stream" | "sizeBytes">,
): string {
  return Buffer.concat(
    [...archive.files.bytes(file).chunks()].map((one) => Buffer.from(one)),
  ).toString();
}

/** Text that does not pack well, the same every time. */
export function random(length: number): string {
  let state = 1;
  let text = "";
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647;
    text += state.toString(36);
  }
  return text.slice(0, length);
}

export function piece(role: TextPiece["role"], text: string): TextPiece {
  return {
    messageId: "m1",
    role,
    standing: "live",
    atMs: 1_700_000_000_000,
    texts: [text],
    places: [],
  };
}

export function putTexts(archive: Archive, key: number, pieces: readonly TextPiece[]): void {
  const draft = archive.texts.draft();
  draft.assign(draft.add(pieces), { key, pieces });
  archive.texts.put(draft);
}

export function digestOf(id: string, messageIds: readonly string[]): Digest {
  const project = { name: "ledger", path: "/home/ada/ledger", knownBy: "marker" } as const;
  return {
    summary: {
      id,
      source: "test",
      project: { ...project, hash: null },
      kind: "main",
      parentId: null,
      parentCallId: null,
      title: "T",
      startedAt: null,
      updatedAt: null,
      status: "success",
      prompts: 1,
      messages: { live: 1, rewound: 0, rewritten: 0 },
      toolCalls: { total: 0, success: 0, error: 0, cancelled: 0 },
      models: ["m"],
      tokens: { input: 1, cached: 0, output: 1, thoughts: 0, tool: 0, total: 2 },
      compressions: 0,
      isImport: false,
      files: [],
      goneSince: null,
    },
    session: {
      id,
      source: "test",
      ledgerName: "test",
      kind: "main",
      project,
      directories: [],
      compressions: [],
      isImport: false,
      files: [],
    },
    usage: messageIds.map((messageId, at) => ({
      dedupKey: `test:${id}:${messageId}`,
      messageId,
      sessionId: id,
      at: "2026-02-10T17:28:00.000Z",
      model: "m",
      standing: "live",
      input: 1,
      fresh: 1,
      cached: 0,
      output: 1,
      thoughts: 0,
      tool: 0,
      total: 2,
      remainder: 0,
      place: { file: "/a", line: at + 1, start: 0, end: 1 },
    })),
    tools: [],
    agentCalls: [],
  };
}
