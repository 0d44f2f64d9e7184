import { wrongUsage } from "../../core/error.ts";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { PROFILES } from "../../records/profile.ts";
import type { Profile } from "../../records/profile.ts";
import type { RecordOptions } from "../../library/records.ts";
import { fileBytes } from "../../kernel/bytes.ts";
import { AGENT_OPTIONS, namedSession } from "../options/agent.ts";
import type { Command, Context } from "../command.ts";
import type { ExitCode } from "../exit.ts";
import { EXIT } from "../exit.ts";
import { mustBeFile } from "../given-file.ts";
import { safeJson } from "../../exports/json-text.ts";
import { writeJson } from "../print/json.ts";
import { safeLine } from "../print/safe.ts";
import { writeStreamedFile } from "../streamed-file.ts";

/** What `--json` prints of a record that was written. */
export interface RecordAnswer {
  id: string;
  profile: Profile;
  entries: number;
  /** Number of entries, by result. */
  leftOut: Readonly<Record<string, number>>;
  file: string;
  sizeBytes: number;
  sha256: string;
}

/** What `--json` prints of the files restored from a record. */
export interface InvertAnswer {
  files: { file: string; format: string; sizeBytes: number; originalSha256: string | null }[];
}

export const command: Command = {
  about:
    "The record is canonical JSON, ready to be signed. The profile lossless keeps everything: " +
    "--invert turns it back into the session's files.",
  arguments: [
    { name: "[id]", about: "a session id or unique prefix, or latest", offers: ["latest"] },
  ],
  options: [
    {
      flags: "-o, --out <file>",
      about: "file to write; with --invert, a folder",
      completes: "file",
    },
    {
      flags: "--profile <name>",
      about: "what to keep (default: everything)",
      choices: PROFILES,
    },
    { flags: "--live-only", about: "leave out rewound and rewritten messages; the record says so" },
    {
      flags: "--created <when>",
      about: "time of the record: the session's start (default), or now",
      choices: ["start", "now"],
    },
    { flags: "--cli-version <version>", about: "version of the agent to state in the record" },
    { flags: "--working-dir <folder>", about: "working directory to state in the record" },
    {
      flags: "--invert <record>",
      about: "turn this record back into the session's files",
      completes: "file",
    },
    { flags: "--force", about: "replace existing files" },
    ...AGENT_OPTIONS,
  ],
  examples: [
    { line: "record latest --out latest.record.json", about: "a record of the latest session" },
    {
      line: "record 55844c5c --profile reference",
      about: "as the draft's reference scripts write it",
    },
    {
      line: "record --invert latest.record.json --out back",
      about: "the session's files from a record",
    },
  ],
  async run(context) {
    const [id] = context.args;
    const inverted = context.options.text("invert");
    if (inverted !== undefined && id !== undefined) {
      throw wrongUsage("--invert takes a record; do not give a session as well.");
    }
    if (inverted !== undefined) return invert(context, inverted);
    if (id === undefined) throw wrongUsage("Missing session: give an id, or latest.");
    return write(context, namedSession(context));
  },
};

async function write(context: Context, id: string): Promise<ExitCode> {
  const { options, out } = context;
  const record = await (await context.library()).record(id, recordOptions(context));
  const path = options.text("out");
  if (path === undefined) {
    for (const chunk of record.chunks()) {
      const text = chunk.toString("utf8");
      // Escape for terminals; programs get the exact bytes to sign.
      await out.write(context.isTerminal ? safeJson(text) : text);
    }
    if (context.isTerminal) await out.line();
    return EXIT.ok;
  }
  const hash = createHash("sha256");
  const sizeBytes = await writeStreamedFile({
    path,
    chunks: watched(record.chunks(), (chunk) => hash.update(chunk)),
    existing: options.has("force") ? "is-replaced" : "stays",
    access: "owner",
  });
  const { id: recordId, profile, entries, leftOut } = record;
  const sha256 = hash.digest("hex");
  const answer: RecordAnswer = {
    id: recordId,
    profile,
    entries,
    leftOut,
    file: path,
    sizeBytes,
    sha256,
  };
  if (context.isJson) await writeJson(out, answer);
  else {
    await out.line(`${record.entries} entries, ${sizeBytes} bytes → ${safeLine(path)}`);
    for (const [standing, count] of Object.entries(record.leftOut)) {
      await out.line(`Left out: ${count} ${standing}`);
    }
  }
  return EXIT.ok;
}

function recordOptions({ options, now }: Context): RecordOptions {
  const profile = options.text("profile") as Profile | undefined;
  const cliVersion = options.text("cliVersion");
  const workingDir = options.text("workingDir");
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(options.has("liveOnly") ? { standing: "live" } : {}),
    ...(options.text("created") === "now" ? { createdAt: now.toISOString() } : {}),
    ...(cliVersion === undefined ? {} : { cliVersion }),
    ...(workingDir === undefined ? {} : { workingDir }),
  };
}

async function invert(context: Context, record: string): Promise<ExitCode> {
  const { restoreRecord } = await import("../../library/records.ts");
  mustBeFile(record);
  const files = await restoreRecord(fileBytes(record));
  const folder = context.options.text("out");
  if (folder === undefined) {
    const [only, ...more] = files;
    if (!only || more.length > 0 || context.isJson) {
      throw wrongUsage(
        `The record has ${files.length} file(s): give a folder for them with --out.`,
      );
    }
    for (const chunk of only.chunks()) {
      const text = chunk.toString("utf8");
      await context.out.write(context.isTerminal ? safeJson(text) : text);
    }
    return EXIT.ok;
  }
  const existing = context.options.has("force") ? "is-replaced" : "stays";
  const written: InvertAnswer["files"] = [];
  for (const file of files) {
    const path = join(folder, file.name);
    const chunks = file.chunks();
    const sizeBytes = await writeStreamedFile({ path, chunks, existing, access: "owner" });
    written.push({ file: path, format: file.format, sizeBytes, originalSha256: file.sha256 });
  }
  const answer: InvertAnswer = { files: written };
  if (context.isJson) await writeJson(context.out, answer);
  else for (const { file } of written) await context.out.line(safeLine(file));
  return EXIT.ok;
}

function* watched(chunks: Iterable<Buffer>, see: (chunk: Buffer) => unknown): Iterable<Buffer> {
  for (const chunk of chunks) {
    see(chunk);
    yield chunk;
  }
}
