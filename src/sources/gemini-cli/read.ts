import { EMPTY_FORMAT, UNKNOWN_FORMAT } from "../../core/files/session-file.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { Decoded, ReadOptions } from "../source.ts";
import type { Sink } from "./formats/format.ts";
import { NAMELESS } from "./formats/append-jsonl.ts";
import { formatOf, lookAt } from "./formats/index.ts";
import { TraitSink } from "./formats/generation.ts";
import { FileReplay } from "./interpret/file-replay.ts";
import { isExactWithoutText } from "./interpret/interpret.ts";
import type { ReadEntries } from "./interpret/play-file.ts";
import { playFile } from "./interpret/play-file.ts";
import { skimFile } from "./skim/skim.ts";

/** Decodes a session file at the requested depth. */
export function readFile(
  file: SessionFile,
  bytes: ByteSource,
  options: ReadOptions,
): Decoded<FileReplay> | "declined" {
  const isNamed = isSessionByName(file);
  if (options.depth === "usage") {
    const skimmed = skimFile(file, bytes);
    if (!skimmed || !isExactWithoutText(skimmed.content)) return "declined";
    return isNamed || isSessionByContent(skimmed.content) ? skimmed : "declined";
  }
  if (isNamed) return readNamed(file, bytes, options);
  const report: ReadOptions["report"] = (diagnostic) => {
    if (diagnostic.code !== "no-session-id") options.report(diagnostic);
  };
  const played = playFile(readEntries, { bytes, ...file }, { ...options, report });
  if (isSessionByContent(played.content) || !hasMessages(played.content)) return played;
  const message = "Neither its name nor its content is that of a session; it was not read.";
  report({ code: "unknown-format", severity: "notice", message, file: file.path });
  return { format: UNKNOWN_FORMAT, generation: "unknown", content: new FileReplay() };
}

/** Lines without a header have no session id; documents report that when they are read. */
function readNamed(
  file: SessionFile,
  bytes: ByteSource,
  options: ReadOptions,
): Decoded<FileReplay> {
  let isReported = false;
  const report: ReadOptions["report"] = (diagnostic) => {
    isReported ||= diagnostic.code === "no-session-id";
    options.report(diagnostic);
  };
  const played = playFile(readEntries, { bytes, ...file }, { ...options, report });
  const isNameless = !isSessionByContent(played.content) && hasMessages(played.content);
  if (isNameless && !isReported) report({ ...NAMELESS, file: file.path });
  return played;
}

/**
 * Gemini CLI names its sessions `session-…`, and puts those of subagents into a subfolder. Other
 * tools may have left other files there.
 */
function isSessionByName({ path, role }: SessionFile): boolean {
  return role === "subagent" || /(^|[\\/])session-[^\\/]*$/.test(path);
}

/** Sessions of every generation, including imported ones, contain a session id. */
function isSessionByContent({ facts }: FileReplay): boolean {
  return facts.sessionId !== undefined;
}

function hasMessages({ messages }: FileReplay): boolean {
  return messages.length > 0;
}

/** Decodes a session file in the format that its first bytes indicate. */
export const readEntries: ReadEntries = (bytes, sink) => {
  const head = lookAt(bytes);
  if (head.opening === "") {
    const message = "The file is empty: its session was lost when the agent rewrote it.";
    sink.report({ code: "empty-file", severity: "damage", message, file: bytes.path });
    return { format: EMPTY_FORMAT, generation: "unknown" };
  }
  const format = formatOf(head);
  if (!format) {
    const message = "The file is not in a known session format.";
    sink.report({ code: "unknown-format", severity: "damage", message, file: bytes.path });
    return { format: UNKNOWN_FORMAT, generation: "unknown" };
  }
  // A history instead of a session: some tools write such files, and some documentation describes
  // them.
  if (format.name === "saved-chat") {
    const message =
      "The file contains messages without a session id; the file name is used instead.";
    sink.report({ code: "no-session-id", severity: "repair", message, file: bytes.path });
  }
  const noting = new ReadingSink(sink);
  format.read(bytes, noting);
  return { format: format.name, generation: noting.traits.generation(format.name) };
};

/** Forwards diagnostics unchanged. */
class ReadingSink extends TraitSink implements Sink {
  readonly report: Sink["report"];

  constructor(sink: Sink) {
    super(sink);
    this.report = sink.report;
  }
}
