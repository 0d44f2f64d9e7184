import { UNKNOWN_FORMAT } from "../../core/session-file.ts";
import type { SessionFile } from "../../core/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { Decoded, ReadOptions } from "../source.ts";
import { FileReplay } from "./interpret/file-replay.ts";
import { isSureWithoutWords } from "./interpret/interpret.ts";
import { playFile } from "./interpret/play-file.ts";
import { readEntries } from "./read-entries.ts";
import { skimFile } from "./skim/skim.ts";

/** Decodes a file among the sessions, as deep as is asked for. */
export function readFile(
  file: SessionFile,
  bytes: ByteSource,
  options: ReadOptions,
): Decoded<FileReplay> | "declined" {
  const isNamed = isSessionByName(file);
  if (options.depth === "usage") {
    const skimmed = skimFile(file, bytes);
    if (!skimmed || !isSureWithoutWords(skimmed.content)) return "declined";
    return isNamed || isSessionByContent(skimmed.content) ? skimmed : "declined";
  }
  if (isNamed) return playFile(readEntries, { bytes, ...file }, options);
  const report: ReadOptions["report"] = (diagnostic) => {
    if (diagnostic.code !== "no-session-id") options.report(diagnostic);
  };
  const played = playFile(readEntries, { bytes, ...file }, { ...options, report });
  if (isSessionByContent(played.content) || !hasMessages(played.content)) return played;
  const message = "Neither its name nor its content says that it is a session; it was not read.";
  report({ code: "unknown-format", severity: "notice", message, file: file.path });
  return { format: UNKNOWN_FORMAT, generation: "unknown", content: new FileReplay() };
}

/**
 * The program names its sessions `session-…`, and puts those of subagents into a folder below.
 * Anybody may have left other files there.
 */
function isSessionByName({ path, role }: SessionFile): boolean {
  return role === "subagent" || /(^|[\\/])session-[^\\/]*$/.test(path);
}

/** Sessions of every generation, imported ones too, say which session they are. */
function isSessionByContent({ facts }: FileReplay): boolean {
  return facts.sessionId !== undefined;
}

function hasMessages({ messages }: FileReplay): boolean {
  return messages.length > 0;
}
