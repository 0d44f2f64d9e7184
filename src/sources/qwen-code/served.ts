import { join } from "node:path";
import { groupBy } from "../../core/group.ts";
import { instantOf } from "../../core/instant.ts";
import { fileBytes } from "../../kernel/bytes.ts";
import { USAGE_RECORD } from "./formats/usage-record.ts";
import type { ProcessTotals, QwenContent } from "./content.ts";
import type { Recorded } from "./interpret/unrecorded.ts";
import { isServedBy, withoutRecorded } from "./interpret/unrecorded.ts";
import type { HomeView } from "../source.ts";
import { slugOf } from "./names.ts";
import { totalsOfSession } from "./totals.ts";
import type { View } from "../view.ts";
import { diskView } from "../view.ts";

/** Where to look for sessions, and how to read one. */
export interface ServedOptions {
  root: string;
  readChat: (path: string) => QwenContent;
}

/**
 * A process that serves an editor (ACP) writes its totals under an id that no session has: they are
 * those of all sessions that it served. Returns the lines without what these sessions recorded, and
 * leaves out those that have nothing else.
 */
export function withoutServed(
  lines: readonly ProcessTotals[],
  options: ServedOptions,
): ProcessTotals[] {
  const chats = new Chats(options);
  const bySession = groupBy(lines, ({ sessionId }) => sessionId);
  return lines.flatMap((line) => {
    if (line.isWithoutFile !== true) return [line];
    const served = chats.during(line).filter(({ sessionId }) => {
      // Sessions with totals of their own at that time belong to another process.
      return !(bySession.get(sessionId) ?? []).some((other) => isDuring(other, line));
    });
    const rest = { ...line };
    for (const recorded of served.flatMap(({ path }) => chats.recordedIn(path))) {
      if (isServedBy(rest, recorded)) rest.models = withoutRecorded(rest, recorded);
    }
    return rest.models.length === 0 && line.models.length > 0 ? [] : [rest];
  });
}

/**
 * The totals of a process are those of all sessions that it had, under the id of the last one:
 * after `/clear` and `/resume` it goes on with another session. Returns what the others recorded:
 * they have no totals of their own at that time, and no note about a process, which one that still
 * runs or was killed leaves beside its session.
 */
export function leftDuring(
  line: ProcessTotals,
  home: Pick<HomeView, "root" | "view">,
  readChat: ServedOptions["readChat"],
): readonly Recorded[] {
  const chats = chatsOf(home, readChat);
  const left = chats.during(line).filter(({ sessionId, path }) => {
    if (sessionId === line.sessionId || hasProcessNote(path)) return false;
    return !totalsOfSession(home, sessionId).some((other) => isDuring(other, line));
  });
  return left.flatMap(({ path }) => chats.recordedIn(path));
}

function hasProcessNote(path: string): boolean {
  return diskView.sizeOf(path.replace(/\.jsonl$/, ".runtime.json")) !== undefined;
}

const looked = new WeakMap<View, Map<string, { sizeBytes: number; chats: Chats }>>();

/** Looks at the chats of a root again only when its totals have grown. */
function chatsOf(
  { root, view }: Pick<HomeView, "root" | "view">,
  readChat: ServedOptions["readChat"],
): Chats {
  const sizeBytes = view.sizeOf(join(root, USAGE_RECORD)) ?? 0;
  const ofView = looked.get(view) ?? new Map<string, { sizeBytes: number; chats: Chats }>();
  looked.set(view, ofView);
  const before = ofView.get(root);
  if (before?.sizeBytes === sizeBytes) return before.chats;
  const chats = new Chats({ root, readChat });
  ofView.set(root, { sizeBytes, chats });
  return chats;
}

type Span = Pick<ProcessTotals, "startMs" | "endMs">;

function isDuring(a: Span, b: Span): boolean {
  return a.startMs <= b.endMs && a.endMs >= b.startMs;
}

interface Chat extends Span {
  path: string;
  sessionId: string;
}

/** The sessions of a root; each is looked at once. */
class Chats {
  readonly #options: ServedOptions;
  readonly #byFolder = new Map<string, readonly Chat[]>();
  readonly #recorded = new Map<string, readonly Recorded[]>();

  constructor(options: ServedOptions) {
    this.#options = options;
  }

  /** The sessions of a line's project that were written while its process ran. */
  during(line: ProcessTotals): Chat[] {
    const projects = join(this.#options.root, "projects");
    const slugs = [slugOf(line.project ?? ""), slugOf(line.project ?? "", "win32")];
    return [...new Set(slugs)].flatMap((slug) => {
      const folder = join(projects, slug, "chats");
      const chats = [folder, join(folder, "archive")].flatMap((path) => this.#in(path));
      return chats.filter((chat) => isDuring(chat, line));
    });
  }

  recordedIn(path: string): readonly Recorded[] {
    const known = this.#recorded.get(path) ?? recordedBy(this.#options.readChat(path));
    this.#recorded.set(path, known);
    return known;
  }

  #in(folder: string): readonly Chat[] {
    const chats = this.#byFolder.get(folder) ?? chatsIn(folder);
    this.#byFolder.set(folder, chats);
    return chats;
  }
}

function recordedBy(content: QwenContent): Recorded[] {
  if (content.kind !== "records") return [];
  const { entries, facts } = content;
  const byId = new Map(entries.map((entry) => [entry.uuid, entry]));
  return [{ tree: { entries, byId }, firstAt: facts.firstAt }];
}

const SESSION = /^([\w-]+)\.jsonl$/;
const TIME = /"timestamp"\s*:\s*"([^"]+)"/g;
const HEAD_BYTES = 4096;
const TAIL_BYTES = 65_536;

function chatsIn(folder: string): Chat[] {
  try {
    return diskView.list(folder).flatMap((name) => {
      const sessionId = SESSION.exec(name)?.[1];
      const path = join(folder, name);
      const sizeBytes = diskView.sizeOf(path);
      if (sessionId === undefined || sizeBytes === undefined) return [];
      return [{ sessionId, path, ...spanOf(path, sizeBytes) }];
    });
  } catch {
    // Few projects have an archive.
    return [];
  }
}

/** Records are appended: the first and the last time are at the ends of the file. */
function spanOf(path: string, sizeBytes: number): Span {
  const bytes = fileBytes(path);
  const end = bytes.range(Math.max(0, sizeBytes - TAIL_BYTES), sizeBytes);
  const start = sizeBytes <= TAIL_BYTES ? end : bytes.range(0, HEAD_BYTES);
  const [first, last] = [timesIn(start).at(0), timesIn(end).at(-1)];
  return { startMs: first ?? -Infinity, endMs: last ?? Infinity };
}

function timesIn(bytes: Buffer): number[] {
  const times = [...bytes.toString("latin1").matchAll(TIME)].map(([, at = ""]) => instantOf(at));
  return times.filter((ms) => !Number.isNaN(ms));
}
