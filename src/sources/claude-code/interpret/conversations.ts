import { originalPath } from "../../../core/files/session-file.ts";
import { basename } from "node:path";
import { addAll, compareTexts } from "../../../core/lists.ts";
import type { DecodedFile } from "../../source.ts";
import type { CostState, Node, Queued, Title, Transcript } from "../content.ts";
import { FORKED_ID } from "../formats/user-text.ts";
import { parentsFirst } from "./parents-first.ts";
import type { QueuedLine } from "./queued.ts";
import { isTyped } from "./queued.ts";
import { resumeTimes, Rewritten } from "./rewritten.ts";

export type TranscriptFile = DecodedFile<Transcript>;

/** The records of one session, in order, from all of its files. */
export interface Conversation {
  id: string;
  kind: "main" | "subagent";
  /** For a subagent: the session named in its records. */
  parentId?: string;
  /** For a subagent: its id in tool results. */
  agentId?: string;
  /** For a subagent: it began with the conversation so far. */
  isForked?: boolean;
  nodes: Node[];
  uuids: Set<string>;
  /**
   * Further copies of a record, in another file or in the same one; only the first is interpreted.
   */
  repeated: Map<string, Node[]>;
  rewritten: Rewritten;
  files: ConversationFile[];
  titles: Title[];
  queued: QueuedLine[];
  costStates: CostState[];
  /** Where an explicit rewind left it, if no message followed. */
  leaf?: string;
}

export interface ConversationFile {
  file: TranscriptFile;
  added: number;
  known: number;
}

/** Splits a group of files into conversations. */
export function conversationsOf(files: readonly TranscriptFile[]): Conversation[] {
  const all = new Map<string, Conversation>();
  for (const file of inOrder(files)) new Sorting(file, all).sort();
  for (const agent of all.values()) {
    const main = agent.kind === "subagent" ? all.get(`main ${agent.parentId}`) : undefined;
    if (main) {
      leaveCopies(agent, main);
      giveBack(agent, main);
    }
  }
  for (const conversation of all.values()) {
    conversation.nodes = parentsFirst(conversation.nodes, conversation.uuids);
  }
  return [...all.values()];
}

/**
 * Claude Code forks agents from the conversation for its own purposes, such as suggesting the next
 * prompt. Such an agent's file may begin with the end of the conversation, which is then missing in
 * the main file (2.1.27): all records before the agent's instructions.
 */
function giveBack(agent: Conversation, main: Conversation): void {
  const [first] = agent.nodes;
  if (first?.parent === undefined || !main.uuids.has(first.parent)) return;
  agent.isForked = true;
  const end = agent.nodes.findIndex((node) => node.kind === "user" && node.role === "fork");
  const given = agent.nodes[end];
  if (!given) return;
  const lent = agent.nodes.splice(0, end + 1, { ...given, parent: undefined }).slice(0, -1);
  for (const { uuid } of lent) agent.uuids.delete(uuid);
  const fresh = lent.filter((node) => !main.uuids.has(node.uuid));
  for (const { uuid } of fresh) main.uuids.add(uuid);
  main.nodes.splice(main.nodes.findIndex(({ uuid }) => uuid === first.parent) + 1, 0, ...fresh);
}

/**
 * To compact a conversation, 2.1.90 forks an agent whose file begins with a copy of all records,
 * under the same ids. Only its instructions and the summary are its own.
 */
function leaveCopies(agent: Conversation, { uuids }: Conversation): void {
  if (!uuids.has(agent.nodes[0]?.uuid ?? "")) return;
  const [first, ...others] = agent.nodes.filter(({ uuid }) => !uuids.has(uuid));
  agent.isForked = true;
  agent.nodes = first ? [{ ...first, parent: undefined }, ...others] : [];
  agent.uuids = new Set(agent.nodes.map(({ uuid }) => uuid));
}

/** Older contents of a path first, then by time; never by the order of finding. */
function inOrder(files: readonly TranscriptFile[]): TranscriptFile[] {
  return files.toSorted((a, b) => {
    return (
      Number(b.file.replaced !== undefined) - Number(a.file.replaced !== undefined) ||
      (a.file.replaced?.number ?? 0) - (b.file.replaced?.number ?? 0) ||
      compareTexts(lastAt(a), lastAt(b)) ||
      compareTexts(a.file.path, b.file.path)
    );
  });
}

/** The file written last comes last: its last record is the current end of the session. */
function lastAt({ content }: TranscriptFile): string {
  return content.nodes.findLast(({ at }) => at !== undefined)?.at ?? "";
}

/** `…/<session id>.jsonl`, `…/agent-<agent id>.jsonl` */
export function sessionIdOfPath(path: string): string {
  return basename(path).replace(/\.jsonl$/, "");
}

/**
 * Returns the session id of an agent. Short agent ids (2.0.30 to 2.1.27) are not unique among many
 * sessions; with the start of the parent's id they are.
 */
export function agentSessionId(agentId: string, parentId: string | undefined): string {
  const isShort = agentId.length < 12 || FORKED_ID.test(agentId);
  const isUnique = !isShort || parentId === undefined;
  return isUnique ? `agent-${agentId}` : `agent-${agentId}-${parentId.slice(0, 8)}`;
}

/**
 * Returns the session of a file. A main file is the session that it is named after or, if no record
 * names that, the one that its records name (1.0.128 may continue in a new file). The first record
 * of a fork may still name the session that it was copied from, and the first one of an agent the
 * previous id of its process.
 */
function sessionIdOf({ file, content }: TranscriptFile): string {
  const stem = sessionIdOfPath(originalPath(file));
  const { sessionIds } = content;
  if (file.role !== "subagent" && sessionIds.includes(stem)) return stem;
  return sessionIds.at(-1) ?? file.parentId ?? stem;
}

/** An older content of a file begins with the same lines, and a line may be written twice. */
function isSameLine(a: Queued, b: Queued): boolean {
  const isSameTime = a.at === undefined ? a.place.start === b.place.start : a.at === b.at;
  return isSameTime && a.text === b.text;
}

function isSaid({ kind }: Node): boolean {
  return kind === "answer" || kind === "user";
}

/** Assigns every record of one file to its conversation. */
class Sorting {
  readonly #file: TranscriptFile;
  readonly #all: Map<string, Conversation>;
  readonly #sessionId: string;
  readonly #resumedAt: ReadonlySet<string>;
  /** Uuid of the root, by the uuid of each record of a side chain. */
  readonly #roots = new Map<string, string>();
  readonly #parts = new Map<Conversation, ConversationFile>();
  #lastRoot: string | undefined;
  #main: Conversation | undefined;

  constructor(file: TranscriptFile, all: Map<string, Conversation>) {
    this.#file = file;
    this.#all = all;
    this.#sessionId = sessionIdOf(file);
    this.#resumedAt = resumeTimes(file.content.nodes);
  }

  sort(): void {
    const { nodes, titles, queued, costStates, leaves } = this.#file.content;
    for (const node of nodes) this.#add(node);
    // If the first request failed, 2.0.30 has its prompt only in the queue.
    if (nodes.length === 0 && queued.some(({ text }) => isTyped(text)))
      this.#partOf(this.#openMain());
    const own = this.#file.file.role === "subagent" ? [] : [...this.#parts.keys()];
    const mains = own.filter(({ kind }) => kind === "main");
    for (const conversation of mains) {
      addAll(
        conversation.titles,
        titles.filter(({ leaf }) => leaf === undefined),
      );
      for (const line of queued) {
        if (conversation.queued.some((known) => isSameLine(known, line))) continue;
        const follows = this.#before(line.after, conversation);
        conversation.queued.push({ ...line, ...(follows ? { follows } : {}) });
      }
      addAll(conversation.costStates, costStates);
      const leaf = leaves.at(-1);
      const isLast = leaf && !nodes.slice(leaf.after).some(isSaid);
      if (isLast && nodes.some(({ uuid }) => uuid === leaf.uuid)) conversation.leaf = leaf.uuid;
    }
  }

  #before(after: number, conversation: Conversation): Node | undefined {
    const { nodes } = this.#file.content;
    for (let at = after - 1; at >= 0; at -= 1) {
      const node = nodes[at];
      if (node && !node.isSidechain && conversation.uuids.has(node.uuid)) return node;
    }
    return undefined;
  }

  #add(node: Node): void {
    const conversation = this.#conversationOf(node);
    const part = this.#partOf(conversation);
    const { uuids, repeated, rewritten } = conversation;
    const first = uuids.has(node.uuid) ? node : rewritten.originalOf(node, this.#resumedAt);
    if (first) {
      const known = repeated.get(first.uuid);
      if (known) known.push(node);
      else repeated.set(first.uuid, [node]);
      part.known += 1;
      return;
    }
    uuids.add(node.uuid);
    conversation.nodes.push(rewritten.inPlace(node));
    // An older content of the file ended elsewhere.
    if (conversation.leaf !== undefined) delete conversation.leaf;
    part.added += 1;
  }

  #partOf(conversation: Conversation): ConversationFile {
    const known = this.#parts.get(conversation);
    if (known) return known;
    const part = { file: this.#file, added: 0, known: 0 };
    this.#parts.set(conversation, part);
    conversation.files.push(part);
    return part;
  }

  #openMain(): Conversation {
    return (this.#main ??= this.#open({ id: this.#sessionId, kind: "main" }));
  }

  #conversationOf(node: Node): Conversation {
    const sessionId = this.#sessionId;
    if (this.#file.file.role === "subagent") {
      const path = originalPath(this.#file.file);
      return this.#agent(sessionIdOfPath(path).replace(/^agent-/, ""), sessionId);
    }
    if (!node.isSidechain) return this.#openMain();
    return this.#agent(node.agentId ?? this.#rootOf(node), sessionId);
  }

  #agent(agentId: string, parentId: string): Conversation {
    return this.#open({
      id: agentSessionId(agentId, parentId),
      kind: "subagent",
      parentId,
      agentId,
    });
  }

  /**
   * Returns the id of a side chain: up to 2.0.0, the uuid of its first record. A record with a
   * missing parent is assigned to the previous chain.
   */
  #rootOf(node: Node): string {
    const parent = node.parent === undefined ? node.uuid : this.#roots.get(node.parent);
    const root = parent ?? this.#lastRoot ?? node.uuid;
    this.#roots.set(node.uuid, root);
    this.#lastRoot = root;
    return root;
  }

  #open(facts: Pick<Conversation, "id" | "kind" | "parentId" | "agentId">): Conversation {
    const key = `${facts.kind} ${facts.id}`;
    const known = this.#all.get(key);
    if (known) return known;
    const fresh: Conversation = {
      ...facts,
      nodes: [],
      uuids: new Set(),
      repeated: new Map(),
      rewritten: new Rewritten(),
      files: [],
      titles: [],
      queued: [],
      costStates: [],
    };
    this.#all.set(key, fresh);
    return fresh;
  }
}
