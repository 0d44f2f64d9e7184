import { hash } from "node:crypto";
import { appendFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import type { Conversation, ConversationItem } from "../core/conversation.ts";
import { PolluxError } from "../core/error.ts";
import type { Session } from "../core/session.ts";
import { memoryBytes } from "../kernel/bytes.ts";
import { readForeignText } from "../kernel/open-file.ts";
import type { HandoverPlan, Source } from "../sources/source.ts";
import { diskView } from "../sources/view.ts";
import { decodeFile } from "./decode.ts";
import { placeFile } from "./place-file.ts";

/** What was written for another agent, so that it can be taken away again. */
export interface HandoverReceipt {
  sessionId: string;
  source: string;
  from: { source: string; sessionId: string };
  path: string;
  sha256: string;
  appends: { path: string; line: string }[];
  writtenAt: string;
}

/**
 * Writes a planned session into the agent's folder: only new files, whole or not at all, after our
 * own reader has read it back to the same conversation. A bad file would harm the agent's other
 * sessions.
 */
export function writeHandover(
  plan: HandoverPlan,
  conversation: Conversation,
  { source, root, nowMs }: { source: Source; root: string; nowMs: number },
): HandoverReceipt {
  checkPlan(plan, conversation, { source, root });
  if (existsSync(plan.file.path)) throw thereAlready(plan.file.path);
  for (const { path, text } of plan.claims) {
    placeFile(path, [Buffer.from(text)], existsSync(path) ? "is-replaced" : "stays");
  }
  placeFile(plan.file.path, [Buffer.from(plan.file.text)], "stays");
  for (const { path, line } of plan.appends) appendFileSync(path, `${line}\n`, { mode: 0o600 });
  const { origin } = conversation;
  return {
    sessionId: plan.sessionId,
    source: source.id,
    from: { source: origin.source, sessionId: origin.sessionId },
    path: plan.file.path,
    sha256: hash("sha256", plan.file.text, "hex"),
    appends: plan.appends,
    writtenAt: new Date(nowMs).toISOString(),
  };
}

/** Takes away what was written, as long as the agent has not written to it. */
export function undoHandover(receipt: HandoverReceipt): "removed" | "changed" | "gone" {
  if (!existsSync(receipt.path)) return "gone";
  const now = hash("sha256", readForeignText(receipt.path), "hex");
  if (now !== receipt.sha256) return "changed";
  rmSync(receipt.path);
  for (const { path, line } of receipt.appends) removeLine(path, line);
  return "removed";
}

function removeLine(path: string, line: string): void {
  const text = readForeignText(path);
  const at = text.lastIndexOf(`${line}\n`);
  if (at !== -1) writeFileSync(path, text.slice(0, at) + text.slice(at + line.length + 1));
}

/**
 * Our own reader must find one session with every prompt, answer and call, and nothing to complain
 * of.
 */
export function checkPlan(
  plan: HandoverPlan,
  conversation: Conversation,
  { source, root }: { source: Source; root: string },
): void {
  const { session, complaints } = readPlan(plan, { source, root });
  const missing = session ? firstMissing(session, conversation) : "no session";
  if (complaints.length === 0 && missing === undefined) return;
  const why = complaints[0] ?? `${missing} cannot be read back`;
  throw new PolluxError("handover-failed", `The new session would be damaged: ${why}.`, {
    remedy: "Nothing was written. Try --tools as-text, and report this session's shape.",
  });
}

function readPlan(
  { file, sessionId }: HandoverPlan,
  { source, root }: { source: Source; root: string },
): { session: Session | undefined; complaints: string[] } {
  const bytes = Buffer.from(file.text);
  const decoded = decodeFile(
    source,
    {
      file: {
        path: file.path,
        root,
        role: "main",
        sizeBytes: bytes.length,
        modifiedMs: 0,
        folder: "",
        isCleaned: false,
      },
      bytes: memoryBytes(file.path, bytes),
      home: { root, folders: [], view: diskView },
    },
    "full",
  );
  const sessions = source.interpret([decoded], "full");
  const complaints = decoded.diagnostics.map(({ message }) => message);
  return { session: sessions.find(({ id }) => id === sessionId), complaints };
}

/**
 * The kind of the first item that the session does not have, in order; some agents split answers.
 */
function firstMissing(session: Session, { items }: Conversation): string | undefined {
  const live = session.messages.filter(({ standing }) => standing === "live");
  const calls = new Map(
    live.flatMap(({ toolCalls }) => toolCalls).map(({ id, output }) => [id, output]),
  );
  let from = 0;
  for (const item of items) {
    from = live.findIndex((message, index) => index >= from && says(message, item));
    if (from === -1) return item.kind;
    const isAnswered = item.kind !== "answer" || item.calls.every(({ id }) => calls.has(id));
    if (!isAnswered) return "call";
  }
  return undefined;
}

function says(message: Session["messages"][number], item: ConversationItem): boolean {
  if (message.author !== (item.kind === "answer" ? "model" : "user")) return false;
  const said = [message.text, ...message.injections.map(({ text }) => text)].join("\n");
  return said.includes(item.text.trim());
}

function thereAlready(path: string): PolluxError {
  return new PolluxError("there-already", `${path} is there already.`, {
    remedy: "Try again: the new session gets another id.",
  });
}
