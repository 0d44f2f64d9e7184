import type { Diagnostic } from "../../../../src/core/files/diagnostic.ts";
import type { SessionFile } from "../../../../src/core/files/session-file.ts";
import { memoryBytes } from "../../../../src/kernel/bytes.ts";
import type { PlayedFile } from "../../../../src/sources/gemini-cli/interpret/file-replay.ts";
import { FileReplay } from "../../../../src/sources/gemini-cli/interpret/file-replay.ts";
import { mergeFiles } from "../../../../src/sources/gemini-cli/interpret/session.ts";
import { readEntries } from "../../../../src/sources/gemini-cli/read.ts";
import { diskView } from "../../../../src/sources/view.ts";

/** Decodes and replays a file's text. */
export function playFile(text: string | Buffer, more: Partial<SessionFile> = {}): PlayedFile {
  const path = more.path ?? "chats/session-2026-05-04T10-00-5e551001.jsonl";
  const content = new FileReplay();
  const diagnostics: Diagnostic[] = [];
  const readAs = readEntries(memoryBytes(path, Buffer.from(text)), {
    entry: (entry) => content.play(entry),
    report: (diagnostic) => diagnostics.push(diagnostic),
  });
  const where = { root: "", folder: "ledger", isCleaned: true, sizeBytes: text.length };
  const file: SessionFile = { path, role: "main", modifiedMs: 0, ...where, ...more };
  const home = { root: "", folders: [], view: diskView };
  return { file, ...readAs, content, diagnostics, home };
}

/** Replays one file as a whole session. */
export function playText(text: string | Buffer): ReturnType<typeof mergeFiles> {
  return mergeFiles("session", [playFile(text)]);
}
