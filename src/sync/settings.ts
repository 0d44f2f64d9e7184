import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { PolluxError } from "../core/error.ts";
import type { SyncLevel } from "../core/team.ts";
import { readForeignText } from "../kernel/open-file.ts";

/** That this machine sends, and what. It holds the token: only its owner may read it. */
export interface SyncSettings {
  server: string;
  token: string;
  device: string;
  team: string;
  expiresMs: number;
  /** Less than the team asks for, where it allows that. */
  level?: SyncLevel;
  /** By a project's path or name; the last that fits counts. */
  projects: { project: string; level: SyncLevel }[];
}

/**
 * What was sent, as an accelerator alone: whoever loses it sends nothing twice, because the server
 * is asked what it has.
 */
export interface SyncMemory {
  epoch: string;
  /** Digests of folders, and of sessions that are told, as they were when all of them was sent. */
  sent: Record<string, string>;
  /** In which form sessions were sent last, when the team had them in no other. */
  forms?: Record<string, SyncLevel>;
  lastMs?: number;
}

/** Some files of this machine, written whole or not at all. */
export class SyncFiles {
  readonly #settings: string;
  readonly #memory: string;
  readonly #key: string;

  /** `folder` is where the archive lies. */
  constructor(folder: string) {
    this.#settings = `${folder}/sync.json`;
    this.#memory = `${folder}/sync-sent.json`;
    this.#key = `${folder}/sync-key.json`;
  }

  get settings(): SyncSettings | undefined {
    return read<SyncSettings>(this.#settings);
  }

  set settings(settings: SyncSettings | undefined) {
    if (settings) write(this.#settings, settings);
    else for (const path of [this.#settings, this.#memory]) rmSync(path, { force: true });
  }

  /**
   * Makes names unreadable for the server where only usage is told. It stays when the machine is
   * enrolled again: with another one, the same sessions would be told as others, and counted twice.
   */
  get key(): string {
    const known = read<{ key: string }>(this.#key);
    if (known) return known.key;
    const made = { key: randomBytes(32).toString("base64url") };
    write(this.#key, made);
    return made.key;
  }

  get memory(): SyncMemory {
    return read<SyncMemory>(this.#memory) ?? { epoch: "", sent: {} };
  }

  set memory(memory: SyncMemory) {
    write(this.#memory, memory);
  }
}

function read<T>(path: string): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readForeignText(path)) as T;
  } catch (cause) {
    throw new PolluxError("sync-settings", `${path} cannot be read.`, {
      remedy: "Remove it, and enrol again with `pollux sync enrol CODE --to URL`.",
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
