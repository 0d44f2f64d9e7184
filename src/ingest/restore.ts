import { existsSync } from "node:fs";
import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import type { Session } from "../core/session.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { Restoration, Source } from "../sources/source.ts";
import type { Home } from "./gather.ts";
import { findHome, readSessions, sessionFilesOf } from "./gather.ts";
import type { PutBackAnswer } from "./write-restored.ts";
import { putBack } from "./write-restored.ts";
import type { FoundFile, KeptState, SessionVersion } from "./session-states.ts";
import {
  filesAt,
  filesOfTime,
  filesOfVersion,
  messageNamed,
  versionsOf,
} from "./session-states.ts";

/** What is to be put back, and how. */
export interface RestoreRequest {
  /** The root to restore into. */
  root: string;
  /** The session's directory, when it is not known or another is meant. */
  projectPath?: string;
  /** The version of the program that shall read it. */
  forVersion?: string;
  /** Which kept state: by its number, or the one at a time; the newest by default. */
  version?: number;
  asOfMs?: number;
  /** As it was when this message had just been recorded. */
  at?: string;
  /** Makes a copy under this id. */
  newId?: string;
  writes: "really" | "dry-run";
  existing: "stays" | "is-replaced";
  platform: NodeJS.Platform;
  nowMs: number;
}

/** Where a session's bytes are, and what keeps them. */
export interface Keeping {
  homes: readonly Home[];
  /** Every state of a session that a file was kept in, oldest first; none when nothing is kept. */
  states(found: FoundFile, sessionId: string): KeptState[];
  /** Whether bytes of the disk can be kept at all. */
  canKeep: boolean;
  /** Keeps the bytes of a file on the disk; throws when that is not possible. */
  keepFirst(path: string): void;
}

/** Puts a session back where its program finds it, as it is or as it once was. */
export function restoreSession(
  session: Session,
  keeping: Keeping,
  request: RestoreRequest,
): PutBackAnswer {
  if (session.kind === "subagent") throw agentSession(session);
  const files = filesOf(session, keeping.homes);
  const wished = wishedState(session, files, { keeping, request });
  const source = files[0]?.home.source;
  if (!source) throw new RangeError("A session lies in at least one file.");
  const companions = companionsOf(session, keeping.homes);
  const restorationOf = ({ session: state, files: from }: State): Restoration =>
    source.restoration(state, {
      root: request.root,
      open: (path) => openIn(from, path),
      ...optional("projectPath", request.projectPath),
      ...optional("forVersion", request.forVersion),
      ...optional("newId", request.newId),
      companions: companions.map(({ file }) => file),
      platform: request.platform,
      nowMs: request.nowMs,
    });
  const restoration = restorationOf(wished);
  const { present, stubs, own } = presentOf(source, restoration, {
    root: request.root,
    like: session,
  });
  refuseForeign(restoration, own);
  return putBack(restoration, {
    writes: request.writes,
    existing: request.existing,
    present: {
      paths: present?.paths ?? [],
      isSame: present !== undefined && isSame(restoration, () => restorationOf(present)),
      stubs,
    },
    stubs: keeping.canKeep ? "give way" : "stay",
    keepFirst: (path) => keeping.keepFirst(path),
    open: (file) => openIn(companions, file.path),
  });
}

/** All states of a session that are kept, oldest first. */
export function sessionVersions(session: Session, keeping: Keeping): SessionVersion[] {
  return versionsOf(statesOf(session, keeping));
}

/** What was in one place at different times are states of one file. */
function statesOf(session: Session, keeping: Keeping): ReadonlyMap<FoundFile, KeptState[]> {
  const files = filesOf(session, keeping.homes);
  const places = new Map(
    files.map((found) => [found.file.replaced?.path ?? found.file.path, found]),
  );
  return new Map([...places.values()].map((found) => [found, keeping.states(found, session.id)]));
}

/** What is not kept has one state: the one it is in. */
function withPresent(
  states: ReadonlyMap<FoundFile, KeptState[]>,
): ReadonlyMap<FoundFile, KeptState[]> {
  const present = ({ home, file }: FoundFile): KeptState[] => {
    const { sizeBytes, modifiedMs } = file;
    return [{ content: 0, sizeBytes, modifiedMs, keptMs: 0, open: () => home.open(file) }];
  };
  return new Map(
    [...states].map(([found, list]) => [found, list.length > 0 ? list : present(found)]),
  );
}

interface State {
  session: Session;
  files: readonly FoundFile[];
}

function wishedState(
  session: Session,
  files: readonly FoundFile[],
  { keeping, request }: { keeping: Keeping; request: RestoreRequest },
): State {
  const { version, asOfMs, at } = request;
  let state: State = { session, files };
  if (version !== undefined) {
    state = readAgain(session, filesOfVersion(statesOf(session, keeping), version));
  } else if (asOfMs !== undefined) {
    state = readAgain(session, filesOfTime(withPresent(statesOf(session, keeping)), asOfMs));
  }
  if (at === undefined) return state;
  const message = messageNamed(state.session, at);
  const then = readAgain(session, filesAt(state.files, state.session, message));
  const found = then.session.messages.find(({ id }) => id === message.id);
  if (found?.standing === "live" || found?.copyOf !== undefined) return then;
  throw new PolluxError("no-such-state", `The session never stood at message ${message.id}.`, {
    remedy: "Choose another message; `pollux show ID --all --json` lists them in order.",
  });
}

/** The same session from other bytes; its project is known from all of them. */
function readAgain(session: Session, files: readonly FoundFile[]): State {
  const again = readSessions(files, "full").sessions.find(({ id }) => id === session.id);
  if (again) return { session: { ...again, project: session.project }, files };
  throw new PolluxError("nothing-to-restore", "At that time the session held nothing yet.");
}

function filesOf(session: Session, homes: readonly Home[]): FoundFile[] {
  return session.files.flatMap(({ path, root }) =>
    homes
      .filter((home) => home.root.path === root)
      .flatMap((home) =>
        home.files.filter((file) => file.path === path).map((file) => ({ home, file })),
      ),
  );
}

/** Sessions of its agents, and outputs that it holds only the beginning of. */
function companionsOf(session: Session, homes: readonly Home[]): FoundFile[] {
  const roots = new Set(session.files.map(({ root }) => root));
  const calls = session.messages.flatMap(({ toolCalls }) => toolCalls);
  const spills = new Set(calls.flatMap(({ spill }) => (spill?.isFound === true ? spill.path : [])));
  return homes
    .filter(({ root }) => roots.has(root.path))
    .flatMap((home) =>
      home.files
        .filter(({ path, role, parentId, replaced }) => {
          if (replaced) return false;
          return role === "subagent" ? parentId === session.id : spills.has(path);
        })
        .map((file) => ({ home, file })),
    );
}

interface Present extends State {
  /** Files that hold more than the beginning of a session. */
  paths: string[];
}

/** The session as its program finds it on the disk now. */
function presentOf(
  source: Source,
  restoration: Restoration,
  { root, like }: { root: string; like: Session },
): { present?: Present; stubs: string[]; own: string[] } {
  const id = restoration.sessionId;
  const place = { path: root, because: "restored into", isFound: true };
  const home = findHome(source, place);
  const files = sessionFilesOf(home)
    .filter((file) => restoration.isFoundAt(file.path) && home.peek(file) === id)
    .map((file) => ({ home, file }));
  const session = readSessions(files, "full").sessions.find((one) => one.id === id);
  const told = session?.files.filter(({ part }) => part !== "stub") ?? [];
  const empty = session?.files.filter(({ part }) => part === "stub") ?? [];
  // What deletes nothing by itself does not mind them.
  const stubs = source.retention(place).isEnabled ? empty.map(({ path }) => path) : [];
  const own = files.map(({ file }) => file.path);
  if (!session || told.length === 0) return { stubs, own };
  const paths = told.map(({ path }) => path);
  const present = { session: { ...session, project: like.project }, files, paths };
  return { present, stubs, own };
}

/** Both would be put back in the same words. */
function isSame(restoration: Restoration, present: () => Restoration): boolean {
  try {
    return present().file.text === restoration.file.text;
  } catch (error) {
    if (error instanceof PolluxError) return false;
    throw error;
  }
}

/** Names hold only the beginning of an id: another session may have the same one. */
function refuseForeign({ file }: Restoration, own: readonly string[]): void {
  if (own.includes(file.path) || !existsSync(file.path)) return;
  throw new PolluxError("foreign-file", `${file.path} is there, and is of another session.`, {
    remedy: "--new-id puts the session beside it.",
  });
}

function openIn(files: readonly FoundFile[], path: string): ByteSource {
  const found = files.find(({ file }) => file.path === path);
  if (!found) throw new RangeError("no file of this session");
  return found.home.open(found.file);
}

function agentSession({ id, parentId }: Session): PolluxError {
  return new PolluxError("agent-session", `${id} is the session of an agent.`, {
    remedy:
      parentId === undefined
        ? "The session that started it can be restored; it brings its agents along."
        : `\`pollux restore ${parentId}\` puts it back with the session that started it.`,
  });
}
