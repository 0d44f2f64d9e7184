import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { PolluxError } from "../core/error.ts";
import type { SyncLevel } from "../core/team/team.ts";
import { readForeignText } from "../kernel/open-file.ts";

/** Settings of an enrolled machine. The file holds the token, so only its owner may read it. */
export interface SyncSettings {
  server: string;
  token: string;
  device: string;
  team: string;
  expiresMs: number;
  /** A lower level than the team's, if the team allows that. */
  level?: SyncLevel;
  /** Levels by project path or name; the last match counts. */
  projects: { project: string; level: SyncLevel }[];
}

/**
 * Cache of what was sent. If it is lost nothing is sent twice, because the server is asked what it
 * has.
 */
export interface SyncMemory {
  epoch: string;
  /** Digests of folders and of sessions sent as rows, in the state that was fully sent. */
  sent: Record<string, string>;
  /** The form in which sessions were last sent, if the server had no other form of them. */
  forms?: Record<string, SyncLevel>;
  lastMs?: number;
}

/** The sync files of this machine, written atomically. */
export class SyncFiles {
  readonly #settings: string;
  readonly #memory: string;
  readonly #key: string;

  /** `folder` is the archive's folder. */
  constructor(folder: string) {
    this.#settings = `${folder}/sync.json`;
    this.#memory = `${folder}/sync-sent.json`;
    this.#key = `${folder}/sync-key.json`;
  }

  get settings(): SyncSettings | undefined {
    return read(this.#settings) as SyncSettings | undefined;
  }

  set settings(settings: SyncSettings | undefined) {
    if (settings) write(this.#settings, settings);
    else for (const path of [this.#settings, this.#memory]) rmSync(path, { force: true });
  }

  /**
   * Key that hides guessable names from the server at level `usage`. It survives a new enrolment:
   * with another key, projects would get other names.
   */
  get key(): string {
    const known = read(this.#key) as { key: string } | undefined;
    if (known) return known.key;
    const made = { key: randomBytes(32).toString("base64url") };
    write(this.#key, made);
    return made.key;
  }

  get memory(): SyncMemory {
    return (read(this.#memory) as SyncMemory | undefined) ?? { epoch: "", sent: {} };
  }

  set memory(memory: SyncMemory) {
    write(this.#memory, memory);
  }
}

/** Undefined if there is no file. */
function read(path: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readForeignText(path)) as unknown;
  } catch (cause) {
    throw new PolluxError("sync-settings", `${path} cannot be read.`, {
      remedy: "Remove it and enrol again with `pollux sync enrol CODE --to URL`.",
      cause,
    });
  }
}

function write(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.tmp-${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(value, null, 1)}\n`, { mode: 0o600 });
  renameSync(beside, path);
}
