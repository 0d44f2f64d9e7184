import type { Message, Reference, Standing } from "../core/message.ts";
import type { Session } from "../core/session.ts";
import type { ToolCall, ToolDisplay } from "../core/tool-call.ts";
import type { TokenField } from "../core/counts.ts";
import { TOKEN_FIELDS } from "../core/counts.ts";
import type { SessionSummary } from "../core/summary.ts";
import { summarise } from "../core/summarise.ts";

/** One session in full: its summary, and all its messages. Unknown is `null`. */
export interface Transcript {
  session: SessionSummary;
  messages: MessageAnswer[];
}

export interface MessageAnswer {
  id: string;
  author: Message["author"];
  level: string | null;
  standing: Standing;
  reason: string | null;
  copyOf: string | null;
  at: string | null;
  model: string | null;
  text: string;
  isPrompt: boolean;
  typed: string | null;
  references: Reference[];
  injections: { kind: string; text: string }[];
  thoughts: { subject: string; description: string; at: string | null }[];
  toolCalls: ToolCallAnswer[];
  attachments: { mediaType: string; sizeBytes: number | null; uri: string | null }[];
  tokens: Record<TokenField, number | null> | null;
  place: { file: string; line: number };
}

export interface ToolCallAnswer {
  id: string;
  name: string;
  label: string;
  canonical: string;
  category: string;
  mcp: { server: string; tool: string } | null;
  args: unknown;
  outcome: string | null;
  at: string | null;
  output: string | null;
  outputFile: string | null;
  isCut: boolean;
  display: ToolDisplay | null;
  description: string | null;
  agentId: string | null;
}

export function transcribe(session: Session): Transcript {
  return { session: summarise(session), messages: session.messages.map(messageAnswer) };
}

function messageAnswer(message: Message): MessageAnswer {
  const { usage } = message;
  return {
    id: message.id,
    author: message.author,
    level: message.level ?? null,
    standing: message.standing,
    reason: message.reason ?? null,
    copyOf: message.copyOf ?? null,
    at: message.at ?? null,
    model: message.model ?? null,
    text: message.text,
    isPrompt: message.isPrompt,
    typed: message.typed ?? null,
    references: message.references,
    injections: message.injections,
    thoughts: message.thoughts.map(({ subject, description, at }) => {
      return { subject, description, at: at ?? null };
    }),
    toolCalls: message.toolCalls.map(toolCallAnswer),
    attachments: message.attachments.map(({ mediaType, sizeBytes, uri }) => {
      return { mediaType, sizeBytes: sizeBytes ?? null, uri: uri ?? null };
    }),
    tokens: usage ? tokensAnswer(usage) : null,
    place: { file: message.place.file, line: message.place.line },
  };
}

export function tokensAnswer(
  usage: Partial<Record<TokenField, number>>,
): Record<TokenField, number | null> {
  const pairs = TOKEN_FIELDS.map((field) => [field, usage[field] ?? null] as const);
  return Object.fromEntries(pairs) as Record<TokenField, number | null>;
}

function toolCallAnswer(call: ToolCall): ToolCallAnswer {
  return {
    id: call.id,
    name: call.name,
    label: call.label,
    canonical: call.canonical,
    category: call.category,
    mcp: call.mcp ?? null,
    args: call.args,
    outcome: call.outcome ?? null,
    at: call.at ?? null,
    output: call.output ?? null,
    outputFile: call.spill?.path ?? null,
    isCut: call.isCut === true,
    display: call.display ?? null,
    description: call.description ?? null,
    agentId: call.agentId ?? null,
  };
}
