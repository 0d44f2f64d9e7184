import { wrongUsage } from "../../core/error.ts";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ExportedFile, ExportRequest } from "../../exports/exporting.ts";
import { exports } from "../../exports/index.ts";
import type { Export } from "../../exports/export.ts";
import type { SessionSelector } from "../../library/library.ts";
import { optional } from "../../core/optional.ts";
import type { RedactionCounts } from "../../queries/redaction/masker.ts";
import type { Command, Context } from "../command.ts";
import { EXTRAS_OPTION, extrasOf } from "../options/events.ts";
import { EXIT } from "../exit.ts";
import { namedSessions } from "../options/agent.ts";
import { FILTER_OPTIONS, filterOf, LIMIT_OPTION } from "../options/filter.ts";
import { writeStreamedFile } from "../streamed-file.ts";
import { counted, size } from "../print/figures.ts";
import { writeJson } from "../print/json.ts";
import { homePath } from "../print/path.ts";

const FORMS = exports.map(({ name, title }) => `${name}: ${title}`).join("; ");

export const command: Command = {
  about:
    "Name sessions by id, or select them with filters. Without --out, one session is printed to " +
    `the terminal. Existing files are only replaced with --force. ${FORMS}.`,
  arguments: [
    { name: "[ids...]", about: "session ids or unique prefixes, saved chats, or latest" },
  ],
  options: [
    { flags: "-t, --to <form>", about: "export format", choices: exports.map(({ name }) => name) },
    {
      flags: "-o, --out <path>",
      about: "write to this file, or one file per session into this folder (folder/)",
      completes: "file",
    },
    { flags: "--force", about: "replace existing files" },
    { flags: "--redact", about: "mask secrets, home folders and account names" },
    { flags: "--share", about: "prepare for sharing: masks html and markdown" },
    { flags: "--table <name>", about: "csv: messages or calls; parquet: usage or messages" },
    EXTRAS_OPTION,
    ...FILTER_OPTIONS,
    LIMIT_OPTION,
  ],
  examples: [
    { line: "export latest --to markdown", about: "the latest session, as readable text" },
    { line: "export 5584 --to html --share --out chat.html", about: "one page, masked" },
    { line: "export --to parquet --since 30d --out usage.parquet", about: "a month, for analysis" },
    { line: "export --to html --project api --out pages/", about: "a page for each session" },
  ],
  async run(context) {
    const request = await requestOf(context);
    const library = await context.library();
    const files = library.export(whichOf(context), request);
    const out = context.options.text("out");
    if (out === undefined || out === "-") await print(files, context);
    else await writeFiles(files, context, { out, layout: request.layout ?? "one" });
    return EXIT.ok;
  },
};

async function requestOf(context: Context): Promise<ExportRequest> {
  const { options, args, isJson, now } = context;
  const form = exports.find(({ name }) => name === options.text("to"));
  if (!form) throw wrongUsage("Missing format: --to markdown, --to html, … (see --help).");
  const out = options.text("out");
  const isPrinted = out === undefined || out === "-";
  if (isPrinted && args.length === 0) {
    throw wrongUsage("Name a session, or give --out to export all matching sessions.");
  }
  if (isPrinted && form.isBinary === true) {
    throw wrongUsage(`${form.name} is a binary format: write it to a file with --out.`);
  }
  if (isPrinted && isJson) throw wrongUsage("--json lists the written files, so it needs --out.");
  return {
    to: form.name,
    layout: out !== undefined && (await isFolder(out)) ? "each" : "one",
    masking: maskingOf(form, context),
    ...optional("table", options.text("table")),
    with: extrasOf(options),
    nowMs: now.getTime(),
  };
}

function maskingOf(form: Export, { options }: Context): "masked" | "plain" {
  const isAsked = options.has("redact") || (options.has("share") && form.isForPeople === true);
  return isAsked ? "masked" : "plain";
}

/** `folder/`, or an existing folder. */
async function isFolder(path: string): Promise<boolean> {
  if (/[\\/]$/.test(path)) return true;
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Does not exist yet: the name of a new file.
    return false;
  }
}

function whichOf(context: Context): SessionSelector {
  const ids = namedSessions(context);
  return ids.length > 0 ? { ids } : { filter: filterOf(context.options) };
}

async function print(files: AsyncIterable<ExportedFile>, context: Context): Promise<void> {
  for await (const { chunks, redaction } of files) {
    for await (const chunk of chunks) {
      if (typeof chunk === "string") await context.out.write(chunk);
    }
    await reportMasking(context, redaction?.());
  }
}

/** What `--json` prints. */
export interface WrittenFiles {
  files: Written[];
}

interface Written {
  path: string;
  mediaType: string;
  sessions: string[];
  sizeBytes: number;
  redaction: RedactionCounts | null;
}

/** Up to this many files are listed one by one. */
const FEW = 10;

async function writeFiles(
  files: AsyncIterable<ExportedFile>,
  context: Context,
  { out, layout }: { out: string; layout: "one" | "each" },
): Promise<void> {
  const { options, err, isJson } = context;
  const existing = options.has("force") ? "is-replaced" : "stays";
  const written: Written[] = [];
  for await (const { name, mediaType, sessionIds, chunks, redaction } of files) {
    const path = resolve(layout === "each" ? join(out, name) : out);
    const access = redaction ? "everybody" : "owner";
    const sizeBytes = await writeStreamedFile({ path, chunks, existing, access });
    const masked = redaction?.() ?? null;
    written.push({ path, mediaType, sessions: sessionIds, sizeBytes, redaction: masked });
    const isListed = written.length <= FEW || written.length % 100 === 0;
    if (isListed) await err.line(`${written.length}. ${homePath(path)} (${size(sizeBytes)})`);
    if (masked && written.length <= FEW) await reportMasking(context, masked);
  }
  await err.line(`Wrote ${counted(written.length, "file")}.`);
  await warnUnmasked(context);
  const answer: WrittenFiles = { files: written };
  if (isJson) await writeJson(context.out, answer);
}

async function reportMasking({ err }: Context, counts?: RedactionCounts | null): Promise<void> {
  if (!counts) return;
  const { secrets, homePaths, userNames } = counts;
  const values = secrets.reduce((sum, secret) => sum + secret.values, 0);
  const parts = [
    counted(values, "secret"),
    counted(homePaths, "home path"),
    counted(userNames, "account name"),
  ];
  await err.line(`   masked: ${parts.join(", ")}`);
}

/** Warns if `--share` was given and nothing is masked. */
async function warnUnmasked({ options, err }: Context): Promise<void> {
  const form = exports.find(({ name }) => name === options.text("to"));
  if (!options.has("share") || form?.isForPeople === true || options.has("redact")) return;
  await err.line(
    `Nothing was masked: ${form?.name ?? "this format"} is only masked with --redact.`,
  );
}
