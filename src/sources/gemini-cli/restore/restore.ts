import { basename, dirname, join } from "node:path";
import { PolluxError } from "../../../core/error.ts";
import { optional } from "../../../core/optional.ts";
import type { Session } from "../../../core/session/session.ts";
import type { Restoration, RestoreAbility, RestoreRequest } from "../../source.ts";
import { joinTexts, readContent } from "../../decoding/content.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList } from "../../decoding/fields.ts";
import { projectHash } from "../project.ts";
import { claimableFolder } from "./claim.ts";
import { companionsIn, siblingsOf } from "./neighbours.ts";
import type { Directory } from "./place.ts";
import { recordsOf } from "./records.ts";

/** Since this version, sessions are written as JSON lines. */
const LINES_SINCE = 39;
const NEWEST = 61;

/**
 * Returns a session as files that `gemini --list-sessions` lists and `gemini --resume` loads. Its
 * last use is set to now, because Gemini CLI deletes sessions older than its limit before it lists
 * them.
 */
function restoration(session: Session, request: RestoreRequest): Restoration | undefined {
  const { id } = request;
  const minor = minorOf(request.forVersion);
  const directory = directoryOf(session, request.projectPath);
  const folder = claimableFolder(directory, { ...request, minor });
  const records = recordsOf(session.messages, { open: request.open, minor });
  if (!records.some(isResumable)) return undefined;
  const header = headerOf(session, { id, projectHash: directory.hash, nowMs: request.nowMs });
  const isLines = minor >= LINES_SINCE;
  const project = join(request.root, "tmp", folder.name);
  const ending = `-${id.slice(0, 8)}.${isLines ? "jsonl" : "json"}`;
  const path = join(project, "chats", `session-${minuteOf(header["startTime"])}${ending}`);
  return {
    file: { path, text: isLines ? asLines(header, records) : asDocument(header, records) },
    claims: folder.claims,
    claim: folder.claim,
    companions: companionsIn(project, { companions: request.companions, id }),
    siblings: siblingsOf(path, id),
    isFoundAt: (other) =>
      dirname(other) === dirname(path) && (isLines ? ANY_SESSION : DOCUMENT).test(basename(other)),
    messages: records.length,
    command: ["gemini", "--resume", id],
  };
}

export const restore: RestoreAbility = {
  ids: /^[A-Za-z0-9_][A-Za-z0-9_-]*$/,
  plan: restoration,
};

const ANY_SESSION = /^session-.*\.jsonl?$/;
const DOCUMENT = /^session-.*\.json$/;

/**
 * The recorded hash was computed from the original spelling, which is lost elsewhere on Windows.
 */
function directoryOf({ project }: Session, path: string): Directory {
  const isOwn = path === project.path && /^[0-9a-f]{64}$/.test(project.hash ?? "");
  return { path, hash: isOwn && project.hash ? project.hash : projectHash(path) };
}

/** `0.38`, `0.38.2` → 38; the newest version by default. */
function minorOf(version: string | undefined): number {
  if (version === undefined) return NEWEST;
  const match = /^v?(\d+)\.(\d+)(\.\d+.*)?$/.exec(version);
  if (!match) {
    throw new PolluxError("wrong-usage", `"${version}" is not a version of Gemini CLI.`, {
      remedy: "Use a version such as 0.38 or 0.61.0.",
    });
  }
  return match[1] === "0" ? Number(match[2]) : NEWEST;
}

function headerOf(
  session: Session,
  facts: { id: string; projectHash: string; nowMs: number },
): Json {
  const now = new Date(facts.nowMs).toISOString();
  const { directories, summary } = session;
  return {
    sessionId: facts.id,
    projectHash: facts.projectHash,
    startTime: session.startedAt ?? now,
    lastUpdated: now,
    kind: "main",
    ...optional("summary", summary),
    ...(directories.length === 0 ? {} : { directories }),
  };
}

function asLines(header: Json, records: readonly Json[]): string {
  return [header, ...records].map((record) => `${written(record)}\n`).join("");
}

function asDocument(header: Json, records: readonly Json[]): string {
  return written({ ...header, messages: records }, 2);
}

function written(value: Json, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new PolluxError(
      "too-deep",
      "A value of this session is nested too deeply to be written.",
      {
        remedy: "Gemini CLI could not read it, either. `pollux archive export` saves its bytes.",
        cause: error,
      },
    );
  }
}

/** The file name contains the minute of the start, in UTC. */
function minuteOf(startTime: unknown): string {
  return new Date(String(startTime)).toISOString().slice(0, 16).replace(":", "-");
}

/** Without at least one such record Gemini CLI treats the file as corrupt and deletes it. */
function isResumable(record: Json): boolean {
  const text = joinTexts(readContent(record["content"]).texts).trim();
  if (record["type"] === "user")
    return text !== "" && !/^([/?]|<(session|hook)_context>)/.test(text);
  const has = (key: string): boolean => (asList(record[key]) ?? []).length > 0;
  return record["type"] === "gemini" && (text !== "" || has("toolCalls") || has("thoughts"));
}
