import type { Session } from "../../src/core/session/session.ts";
import type { TrueRequest, Truth } from "./truth.ts";
import { answersOf, lastLiveRequest } from "./truth.ts";

/** The first characters of each text of a conversation, in order. */
export interface LiveComparison {
  /** The history that the program sent with its last request, as far as the API log has it. */
  sent: string[];
  /** The live messages before the answer to that request. */
  live: string[];
}

/**
 * Compares the live messages with the history that the real program sent last. Uses only typed
 * texts and answers of the tree, so that injected texts have no effect. Returns undefined if no
 * request has its history (Gemini CLI's API log has none) or no session has the last answer.
 */
export function compareLive(
  truth: Truth,
  sessions: readonly Session[],
): LiveComparison | undefined {
  const last = lastLiveRequest(truth);
  if (!last || last.sent.length === 0) return undefined;
  const known = new Set([...truth.prompts, ...answersOf(truth)].map(beginning));
  const live = sessions
    .map((session) => liveTexts(session, known))
    .find((texts) => ends(texts, last));
  if (!live) return undefined;
  const sent = sentTexts(last, known);
  const before = live.slice(0, live.length - answerLength(last, known));
  // Some API logs have only the end of the history; for Qwen Code the first text is cut.
  const isCut = last.sent[0]?.includes("…") ?? false;
  return { sent, live: isCut ? before.slice(-sent.length) : before };
}

function liveTexts({ kind, messages }: Session, known: ReadonlySet<string>): string[] {
  return messages
    .filter(({ standing, author }) => kind === "main" && standing === "live" && author !== "notice")
    .map(({ typed, text }) => beginning(typed ?? text))
    .filter((text) => known.has(text));
}

function ends(texts: readonly string[], { texts: answer }: TrueRequest): boolean {
  return answer.length > 0 && texts.at(-1) === beginning(answer.at(-1) ?? "");
}

function answerLength({ texts }: TrueRequest, known: ReadonlySet<string>): number {
  return texts.map(beginning).filter((text) => known.has(text)).length;
}

function sentTexts({ sent }: TrueRequest, known: ReadonlySet<string>): string[] {
  return (
    sent
      .flatMap((item) => item.replace(/^(user|assistant): /, "").split(" | "))
      .map((part) => part.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, ""))
      // Qwen Code's API log appends markers for reasoning, results and calls.
      .map((part) => part.replace(/(?: \[(?:reasoning|tool result|call \w+)\])+$/, ""))
      .map(beginning)
      .filter((text) => known.has(text))
  );
}

/** The API log cuts long texts, so only the first 60 characters are compared. */
function beginning(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 60);
}
