import type { CallFilter } from "../../core/filter/filter.ts";
import { matchesCall } from "../../core/filter/matches.ts";
import type { Message, Standing } from "../../core/session/message.ts";
import { isOriginal, isTask } from "../../core/session/message.ts";
import type { Session } from "../../core/session/session.ts";
import type { SessionSummary } from "../../core/rows/summary.ts";
import type { ToolCall, ToolOutcome } from "../../core/session/tool-call.ts";
import type { CommandsOf } from "../../core/rows/tool-facts.ts";
import type { TouchedFile } from "../../core/rows/touched-file.ts";
import { callError } from "../call-texts.ts";
import { matchesPath, absolutePath } from "../../core/rows/touched-file.ts";
import type { Turn } from "../../core/session/turn.ts";
import { turnsOf } from "../../core/session/turn.ts";

/** Where a tool, command, server or file was used, by session. */
export interface UsesAnswer {
  /** The filter of the query. */
  calls: CallFilter;
  /** Number of sessions, including those beyond this page. */
  total: number;
  /** Files in these sessions that match the path. */
  paths: string[];
  sessions: { session: SessionSummary; uses: Use[] }[];
}

/** One call, with the prompt that led to it. */
export interface Use {
  messageId: string;
  callId: string;
  name: string;
  label: string;
  server: string | null;
  at: string | null;
  standing: Standing;
  outcome: ToolOutcome | null;
  model: string | null;
  prompt: LeadingPrompt | null;
  /** The files that match the filter; all touched files if it names none. */
  files: (Omit<TouchedFile, "addedLines" | "removedLines"> & {
    addedLines: number | null;
    removedLines: number | null;
  })[];
  shellLine: string | null;
  /** Beginning of the output of a failed call. */
  error: string | null;
}

export interface LeadingPrompt {
  messageId: string;
  /** Number of the turn, from 1; 0 is the task of a subagent. */
  number: number;
  /** The beginning of its text. */
  text: string;
}

const MOST_TEXT = 300;

/** All matching calls of a session, in order, without copies of messages. */
export function usesIn(session: Session, filter: CallFilter, commandsOf: CommandsOf): Use[] {
  return turnsOf(session.messages).flatMap((turn) => {
    const led = ledBy(turn);
    return turn.messages
      .filter(isOriginal)
      .flatMap((message) =>
        message.toolCalls
          .filter((call) => isMeant(call, { filter, session, commandsOf }))
          .map((call) => useOf(call, { message, led, session, filter })),
      );
  });
}

/** The prompt that led to a turn. */
export function ledBy({ number, prompt: asked, messages }: Turn): LeadingPrompt | null {
  const prompt = asked ?? messages.find(isTask);
  if (!prompt) return null;
  return { messageId: prompt.id, number, text: brief(prompt.typed ?? prompt.text) };
}

interface Asked {
  filter: CallFilter;
  session: Session;
  commandsOf: CommandsOf;
}

function isMeant(call: ToolCall, { filter, session, commandsOf }: Asked): boolean {
  const files = call.outcome === "success" ? (call.files ?? []) : [];
  const { name, label, canonical, mcp, outcome, shellLine } = call;
  const fact = {
    name,
    label,
    canonical,
    files,
    ...(mcp ? { mcp } : {}),
    ...(outcome ? { outcome } : {}),
    ...(shellLine === undefined ? {} : { commands: commandsOf(shellLine) }),
  };
  return matchesCall(fact, filter, session.project.path ?? null);
}

function useOf(
  call: ToolCall,
  context: { message: Message; led: LeadingPrompt | null; session: Session; filter: CallFilter },
): Use {
  const { message, led, session, filter } = context;
  const outcome = call.outcome ?? null;
  return {
    messageId: message.id,
    callId: call.id,
    name: call.name,
    label: call.label,
    server: call.mcp?.server ?? null,
    at: call.at ?? message.at ?? null,
    standing: message.standing,
    outcome,
    model: message.model ?? null,
    prompt: led,
    files: touchedBy(call, { session, filter }),
    shellLine: call.shellLine === undefined ? null : brief(call.shellLine),
    error: callError(call),
  };
}

function touchedBy(
  call: ToolCall,
  { session, filter }: { session: Session; filter: CallFilter },
): Use["files"] {
  if (call.outcome !== "success") return [];
  return (call.files ?? []).flatMap(({ path, how, addedLines, removedLines }) => {
    const whole = absolutePath(path, session.project.path ?? null);
    if (filter.path !== undefined && !matchesPath(whole, filter.path)) return [];
    const lines = { addedLines: addedLines ?? null, removedLines: removedLines ?? null };
    return [{ path: whole, how, ...lines }];
  });
}

function brief(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > MOST_TEXT ? `${trimmed.slice(0, MOST_TEXT)}…` : trimmed;
}
