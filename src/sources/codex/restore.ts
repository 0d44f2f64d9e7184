import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { PolluxError } from "../../core/error.ts";
import type { Session, SessionFileRef } from "../../core/session/session.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { readWhole } from "../../kernel/bytes.ts";
import type { Restoration, RestoreAbility, RestoreRequest } from "../source.ts";
import { FORMATS } from "./read.ts";
import { isRolloutName, rolloutName, stemOf } from "./names.ts";
import { TITLES_FILE, titlesAt } from "./titles.ts";
import { isPacked, unpackedBytes } from "./zstd.ts";

/**
 * Restores rollouts under their own names with the same bytes. Packed ones are unpacked, as Codex
 * does on resume; archived ones go to the other sessions, where Codex looks for them.
 */
function restoration(session: Session, request: RestoreRequest): Restoration | undefined {
  const rollouts = session.files.filter(({ part }) => part === "whole" || part === "continuation");
  const live = rollouts.at(-1);
  if (!live) return undefined;
  if (rollouts.some(isOld)) throw tooOld(session.id);
  const plan = new Plan(session, request);
  const file = plan.fileOf(live);
  const claims = [
    ...rollouts.slice(0, -1).map((rollout) => plan.fileOf(rollout)),
    ...plan.bases(),
  ].filter(({ path }) => !existsSync(path));
  return {
    file,
    claims,
    appends: plan.titles(),
    companions: request.companions.map((from) => ({ from, path: plan.besideOf(from.path) })),
    isFoundAt: (path) => isBelowSessions(request.root, path) && isRolloutName(basename(path)),
    messages: session.messages.length,
    command: ["codex", "resume", request.id],
  };
}

export const restore: RestoreAbility = { ids: /^[A-Za-z0-9][A-Za-z0-9-]*$/, plan: restoration };

interface PlannedFile {
  path: string;
  text: string;
  bytes?: Buffer;
}

class Plan {
  readonly #session: Session;
  readonly #request: RestoreRequest;

  constructor(session: Session, request: RestoreRequest) {
    this.#session = session;
    this.#request = request;
  }

  fileOf({ path, replacedPath }: Pick<SessionFileRef, "path" | "replacedPath">): PlannedFile {
    const name = replacedPath ?? path;
    const bytes = textOf(this.#request.open(path), name);
    const text = this.#renamed(bytes.toString("utf8"));
    const target = this.pathOf(name);
    return isUtf8(bytes) ? { path: target, text } : { path: target, text, bytes };
  }

  /** The rollouts that a fork is based on (0.152+); they belong to another thread. */
  bases(): PlannedFile[] {
    const own = new Set(this.#session.files.map(({ path }) => path));
    const inherited = this.#session.messages.filter(({ isInherited }) => isInherited === true);
    const paths = new Set(inherited.map(({ place }) => place.file));
    return [...paths].flatMap((path) => {
      if (own.has(path) || existsSync(this.pathOf(path, "as it is"))) return [];
      try {
        const bytes = textOf(this.#request.open(path), path);
        return [{ path: this.pathOf(path, "as it is"), text: bytes.toString("utf8") }];
      } catch {
        // It is not a file of this session and has to be restored by itself.
        throw baseMissing(this.#session.id, rolloutName(path)?.threadId ?? path);
      }
    });
  }

  /** The name of a thread is in no rollout, but in the list of all threads. */
  titles(): { path: string; line: string }[] {
    const { kind, summary, updatedAt } = this.#session;
    const { id, root } = this.#request;
    const path = join(root, TITLES_FILE);
    if (kind !== "main" || summary === undefined) return [];
    if (titlesAt(path).get(id) === summary) return [];
    const updated = updatedAt ?? new Date(this.#request.nowMs).toISOString();
    return [{ path, line: JSON.stringify({ id, thread_name: summary, updated_at: updated }) }];
  }

  /** An agent's rollout is restored unchanged; Codex also reads packed ones. */
  besideOf(path: string): string {
    const plain = this.pathOf(path, "as it is");
    return isPacked(path) ? `${plain}.zst` : plain;
  }

  /** `sessions/2026/11/15/rollout-….jsonl`: the folder is the day in the name. */
  pathOf(path: string, as: "renamed" | "as it is" = "renamed"): string {
    const stem = as === "renamed" ? this.#renamed(stemOf(path)) : stemOf(path);
    const name = rolloutName(stem);
    const started = this.#session.startedAt ?? new Date(this.#request.nowMs).toISOString();
    const [year, month, day] = name
      ? [name.year, name.month, name.day]
      : started.slice(0, 10).split("-");
    const { id, root } = this.#request;
    const file = name ? stem : `rollout-${started.slice(0, 19).replaceAll(":", "-")}-${id}`;
    return join(root, "sessions", `${year}`, `${month}`, `${day}`, `${file}.jsonl`);
  }

  /** Replaces the id everywhere if a copy is restored. */
  #renamed(text: string): string {
    return text.replaceAll(this.#session.id, this.#request.id);
  }
}

function textOf(bytes: ByteSource, name: string): Buffer {
  return readWhole(isPacked(name) ? unpackedBytes(bytes) : bytes);
}

function isOld({ format }: SessionFileRef): boolean {
  return format === FORMATS.document || format === FORMATS.bare;
}

function isBelowSessions(root: string, path: string): boolean {
  const below = relative(join(root, "sessions"), dirname(path));
  return below === "" || !below.split(sep).includes("..");
}

function tooOld(id: string): PolluxError {
  return new PolluxError("cannot-restore", `Session ${id} was written by a version before 0.32.`, {
    remedy: "Codex cannot resume it. You can show and export it.",
  });
}

function baseMissing(id: string, baseId: string): PolluxError {
  return new PolluxError("base-missing", `Session ${id} continues ${baseId}, which is missing.`, {
    remedy: `Run \`pollux restore ${baseId}\` first.`,
  });
}
