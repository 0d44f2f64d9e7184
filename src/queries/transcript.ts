import type { UserAnnotations } from "../core/session/annotation.ts";
import type { Attachment } from "../core/session/attachment.ts";
import type { Message, Reference, Standing } from "../core/session/message.ts";
import type { Chain, ChainLink } from "../core/session/chain.ts";
import type { Compression, Session } from "../core/session/session.ts";
import type { ToolCall, ToolDisplay } from "../core/session/tool-call.ts";
import type { Counts } from "../core/usage/counts.ts";
import type { SessionSummary, TokenSums } from "../core/rows/summary.ts";
import { addNullable } from "../core/usage/usage-facts.ts";
import type { TouchedFile } from "../core/rows/touched-file.ts";
import { summarise } from "../core/rows/summarise.ts";
import { callError, callTarget } from "./call-texts.ts";

/** A session in full: its summary and all messages. Unknown is `null`. */
export interface Transcribed {
  session: SessionSummary;
  messages: MessageAnswer[];
}

/** A transcript with the sessions it continues and those that continue it. */
export interface Transcript extends Transcribed {
  continues: NeighbourSession[];
  continuedBy: NeighbourSession[];
}

export interface NeighbourSession {
  id: string;
  how: ChainLink["how"];
  /** `null` if the session is not known; then only its id is. */
  source: string | null;
  title: string | null;
}

export interface MessageAnswer {
  id: string;
  author: Message["author"];
  level: string | null;
  standing: Standing;
  reason: string | null;
  copyOf: string | null;
  /** It was said in an earlier session that this one continues. */
  isInherited: boolean;
  at: string | null;
  model: string | null;
  text: string;
  isPrompt: boolean;
  typed: string | null;
  references: Reference[];
  injections: { kind: string; text: string }[];
  /** How it is known that the conversation was compressed here. */
  compression: Compression["how"] | null;
  /** Encrypted thoughts are listed without text. */
  thoughts: { subject: string; description: string; at: string | null; isEncrypted: boolean }[];
  toolCalls: ToolCallAnswer[];
  attachments: AttachmentAnswer[];
  tokens: TokenSums | null;
  place: { file: string; line: number };
  /** Annotations by a person; absent if there are none. */
  own?: UserAnnotations;
}

export interface AttachmentAnswer {
  mediaType: string;
  sizeBytes: number | null;
  uri: string | null;
}

export interface ToolCallAnswer {
  id: string;
  name: string;
  label: string;
  canonical: string;
  category: string;
  mcp: { server: string; tool: string } | null;
  args: unknown;
  /** What it is about, on one line: its command, files (within the project), pattern or task. */
  target: string | null;
  /** The command line of a shell call. */
  shellLine: string | null;
  /** Files it touched, with changed lines where recorded. */
  files: TouchedFile[];
  outcome: string | null;
  at: string | null;
  output: string | null;
  /** The beginning of what a failed call said. */
  error: string | null;
  outputFile: string | null;
  isCut: boolean;
  attachments: AttachmentAnswer[];
  display: ToolDisplay | null;
  description: string | null;
  agentId: string | null;
}

export function transcribe(session: Session): Transcribed {
  return { session: summarise(session), messages: [...messageAnswers(session)] };
}

/** Yields messages one by one; with `messages` given, the session may be an outline. */
export function* messageAnswers(
  session: Session,
  messages: Iterable<Message> = session.messages,
): Generator<MessageAnswer> {
  const marks = compressionMarks(session);
  const { path: folder } = session.project;
  for (const message of messages) {
    yield messageAnswer(message, { compression: marks.get(message.id), folder });
  }
}

/** By the message that records the compression, or else by its time. */
function compressionMarks({ messages, compressions }: Session): Map<string, Compression["how"]> {
  const marks = new Map<string, Compression["how"]>();
  if (compressions.length === 0) return marks;
  const byId = new Map(messages.map((message) => [message.id, message]));
  for (const { how, messageId = "", at = "" } of compressions) {
    const later = messages.find((message) => (message.at ?? "") >= at);
    const marked = byId.get(messageId) ?? (at === "" ? undefined : (later ?? messages.at(-1)));
    if (marked) marks.set(marked.id, how);
  }
  return marks;
}

/** The sessions that a session continues, and those that continue it. */
export function neighboursOf(
  id: string,
  { chains, known }: { chains: readonly Chain[]; known: readonly SessionSummary[] },
): Pick<Transcript, "continues" | "continuedBy"> {
  const links = chains.flatMap((chain) => chain.links);
  const neighbour = (other: string, how: ChainLink["how"]): NeighbourSession => {
    const { source = null, title = null } = known.find((summary) => summary.id === other) ?? {};
    return { id: other, how, source, title };
  };
  return {
    continues: links.flatMap(({ fromId, toId, how }) =>
      toId === id ? neighbour(fromId, how) : [],
    ),
    continuedBy: links.flatMap(({ fromId, toId, how }) =>
      fromId === id ? neighbour(toId, how) : [],
    ),
  };
}

interface MessageContext {
  compression: Compression["how"] | undefined;
  /** The project's folder. */
  folder: string | undefined;
}

function messageAnswer(message: Message, { compression, folder }: MessageContext): MessageAnswer {
  const { usage } = message;
  return {
    id: message.id,
    author: message.author,
    level: message.level ?? null,
    standing: message.standing,
    reason: message.reason ?? null,
    copyOf: message.copyOf ?? null,
    isInherited: message.isInherited === true,
    at: message.at ?? null,
    model: message.model ?? null,
    text: message.text,
    isPrompt: message.isPrompt,
    typed: message.typed ?? null,
    references: message.references,
    injections: message.injections,
    compression: compression ?? null,
    thoughts: message.thoughts.map(({ subject, description, at, isEncrypted = false }) => {
      return { subject, description, at: at ?? null, isEncrypted };
    }),
    toolCalls: message.toolCalls.map((call) => toolCallAnswer(call, folder)),
    attachments: message.attachments.map(attachmentAnswer),
    tokens: usage ? tokensAnswer(usage) : null,
    place: { file: message.place.file, line: message.place.line },
  };
}

/**
 * Recorded counts in one convention: `input` is the whole prompt and `output` excludes thoughts,
 * however the agent nests them. `null` is not recorded.
 */
export function tokensAnswer(counts: Counts): TokenSums {
  const { cached = null, thoughts = null, tool = null } = counts;
  const cacheWrite = addNullable(counts.cacheWrite5m ?? null, counts.cacheWrite1h ?? null);
  const isBeside = counts.shape === "cache-beside-input";
  const isInside = counts.reasoning === "inside-output";
  const input = plus(counts.input, isBeside ? (cached ?? 0) + (cacheWrite ?? 0) : 0);
  const output = plus(counts.output, isInside ? -(thoughts ?? 0) : 0);
  // Agents that count the cache beside the input record no total.
  const parts = isBeside && input !== null && output !== null;
  const sum = parts ? input + output + (thoughts ?? 0) + (tool ?? 0) : null;
  const total = counts.total ?? sum;
  return { input, cached, cacheWrite, output, thoughts, tool, total };
}

function plus(count: number | undefined, more: number): number | null {
  return count === undefined ? null : Math.max(0, count + more);
}

function attachmentAnswer({ mediaType, sizeBytes, uri }: Attachment): AttachmentAnswer {
  return { mediaType, sizeBytes: sizeBytes ?? null, uri: uri ?? null };
}

function toolCallAnswer(call: ToolCall, folder: string | undefined): ToolCallAnswer {
  return {
    id: call.id,
    name: call.name,
    label: call.label,
    canonical: call.canonical,
    category: call.category,
    mcp: call.mcp ?? null,
    args: call.args,
    target: callTarget(call, folder) ?? null,
    shellLine: call.shellLine ?? null,
    files: call.files ?? [],
    outcome: call.outcome ?? null,
    at: call.at ?? null,
    output: call.output ?? null,
    error: callError(call),
    outputFile: call.spill?.path ?? null,
    isCut: call.isCut === true,
    attachments: (call.attachments ?? []).map(attachmentAnswer),
    display: call.display ?? null,
    description: call.description ?? null,
    agentId: call.agentId ?? null,
  };
}
