import { basename, join } from "node:path";
import { hash } from "node:crypto";
import type { LoggedPrompt } from "../../core/prompt-log.ts";
import type { RecordedMessage } from "../../core/message.ts";
import { optional } from "../../core/optional.ts";
import type { EntrySink, Source } from "../source.ts";
import { blindSpots } from "./blind-spots.ts";
import { cleanUpName, peekLastMs } from "./clean-up.ts";
import { findFiles } from "./find.ts";
import { asName, asObject } from "./formats/fields.ts";
import { formatOf, lookAt } from "./formats/index.ts";
import { readPromptLog } from "./formats/prompt-log.ts";
import { NotingSink } from "./generation.ts";
import { hook } from "./hook.ts";
import { native } from "./native.ts";
import { GeminiProjects } from "./project.ts";
import { readRetention } from "./retention.ts";
import { restoration } from "./restore/index.ts";
import { rootsOf } from "./roots.ts";
import { skim, skimRoom } from "./skim/skim.ts";
import { findSpill } from "./spill.ts";

const ID = "gemini-cli";
/** The id stands in the first line of a file, in every generation. */
const PEEK_BYTES = 4096;

export const geminiCli: Source = {
  id: ID,
  name: "Gemini CLI",
  ledgerName: "gemini",
  // Which of Google's services answered is not recorded.
  modelVendor: { otel: "gcp.gen_ai", models: "google" },
  blindSpots,
  native,
  roots: rootsOf,

  find: (root, report) => findFiles(root.path, report),

  projects: (around, report) => new GeminiProjects(around, report),
  retention: ({ path }) => readRetention(path),
  watched: ({ path }) => [join(path, "tmp"), join(path, "projects.json")],
  hook,

  read(bytes, into) {
    const head = lookAt(bytes);
    if (head.opening === "") {
      const message = "The file is empty; the session it held was lost when it was rewritten.";
      into.report({ code: "empty-file", severity: "damage", message, file: bytes.path });
      return { format: "empty", generation: "unknown" };
    }
    const format = formatOf(head);
    if (!format || format.name === "saved-chat") {
      const message = "The file is written in no known form of a session.";
      into.report({ code: "unknown-format", severity: "damage", message, file: bytes.path });
      return { format: format?.name ?? "unknown", generation: "unknown" };
    }
    const noting = new ReadingSink(into);
    format.read(bytes, noting);
    return { format: format.name, generation: noting.traits.generation(format.name) };
  },

  skim,
  skimRoom,

  readSavedChat(file, bytes, report) {
    const messages: RecordedMessage[] = [];
    const format = formatOf(lookAt(bytes));
    if (format?.name === "saved-chat") {
      format.read(bytes, {
        report,
        entry: (entry) => {
          if (entry.kind === "message") messages.push(entry.message);
        },
      });
    } else {
      const message = "The file is no saved chat.";
      report({ code: "unknown-format", severity: "damage", message, file: file.path });
    }
    const tag = tagOf(file.replaced?.path ?? file.path);
    return {
      id: `chat-${hash("sha256", `${file.folder}/${tag}`, "hex").slice(0, 12)}`,
      source: ID,
      tag,
      file: file.path,
      sizeBytes: file.sizeBytes,
      modifiedMs: file.modifiedMs,
      ...optional("authType", authTypeOf(bytes)),
      messages,
    };
  },

  readPromptLog(file, bytes, report) {
    const bySession = new Map<string, LoggedPrompt[]>();
    readPromptLog(bytes, { report }, (sessionId, prompt) => {
      const prompts = bySession.get(sessionId);
      if (prompts) prompts.push(prompt);
      else bySession.set(sessionId, [prompt]);
    });
    return [...bySession].map(([sessionId, prompts]) => {
      return { sessionId, source: ID, prompts, files: [file.path] };
    });
  },

  peekId(bytes) {
    const { text } = lookAt(bytes, PEEK_BYTES);
    const match = /"sessionId"\s*:\s*("(?:\\.|[^"\\])*")/.exec(text);
    return match?.[1] === undefined ? undefined : (JSON.parse(match[1]) as string);
  },

  cleanUpName,
  peekLastMs,
  findSpill,
  restoration,
};

/** Remarks pass as they are. */
class ReadingSink extends NotingSink implements EntrySink {
  readonly report: EntrySink["report"];

  constructor(into: EntrySink) {
    super(into);
    this.report = into.report;
  }
}

/** `checkpoint-my%20tag.json` → `my tag`; `checkpoint.json` has none. */
function tagOf(path: string): string {
  const name = basename(path)
    .replace(/^checkpoint-?/, "")
    .replace(/\.json$/, "");
  try {
    return decodeURIComponent(name);
  } catch {
    // Old versions wrote the tag as it was; a lone percent sign is one.
    return name;
  }
}

/** `{"history": […], "authType": "…"}` (0.16+): it stands at the end of the document. */
function authTypeOf(bytes: { chunks(): Iterable<Buffer> }): string | undefined {
  let tail = "";
  for (const chunk of bytes.chunks()) tail = chunk.subarray(-200).toString("utf8");
  const match = /"authType"\s*:\s*("[^"]*")\s*\}\s*$/.exec(tail);
  if (match?.[1] === undefined) return undefined;
  return asName(asObject({ value: JSON.parse(match[1]) as unknown })?.["value"]);
}
