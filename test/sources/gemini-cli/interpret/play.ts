import type { Diagnostic } from "../../../../src/core/diagnostic.ts";
import type { SessionFile } from "../../../../src/core/session-file.ts";
import { FileReplay } from "../../../../src/sources/gemini-cli/interpret/file-replay.ts";
import type { PlayedFile } from "../../../../src/sources/gemini-cli/interpret/session.ts";
import { mergeFiles } from "../../../../src/sources/gemini-cli/interpret/session.ts";
import { memoryBytes } from "../../../../src/kernel/bytes.ts";
import { geminiCli } from "../../../../src/sources/gemini-cli/index.ts";

/** A file's text, decoded and played. */
export function playFile(text: string | Buffer, more: Partial<SessionFile> = {}): PlayedFile {
  const path = more.path ?? "chats/session-2026-05-04T10-00-5e551001.jsonl";
  const replay = new FileReplay();
  const diagnostics: Diagnostic[] = [];
  const readAs = geminiCli.read(memoryBytes(path, Buffer.from(text)), {
    entry: (entry) => replay.play(entry),
    report: (diagnostic) => diagnostics.push(diagnostic),
  });
  const where = { root: "", folder: "ledger", isCleaned: true, sizeBytes: text.length };
  const file: SessionFile = { path, role: "main", modifiedMs: 0, ...where, ...more };
  return { file, ...readAs, replay, diagnostics };
}

/** One file as a whole session. */
export function playText(text: string | Buffer): ReturnType<typeof mergeFiles> {
  return mergeFiles("session", [playFile(text)]);
}
