import type { Session } from "../../src/core/session.ts";
import type { TrueRequest, Truth } from "./truth.ts";
import { answersOf, lastLiveRequest } from "./truth.ts";

/** The beginnings of the texts of a conversation, in order. */
export interface LiveComparison {
  /** What the program sent with its last request, as far as the books show it. */
  sent: string[];
  /** The live messages before the answer to that request. */
  live: string[];
}

/**
 * The live conversation as it was read beside what the real program sent last. Only texts that were
 * typed or answered in the tree are looked at, so that injected texts play no part. Nothing when no
 * request shows what was sent (the books of Gemini CLI do not) or no session holds its answer.
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
  // Some books show only the end of the history, those of Qwen Code not all of its first message.
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
      // Behind the words the books of Qwen Code note what went with them.
      .map((part) => part.replace(/(?: \[(?:reasoning|tool result|call \w+)\])+$/, ""))
      .map(beginning)
      .filter((text) => known.has(text))
  );
}

/** Long texts are cut in the books, so only beginnings are compared; white space is not. */
function beginning(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 60);
}
