import { instantOf } from "../../../core/instant.ts";
import type { SessionOrigin } from "../../../core/session/session.ts";
import type { AnswerNode, Node } from "../content.ts";
import { isResumedByCopy } from "../formats/generation.ts";
import type { Conversation } from "./conversations.ts";

/** Records of a session that are copies, and the sessions that they come from. */
export interface Copies {
  inherited: ReadonlySet<Node>;
  origins: SessionOrigin[];
}

const NONE: Copies = { inherited: new Set(), origins: [] };

/**
 * Finds copied records. A session may begin with the records of another one:
 * - up to 1.0.110 a resume copies them under new ids, with its own time and without the request
 * - `--fork-session` copies them with their ids and, from 2.0.30 on, with their times
 * - `/branch` copies ids and times too, and names the session that they come from
 * - a fork has only what the last compaction left, and its summary, which names its session
 */
export function copiesOf(conversation: Conversation, others: Others): Copies {
  if (conversation.kind !== "main") return NONE;
  const inherited = new Set<Node>();
  const origins: SessionOrigin[] = [];
  for (const node of conversation.nodes) {
    if (node.forkedFrom === undefined || node.forkedFrom === conversation.id) continue;
    inherited.add(node);
    addOrigin(origins, { sessionId: node.forkedFrom, how: "fork" });
  }
  const sessionId = compactedOrigin(conversation);
  if (sessionId !== undefined) addOrigin(origins, { sessionId, how: "fork" });
  addResumed(conversation.nodes, inherited);
  addForked(conversation, others, { inherited, origins });
  addCompacted(conversation, inherited);
  return { inherited, origins };
}

function addOrigin(origins: SessionOrigin[], origin: SessionOrigin): void {
  if (!origins.some(({ sessionId }) => sessionId === origin.sessionId)) origins.push(origin);
}

/** Copies are made one after the other, without a request in between. */
const COPYING_MS = 20;
/** A real answer never has the time of its prompt. */
const CLOCK_TICK_MS = 1;

/** A resume copies everything at once: all copies have the same time, unless the clock ticks. */
function addResumed(nodes: readonly Node[], inherited: Set<Node>): void {
  if (!nodes.some(mayBeResumed)) return;
  const byUuid = new Map(nodes.map((node) => [node.uuid, node]));
  const times = new Set<string>();
  const copied = new Set<Node>();
  for (const node of nodes) {
    if (node.kind !== "answer" || node.at === undefined || node.synthetic) continue;
    const parent = node.parent === undefined ? undefined : byUuid.get(node.parent);
    if (!isResumed(node, parent, copied)) continue;
    copied.add(node);
    times.add(node.at);
  }
  if (times.size === 0) return;
  let next: Node | undefined;
  for (const node of nodes.toReversed()) {
    const isBefore = next !== undefined && isWithin(COPYING_MS, node, next);
    const isCopied = isBefore || (node.at !== undefined && times.has(node.at));
    if (isCopied) inherited.add(node);
    next = isCopied ? node : undefined;
  }
}

function isWithin(durationMs: number, earlier: Node, later: Node): boolean {
  if (earlier.at === undefined || later.at === undefined) return false;
  return Math.abs(instantOf(later.at) - instantOf(earlier.at)) <= durationMs;
}

function mayBeResumed(node: Node): boolean {
  return node.kind === "answer" && !node.synthetic && (node.isFree || !node.hasRequest);
}

function isResumed(node: AnswerNode, parent: Node | undefined, copied: ReadonlySet<Node>): boolean {
  if (node.isFree) return true;
  if (node.hasRequest || !parent || !isWithin(CLOCK_TICK_MS, parent, node)) return false;
  return parent.kind === "user" || copied.has(parent);
}

/**
 * A fork of a compacted session may be read without its original. In print mode its file begins
 * with a line that is newer than the copies.
 */
function addCompacted(conversation: Conversation, inherited: Set<Node>): void {
  const opened = conversation.files[0]?.file.content.firstLineAt;
  if (opened === undefined || !beginsCompacted(conversation)) return;
  const openedMs = instantOf(opened);
  for (const node of conversation.nodes) {
    if (node.at !== undefined && instantOf(node.at) < openedMs) inherited.add(node);
  }
}

/**
 * Whether the records before the first compaction are missing. A fork begins with the last one: in
 * the middle of its original, where no key is found. Up to 2.1.50 copied prompts name the original.
 */
export function beginsCompacted({ nodes: [first] }: Conversation): boolean {
  return first?.kind === "note" && first.boundary?.logicalParent !== undefined;
}

/** Returns the session whose file the summary names that a fork begins with (2.0.77+). */
function compactedOrigin(conversation: Conversation): string | undefined {
  if (!beginsCompacted(conversation)) return undefined;
  const { id, nodes } = conversation;
  const [named] = nodes.flatMap((node) => (node.kind === "user" ? (node.summaryOf ?? []) : []));
  return named === id ? undefined : named;
}

/**
 * If two sessions share records, the one that was written later has the copies. Sessions that only
 * have copies of the same records are no origins.
 */
function addForked(
  conversation: Conversation,
  { others, isCopyOf }: Others,
  { inherited, origins }: { inherited: Set<Node>; origins: SessionOrigin[] },
): void {
  const sources = others.flatMap((other) => {
    if (other === conversation || other.kind !== "main") return [];
    const shared = conversation.nodes.filter(
      ({ uuid }) => holds(other, uuid) && !uuid.startsWith("line-"),
    );
    return shared.length === 0 || !isCopyOf(conversation, other) ? [] : [{ other, shared }];
  });
  const [version] = conversation.files[0]?.file.content.versions ?? [];
  const how = isResumedByCopy(version) ? "resume-copy" : "fork";
  const originalsFirst = sources.toSorted((a, b) => (isCopyOf(a.other, b.other) ? 1 : -1));
  const found = new Set<Node>();
  for (const { other, shared } of originalsFirst) {
    if (shared.some((node) => !found.has(node))) addOrigin(origins, { sessionId: other.id, how });
    for (const node of shared) {
      inherited.add(node);
      found.add(node);
    }
  }
}

/** A fork copies the records that a resume wrote again, not their originals. */
function holds({ uuids, rewritten }: Conversation, uuid: string): boolean {
  return uuids.has(uuid) || rewritten.has(uuid);
}

/** Conversations that may share records, and which of two has the copies. */
export interface Others {
  others: readonly Conversation[];
  isCopyOf: (conversation: Conversation, other: Conversation) => boolean;
}

/** Compares each pair of conversations at most once. */
export function othersAmong(others: readonly Conversation[]): Others {
  const known = new Map<Conversation, Map<Conversation, boolean>>();
  return {
    others,
    isCopyOf(conversation, other) {
      const compared = known.get(conversation) ?? new Map<Conversation, boolean>();
      known.set(conversation, compared);
      const result = compared.get(other) ?? isCopy(conversation, other);
      compared.set(other, result);
      return result;
    },
  };
}

function isCopy(conversation: Conversation, other: Conversation): boolean {
  const named = namedOrigin(conversation, other);
  if (named !== undefined) return named;
  const difference =
    branched(conversation, other) - branched(other, conversation) ||
    laterTimes(conversation, other) ||
    Number(isOpenedLater(conversation, other)) - Number(isOpenedLater(other, conversation)) ||
    ownBeforeShared(other, conversation) - ownBeforeShared(conversation, other) ||
    otherLines(conversation, other) - otherLines(other, conversation);
  return difference === 0 ? conversation.id > other.id : difference > 0;
}

/**
 * A branch names its original, and so does a summary that a fork begins with; up to 2.1.50 copied
 * prompts keep the id of their session.
 */
function namedOrigin(a: Conversation, b: Conversation): boolean | undefined {
  const [isNamed, isNaming] = [names(a, b), names(b, a)];
  return isNamed === isNaming ? undefined : isNamed;
}

function names(conversation: Conversation, { id }: Conversation): boolean {
  const { nodes, files } = conversation;
  return (
    compactedOrigin(conversation) === id ||
    nodes.some(({ forkedFrom }) => forkedFrom === id) ||
    files.some(({ file }) => file.content.sessionIds.includes(id))
  );
}

/** Counts the shared records that say that they are copies of a branch, of whatever session. */
function branched({ nodes }: Conversation, other: Conversation): number {
  return nodes.filter(({ uuid, forkedFrom }) => forkedFrom && holds(other, uuid)).length;
}

/** Up to 2.0.0 copies have the time of the fork. */
function laterTimes({ nodes }: Conversation, other: Conversation): number {
  const times = new Map(other.nodes.map(({ uuid, at }) => [uuid, at]));
  for (const { uuid, at } of nodes) {
    const otherAt = times.get(uuid);
    if (at === undefined || otherAt === undefined || at === otherAt) continue;
    return instantOf(at) - instantOf(otherAt);
  }
  return 0;
}

/** Whether the file begins with a line newer than all shared records: they are copies. */
function isOpenedLater({ files, nodes }: Conversation, other: Conversation): boolean {
  const opened = files[0]?.file.content.firstLineAt;
  if (opened === undefined) return false;
  const openedMs = instantOf(opened);
  return nodes.every(({ uuid, at }) => {
    return at === undefined || !holds(other, uuid) || instantOf(at) < openedMs;
  });
}

/** Counts own records before the last shared one: abandoned branches and notes are not copied. */
function ownBeforeShared({ nodes }: Conversation, other: Conversation): number {
  const last = nodes.findLastIndex(({ uuid }) => holds(other, uuid));
  return nodes.slice(0, last + 1).filter(({ uuid }) => !holds(other, uuid)).length;
}

/**
 * An interactive fork has the copies in one piece, behind all file snapshots; the original has
 * lines about its state in between. Counts the lines before the copies less those in between.
 */
function otherLines({ nodes }: Conversation, other: Conversation): number {
  const shared = nodes.filter(({ uuid }) => holds(other, uuid));
  const file = shared[0]?.place.file;
  const lines = shared.flatMap(({ place }) => (place.file === file ? [place.line] : []));
  const first = lines.reduce((least, line) => Math.min(least, line), Infinity);
  const last = lines.reduce((most, line) => Math.max(most, line), 0);
  return first - (last - first + 1 - lines.length);
}
