import { existsSync, rmSync } from "node:fs";
import type { SessionFile } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import type { Restoration } from "../../sources/source.ts";
import { appendLine, placeFile, refuseNonFiles, writeClaims } from "./place-file.ts";

/** How to write a restored session. */
export interface WriteRestoredOptions {
  writes: "really" | "dry-run";
  /** What to do with an existing file. */
  existing: "stays" | "is-replaced";
  /** Files of the same session that the agent finds now, and whether their content is the same. */
  present: {
    paths: readonly string[];
    isSame: boolean;
    /** Files without messages that would make the agent delete the session. */
    stubs: readonly string[];
  };
  /** Stubs are removed only if their bytes can be kept. */
  stubs: "stay" | "give way";
  /** Keeps the bytes of a file before it is replaced. */
  keepFirst(path: string): Promise<void>;
  open(companion: SessionFile): ByteSource;
}

/** Under which id a session is restored, and for which directory. */
export interface RestoreTarget {
  sessionId: string;
  projectPath: string;
  isProjectThere: boolean;
}

/** What was written or, in a dry run, would be. */
export interface RestoreResult extends RestoreTarget {
  file: string;
  /**
   * The session's own file. `unchanged`: the session is there with all its messages; `exists`:
   * another state of it is there and stays. In both cases this file was not written.
   */
  outcome: "written" | "replaced" | "unchanged" | "exists" | "would-write" | "would-replace";
  /**
   * Other files written (or to be written): markers, registries, sessions of subagents, outputs.
   */
  alsoWritten: string[];
  /** Files of the same session that were removed; their bytes are in the archive. */
  removed: string[];
  /** Files without messages that stay and make the agent delete the session. */
  stubs: string[];
  /** Files that the agent deletes together with this one. */
  siblings: string[];
  sizeBytes: number;
  messages: number;
  /** The command to run in the project's directory. */
  command: string[];
}

/** Writes a restored session. Restores change an agent's folder only here, and only on request. */
export async function writeRestored(
  restoration: Restoration,
  mode: WriteRestoredOptions,
): Promise<Omit<RestoreResult, keyof RestoreTarget>> {
  const { file, claims = [], appends = [], siblings = [] } = restoration;
  const { paths, stubs } = mode.present;
  const isStub = mode.stubs === "give way" && stubs.includes(file.path);
  const own = [file.path].filter((path) => existsSync(path) && !isStub);
  const there = [...new Set([...paths, ...own])];
  const outcome = outcomeOf(there, mode);
  const isPlaced = outcome !== "exists" && outcome !== "unchanged";
  const companions = outcome === "exists" ? [] : missingOf(restoration);
  const left = isPlaced && mode.stubs === "give way" ? [] : [...stubs];
  const inTheWay = isPlaced ? [...there, ...stubs.filter((path) => !left.includes(path))] : [];
  const removed = inTheWay.filter((path) => path !== file.path);
  if (mode.writes === "really") {
    if (isPlaced) refuseNonFiles(appends.map(({ path }) => path));
    for (const path of inTheWay) await mode.keepFirst(path);
    if (isPlaced) {
      writeClaims(restoration, ({ path, text }) => {
        placeFile(path, [Buffer.from(text)], "is-replaced");
      });
    }
    for (const { from, path } of companions) placeFile(path, mode.open(from).chunks(), "stays");
    if (isPlaced) {
      const bytes = file.bytes ?? Buffer.from(file.text);
      placeFile(file.path, [bytes], isStub ? "is-replaced" : mode.existing);
      for (const path of removed) rmSync(path);
      for (const { path, line } of appends) appendLine(path, line);
    }
  }
  return {
    file: isPlaced ? file.path : (there[0] ?? file.path),
    outcome,
    alsoWritten: [...(isPlaced ? [...claims, ...appends] : []), ...companions].map(
      ({ path }) => path,
    ),
    removed,
    stubs: left,
    siblings: siblings.filter((path) => ![...there, ...stubs].includes(path)),
    sizeBytes: file.bytes?.length ?? Buffer.byteLength(file.text),
    messages: restoration.messages,
    command: restoration.command,
  };
}

function outcomeOf(there: readonly string[], mode: WriteRestoredOptions): RestoreResult["outcome"] {
  const isThere = there.length > 0;
  if (isThere && mode.existing === "stays") return mode.present.isSame ? "unchanged" : "exists";
  if (mode.writes === "dry-run") return isThere ? "would-replace" : "would-write";
  return isThere ? "replaced" : "written";
}

function missingOf({ companions }: Restoration): Restoration["companions"] {
  return companions.filter(({ path }) => !existsSync(path));
}
