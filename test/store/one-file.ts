import type { Batch } from "../../src/store/store.ts";
import { ROOT } from "../contracts/store-samples.ts";

export const NOTHING: Batch = { nowMs: 1, files: [], readings: [], sessions: [], dropped: [] };

/** A file with one content, in the form that ingest passes to the store. */
export function newContent(
  rootId: number,
  text: string,
): Extract<Batch["files"][number], { kind: "content" }> {
  return {
    kind: "content",
    rootId,
    file: {
      path: `${ROOT}/first.jsonl`,
      root: ROOT,
      role: "main",
      sizeBytes: text.length,
      modifiedMs: 1.5,
      folder: "",
      isCleaned: false,
    },
    content: {
      how: "whole",
      sizeBytes: text.length,
      digest: "0".repeat(64),
      isSettled: true,
      pieces: [Buffer.from(text)],
    },
  };
}
