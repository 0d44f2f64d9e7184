import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { PolluxError } from "../model/error.ts";
import type { Restoration } from "../sources/source.ts";

/** How a session is put back where its program looks for it. */
export interface PutBackMode {
  writes: "really" | "dry-run";
  /** What happens to a file that is already there. */
  existing: "stays" | "is-replaced";
  /** Keeps the bytes of a file before it is replaced. */
  keepFirst(path: string): void;
}

/** What was written, or would be. */
export interface PutBackAnswer {
  sessionId: string;
  projectPath: string;
  file: string;
  /** The session's own file: `exists` means that nothing was done. */
  outcome: "written" | "replaced" | "exists" | "would-write" | "would-replace";
  /** Markers and registry entries that were (or would be) made along with it. */
  alsoWritten: string[];
  sizeBytes: number;
  messages: number;
  /** What to run in the project's directory. */
  command: string[];
  isProjectThere: boolean;
}

/** The only code that writes into a program's own folder, and only when it is asked to. */
export function putBack(restoration: Restoration, mode: PutBackMode): PutBackAnswer {
  const { file, claims } = restoration;
  const isThere = existsSync(file.path);
  const outcome = outcomeOf(isThere, mode);
  const writes = outcome === "written" || outcome === "replaced";
  if (writes) {
    for (const claim of claims) place(claim, "is-replaced");
    if (isThere) mode.keepFirst(file.path);
    place(file, mode.existing);
  }
  return {
    sessionId: restoration.sessionId,
    projectPath: restoration.projectPath,
    file: file.path,
    outcome,
    alsoWritten: outcome === "exists" ? [] : claims.map(({ path }) => path),
    sizeBytes: Buffer.byteLength(file.text),
    messages: restoration.messages,
    command: restoration.command,
    isProjectThere: existsSync(restoration.projectPath),
  };
}

function outcomeOf(isThere: boolean, mode: PutBackMode): PutBackAnswer["outcome"] {
  if (isThere && mode.existing === "stays") return "exists";
  if (mode.writes === "dry-run") return isThere ? "would-replace" : "would-write";
  return isThere ? "replaced" : "written";
}

/** Whole or not at all: written beside its place, then moved; a file that stays wins a race. */
function place(file: { path: string; text: string }, existing: PutBackMode["existing"]): void {
  const beside = `${file.path}.pollux-${randomUUID()}`;
  try {
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(beside, file.text, { mode: 0o600, flag: "wx" });
    if (existing === "is-replaced") renameSync(beside, file.path);
    else linkSync(beside, file.path);
  } catch (cause) {
    throw new PolluxError("cannot-write", `${file.path} could not be written.`, {
      remedy: "See that the folder can be written to and the disk is not full.",
      cause,
    });
  } finally {
    rmSync(beside, { force: true });
  }
}
