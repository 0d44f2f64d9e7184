import { PolluxError } from "../core/error.ts";
import { topOf } from "../core/session/links.ts";
import type { Message } from "../core/session/message.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import type { EventExtra } from "../queries/events/event.ts";
import type { RedactionCounts } from "../queries/redaction/masker.ts";
import { Redactor } from "../queries/redaction/redact.ts";
import type { Scanner } from "../queries/redaction/secret.ts";
import type { Chunk, Export, ExportedSession, UpcomingSession } from "./export.ts";
import { exports } from "./index.ts";
import type { Session } from "../core/session/session.ts";

export interface ExportRequest {
  /** Name of the format: `markdown`, `atif`, … */
  to: string;
  /** One file for everything, or one per session (for tables: per table). */
  layout?: "one" | "each";
  /** `masked`: secrets, home folders and account names are masked, or nothing is written. */
  masking?: "masked" | "plain";
  /** For table formats: the selected table. */
  table?: string;
  /** Additional kinds of events. */
  with?: readonly EventExtra[];
  nowMs: number;
}

/** One file of an export. Read its chunks to the end before requesting the next file. */
export interface ExportedFile {
  /** Safe on every system: letters, digits, dots and dashes. */
  name: string;
  mediaType: string;
  /** Ids of the sessions it contains; with the agent if two agents use one (`agent:id`). */
  sessionIds: string[];
  chunks: AsyncIterable<Chunk>;
  /** What was masked in it, once it is read; absent without masking. */
  redaction?: () => RedactionCounts;
}

/** How much of a session is read at once. */
export interface SessionParts {
  messages: "together" | "one by one";
  /** Whether to read its subagent sessions. */
  agents: "read" | "left out";
}

/** Access to the sessions, and the user's home folder. */
export interface ExportSource {
  ids: readonly string[];
  /** The session that started another one. */
  parentOf?: (id: string) => string | undefined;
  read: (id: string, parts: SessionParts) => Promise<ExportedSession>;
  /** The session row, if it is known before reading and matches what will be written. */
  rowOf?: (id: string) => SessionRow | undefined;
  homeDir?: string;
  scanner?: Scanner;
}

/** Exports sessions, file by file. */
export async function* exportFiles(
  request: ExportRequest,
  asked: ExportSource,
): AsyncGenerator<ExportedFile> {
  const form = formNamed(request.to);
  const layout = request.layout ?? "one";
  const ids = form.hasAgentsInside === true ? outermost(asked) : asked.ids;
  checkRequest(form, request, ids);
  const source = { ...asked, ids, read: rememberLast(asked.read, partsOf(form, request)) };
  const redactor = request.masking === "masked" ? await lookBefore(source) : undefined;
  const names = new FileNames();
  const fileOf = async (
    members: readonly string[],
    table: string | undefined,
  ): Promise<ExportedFile> => {
    redactor?.resetCounts();
    const redaction = redactor ? { redaction: () => redactor.counts() } : {};
    const content = {
      ...request,
      sessions: readAll(members, source, redactor),
      upcoming: announced(members, source, redactor),
      ...(table === undefined ? {} : { table }),
      ...redaction,
    };
    const of = { form, ...(table === undefined ? {} : { table }) };
    const first =
      members.length === 1 ? await named(members[0] ?? "", source, redactor) : undefined;
    const name = names.take(first, of);
    const chunks = form.write(content);
    return { name, mediaType: form.mediaType, sessionIds: [...members], chunks, ...redaction };
  };
  if (layout === "one") yield await fileOf(source.ids, request.table ?? form.tables?.[0]);
  else if (form.tables) for (const table of form.tables) yield await fileOf(source.ids, table);
  else for (const id of source.ids) yield await fileOf([id], undefined);
}

/** With masking, subagent sessions are read, too: a secret found in one is masked everywhere. */
function partsOf(form: Export, { masking }: ExportRequest): SessionParts {
  if (form.isLineByLine !== true) return { messages: "together", agents: "read" };
  return { messages: "one by one", agents: masking === "masked" ? "read" : "left out" };
}

/** An export source with `SessionParts` already chosen. */
interface SettledSource extends Omit<ExportSource, "read"> {
  read: (id: string) => Promise<ExportedSession>;
}

/** Sessions that were not started by another session of the export. */
function outermost({ ids, parentOf }: ExportSource): string[] {
  const all = new Set(ids);
  return ids.filter((id) => {
    const top = topOf(id, (below) => {
      const parent = parentOf?.(below);
      return parent !== undefined && all.has(parent) ? parent : undefined;
    });
    return top === id;
  });
}

export function formNamed(name: string): Export {
  const form = exports.find((item) => item.name === name);
  if (form) return form;
  throw new PolluxError("no-such-export", `Unknown export format "${name}".`, {
    remedy: `Use one of: ${exports.map((item) => item.name).join(", ")}.`,
  });
}

function checkRequest(form: Export, request: ExportRequest, ids: readonly string[]): void {
  const { layout = "one", table } = request;
  if (ids.length === 0) {
    throw new PolluxError("nothing-to-export", "No session matches.", {
      remedy: "`pollux sessions` lists all sessions.",
    });
  }
  if (layout === "one" && form.subject === "session" && ids.length > 1) {
    const message = `One file holds one session as ${form.name}, but ${ids.length} were selected.`;
    throw new PolluxError("one-session-per-file", message, {
      remedy: "Name a folder (`--out folder/`), and each session gets its own file.",
    });
  }
  if (table !== undefined && form.tables?.includes(table) !== true) {
    const choices = form.tables?.join(", ") ?? "none: it is not a table";
    throw new PolluxError("no-such-table", `The ${form.name} export has no table "${table}".`, {
      remedy: `Its tables are: ${choices}.`,
    });
  }
}

/**
 * Scans every session before the first byte is written, so that nothing is written if a scan fails.
 * Each session is scanned again when it is written, because it may have grown since.
 */
async function lookBefore({ ids, read, ...known }: SettledSource): Promise<Redactor> {
  try {
    const redactor = await Redactor.load(known);
    for (const id of ids) {
      await learn(redactor, await read(id));
    }
    return redactor;
  } catch (error) {
    if (error instanceof PolluxError) throw error;
    const message = "The search for secrets failed, so nothing was written.";
    throw new PolluxError("scan-failed", message, {
      remedy: "Leave out masking only if you may share everything in the session.",
      cause: error,
    });
  }
}

async function* readAll(
  ids: readonly string[],
  { read }: SettledSource,
  redactor: Redactor | undefined,
): AsyncGenerator<ExportedSession> {
  for (const id of ids) {
    const exported = await read(id);
    yield redactor ? await masked(exported, redactor) : exported;
  }
}

async function* announced(
  ids: readonly string[],
  source: SettledSource,
  redactor: Redactor | undefined,
): AsyncGenerator<UpcomingSession> {
  for (const id of ids) {
    const read = async (): Promise<ExportedSession> => {
      const exported = await source.read(id);
      return redactor ? masked(exported, redactor) : exported;
    };
    yield { row: redactor ? undefined : source.rowOf?.(id), read };
  }
}

async function learn(redactor: Redactor, exported: ExportedSession): Promise<void> {
  const { session, messages, subsessions } = exported;
  for (const each of [{ ...session, messages }, ...subsessions]) await redactor.learn(each);
}

async function masked(exported: ExportedSession, redactor: Redactor): Promise<ExportedSession> {
  await learn(redactor, exported);
  const isTogether = exported.messages === exported.session.messages;
  const session = isTogether
    ? redactor.mask(exported.session)
    : redactor.maskOutline(exported.session);
  const messages = isTogether
    ? session.messages
    : { [Symbol.iterator]: () => maskedOneByOne(exported.messages, redactor) };
  // Places are already masked in the session; take them from there, to count nothing twice.
  const places = new Map(session.replies.map(({ id, place }) => [id, place]));
  const usage = exported.usage.flatMap((fact) => {
    const place = places.get(fact.replyId);
    return place ? [{ ...fact, place }] : [];
  });
  const subsessions = exported.subsessions.map((item) => redactor.mask(item));
  return { ...exported, session, messages, usage, subsessions };
}

function* maskedOneByOne(messages: Iterable<Message>, redactor: Redactor): Generator<Message> {
  for (const message of messages) yield redactor.mask(message);
}

/** Caches the last session, so that reading it twice in a row costs nothing. */
function rememberLast(read: ExportSource["read"], parts: SessionParts): SettledSource["read"] {
  let last: { id: string; exported: Promise<ExportedSession> } | undefined;
  return (id) => {
    if (last?.id !== id) last = { id, exported: read(id, parts) };
    return last.exported;
  };
}

/** The data for a file name: from the row, or with masking from the session. */
async function named(
  id: string,
  { rowOf, read }: SettledSource,
  redactor: Redactor | undefined,
): Promise<NamedBy> {
  if (!redactor) return rowOf?.(id)?.session ?? (await read(id)).session;
  const { session } = await read(id);
  const name = redactor.mask(session.project.name);
  redactor.resetCounts();
  return { ...session, project: { ...session.project, name } };
}

type NamedBy = Pick<Session, "id" | "source" | "project" | "startedAt" | "updatedAt">;

/** Makes unique, descriptive file names that are safe on every system. */
class FileNames {
  readonly #taken = new Set<string>();

  /** `2026-02-10-ledger-AGENT-08c1f87b.html`; `messages.csv`; `sessions.jsonl` */
  take(session: NamedBy | undefined, { form, table }: { form: Export; table?: string }): string {
    const about = session ? nameOf(session) : "sessions";
    const stem = table === undefined ? about : session ? `${about}.${table}` : table;
    for (let number = 1; ; number += 1) {
      const name = `${stem}${number === 1 ? "" : `-${number}`}.${form.extension}`;
      // Some file systems ignore case.
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }
}

/** Ids are unique only within an agent. */
function nameOf({ id, source, project, startedAt, updatedAt }: NamedBy): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(startedAt ?? updatedAt ?? "")?.[0] ?? "undated";
  const about = safe(project.name, 40) || "project";
  return `${day}-${about}-${safe(source, 40)}-${safe(id, 8) || "session"}`;
}

/** Letters, digits, dots and dashes, with none of the latter two at either end. */
function safe(text: string, length: number): string {
  return text
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[-._]+/, "")
    .slice(0, length)
    .replace(/[-._]+$/, "");
}
