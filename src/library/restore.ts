import type { Retention } from "../core/files/expiry.ts";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import { keptStates } from "../ingest/restore/kept-states.ts";
import type { LoadedSession } from "../ingest/read-session.ts";
import { loadSession } from "../ingest/read-session.ts";
import type { RestoreBackup } from "../ingest/restore/restore.ts";
import { restoreSession } from "../ingest/restore/restore.ts";
import type { SessionVersion } from "../ingest/restore/session-states.ts";
import { versionsOf } from "../ingest/restore/session-states.ts";
import type { RestoreResult } from "../ingest/restore/write-restored.ts";
import type { RetentionAdvice } from "../sources/source.ts";
import { retentionOf } from "./doctor.ts";
import { unreadableSession } from "./naming.ts";
import { findSession } from "./sessions.ts";
import type { StoreAccess } from "./store-access.ts";

/** What to restore; by default the session in its current state, where it was found. */
export interface RestoreOptions {
  /** The root to restore into. */
  into?: string;
  /** The session's directory, if it is unknown or another one is wanted. */
  projectPath?: string;
  /** The version of the agent that will read it. */
  forVersion?: string;
  /** The kept version: by number, or by time (`asOfMs`). */
  version?: number;
  asOfMs?: number;
  /** The state right after this message was recorded. */
  at?: string;
  /** `new`: a copy under a new id. */
  id?: "same" | "new";
  writes?: "really" | "dry-run";
  /** What to do if a state of it already exists there. */
  existing?: "stays" | "is-replaced";
  nowMs: number;
}

/** What was restored, with notes. */
export interface RestoreAnswer extends RestoreResult {
  agent: string;
  root: string;
  /** How long the agent keeps it there. */
  retention: Retention;
  /** How to prevent its deletion; `null` if impossible or not needed. */
  advice: RetentionAdvice | null;
}

/** How to resume a session. */
export interface ResumeAnswer {
  sessionId: string;
  projectPath: string;
  isProjectThere: boolean;
  /** The command to run in the project's directory. */
  command: string[];
  /** What must be written first; `null` if the agent finds the session as it is. */
  restore: RestoreAnswer | null;
}

/** Restores a session to where its agent finds it, in its current or an earlier state. */
export async function restoreNamed(
  access: StoreAccess,
  name: string,
  options: RestoreOptions,
): Promise<RestoreAnswer> {
  const { id, into, existing = "stays", writes = "really", ...rest } = options;
  if (rest.version !== undefined && rest.asOfMs !== undefined) {
    throw new PolluxError("wrong-usage", "Give a version number or a time, not both.");
  }
  const view = await access.reads("outline");
  const loaded = await load(access, name);
  const root = into === undefined ? rootOf(access, loaded) : rootAt(access, loaded, into);
  const answer = await restoreSession(view, loaded, {
    keeping: await keepingOf(access, loaded),
    request: {
      ...rest,
      ...optional("newId", id === "new" ? randomUUID() : undefined),
      root,
      existing,
      writes,
      platform: access.setup.environment.platform,
    },
  });
  // The cached answers are outdated now.
  if (writes === "really") access.lookAgain();
  const { name: agent, abilities } = loaded.source;
  const advice = abilities.retention?.advice ?? null;
  const place = { path: root, because: "restored into", isFound: true };
  return { ...answer, agent, root, retention: retentionOf(loaded.source, place), advice };
}

/** Every kept version of a session, oldest first. */
export async function versionsNamed(access: StoreAccess, name: string): Promise<SessionVersion[]> {
  const { states } = await keepingOf(access, await load(access, name));
  return versionsOf(states);
}

/** The command that resumes a session, and what must be restored first. Writes nothing. */
export async function resumeNamed(
  access: StoreAccess,
  name: string,
  options: RestoreOptions,
): Promise<ResumeAnswer> {
  const planned = await restoreNamed(access, name, {
    ...options,
    writes: "dry-run",
    existing: "stays",
  });
  const { sessionId, projectPath, isProjectThere, command, outcome } = planned;
  // An existing file is resumed as it is, even if more of the session is kept.
  const isThere = outcome === "unchanged" || outcome === "exists";
  return { sessionId, projectPath, isProjectThere, command, restore: isThere ? null : planned };
}

async function load(access: StoreAccess, name: string): Promise<LoadedSession> {
  const view = await access.reads("outline");
  const { summary } = await findSession(view, name);
  const loaded = await loadSession(view, summary, "full");
  if (!loaded) throw unreadableSession(summary);
  return loaded;
}

async function keepingOf(access: StoreAccess, loaded: LoadedSession): Promise<RestoreBackup> {
  const { store } = await access.reads("outline");
  const states = access.isStoreUsed ? await keptStates(store, loaded) : new Map();
  return {
    states,
    canKeep: access.hasStore,
    keepFirst: async (path) => {
      await access.ingest(access.hasRequestedRoots ? "asked" : "usual");
      const known = await (await access.store()).known({ paths: [path] });
      if (known.some(({ goneSinceMs }) => goneSinceMs === undefined)) return;
      throw new PolluxError("not-kept", `${path} could not be archived, so it was not replaced.`, {
        remedy: "Try again when no program writes to it, with a root that is archived.",
      });
    },
  };
}

/** `into` may also be the parent of the agent's folder, as for `--root`. */
function rootAt({ setup }: StoreAccess, { source }: LoadedSession, into: string): string {
  return source.roots({ ...setup.environment, requestedRoots: [into] })[0]?.path ?? into;
}

/** The root where it was found, if it exists on this machine; else the agent's first one. */
function rootOf({ setup }: StoreAccess, { session, source }: LoadedSession): string {
  const own = session.files.find(({ root }) => existsSync(root));
  const usual = setup.places.filter((place) => place.source === source).map(({ root }) => root);
  const first = usual.find(({ isFound }) => isFound) ?? usual[0];
  const root = own?.root ?? first?.path;
  if (root !== undefined) return root;
  throw new PolluxError("no-root", "No folder to restore into was found.", {
    remedy: "Name it with --into.",
  });
}
