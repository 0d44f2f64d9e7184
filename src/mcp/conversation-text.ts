import type { McpContext } from "./context.ts";
import { masked } from "./context.ts";
import { USUAL_CHARACTERS, wrongCursor } from "./pieces.ts";
import type { MessageAnswer, ToolCallAnswer, Transcript } from "../queries/transcript.ts";

/** Limit for a tool's arguments and output in a conversation; a single message has all of it. */
const TOOL_CHARACTERS = 1_500;

export interface TextPiece {
  text: string;
  /** Cursor of the next piece; `null` at the end. */
  next: string | null;
}

export interface TextRequest {
  /** Message ids; the whole conversation if absent. */
  from?: string | undefined;
  to?: string | undefined;
  cursor?: string | undefined;
  most?: number | undefined;
  detail?: "brief" | "whole";
}

/**
 * A conversation as text for an agent: one block per message, with ids to request parts of it. A
 * piece ends after a message if possible, otherwise inside a long one.
 */
export async function conversationPiece(
  context: Pick<McpContext, "mask">,
  { messages }: Pick<Transcript, "messages">,
  request: TextRequest,
): Promise<TextPiece> {
  const { cursor, most = USUAL_CHARACTERS, detail = "brief" } = request;
  const meant = rangeOf(messages, request);
  const start = cursor === undefined ? { at: 0, offset: 0 } : placeOf(cursor);
  const blocks: string[] = [];
  let room = most;
  for (let at = start.at; at < meant.length; at += 1) {
    const message = meant[at];
    if (!message) break;
    const whole = await masked(context, blockOf(message, detail));
    const block = at === start.at ? whole.slice(start.offset) : whole;
    if (block.length <= room) {
      blocks.push(block);
      room -= block.length;
      continue;
    }
    if (blocks.length > 0) return { text: blocks.join("\n\n"), next: `${at}.0` };
    const offset = at === start.at ? start.offset : 0;
    const end = lineEnd(block, room);
    return { text: block.slice(0, end), next: `${at}.${offset + end}` };
  }
  return { text: blocks.join("\n\n"), next: null };
}

function rangeOf(
  messages: readonly MessageAnswer[],
  { from, to }: TextRequest,
): readonly MessageAnswer[] {
  const first = from === undefined ? 0 : messages.findIndex(({ id }) => id === from);
  const last = to === undefined ? messages.length - 1 : messages.findIndex(({ id }) => id === to);
  return messages.slice(Math.max(0, first), last + 1);
}

function placeOf(cursor: string): { at: number; offset: number } {
  const [, at, offset] = /^(\d{1,9})\.(\d{1,12})$/.exec(cursor) ?? [];
  if (at === undefined) throw wrongCursor(cursor);
  return { at: Number(at), offset: Number(offset) };
}

/** Cuts after a line if possible, and never inside a surrogate pair. */
function lineEnd(text: string, most: number): number {
  const line = text.lastIndexOf("\n", most);
  if (line > most / 2) return line + 1;
  return /[\udc00-\udfff]/.test(text.charAt(most)) ? most - 1 : most;
}

function blockOf(message: MessageAnswer, detail: "brief" | "whole"): string {
  const { standing, reason } = message;
  const facts = [
    `[${message.id}]`,
    message.isPrompt ? "prompt" : message.author,
    ...(message.model === null ? [] : [message.model]),
    ...(message.at === null ? [] : [message.at]),
    ...(standing === "live" ? [] : [reason === null ? standing : `${standing}: ${reason}`]),
  ];
  return [
    facts.join(" · "),
    ...(message.text === "" ? [] : [message.text]),
    ...(detail === "brief" ? [] : message.thoughts.map(thoughtText)),
    ...message.attachments.map(({ mediaType }) => `(attachment: ${mediaType})`),
    ...message.toolCalls.map((call) => callText(call, detail)),
  ].join("\n");
}

function thoughtText({ subject, description, isEncrypted }: MessageAnswer["thoughts"][number]) {
  return isEncrypted ? "(encrypted thought)" : `(thought) ${subject}\n${description}`;
}

function callText(call: ToolCallAnswer, detail: "brief" | "whole"): string {
  const cut = (text: string): string => (detail === "whole" ? text : shortened(text));
  const outcome = call.outcome ?? "unknown outcome";
  const lines = [`(tool) ${call.name} · ${outcome}`, cut(JSON.stringify(call.args ?? null))];
  if (call.output !== null && call.output !== "") lines.push("(output)", cut(call.output));
  return lines.join("\n");
}

function shortened(text: string): string {
  const left = text.length - TOOL_CHARACTERS;
  return left <= 0 ? text : `${text.slice(0, TOOL_CHARACTERS)}… (${left} more characters)`;
}
