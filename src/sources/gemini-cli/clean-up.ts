import { basename } from "node:path";
import { optional } from "../../core/optional.ts";
import type { SessionFile } from "../../core/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { CleanUpName } from "../source.ts";

/** `session-2026-07-08T09-12-1a2b3c4d.jsonl`: the minute it began, and the start of its id. */
const NAME = /^session-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-.*\.jsonl?$/;
/** Files whose names end in the same characters are deleted together. */
const TOGETHER = 8;

export function cleanUpName(path: string): CleanUpName | undefined {
  const name = basename(path);
  if (!name.startsWith("session-")) return undefined;
  const [, hour, minute] = NAME.exec(name) ?? [];
  const begunMs = hour === undefined ? Number.NaN : Date.parse(`${hour}:${minute ?? "00"}Z`);
  return {
    together: name.replace(/\.jsonl?$/, "").slice(-TOGETHER),
    ...optional("begunMs", Number.isNaN(begunMs) ? undefined : begunMs),
  };
}

/** A document tells its last moment at its beginning, records tell theirs at the end. */
const HEAD_BYTES = 4096;
const TAIL_BYTES = 64 * 1024;

export function peekLastMs({ sizeBytes }: SessionFile, bytes: ByteSource): number | undefined {
  const head = bytes.range(0, HEAD_BYTES).toString("utf8");
  const tail = bytes.range(Math.max(0, sizeBytes - TAIL_BYTES), sizeBytes).toString("utf8");
  const recorded = `${head}\n${tail}`.matchAll(/"(?:lastUpdated|timestamp)"\s*:\s*"([^"\\]+)"/g);
  const times = [...recorded].map(([, time]) => Date.parse(time ?? "")).filter(Number.isFinite);
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b));
}
