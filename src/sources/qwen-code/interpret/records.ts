import { originalPath } from "../../../core/files/session-file.ts";
import { groupBy } from "../../../core/group.ts";
import { compareTexts } from "../../../core/lists.ts";
import { optional } from "../../../core/optional.ts";
import type { Project } from "../../../core/session/project.ts";
import { projectAt } from "../../../core/session/project.ts";
import type { Reply, SessionContent } from "../../../core/session/session.ts";
import { emptySession } from "../../../core/session/session.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import { earliest, latest } from "../../../core/filter/time-range.ts";
import { fileRef } from "../../file-ref.ts";
import { asName, asObject, asText } from "../../decoding/fields.ts";
import { parseJsonText } from "../../decoding/parse.ts";
import type { Depth, HomeView } from "../../source.ts";
import { textIn } from "../../view.ts";
import type { ProcessTotals } from "../content.ts";
import { TITLE_LENGTH } from "../formats/outline.ts";
import type { Agent } from "./agents.ts";
import type { Conversation } from "./conversation.ts";
import { conversationOf } from "./conversation.ts";
import { addOrphanCalls, markCancelled } from "./repairs.ts";
import { slugOf, stemOf } from "../names.ts";
import { readChat } from "../read.ts";
import { leftDuring } from "../served.ts";
import { repliesOf, repliesOfMessages } from "./requests.ts";
import type { RecordFile, Tree } from "./tree.ts";
import { inOrder, treeOf } from "./tree.ts";
import { unrecordedOf } from "./unrecorded.ts";

/** All files with one session id: its conversation and those of its agents. */
interface Family {
  id: string;
  files: readonly RecordFile[];
  lines: readonly ProcessTotals[];
}

/** One conversation, of the session itself or of an agent. */
interface Strand extends Agent {
  files: readonly RecordFile[];
  tree: Tree;
  conversation: Conversation;
}

export function sessionsOfRecords({ id, files, lines }: Family, depth: Depth): SessionContent[] {
  const isAgent = ({ file, content }: RecordFile): boolean => {
    return file.role === "subagent" || content.facts.agentId !== undefined;
  };
  const own = files.filter((file) => !isAgent(file));
  const main = own.length === 0 ? undefined : strandOf(id, own);
  const agents = [...groupBy(files.filter(isAgent), agentIdOf)].map(([agentId, group]) => {
    return strandOf(agentId, group);
  });
  const replies = main && repliesOf(main.tree, main.messages, agents);
  if (main && depth !== "usage") {
    addOrphanCalls(main, agents);
    markCancelled(main.messages, main.tree);
  }
  const byAgent = (agent: Strand): readonly Reply[] => {
    return replies?.byAgent.get(agent.id) ?? repliesOfMessages(agent.messages);
  };
  const family = { id, depth };
  const sessions = agents.map((agent) => agentSession(agent, byAgent(agent), family));
  if (!main) return sessions;
  const session = sessionOf(id, main, replies?.main);
  for (const parent of [session, ...sessions]) linkAgents(parent, sessions);
  const homes = [...new Set(own.map(({ home }) => home))];
  const unrecorded = unrecordedOf(lines, main, (line) => {
    return homes.flatMap((home) => leftDuring(line, home, readChat));
  });
  const first = unrecorded.length === 0 ? session : { ...session, unrecorded };
  return [first, ...sessions];
}

function agentIdOf({ file, content }: RecordFile): string {
  return content.facts.agentId ?? stemOf(file).replace(/^agent-/, "");
}

function strandOf(id: string, files: readonly RecordFile[]): Strand {
  const tree = treeOf(files);
  const conversation = conversationOf(tree);
  const facts = files.map(({ content }) => content.facts);
  return {
    id,
    files: inOrder(files),
    tree,
    conversation,
    messages: conversation.messages,
    name: facts.find(({ agentName }) => agentName !== undefined)?.agentName,
    firstAt: earliest(facts.map(({ firstAt }) => firstAt)),
    lastAt: latest(facts.map(({ lastAt }) => lastAt)),
  };
}

function sessionOf(
  id: string,
  strand: Strand,
  replies: readonly Reply[] | undefined,
): SessionContent {
  const { files, tree, conversation } = strand;
  const facts = files.map(({ content }) => content.facts);
  const branch = facts.findLast((fact) => fact.branch !== undefined)?.branch;
  const forkedFrom = facts.find((fact) => fact.forkedFrom !== undefined)?.forkedFrom;
  return {
    ...emptySession(id, projectOf(files)),
    ...optional("summary", conversation.title),
    ...optional("startedAt", strand.firstAt ?? strand.lastAt),
    ...optional("updatedAt", strand.lastAt),
    directories: [...new Set(facts.flatMap(({ directories }) => directories))],
    ...(branch === undefined ? {} : { git: { branch } }),
    ...(forkedFrom === undefined ? {} : { origins: [{ sessionId: forkedFrom, how: "fork" }] }),
    messages: conversation.messages,
    replies: [...(replies ?? repliesOfMessages(conversation.messages))],
    compressions: conversation.compressions,
    files: files.map((file, index) => {
      const isNew = index === 0 || (tree.fresh.get(file) ?? 0) > 0;
      const part = index === 0 ? "whole" : isNew ? "continuation" : "copy";
      return fileRef(file, part, file.content.facts);
    }),
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Agent ids are unique only within a session: APIs may number calls from one. */
function agentSessionId(id: string, agentId: string): string {
  return `${id}~${agentId}`;
}

function agentSession(
  agent: Strand,
  replies: readonly Reply[],
  { id, depth }: { id: string; depth: Depth },
): SessionContent {
  const session = sessionOf(agentSessionId(id, agent.id), agent, replies);
  const [file] = agent.files;
  const path = file ? originalPath(file.file) : "";
  const notes = file && depth !== "usage" ? agentNotes(file.home, path) : {};
  const parent = notes.parentAgentId;
  return {
    ...session,
    kind: "subagent",
    parentId: parent === undefined ? id : agentSessionId(id, parent),
    ...optional("parentCallId", notes.callId ?? callIdOf(agent)),
    ...optional("summary", session.summary ?? notes.description),
  };
}

/** `<type>-<id of the call>`. */
function callIdOf({ id, name }: Strand): string | undefined {
  return name !== undefined && id.startsWith(`${name}-`) ? id.slice(name.length + 1) : undefined;
}

/** Agents may begin agents of their own; ids of calls may be the same in both conversations. */
function linkAgents(parent: SessionContent, sessions: readonly SessionContent[]): void {
  const calls = parent.messages.flatMap(({ toolCalls }) => {
    return toolCalls.filter(({ label }) => label === "Agent");
  });
  const own = sessions.filter(({ parentId }) => parentId === parent.id);
  for (const agent of own) {
    for (const call of calls) if (call.id === agent.parentCallId) call.agentId = agent.id;
  }
  const linked = new Set(calls.map(({ agentId }) => agentId));
  const others = own.filter(({ id }) => !linked.has(id));
  for (const agent of others.toSorted((a, b) => compareTexts(startOf(a), startOf(b)))) {
    const call = calls.find((known) => known.agentId === undefined && isTaskOf(known, agent));
    if (!call) continue;
    call.agentId = agent.id;
    agent.parentCallId = call.id;
  }
}

function startOf({ startedAt = "" }: SessionContent): string {
  return startedAt;
}

/** Agents of an editor's sessions have ids of their own (0.21.2): only the task is the same. */
function isTaskOf({ args }: ToolCall, { messages }: SessionContent): boolean {
  const given = asText(asObject(args)?.["prompt"]);
  const [task] = messages;
  return given !== undefined && task?.text.slice(0, TITLE_LENGTH) === given.slice(0, TITLE_LENGTH);
}

/** Takes the recorded directory that matches the folder name, otherwise the first one. */
function projectOf(files: readonly RecordFile[]): Project {
  for (const { file, content } of files) {
    const { directories } = content.facts;
    const isOwn = (path: string): boolean => {
      return slugOf(path) === file.folder || slugOf(path, "win32") === file.folder;
    };
    const path = directories.find(isOwn) ?? directories[0];
    if (path !== undefined) return projectAt(path);
  }
  return { name: files[0]?.file.folder ?? "", knownBy: "folder-name" };
}

/** Metadata beside a subagent's file. */
interface AgentNotes {
  parentAgentId?: string;
  callId?: string;
  description?: string;
}

function agentNotes({ view }: HomeView, file: string): AgentNotes {
  const parsed = parseJsonText(textIn(view, file.replace(/\.jsonl$/, ".meta.json")) ?? "");
  const meta = parsed.isJson ? asObject(parsed.value) : undefined;
  return {
    ...optional("parentAgentId", asName(meta?.["parentAgentId"])),
    ...optional("callId", asName(meta?.["toolUseId"])),
    ...optional("description", asName(meta?.["description"])),
  };
}
