import type {
  FolderRef,
  SentFile,
  SentSession,
  ServerSession,
} from "../core/team/sync-protocol.ts";
import { isObject } from "../core/json.ts";

const MOST_DIGESTS = 4096;
/** Segment digests in requests and addresses. */
export const DIGEST: RegExp = /^[0-9a-f]{64}$/;

/** Checks the bodies of requests: machines of others may send anything. */
export function isFolders(body: unknown): body is FolderRef[] {
  return (
    Array.isArray(body) &&
    body.every((item: unknown) => isObject(item) && areTexts(item, "source", "root", "folder"))
  );
}

export function isDigests(body: unknown): body is string[] {
  return Array.isArray(body) && body.length <= MOST_DIGESTS && body.every(isDigest);
}

export function isNames(body: unknown): body is ServerSession[] {
  return (
    Array.isArray(body) &&
    body.every((item: unknown) => isObject(item) && areTexts(item, "source", "id"))
  );
}

export function isFile(body: unknown): body is SentFile {
  if (!isObject(body) || !areTexts(body, "path", "root", "source", "role", "folder", "digest")) {
    return false;
  }
  const { path, root, isCleaned, parentId = "", segments } = body;
  const sizes = [body["sizeBytes"], body["from"]];
  const times = [body["modifiedMs"], body["keptMs"], body["seenMs"] ?? 0, body["goneSinceMs"] ?? 0];
  return (
    sizes.every((size) => Number.isSafeInteger(size) && Number(size) >= 0) &&
    times.every((time) => Number.isFinite(time)) &&
    typeof isCleaned === "boolean" &&
    typeof parentId === "string" &&
    Array.isArray(segments) &&
    segments.every(isDigest) &&
    String(path).startsWith(String(root))
  );
}

/** Checks the shape; whether all values fit is decided by the store. */
export function isSession(body: unknown): body is SentSession {
  if (!isObject(body) || !isObject(body["rows"])) return false;
  const { summary, session, usage, tools, agentCalls } = body["rows"];
  return (
    (body["level"] === "usage" || body["level"] === "outline") &&
    isObject(summary) &&
    areTexts(summary, "id", "source") &&
    isObject(summary["project"]) &&
    isObject(session) &&
    areTexts(session, "id", "source") &&
    session["id"] === summary["id"] &&
    session["source"] === summary["source"] &&
    [usage, tools, agentCalls].every((list) => Array.isArray(list) && list.every(isObject))
  );
}

function areTexts(body: Record<string, unknown>, ...names: readonly string[]): boolean {
  return names.every((name) => typeof body[name] === "string");
}

function isDigest(value: unknown): boolean {
  return typeof value === "string" && DIGEST.test(value);
}
