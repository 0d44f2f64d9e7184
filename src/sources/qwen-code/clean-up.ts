import type { SessionFile } from "../../core/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { CleanUpName } from "../source.ts";

/** `subagents/<session>/agent-….jsonl`: the folder of a session is deleted as a whole. */
export function cleanUpName(path: string): CleanUpName | undefined {
  const session = /[\\/]subagents[\\/]([^\\/]+)[\\/][^\\/]+$/.exec(path)?.[1];
  return session === undefined ? undefined : { together: session };
}

const TAIL_BYTES = 64 * 1024;

/** The last record tells when it was written. */
export function peekLastMs({ sizeBytes }: SessionFile, bytes: ByteSource): number | undefined {
  const tail = bytes.range(Math.max(0, sizeBytes - TAIL_BYTES), sizeBytes).toString("utf8");
  const stamps = [...tail.matchAll(/"timestamp"\s*:\s*"([^"\\]+)"/g)];
  const times = stamps.map(([, time]) => Date.parse(time ?? "")).filter(Number.isFinite);
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b));
}
