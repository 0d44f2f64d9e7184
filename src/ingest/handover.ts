import { hash } from "node:crypto";
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Conversation, ConversationItem } from "../core/session/conversation.ts";
import type { HandoverCall, Picture } from "../core/session/conversation.ts";
import { PolluxError } from "../core/error.ts";
import type { Message } from "../core/session/message.ts";
import { attachmentsOf, isLive } from "../core/session/message.ts";
import type { Session } from "../core/session/session.ts";
import { memoryBytes } from "../kernel/bytes.ts";
import { isNotRegularFile, readForeignText } from "../kernel/open-file.ts";
import type { HandoverPlan, Source } from "../sources/source.ts";
import { diskView } from "../sources/view.ts";
import { decodeFile, interpretFiles } from "./decode.ts";
import { appendLine, placeFile, refuseNonFiles, writeClaims } from "./restore/place-file.ts";
import { isObject } from "../core/json.ts";

/** What a handover wrote, so that it can be undone. */
export interface HandoverReceipt {
  sessionId: string;
  source: string;
  from: { source: string; sessionId: string };
  path: string;
  sha256: string;
  appends: { path: string; line: string; isNew?: boolean }[];
  /** Marker and registry files: their new text, and the previous text if they existed. */
  claims?: { path: string; text: string; before?: string }[];
  /** Folders that the handover created, innermost first. */
  folders: string[];
  writtenAt: string;
}

/**
 * Writes a planned session into the agent's folder: new files only, each atomically, and only after
 * our own reader has read the plan back to the same conversation. A bad file would harm the agent's
 * other sessions.
 */
export function writeHandover(
  plan: HandoverPlan,
  conversation: Conversation,
  { source, root, nowMs }: { source: Source; root: string; nowMs: number },
): HandoverReceipt {
  checkPlan(plan, conversation, { source, root });
  const { path, text } = plan.file;
  if (existsSync(path)) throw thereAlready(path);
  const planned = plan.claims ?? [];
  refuseNonFiles([...(plan.appends ?? []), ...planned].map((list) => list.path));
  const appends = (plan.appends ?? []).map((list) => ({ ...list, isNew: !existsSync(list.path) }));
  const claims: HandoverReceipt["claims"] = [];
  const folders = missingFolders([path, ...planned.map((claim) => claim.path)]);
  writeClaims(plan, (claim) => {
    claims.push(existsSync(claim.path) ? { ...claim, before: readForeignText(claim.path) } : claim);
    placeFile(claim.path, [Buffer.from(claim.text)], "is-replaced");
  });
  placeFile(path, [Buffer.from(text)], "stays");
  for (const { path: list, line } of appends) appendLine(list, line);
  const { origin } = conversation;
  return {
    sessionId: plan.sessionId,
    source: source.id,
    from: { source: origin.source, sessionId: origin.sessionId },
    path,
    sha256: hash("sha256", text, "hex"),
    appends,
    claims,
    folders,
    writtenAt: new Date(nowMs).toISOString(),
  };
}

/** Longest path first, so that inner folders come before outer ones. */
function missingFolders(paths: readonly string[]): string[] {
  const missing = (path: string): string[] => {
    const folder = dirname(path);
    return existsSync(folder) ? [] : [folder, ...missing(folder)];
  };
  return [...new Set(paths.flatMap(missing))].toSorted((a, b) => b.length - a.length);
}

/** Removes what a handover wrote, unless the agent has changed it since. */
export function undoHandover(
  receipt: HandoverReceipt,
  { source, nowMs }: { source: Source | undefined; nowMs: number },
): "removed" | "changed" | "gone" {
  const { path, sha256, appends, claims = [], folders } = receipt;
  if (!existsSync(path)) return "gone";
  if (isNotRegularFile(path)) return "changed";
  if (hash("sha256", readForeignText(path), "hex") !== sha256) return "changed";
  rmSync(path);
  for (const list of appends) removeLine(list);
  // If the project has other sessions by now, the folder and its markers stay.
  if (!isUsed(dirname(path))) {
    const takeAllBack = (): void => claims.forEach(takeBack);
    const paths = claims.map((claim) => claim.path);
    const handover = source?.abilities.handover;
    if (handover?.whileLocked) handover.whileLocked(paths, nowMs, takeAllBack);
    else takeAllBack();
  }
  for (const folder of folders) removeEmpty(folder);
  return "removed";
}

function removeLine({ path, line, isNew }: HandoverReceipt["appends"][number]): void {
  if (!existsSync(path) || isNotRegularFile(path)) return;
  const text = readForeignText(path);
  const at = text.lastIndexOf(`${line}\n`);
  if (at === -1) return;
  const rest = text.slice(0, at) + text.slice(at + line.length + 1);
  if (rest === "" && isNew === true) rmSync(path);
  else placeFile(path, [Buffer.from(rest)], "is-replaced");
}

function isUsed(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}

/** Restores the previous text, but keeps what the agent has written since. */
function takeBack({ path, text, before }: NonNullable<HandoverReceipt["claims"]>[number]): void {
  if (!existsSync(path) || isNotRegularFile(path)) return;
  const now = readForeignText(path);
  const rest = now === text ? before : withoutAdded(now, { text, before: before ?? "{}" });
  if (rest === undefined) rmSync(path);
  else if (rest !== now) placeFile(path, [Buffer.from(rest)], "is-replaced");
}

/** Removes our entries from a JSON list to which the agent has added more since. */
function withoutAdded(now: string, { text, before }: { text: string; before: string }): string {
  try {
    const [current, ours, former] = [now, text, before].map((json) => JSON.parse(json) as unknown);
    return removeAdded(current, ours, former) ? JSON.stringify(current, null, 2) : now;
  } catch {
    // Not JSON: a marker that the agent rewrote, or a list that it is going to rebuild.
    return now;
  }
}

/** Returns whether anything was removed. */
function removeAdded(now: unknown, ours: unknown, former: unknown): boolean {
  if (!isObject(now) || !isObject(ours)) return false;
  let isRemoved = false;
  for (const [key, value] of Object.entries(ours)) {
    const isFormer = isObject(former) && Object.hasOwn(former, key);
    if (isObject(value)) {
      const before = isFormer ? former[key] : undefined;
      isRemoved = removeAdded(now[key], value, before) || isRemoved;
    } else if (!isFormer && now[key] === value) {
      delete now[key];
      isRemoved = true;
    }
  }
  return isRemoved;
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The folder is not empty: it stays.
  }
}

/**
 * Throws unless our own reader finds one session with every prompt, answer and call, and no
 * diagnostics.
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
  throw new PolluxError("handover-failed", `The new session would be incomplete: ${why}.`, {
    remedy: "Nothing was written. Try --tools as-text, and please report this.",
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
  const sessions = interpretFiles(source, [decoded], "full");
  const complaints = decoded.diagnostics.map(({ message }) => message);
  return { session: sessions.find(({ id }) => id === sessionId), complaints };
}

/**
 * Returns the first item that the session does not contain, literally and in order. An agent may
 * merge or split answers, or mark up what a person typed, but nothing may be missing.
 */
function firstMissing(session: Session, { items }: Conversation): string | undefined {
  const live = session.messages.filter(isLive);
  const said = live.flatMap(wordsOf).join("\n");
  const pictures = new Set(live.flatMap(attachmentsOf).map(({ data }) => data));
  let from = 0;
  for (const item of items) {
    for (const { what, words } of partsOf(item)) {
      const at = said.indexOf(words, from);
      if (at === -1) return what;
      from = at + words.length;
    }
    if (shownIn(item).some(({ data }) => !pictures.has(data))) return "a picture";
  }
  return undefined;
}

function wordsOf({ text, injections, toolCalls }: Message): string[] {
  const calls = toolCalls.flatMap((call) => [callWords(call), call.output ?? ""]);
  // A summary is in the text or in an injection.
  const said = injections.filter((injection) => !text.includes(injection.text));
  return [text, ...said.map((injection) => injection.text), ...calls];
}

function callWords({
  id,
  name,
  args,
}: Pick<HandoverCall, "id" | "name"> & { args: unknown }): string {
  return `${id} ${name} ${JSON.stringify(args)}`;
}

function partsOf(item: ConversationItem): { what: string; words: string }[] {
  const calls = item.kind === "answer" ? item.calls : [];
  return [
    { what: `a ${item.kind}`, words: item.text.trim() },
    ...calls.flatMap((call) => [
      { what: "a call", words: callWords(call) },
      { what: "a result", words: call.output.trim() },
    ]),
  ];
}

function shownIn(item: ConversationItem): Picture[] {
  if (item.kind === "summary") return [];
  return item.kind === "prompt" ? item.pictures : item.calls.flatMap(({ pictures }) => pictures);
}

function thereAlready(path: string): PolluxError {
  return new PolluxError("there-already", `${path} already exists.`, {
    remedy: "Try again: the new session then gets another id.",
  });
}
