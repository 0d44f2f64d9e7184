import { originalPath } from "../../../core/files/session-file.ts";
import { diagnosticAt } from "../../../core/files/diagnostic.ts";
import type { Diagnostic } from "../../../core/files/diagnostic.ts";
import { optional } from "../../../core/optional.ts";
import type {
  Compression,
  Session,
  SessionContent,
  SessionFileRef,
} from "../../../core/session/session.ts";
import { TimeBound } from "../../../core/filter/time-range.ts";
import { fileRef } from "../../file-ref.ts";
import type { Depth } from "../../source.ts";
import type { Boundary, Node, Queued, Title } from "../content.ts";
import { projectOf } from "../project.ts";
import { linkAgents, purposeOf } from "./agents.ts";
import type { Branch } from "./branch.ts";
import { branchOf } from "./branch.ts";
import type { Conversation, ConversationFile, TranscriptFile } from "./conversations.ts";
import { agentSessionId, conversationsOf, sessionIdOfPath } from "./conversations.ts";
import type { Copies, Others } from "./copies.ts";
import { copiesOf, othersAmong } from "./copies.ts";
import { messagesOf } from "./messages.ts";
import type { Cost } from "./replies.ts";
import { addUsage, costsOf, repliesOf } from "./replies.ts";
import { addUnrecorded, unrecordedOf } from "./unrecorded.ts";
import { basename, dirname, join } from "node:path";
import type { SpilledOutput } from "../../../core/session/tool-call.ts";

/** Makes sessions from the files of a group. */
export function interpret(files: readonly TranscriptFile[], depth: Depth): SessionContent[] {
  const conversations = conversationsOf(files);
  const group = new Group(conversations, files, depth);
  const sessions = conversations.map((conversation) => group.session(conversation));
  if (depth !== "usage") {
    linkAgents(sessions, new Map(conversations.map((found) => [found.id, found])));
    findSpills(sessions, files);
  }
  return sessions;
}

/** Conversations of a group, with facts that need all of them. */
class Group {
  readonly #conversations: readonly Conversation[];
  readonly #others: Others;
  readonly #costs: ReadonlyMap<string, Cost>;
  readonly #summaries: readonly Title[];
  /** Session ids of agents, by agent id. */
  readonly #agents: ReadonlyMap<string, string>;
  readonly #depth: Depth;

  constructor(
    conversations: readonly Conversation[],
    files: readonly TranscriptFile[],
    depth: Depth,
  ) {
    this.#conversations = conversations;
    this.#others = othersAmong(conversations);
    this.#costs = costsOf(conversations);
    this.#summaries = files.flatMap(({ content }) =>
      content.titles.filter(({ leaf }) => leaf !== undefined),
    );
    this.#agents = new Map(
      conversations.flatMap(({ agentId, id }) => (agentId === undefined ? [] : [[agentId, id]])),
    );
    this.#depth = depth;
  }

  session(conversation: Conversation): SessionContent {
    const { id, kind, nodes } = conversation;
    const depth = this.#depth;
    const branch = branchOf(nodes, conversation.leaf);
    const copies = copiesOf(conversation, this.#others);
    const purpose = purposeOf(conversation, this.#conversations);
    const replies = repliesOf(conversation, branch, { costs: this.#costs, purpose });
    const messages = depth === "usage" ? [] : this.#messages(conversation, branch, copies);
    addUsage(messages, replies);
    const session: SessionContent = {
      id,
      kind,
      ...optional("parentId", conversation.parentId),
      ...factsOf(conversation, copies),
      ...optional("summary", titleOf(conversation, this.#summaries)),
      messages,
      replies,
      compressions: compressionsOf(nodes),
      isImport: false,
      files: conversation.files.map(refOf),
      diagnostics: diagnosticsOf(conversation, purpose === "warm-up" ? [] : branch.gaps),
    };
    if (copies.origins.length > 0) session.origins = copies.origins;
    addUnrecorded(session, this.#unrecorded(conversation, copies));
    return session;
  }

  #messages(conversation: Conversation, branch: Branch, copies: Copies): Session["messages"] {
    return messagesOf(conversation, {
      branch,
      inherited: copies.inherited,
      agentSession: (agentId) => this.#agentSession(agentId, conversation),
    });
  }

  /** A copied call refers to an agent of the session that it was copied from. */
  #agentSession(agentId: string, { id, parentId = id }: Conversation): string {
    const own = agentSessionId(agentId, parentId);
    const isOwn = this.#conversations.some((other) => other.id === own);
    return isOwn ? own : (this.#agents.get(agentId) ?? own);
  }

  #unrecorded(conversation: Conversation, copies: Copies): ReturnType<typeof unrecordedOf> {
    const conversations = this.#conversations;
    return unrecordedOf(conversation, { conversations, costs: this.#costs, copies });
  }
}

type Facts = Pick<Session, "project" | "startedAt" | "updatedAt" | "directories" | "git">;

function factsOf({ nodes, files, queued }: Conversation, { inherited }: Copies): Facts {
  const own = inherited.size === 0 ? nodes : nodes.filter((node) => !inherited.has(node));
  const span = spanOf(nodes.length === 0 ? queued : nodes);
  const transcripts = files.map(({ file }) => file);
  const branch = transcripts.findLast(({ content }) => content.branch !== undefined)?.content
    .branch;
  return {
    project: projectOf(transcripts),
    ...optional("startedAt", own.length === 0 || own === nodes ? span.first : spanOf(own).first),
    ...optional("updatedAt", span.last),
    directories: [],
    ...(branch === undefined ? {} : { git: { branch } }),
  };
}

interface Span {
  first: string | undefined;
  last: string | undefined;
}

type Timed = Pick<Queued, "at"> | Pick<Node, "at">;

/** `2026-11-15T20:50:13.213Z`: times of this form sort as strings. */
const PLAIN_LENGTH = 24;

function spanOf(nodes: readonly Timed[]): Span {
  let first: string | undefined;
  let last: string | undefined;
  for (const { at } of nodes) {
    if (at === undefined) continue;
    if (at.length !== PLAIN_LENGTH || !at.endsWith("Z")) return oddSpan(nodes);
    if (first === undefined || at < first) first = at;
    if (last === undefined || at > last) last = at;
  }
  return { first, last };
}

function oddSpan(nodes: readonly Timed[]): Span {
  const first = new TimeBound("earliest");
  const last = new TimeBound("latest");
  for (const { at } of nodes) {
    first.add(at);
    last.add(at);
  }
  return { first: first.time, last: last.time };
}

/** Returns the title: custom, generated, in another file; without prompts, a plan or a command. */
function titleOf(
  { titles, nodes, uuids }: Conversation,
  summaries: readonly Title[],
): string | undefined {
  const named =
    titles.findLast(({ kind }) => kind === "custom") ??
    titles.findLast(({ kind }) => kind === "generated") ??
    lastOf(
      summaries.filter(({ leaf }) => uuids.has(leaf ?? "")),
      nodes,
    );
  if (named) return named.text;
  const users = nodes.filter((node) => node.kind === "user");
  if (users.some(({ role }) => role === "prompt")) return undefined;
  return users.find(({ plan }) => plan)?.plan ?? users.find(({ command }) => command)?.command;
}

/** Returns the title made last; each title names the record after which it was made. */
function lastOf(titles: readonly Title[], nodes: readonly Node[]): Title | undefined {
  if (titles.length < 2) return titles[0];
  const order = new Map(nodes.map(({ uuid }, at) => [uuid, at]));
  const place = ({ leaf }: Title): number => order.get(leaf ?? "") ?? -1;
  return titles.toSorted((a, b) => place(a) - place(b)).at(-1);
}

function compressionsOf(nodes: readonly Node[]): Compression[] {
  const keeping = new Set(
    nodes.flatMap((node) => {
      return node.kind === "note" && node.boundary && isKeeping(node.boundary) ? [node.uuid] : [];
    }),
  );
  return nodes.flatMap((node): Compression[] => {
    if (node.kind !== "user" || node.role !== "summary") return [];
    const keeps = keeping.has(node.parent ?? "") ? ("behind" as const) : undefined;
    const { uuid: messageId, at } = node;
    return [{ how: "summary", ...optional("at", at), messageId, ...optional("keeps", keeps) }];
  });
}

function isKeeping({ preserved, segment }: Boundary): boolean {
  return preserved.length > 0 || segment !== undefined;
}

function refOf({ file, added, known }: ConversationFile, at: number): SessionFileRef {
  const { first, last } = spanOf(file.content.nodes);
  const part = at === 0 ? "whole" : added === 0 && known > 0 ? "copy" : "continuation";
  return fileRef(file, part, { firstAt: first, lastAt: last });
}

function diagnosticsOf({ kind, files }: Conversation, gaps: readonly Node[]): Diagnostic[] {
  // An agent inside the main file has no diagnostics of its own.
  const own = files.filter(({ file }) => kind === "main" || file.file.role === "subagent");
  return [
    ...own.flatMap(({ file }) => file.diagnostics),
    ...gaps.map(({ place }) => {
      const message =
        "The parent of this record is missing; a resumed session begins with this record.";
      return diagnosticAt(place, { code: "bad-message", severity: "notice", message });
    }),
  ];
}

/** Locates the files of long outputs: by their recorded name in the folder of the session. */
function findSpills(sessions: readonly SessionContent[], files: readonly TranscriptFile[]): void {
  for (const { messages } of sessions) {
    for (const { toolCalls } of messages) {
      for (const call of toolCalls) {
        if (call.spill) call.spill = located(call.spill, files);
      }
    }
  }
}

function located(spill: SpilledOutput, files: readonly TranscriptFile[]): SpilledOutput {
  const name = basename(spill.path);
  for (const { file, home } of files) {
    if (file.role === "subagent") continue;
    const path = originalPath(file);
    const beside = join(dirname(path), sessionIdOfPath(path), "tool-results", name);
    const sizeBytes = home.view.sizeOf(beside);
    if (sizeBytes !== undefined) return { path: beside, sizeBytes, isFound: true };
  }
  return { ...spill, isFound: false };
}
