import { basename, join } from "node:path";
import type {
  Conversation,
  ConversationItem,
  HandoverCall,
} from "../../core/session/conversation.ts";
import { SUMMARY_ACKNOWLEDGEMENT } from "../../core/session/conversation.ts";
import type { Json } from "../decoding/fields.ts";
import { jsonLines, picturePart, stateSnapshot } from "../decoding/handover-records.ts";
import type { HandoverAbility, HandoverRequest } from "../source.ts";
import { projectHash } from "./project.ts";
import { claimableFolder } from "./restore/claim.ts";
import { registryOf } from "./restore/place.ts";
import { withRegistryLock } from "./restore/registry-lock.ts";
import { readUserText } from "./formats/user-text.ts";

const NEWEST = 61;

/** Writes a session that Gemini CLI lists under its title and resumes with all of its calls. */
export const handover: HandoverAbility = {
  program: { command: "gemini", packageName: "@google/gemini-cli" },
  // Since this version, sessions are written as JSON lines.
  since: "0.39",
  whileLocked(paths, nowMs, work) {
    const registry = paths.find((path) => basename(path) === basename(registryOf("")));
    if (registry === undefined) work();
    else withRegistryLock(registry, { nowMs }, work);
  },
  plan(conversation, request) {
    const { newId, root } = request;
    const { directory } = conversation;
    const hash = projectHash(directory);
    const minor = Number(/^v?0\.(\d+)/.exec(request.version ?? "")?.[1] ?? NEWEST);
    const folder = claimableFolder({ path: directory, hash }, { ...request, minor });
    const records = [headerOf(conversation, request, hash), ...recordsOf(conversation, request)];
    const minute = new Date(request.nowMs).toISOString().slice(0, 16).replace(":", "-");
    const name = `session-${minute}-${newId.slice(0, 8)}.jsonl`;
    return {
      sessionId: newId,
      file: {
        path: join(root, "tmp", folder.name, "chats", name),
        text: jsonLines(records),
      },
      claims: folder.claims,
      claim: folder.claim,
      command: ["gemini", "--resume", newId],
      remarks: [
        "Gemini CLI deletes a session at the second start after it was resumed, unless " +
          "general.sessionRetention.enabled is false; `pollux keep` archives it.",
      ],
    };
  },
};

function headerOf(
  { title, items }: Conversation,
  { newId, nowMs }: HandoverRequest,
  hash: string,
): Json {
  const now = new Date(nowMs).toISOString();
  return {
    sessionId: newId,
    projectHash: hash,
    startTime: items[0]?.at ?? now,
    // The clean-up deletes sessions older than its limit before it lists them.
    lastUpdated: now,
    kind: "main",
    summary: title,
  };
}

function recordsOf({ items }: Conversation, request: HandoverRequest): Json[] {
  return items.flatMap((item) => recordOf(item, request));
}

function recordOf(item: ConversationItem, { uuid }: HandoverRequest): Json[] {
  const { at: timestamp } = item;
  if (item.kind === "summary") {
    const text = stateSnapshot(item.text);
    const content = SUMMARY_ACKNOWLEDGEMENT;
    return [
      { id: uuid(), timestamp, type: "user", content: [{ text }] },
      { id: uuid(), timestamp, type: "gemini", content, thoughts: [], tokens: null },
    ];
  }
  if (item.kind === "prompt") {
    const content = [{ text: sendable(item.text) }, ...item.pictures.map(picturePart)];
    return [{ id: uuid(), timestamp, type: "user", content }];
  }
  const calls = item.calls.map((call) => callRecord(call, timestamp));
  const answer = { id: uuid(), timestamp, type: "gemini", content: item.text, thoughts: [] };
  return [{ ...answer, tokens: null, ...(calls.length > 0 ? { toolCalls: calls } : {}) }];
}

/**
 * Marks prompts that Gemini CLI would not treat as typed text: it does not send prompts that begin
 * like its commands or context blocks, and would take others that resemble its own texts for them.
 */
function sendable(text: string): string {
  if (!/^\s*[/?]/.test(text) && isTyped(text)) return text;
  const marked = `(typed) ${text}`;
  return isTyped(marked) ? marked : `${marked}\n(end of what was typed)`;
}

function isTyped(text: string): boolean {
  return readUserText([text], false).typed.trim() === text.trim();
}

function callRecord(call: HandoverCall, timestamp: string): Json {
  const { id, name, args, output, isError, pictures } = call;
  const response = isError ? { error: output } : { output };
  return {
    id,
    name,
    args,
    result: [{ functionResponse: { id, name, response } }, ...pictures.map(picturePart)],
    status: isError ? "error" : "success",
    timestamp,
    displayName: name,
    description: "",
    renderOutputAsMarkdown: false,
  };
}
