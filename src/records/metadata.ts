import { createHash } from "node:crypto";
import type { Json, JsonObject } from "./json/value.ts";
import { isObject } from "./json/value.ts";
import type { RecordFile } from "./record-file.ts";

const TRACE_FORMAT = "ietf-vac-v3.0";
const HASH_NAME = "sha-256";

export interface PayloadDigest {
  sizeBytes: number;
  /** SHA-256 in hexadecimal. */
  sha256: string;
}

export function digestOf(chunks: Iterable<Buffer>): PayloadDigest {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for (const chunk of chunks) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: hash.digest("hex") };
}

/**
 * The unsigned metadata of a signature. All of it is derived from the record, so a verifier
 * computes it again and compares. The order is that of the draft's scripts.
 */
export function traceMetadataOf(
  record: Pick<RecordFile, "skeleton">,
  sha256: string,
): Map<string, string | number> {
  const session = sessionOf(record);
  const start = instantOf(session["session-start"]) ?? instantOf(record.skeleton["created"]);
  const end = instantOf(session["session-end"]);
  const metadata = new Map<string, string | number>([
    ["session-id", sessionIdOf(record)],
    ["agent-vendor", vendorOf(record)],
    ["trace-format", TRACE_FORMAT],
    ["content-hash", sha256],
    ["content-hash-alg", HASH_NAME],
  ]);
  if (start !== undefined) metadata.set("timestamp-start", start);
  if (end !== undefined) metadata.set("timestamp-end", end);
  return metadata;
}

/** The session's own id, or else the record's. */
export function sessionIdOf(record: Pick<RecordFile, "skeleton">): string {
  return textOf(sessionOf(record)["session-id"]) ?? textOf(record.skeleton["id"]) ?? "unknown";
}

/** The agent that recorded the session. */
export function cliNameOf(record: Pick<RecordFile, "skeleton">): string | undefined {
  const agent = sessionOf(record)["agent-meta"];
  return isObject(agent) ? textOf(agent["cli-name"]) : undefined;
}

function vendorOf(record: Pick<RecordFile, "skeleton">): string {
  const agent = sessionOf(record)["agent-meta"];
  return (isObject(agent) ? textOf(agent["model-provider"]) : undefined) ?? "unknown";
}

function sessionOf({ skeleton }: Pick<RecordFile, "skeleton">): JsonObject {
  const session = skeleton["session"];
  return isObject(session) ? session : (Object.create(null) as JsonObject);
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function instantOf(value: Json | undefined): string | number | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}
