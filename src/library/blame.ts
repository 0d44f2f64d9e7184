import { existsSync, realpathSync } from "node:fs";
import { resolve, sep } from "node:path";
import { PolluxError } from "../core/error.ts";
import type { SessionFilter } from "../core/filter/filter.ts";
import { optional } from "../core/optional.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import { readSession } from "../ingest/read-session.ts";
import { readForeignText } from "../kernel/open-file.ts";
import type { BlameAnswer, BlamedSession } from "../queries/blame/blame.ts";
import { blame } from "../queries/blame/blame.ts";
import type { StoreView } from "./store-view.ts";
import { keyOf } from "../core/session/links.ts";

export interface BlameOptions extends Pick<SessionFilter, "source"> {
  /** The path that agents recorded, or its end; the file's own path by default. */
  recordedAs?: string;
  /**
   * - `named`: any file, because the user named it
   * - `recorded`: only a file inside a project's directory that an agent has changed
   *
   * A file that cannot be opened is reconstructed from the recorded edits.
   */
  allow: "named" | "recorded";
}

/** Longer files are refused: nobody reads them line by line. */
const MOST_LENGTH = 8_000_000;

/** Finds out who wrote each line of a file in its current state, from the recorded edits. */
export async function blameFile(
  view: StoreView,
  file: string,
  { recordedAs, allow, ...of }: BlameOptions,
): Promise<BlameAnswer> {
  const path = resolve(file);
  const isThere = existsSync(path);
  const names = recordedAs === undefined ? namesOf(path, isThere ? path : file) : [recordedAs];
  const rows = await rowsTouching(view, names, of);
  if (allow === "recorded" && rows.length === 0) throw notRecorded(path);
  const isOpened = allow === "named" ? isThere : rows.some((row) => isInside(path, row));
  const text = isOpened ? textOf(path) : undefined;
  const sessions: BlamedSession[] = [];
  for (const { summary } of rows) {
    const editsOf = view.sources.find(({ id }) => id === summary.source)?.abilities.fileEdits;
    const session = editsOf && (await readSession(view, summary));
    if (session) sessions.push({ summary, session, editsOf });
  }
  const answer = blame({ path, recordedAs: names, ...optional("text", text) }, sessions);
  if (answer) return answer;
  throw allow === "recorded" ? outOfReach(path) : notThere(path);
}

/** The given path and the one its links lead to; of a missing file, also its name as given. */
function namesOf(path: string, typed: string): string[] {
  try {
    return [...new Set([path, realpathSync(path)])];
  } catch {
    // The file does not exist here; agents may have known it in another place.
    return [...new Set([path, typed.replace(/^\.[\\/]/, "")])];
  }
}

/** Sessions that touched the file, oldest first, so that originals come before their copies. */
async function rowsTouching(
  { store, scope }: StoreView,
  names: readonly string[],
  of: Pick<SessionFilter, "source">,
): Promise<SessionRow[]> {
  const rows = new Map<string, SessionRow>();
  for (const path of names) {
    const { items } = await store.sessions({ scope, filter: { ...of, path }, sort: "started" });
    for (const row of items.toReversed()) rows.set(keyOf(row.summary.source, row.summary.id), row);
  }
  return [...rows.values()];
}

function isInside(path: string, { summary }: SessionRow): boolean {
  if (summary.project.path === null) return false;
  try {
    return realpathSync(path).startsWith(realpathSync(summary.project.path) + sep);
  } catch {
    // One of them does not exist, so nothing is opened.
    return false;
  }
}

function textOf(path: string): string {
  const text = readNamed(path);
  if (text.length <= MOST_LENGTH && !text.includes("\0")) return text;
  const why = text.length > MOST_LENGTH ? "too long" : "not a text file";
  throw new PolluxError("not-blamable", `${path} is ${why}.`);
}

function readNamed(path: string): string {
  try {
    return readForeignText(path);
  } catch (error) {
    throw new PolluxError("no-such-file", `${path} cannot be read.`, { cause: error });
  }
}

function notThere(path: string): PolluxError {
  const message = `${path} does not exist, and its content is not recorded.`;
  return new PolluxError("no-such-file", message, {
    remedy: "`pollux uses FILE` lists what agents did to it, and the path they recorded.",
  });
}

/**
 * The message does not say which of the two it is: it must not reveal which files exist outside of
 * projects.
 */
function outOfReach(path: string): PolluxError {
  const message = `${path} does not exist, or is outside of the project where agents touched it.`;
  return new PolluxError("no-such-file", message, {
    remedy: "See its history instead, or run `pollux blame FILE`, which takes any file.",
  });
}

function notRecorded(path: string): PolluxError {
  return new PolluxError("no-such-file", `No recorded session touched ${path}.`, {
    remedy: "Run `pollux blame FILE` in a terminal; it takes any file.",
  });
}
