import { existsSync } from "node:fs";
import { PolluxError } from "../../core/error.ts";
import { optional } from "../../core/optional.ts";
import type { Session } from "../../core/session/session.ts";
import type { FileRole } from "../../core/files/session-file.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { fileBytes } from "../../kernel/bytes.ts";
import type { Restoration, RestoreAbility, Source } from "../../sources/source.ts";
import type { OpenedFile } from "../decode.ts";
import { isSessionFile, keysOf } from "../decode.ts";
import { findHome } from "../disk-home.ts";
import { readSessions } from "../read-group.ts";
import type { LoadedSession, SessionPlace } from "../read-session.ts";
import type { FileStates, KeptState } from "./session-states.ts";
import { filesAt, filesOfTime, filesOfVersion, messageNamed } from "./session-states.ts";
import { sessionFileOf } from "../stored-home.ts";
import type { RestoreResult } from "./write-restored.ts";
import { writeRestored } from "./write-restored.ts";

export interface RestoreRequest {
  /** The root to restore into. */
  root: string;
  /** The session's directory, if unknown or to be changed. */
  projectPath?: string;
  /** The version of the agent that will read the session. */
  forVersion?: string;
  /** The kept state to restore, by number or by time; the newest by default. */
  version?: number;
  asOfMs?: number;
  /** Restores the state just after this message was recorded. */
  at?: string;
  /** Restores a copy with this id. */
  newId?: string;
  writes: "really" | "dry-run";
  existing: "stays" | "is-replaced";
  platform: NodeJS.Platform;
  nowMs: number;
}

/** Keeps the bytes of files that are about to be replaced. */
export interface RestoreBackup {
  /** Every kept state of the session's files; empty if nothing is kept. */
  states: FileStates;
  /** Whether bytes can be kept at all. */
  canKeep: boolean;
  /** Keeps the bytes of a file on disk; throws if that fails. */
  keepFirst(path: string): Promise<void>;
}

/** Restores a session, in its current or an earlier state, to where its agent finds it. */
export async function restoreSession(
  place: SessionPlace,
  loaded: LoadedSession,
  { keeping, request }: { keeping: RestoreBackup; request: RestoreRequest },
): Promise<RestoreResult> {
  const { session, source } = loaded;
  if (session.kind === "subagent") throw agentSession(session);
  const ability = abilityOf(source);
  const wanted = wantedState(loaded, keeping, request);
  const { newId: id = session.id, projectPath = session.project.path } = request;
  if (!ability.ids.test(id)) throw oddId(id, source.name);
  const companions = await companionsOf(place, session);
  const planOf = (state: State): Restoration => {
    const plan = ability.plan(state.session, {
      root: request.root,
      open: (path) => openIn(state.files, path),
      id,
      projectPath: projectPath ?? "",
      ...optional("forVersion", request.forVersion),
      companions: companions.map(({ file }) => file),
      platform: request.platform,
      nowMs: request.nowMs,
    });
    if (plan) return plan;
    throw nothingToResume(session.id);
  };
  const restoration = planOf(wanted);
  // Only now: nobody needs to name the directory of a session that cannot be restored anyway.
  if (projectPath === undefined) throw unknownProject();
  const { present, stubs, own } = presentOf(loaded, restoration, { id, root: request.root });
  refuseForeign(restoration, own);
  const written = await writeRestored(restoration, {
    writes: request.writes,
    existing: request.existing,
    present: {
      paths: present?.paths ?? [],
      isSame: present !== undefined && isSame(restoration, () => planOf(present)),
      stubs,
    },
    stubs: keeping.canKeep ? "give way" : "stay",
    keepFirst: (path) => keeping.keepFirst(path),
    open: (file) => openIn(companions, file.path),
  });
  return { sessionId: id, projectPath, ...written, isProjectThere: existsSync(projectPath) };
}

function abilityOf({ abilities, name }: Source): RestoreAbility {
  if (abilities.restore) return abilities.restore;
  throw new PolluxError("cannot-restore", `Sessions of ${name} cannot be restored.`, {
    remedy: "You can show and export them.",
  });
}

interface State {
  session: Session;
  files: readonly OpenedFile[];
}

function wantedState(
  loaded: LoadedSession,
  keeping: RestoreBackup,
  request: RestoreRequest,
): State {
  const { session, source } = loaded;
  const { version, asOfMs, at } = request;
  let state: State = { session, files: ownFiles(loaded) };
  if (version !== undefined) {
    state = readAgain(loaded, filesOfVersion(keeping.states, version));
  } else if (asOfMs !== undefined) {
    state = readAgain(loaded, filesOfTime(source, withPresent(keeping.states, loaded), asOfMs));
  }
  if (at === undefined) return state;
  const message = messageNamed(state.session, at);
  const then = readAgain(loaded, filesAt(state.files, state.session, message));
  const found = then.session.messages.find(({ id }) => id === message.id);
  if (found?.standing === "live" || found?.copyOf !== undefined) return then;
  throw new PolluxError(
    "no-such-state",
    `The session was never in a state that ended with message ${message.id}.`,
    {
      remedy: "Choose another message; `pollux show ID --all --json` lists them in order.",
    },
  );
}

/** Adds the current state of files that are not kept: it is their only one. */
function withPresent(states: FileStates, loaded: LoadedSession): FileStates {
  const present = ({ file, bytes }: OpenedFile): KeptState[] => {
    const { sizeBytes, modifiedMs } = file;
    return [{ content: 0, sizeBytes, modifiedMs, keptMs: 0, bytes }];
  };
  const kept = states.size > 0 ? states : new Map(ownFiles(loaded).map((file) => [file, []]));
  return new Map(
    [...kept].map(([opened, list]) => [opened, list.length > 0 ? list : present(opened)]),
  );
}

/** Reads the session from other bytes, but keeps its project, which comes from all bytes. */
function readAgain({ session, source }: LoadedSession, files: readonly OpenedFile[]): State {
  const again = readSessions(source, files, "full").find(({ id }) => id === session.id);
  if (again) return { session: { ...again, project: session.project }, files };
  throw new PolluxError("nothing-to-restore", "At that time the session was still empty.");
}

function ownFiles({ session, group }: LoadedSession): OpenedFile[] {
  const paths = new Set(session.files.map(({ path }) => path));
  return group.filter(({ file }) => paths.has(file.path));
}

const BESIDE: readonly FileRole[] = ["subagent", "spill", "companion"];

/** Finds sessions of subagents, spilled outputs and other files that belong to the session. */
async function companionsOf(
  place: SessionPlace,
  { id, files, messages, source }: Session,
): Promise<Pick<OpenedFile, "file" | "bytes">[]> {
  const { store } = place;
  const roots = new Set(files.map(({ root }) => root));
  const calls = messages.flatMap(({ toolCalls }) => toolCalls);
  const spills = new Set(calls.flatMap(({ spill }) => (spill?.isFound === true ? spill.path : [])));
  const known = await store.known({ source, roles: BESIDE });
  const beside = known.filter(({ path, role, parentId, root }) => {
    if (!roots.has(root)) return false;
    return role === "spill" ? spills.has(path) : parentId === id;
  });
  const own = new Set([...files, ...beside].map(({ path }) => path));
  const paths = (await agentFiles(place, { source, id })).filter((path) => !own.has(path));
  const agents = paths.length === 0 ? [] : await store.known({ source, paths });
  const wanted = [...beside, ...agents.filter(({ root }) => roots.has(root))];
  return Promise.all(
    wanted.map(async (file) => ({ file: sessionFileOf(file), bytes: await store.bytes(file) })),
  );
}

/** Files of subagents whose path does not name the parent: found by their sessions. */
async function agentFiles(
  { store, scope }: SessionPlace,
  { source, id }: { source: string; id: string },
): Promise<string[]> {
  const query = { scope, filter: { source }, parentId: id } as const;
  const { items } = await store.sessions(query);
  return items.flatMap(({ session }) => session.files.map(({ path }) => path));
}

interface Present extends State {
  /** Files that hold more than the start of a session. */
  paths: string[];
}

/** Reads the session as its agent finds it on disk now. */
function presentOf(
  { source, session, group }: LoadedSession,
  restoration: Restoration,
  { id, root }: { id: string; root: string },
): { present?: Present; stubs: string[]; own: string[] } {
  const place = { path: root, because: "restored into", isFound: true };
  const home = findHome({ source, root: place });
  const before = group.flatMap(({ file, bytes }) => keysOf(source, file, bytes));
  const keys = new Set([id, ...(id === session.id ? before : [])]);
  const files = home.files
    .filter((file) => isSessionFile(file) && restoration.isFoundAt(file.path))
    .map((file) => ({ file, bytes: fileBytes(file.path), home: home.view }))
    .filter(({ file, bytes }) => keysOf(source, file, bytes).some((key) => keys.has(key)));
  const found = readSessions(source, files, "full").find((candidate) => candidate.id === id);
  const own = found?.files.map(({ path }) => path) ?? [];
  const withContent = found?.files.filter(({ part }) => part !== "stub") ?? [];
  const empty = found?.files.filter(({ part }) => part === "stub") ?? [];
  // Stubs do harm only if the agent's clean-up is enabled.
  const isCleaning = source.abilities.retention?.settings(place).isEnabled === true;
  const stubs = isCleaning ? empty.map(({ path }) => path) : [];
  if (!found || withContent.length === 0) return { stubs, own };
  const paths = withContent.map(({ path }) => path);
  return { present: { session: { ...found, project: session.project }, files, paths }, stubs, own };
}

/** Whether restoring either state would write the same text. */
function isSame(restoration: Restoration, present: () => Restoration): boolean {
  try {
    return present().file.text === restoration.file.text;
  } catch (error) {
    if (error instanceof PolluxError) return false;
    throw error;
  }
}

/** File names hold only the start of an id, so the path may belong to another session. */
function refuseForeign({ file }: Restoration, own: readonly string[]): void {
  if (own.includes(file.path) || !existsSync(file.path)) return;
  throw new PolluxError("foreign-file", `${file.path} exists and belongs to another session.`, {
    remedy: "Use --new-id to restore the session as a copy with a new id.",
  });
}

function openIn(files: readonly Pick<OpenedFile, "file" | "bytes">[], path: string): ByteSource {
  const found = files.find(({ file }) => file.path === path);
  if (!found) throw new RangeError("no file of this session");
  return found.bytes;
}

function agentSession({ id, parentId }: Session): PolluxError {
  return new PolluxError(
    "agent-session",
    `${id} is a subagent's session and cannot be restored alone.`,
    {
      remedy:
        parentId === undefined
          ? "It does not say which session started it. You can show and export it."
          : `Restore it together with its parent: \`pollux restore ${parentId}\`.`,
    },
  );
}

function unknownProject(): PolluxError {
  return new PolluxError("unknown-project", "The project directory of this session is unknown.", {
    remedy: "Name it with --project /path/to/the/project.",
  });
}

function oddId(id: string, agent: string): PolluxError {
  return new PolluxError("odd-id", `${agent} does not accept "${id}" as a session id.`, {
    remedy: "Use --new-id to restore it with another id.",
  });
}

function nothingToResume(id: string): PolluxError {
  return new PolluxError("nothing-to-restore", `Session ${id} has no messages to resume.`, {
    remedy: "`pollux show` shows what is left of it.",
  });
}
