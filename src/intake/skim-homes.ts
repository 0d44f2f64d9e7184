import { closeSync, openSync, readSync } from "node:fs";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Digest } from "../model/digest.ts";
import { groupBy } from "../model/group.ts";
import { optional } from "../model/optional.ts";
import type { Facts } from "../model/entry.ts";
import type { SessionSummary } from "../model/summary.ts";
import type { SessionFile } from "../model/session-file.ts";
import { linkDigests } from "../replay/chains.ts";
import { digestOf } from "../replay/digest.ts";
import { projectAnswer } from "../replay/summary.ts";
import type { PlayedAtHome } from "./assemble.ts";
import { assemble, hasSession, sessionIdOf } from "./assemble.ts";
import type { Home } from "./gather.ts";
import { readPromptLogs, readSavedChats, sessionFilesOf } from "./gather.ts";
import { playFile } from "./read.ts";
import type { ReadFile } from "./shelf.ts";
import type { SkimmedFile } from "./skim-file.ts";
import { skimFile } from "./skim-file.ts";

/**
 * What all sessions cost. The digests are rough: of most sessions they tell id, kind, files and
 * usage alone. Good for sums by time, model, kind and root, and for nothing else.
 */
export interface Skimmed {
  digests: Digest[];
  files: ReadFile[];
  diagnostics: Diagnostic[];
}

/** A file: skimmed, or read because it had to be. */
interface Member {
  home: Home;
  file: SessionFile;
  /** Of one that tells of a session. */
  sessionId?: string;
  skimmed?: SkimmedFile;
  played?: PlayedAtHome;
}

/** Nothing when the sessions share replies: then all of them have to be read. */
export function skimHomes(homes: readonly Home[]): Skimmed | undefined {
  const diagnostics = homes.flatMap(diagnosticsOf);
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const reader = new WholeReader();
  const members = homes.flatMap((home) => {
    return sessionFilesOf(home).map((file): Member => {
      const bytes = reader.read(file);
      const skimmed = bytes && skimFile(home.source, file, bytes);
      if (!skimmed) return readMember(home, file);
      return { home, file, sessionId: skimmed.sessionId, skimmed };
    });
  });
  const digests = digestsOf(members);
  const links = linkDigests(digests);
  if (links.chains.length > 0) return undefined;
  const files = inOrder(members).map((one) => {
    one.played?.diagnostics.forEach(report);
    return readFileOf(one);
  });
  readSavedChats(homes, report);
  readPromptLogs(homes, report);
  return { digests: links.digests, files, diagnostics };
}

/** What tells about projects is read with the first question, and may have complaints too. */
function diagnosticsOf({ projects: _read, diagnostics }: Home): Diagnostic[] {
  return [...diagnostics];
}

function readMember(home: Home, file: SessionFile): Member {
  const input = { bytes: home.open(file), weight: "outline" } as const;
  const played = { home, ...playFile(home.source, file, input) };
  return {
    home,
    file,
    played,
    ...optional("sessionId", hasSession(played) ? sessionIdOf(played) : undefined),
  };
}

/** Files of one session together, as they are listed elsewhere. */
function inOrder(members: readonly Member[]): Member[] {
  const keyOf = ({ file, sessionId }: Member): string => sessionId?.split("~", 1)[0] ?? file.path;
  return [...groupBy(members, keyOf).values()].flat();
}

function readFileOf({ file, sessionId, skimmed, played }: Member): ReadFile {
  const { format = "unknown", generation = "unknown" } = skimmed ?? played ?? {};
  return { file, format, generation, isRead: sessionId !== undefined };
}

function digestsOf(members: readonly Member[]): Digest[] {
  const known = members.filter(({ sessionId }) => sessionId !== undefined);
  const groups = groupBy(known, ({ sessionId = "" }) => sessionId);
  return [...groups].map(([id, group]) => {
    const [first] = group;
    if (group.length === 1 && first?.skimmed) return roughDigest(first, first.skimmed);
    // Files of one session are put together by their words.
    const read = group.flatMap((one) => one.played ?? readAgain(one) ?? []);
    return digestOf(assemble(id, read).session);
  });
}

function readAgain(member: Member): PlayedAtHome | undefined {
  const { played } = readMember(member.home, member.file);
  delete member.skimmed;
  if (played) member.played = played;
  return played;
}

function roughDigest({ home, file }: Member, skimmed: SkimmedFile): Digest {
  const { sessionId: id, format, generation, usage, facts } = skimmed;
  const { startedAt, projectHash } = facts;
  const { path, root, role, sizeBytes, modifiedMs, isCleaned } = file;
  const kind = facts.kind === "subagent" || role === "subagent" ? "subagent" : "main";
  const parentId = file.parentId ?? parentOf(file, facts);
  const clues = { folder: file.folder, directories: [], messages: [] };
  const project = home.projects.projectOf({ ...clues, ...optional("projectHash", projectHash) });
  const both = { id, source: home.source.id, kind, isImport: false } as const;
  const ref = { path, root, role, format, generation, sizeBytes, modifiedMs, isCleaned };
  return {
    session: {
      ...both,
      ledgerName: home.source.ledgerName,
      ...optional("parentId", parentId),
      project,
      ...optional("startedAt", startedAt),
      directories: [],
      compressions: [],
      files: [{ ...ref, part: "whole" }],
    },
    summary: {
      ...UNKNOWN,
      ...both,
      project: projectAnswer(project),
      parentId: parentId ?? null,
      startedAt: startedAt ?? null,
      files: [{ path, format, part: "whole", sizeBytes }],
    },
    usage,
    tools: [],
    agentCalls: [],
  };
}

/** A subagent's file among the main ones carries its parent's id. */
function parentOf({ role }: SessionFile, { kind, sessionId }: Facts): string | undefined {
  return kind === "subagent" && role === "main" ? sessionId : undefined;
}

/** What no one may ask of a rough digest. */
const UNKNOWN = {
  parentCallId: null,
  title: null,
  updatedAt: null,
  goneSince: null,
  status: "empty",
  prompts: 0,
  models: [],
  compressions: 0,
  messages: { live: 0, rewound: 0, rewritten: 0 },
  toolCalls: { total: 0, success: 0, error: 0, cancelled: 0 },
  tokens: { input: null, cached: null, output: null, thoughts: null, tool: null, total: null },
} satisfies Partial<SessionSummary>;

/** Larger files are read piece by piece. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads file after file into one buffer. */
class WholeReader {
  #buffer = Buffer.allocUnsafeSlow(4 * 1024 * 1024);

  /** Valid until the next one is read; nothing when the reader has to see to it. */
  read({ path, sizeBytes }: SessionFile): Buffer | undefined {
    if (sizeBytes > MAX_BYTES) return undefined;
    // One byte more: a file that has grown meanwhile fills it.
    if (sizeBytes >= this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(sizeBytes * 2);
    try {
      const descriptor = openSync(path, "r");
      try {
        const count = readSync(descriptor, this.#buffer, 0, sizeBytes + 1, 0);
        return count === sizeBytes ? this.#buffer.subarray(0, count) : undefined;
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // The reader will tell what is wrong with it.
      return undefined;
    }
  }
}
