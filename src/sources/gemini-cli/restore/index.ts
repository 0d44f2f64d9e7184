import { join } from "node:path";
import { PolluxError } from "../../../model/error.ts";
import type { Session } from "../../../model/session.ts";
import type { Restoration, RestoreWish } from "../../source.ts";
import type { Json } from "../formats/fields.ts";
import { projectHash } from "../project.ts";
import { projectFolder } from "./place.ts";
import { recordsOf } from "./records.ts";

/** From this version on sessions are written line by line. */
const LINES_SINCE = 39;
const NEWEST = 61;

/**
 * A session as files that `gemini --list-sessions` lists and `gemini --resume` loads. Its time of
 * last use is set to now: Gemini CLI deletes what is older than its limit before it lists.
 */
export function restoration(session: Session, wish: RestoreWish): Restoration {
  const projectPath = wish.projectPath ?? session.project.path;
  if (projectPath === undefined) throw unknownProject();
  const minor = minorOf(wish.forVersion);
  const folder = projectFolder(wish.root, projectPath, minor);
  const records = recordsOf(session.messages, { open: wish.open, minor });
  if (!records.some(isResumable)) throw nothingToResume(session.id);
  const id = wish.newId ?? session.id;
  const header = headerOf(session, { id, projectPath, nowMs: wish.nowMs });
  const isLines = minor >= LINES_SINCE;
  const chats = join(wish.root, "tmp", folder.name, "chats");
  const path = join(
    chats,
    `session-${minuteOf(header["startTime"])}-${suffixOf(id)}.${isLines ? "jsonl" : "json"}`,
  );
  return {
    sessionId: id,
    projectPath,
    file: { path, text: isLines ? asLines(header, records) : asDocument(header, records) },
    claims: folder.claims,
    messages: records.length,
    command: ["gemini", "--resume", id],
  };
}

/** `0.38`, `0.38.2` → 38; the newest when nothing is asked for. */
function minorOf(version: string | undefined): number {
  if (version === undefined) return NEWEST;
  const match = /^v?(\d+)\.(\d+)(\.\d+.*)?$/.exec(version);
  if (!match) {
    throw new PolluxError("bad-version", `"${version}" is no version of Gemini CLI.`, {
      remedy: "Give it as 0.38 or 0.61.0.",
    });
  }
  return match[1] === "0" ? Number(match[2]) : NEWEST;
}

function headerOf(
  session: Session,
  told: { id: string; projectPath: string; nowMs: number },
): Json {
  const now = new Date(told.nowMs).toISOString();
  const { directories } = session;
  // Without a title the list shows the first message, which may be a summary of older ones.
  const title = session.summary ?? session.messages.find(({ isPrompt }) => isPrompt)?.typed;
  return {
    sessionId: told.id,
    projectHash: projectHash(told.projectPath),
    startTime: session.startedAt ?? now,
    lastUpdated: now,
    kind: "main",
    ...(title === undefined ? {} : { summary: title.replace(/\s+/g, " ").trim().slice(0, 80) }),
    ...(directories.length === 0 ? {} : { directories }),
  };
}

function asLines(header: Json, records: readonly Json[]): string {
  return [header, ...records].map((record) => `${JSON.stringify(record)}\n`).join("");
}

function asDocument(header: Json, records: readonly Json[]): string {
  return JSON.stringify({ ...header, messages: records }, null, 2);
}

/** The name carries the minute of the start, in UTC. */
function minuteOf(startTime: unknown): string {
  return new Date(String(startTime)).toISOString().slice(0, 16).replace(":", "-");
}

function suffixOf(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 8);
}

/** Without one such record Gemini CLI takes the file for a broken one, and deletes it. */
function isResumable(record: Json): boolean {
  return record["type"] === "user" || record["type"] === "gemini";
}

function unknownProject(): PolluxError {
  return new PolluxError("unknown-project", "The directory of this session is not known.", {
    remedy: "Name it with --project /path/to/the/project.",
  });
}

function nothingToResume(id: string): PolluxError {
  return new PolluxError("nothing-to-restore", `Session ${id} holds nothing to go on with.`, {
    remedy: "`pollux show` tells what is left of it.",
  });
}
