import { originalPath } from "../../../core/files/session-file.ts";
import { compareTexts } from "../../../core/lists.ts";
import type { Message } from "../../../core/session/message.ts";
import type {
  Compression,
  Session,
  SessionContent,
  SessionFileRef,
} from "../../../core/session/session.ts";
import { groupBy } from "../../../core/group.ts";
import { optional } from "../../../core/optional.ts";
import { fileRef } from "../../file-ref.ts";
import { Arrangement, mergeByTime } from "./arrange.ts";
import { addCopy } from "./copies.ts";
import type { PlayedFile } from "./file-replay.ts";
import { earliest, latest, TimeBound } from "../../../core/filter/time-range.ts";
import { fillResults, markDelegations, markRepeatedUsage, markTasks } from "./repairs.ts";

type WithoutProject = Omit<SessionContent, "project" | "replies">;

/**
 * Merges all files of one session id into one session. The order in which files are replayed
 * depends only on their content, never on the order in which they were found.
 */
export function mergeFiles(id: string, played: readonly PlayedFile[]): WithoutProject {
  const files = inOrder(
    played.map((timed) => ({ ...timed, span: spanOf(timed) })).toSorted(byTime),
  );
  const merged = new MergedList(files.length === 1 ? "alone" : "among others");
  const refs: SessionFileRef[] = [];
  for (const timed of files) refs.push(refOf(timed, merged.add(timed)));
  const { messages } = merged;
  fillResults(messages);
  const facts = files.map(({ content }) => content.facts);
  const kind = facts.some((fact) => fact.kind === "subagent") ? "subagent" : kindByRole(files);
  if (kind === "subagent") markTasks(messages);
  else markDelegations(messages);
  markRepeatedUsage(messages);
  return {
    id,
    kind,
    ...optional("parentId", files.find(({ file }) => file.parentId !== undefined)?.file.parentId),
    ...optional("summary", facts.findLast((fact) => fact.summary !== undefined)?.summary),
    ...optional("startedAt", earliest([...facts.map((fact) => fact.startedAt), merged.firstAt])),
    ...optional("updatedAt", merged.lastAt ?? latest(facts.map((fact) => fact.updatedAt))),
    directories: facts.findLast((fact) => fact.directories !== undefined)?.directories ?? [],
    messages,
    compressions: compressionsOf(files, refs, messages),
    isImport: facts.some((fact) => fact.isImport === true),
    files: refs,
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  };
}

interface Span {
  firstAt?: string;
  lastAt?: string;
}

type Timed = PlayedFile & { span: Span };

function kindByRole(files: readonly PlayedFile[]): Session["kind"] {
  return files.every(({ file }) => file.role === "subagent") ? "subagent" : "main";
}

/** Does not build a list of all times, because there may be very many. */
function spanOf({ content }: PlayedFile): Span {
  const first = new TimeBound("earliest");
  const last = new TimeBound("latest");
  for (const message of content.messages) {
    if (!isSaid(message)) continue;
    first.add(message.at);
    last.add(message.at);
    for (const { at } of message.toolCalls) last.add(at);
  }
  return { ...optional("firstAt", first.time), ...optional("lastAt", last.time) };
}

/** The start context is written on every start, even if nothing is said. */
function isSaid(message: Message): boolean {
  if (message.isPrompt) return true;
  for (const { kind } of message.injections) if (kind === "session-context") return false;
  return true;
}

/** Sorts files by their start; of two versions of a file, the one written last decides. */
function byTime(a: Timed, b: Timed): number {
  return (
    compareTexts(a.span.firstAt ?? "9", b.span.firstAt ?? "9") ||
    compareTexts(writtenAt(a), writtenAt(b)) ||
    compareTexts(a.span.lastAt ?? "", b.span.lastAt ?? "") ||
    a.content.messages.length - b.content.messages.length ||
    a.file.sizeBytes - b.file.sizeBytes ||
    compareTexts(a.file.path, b.file.path)
  );
}

/** After a rewind, a file may end with earlier messages than an older version of it. */
function writtenAt({ content, span }: Timed): string {
  return latest([content.facts.updatedAt, span.lastAt]) ?? "";
}

/** Contents of the same path existed one after the other, whatever times they contain. */
function inOrder(files: Timed[]): Timed[] {
  if (!files.some(({ file }) => file.replaced)) return files;
  const places = groupBy(files, placeOf);
  for (const [place, contents] of places) places.set(place, contents.toSorted(byContent));
  return files.flatMap((timed) => places.get(placeOf(timed))?.shift() ?? []);
}

/** The current content is last; replaced ones are ordered by modification time and number. */
export function byContent({ file: a }: PlayedFile, { file: b }: PlayedFile): number {
  if (!a.replaced || !b.replaced) return a.replaced ? -1 : 1;
  return a.modifiedMs - b.modifiedMs || a.replaced.number - b.replaced.number;
}

/** The messages of all files added so far, each id once. */
class MergedList {
  messages: Message[] = [];
  firstAt: string | undefined;
  lastAt: string | undefined;
  readonly #byId = new Map<string, Message>();
  /** By path: the contents that existed there, in order. */
  readonly #contents = new Map<string, Set<string>>();
  readonly #how: "alone" | "among others";

  constructor(how: "alone" | "among others") {
    this.#how = how;
  }

  /** Adds a file's messages; returns the part that the file plays in the session. */
  add(timed: Timed): SessionFileRef["part"] {
    this.firstAt = earliest([this.firstAt, timed.span.firstAt]);
    this.lastAt = latest([this.lastAt, timed.span.lastAt]);
    const incoming = timed.content.messages;
    const said = incoming.filter(isSaid);
    const isFirst = this.messages.length === 0;
    const known = this.#countKnown(said);
    if (known > 0 && !isTorn(timed)) this.#markLeftOut(timed, said);
    this.#remember(timed);
    // In old versions a subagent has a separate file, written at the same time as the other one.
    if (!isFirst && known === 0) this.#interleave(incoming);
    else this.#merge(incoming);
    if (said.length === 0) return "stub";
    if (isFirst || known === 0) return isFirst ? "whole" : "continuation";
    return known === said.length ? "copy" : "continuation";
  }

  #countKnown(messages: readonly Message[]): number {
    let known = 0;
    for (const { id } of messages) if (this.#byId.has(id)) known += 1;
    return known;
  }

  #interleave(incoming: readonly Message[]): void {
    const fresh = incoming.filter(({ id }) => !this.#byId.has(id));
    for (const message of fresh) this.#byId.set(message.id, message);
    this.messages = mergeByTime(this.messages, fresh);
  }

  #merge(incoming: readonly Message[]): void {
    if (this.#how === "alone") {
      this.messages = [...incoming];
      return;
    }
    const arrangement = new Arrangement<Message>();
    for (const message of incoming) {
      const known = this.#byId.get(message.id);
      if (!known) {
        this.#byId.set(message.id, message);
        arrangement.add(message);
        continue;
      }
      addCopy(known, message, "line");
      const others = message.places.filter((place) => place !== message.place);
      known.places = [...known.places, ...others];
      takeStanding(known, message);
      arrangement.meet(known);
    }
    this.messages = arrangement.into(this.messages);
  }

  /**
   * Marks messages that a new content of the same path left out. A document is a complete list, so
   * what it omits no longer counts; JSON lines do so only if they continue without the messages. A
   * file that is merely shorter has lost its end, which was not taken back.
   */
  #markLeftOut(timed: Timed, said: readonly Message[]): void {
    const isDocument = timed.format === "single-json";
    if (isDocument) this.#markTruncated(said);
    const before = this.#contents.get(placeOf(timed));
    const goesOn = isDocument || said.some(({ id }) => !this.#byId.has(id));
    if (!before || !goesOn) return;
    const ids = new Set(timed.content.messages.map(({ id }) => id));
    for (const message of this.messages) {
      const isOnlyThere = message.places.every(({ file }) => before.has(file));
      const isCounted = message.author !== "notice" && isSaid(message);
      if (message.standing !== "live" || !isCounted || !isOnlyThere || ids.has(message.id))
        continue;
      message.standing = "rewritten";
      message.reason = "replaced";
    }
  }

  #remember(timed: Timed): void {
    const place = placeOf(timed);
    this.#contents.set(place, (this.#contents.get(place) ?? new Set()).add(timed.file.path));
  }

  /**
   * Up to 0.38 a rewind truncated the document. An older copy may still contain the removed
   * messages: those after the last shared message were rewound.
   */
  #markTruncated(said: readonly Message[]): void {
    const ids = new Set(said.map(({ id }) => id));
    const lastShared = this.messages.findLastIndex(({ id }) => ids.has(id));
    for (const message of this.messages.slice(lastShared + 1)) {
      if (message.standing !== "live" || !isSaid(message)) continue;
      message.standing = "rewound";
      message.reason = "rewind";
    }
  }
}

export function placeOf({ file }: PlayedFile): string {
  return originalPath(file);
}

/** The document was truncated during writing: what is missing was not taken back. */
function isTorn({ diagnostics }: PlayedFile): boolean {
  return diagnostics.some(({ code }) => code === "truncated-document");
}

/** The later file has the current standing of a message. */
function takeStanding(known: Message, later: Message): void {
  known.standing = later.standing;
  known.reason = later.reason;
  if (later.copyOf !== undefined) known.copyOf = later.copyOf;
}

function refOf(timed: Timed, part: SessionFileRef["part"]): SessionFileRef {
  const { content, span } = timed;
  const { startedAt = span.firstAt, updatedAt = span.lastAt } = content.facts;
  return fileRef(timed, part, { firstAt: startedAt, lastAt: updatedAt });
}

function compressionsOf(
  files: readonly Timed[],
  refs: readonly SessionFileRef[],
  messages: readonly Message[],
): Compression[] {
  const proved = files.flatMap(({ content }) => content.compressions);
  const unique = [...new Map(proved.map((entry) => [entry.messageId, entry])).values()];
  const parts = refs.filter(({ replacedPath }) => replacedPath === undefined);
  const isSplit =
    parts.filter(({ part }) => part === "whole" || part === "continuation").length > 1;
  const notices = messages.filter(isCompression);
  // A recorded summary also has a notice, which adds nothing.
  const unproved = notices.slice(unique.length);
  const noticed = unproved.map((message): Compression => {
    const how = isSplit && message.at !== undefined ? "split" : "notice";
    return { how, messageId: message.id, ...optional("at", message.at) };
  });
  return [...unique, ...noticed];
}

function isCompression({ signal }: Message): boolean {
  return signal === "compression";
}

/** From 0.31 to 0.36 a subagent's file has its parent's id: derives a separate one. */
export function sessionIdOf({ file, content }: Pick<PlayedFile, "file" | "content">): string {
  const { sessionId, kind } = content.facts;
  const stem = stemOf(file.path);
  if (sessionId === undefined) return stem;
  return kind === "subagent" && file.role === "main" ? `${sessionId}~${minuteOf(stem)}` : sessionId;
}

function stemOf(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return name.replace(/\.jsonl?(\..*)?$/, "");
}

function minuteOf(stem: string): string {
  return /(\d{4}-\d\d-\d\dT\d\d-\d\d)/.exec(stem)?.[1] ?? stem;
}
