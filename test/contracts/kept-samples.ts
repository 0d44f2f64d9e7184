import { hash } from "node:crypto";
import type { KnownFile, KnownRoot } from "../../src/core/files/kept.ts";
import type { SessionFile } from "../../src/core/files/session-file.ts";
import type { Batch, Store } from "../../src/store/store.ts";
import { ROOT, SOURCE } from "./store-samples.ts";

export const NOTHING: Batch = { nowMs: 1000, files: [], readings: [], sessions: [], dropped: [] };

/** Adds a root for files. */
export function begin(store: Store): Promise<KnownRoot> {
  return store.addRoot({ source: SOURCE, path: ROOT, how: "usual" }, 1);
}

export function fileAt({ path: root }: KnownRoot, path: string, sizeBytes: number): SessionFile {
  const seen = { sizeBytes, modifiedMs: 500, folder: "ledger", isCleaned: true };
  return { path: `${root}/${path}`, root, role: "main", ...seen };
}

export interface KeptSample {
  path: string;
  /** The whole text, also for a file that has grown. */
  text: string;
  known?: KnownFile;
  how?: "whole" | "appended";
  nowMs?: number;
}

/** The change that a commit needs to keep a file. */
export function changeOf(root: KnownRoot, sample: KeptSample): Batch["files"][number] {
  const { path, text, known, how = "whole" } = sample;
  const bytes = Buffer.from(text);
  const from = how === "appended" ? (known?.sizeBytes ?? 0) : 0;
  const content = {
    how,
    sizeBytes: bytes.length,
    digest: hash("sha256", bytes, "hex"),
    isSettled: true,
    pieces: [bytes.subarray(from)],
  };
  const file = fileAt(root, path, bytes.length);
  return { kind: "content", rootId: root.id, file, content, ...(known ? { known } : {}) };
}

export async function keep(store: Store, root: KnownRoot, sample: KeptSample): Promise<KnownFile> {
  const { nowMs = 1000 } = sample;
  const change = changeOf(root, sample);
  const done = await store.commit({ ...NOTHING, nowMs, files: [change] });
  if (done === "outdated") throw new RangeError("Somebody else was quicker.");
  const [kept] = await store.known({ rootId: root.id, paths: [fileAt(root, sample.path, 0).path] });
  if (!kept) throw new RangeError("A file was kept and is not there.");
  return kept;
}

export async function textOf(
  store: Store,
  file: Pick<KnownFile, "path" | "content" | "sizeBytes">,
): Promise<string> {
  const bytes = await store.bytes(file);
  return Buffer.concat(Array.from(bytes.chunks(), (chunk) => Buffer.from(chunk))).toString();
}
