import { PolluxError } from "../core/error.ts";
import type { KnownFile } from "../core/files/kept.ts";
import type { SessionRow, SessionRows } from "../core/rows/session-rows.ts";
import type {
  ServerFolder,
  SyncPolicy,
  SyncServer,
  SentSession,
} from "../core/team/sync-protocol.ts";
import { rowsToSend } from "../core/team/outgoing-rows.ts";
import type { SyncLevel } from "../core/team/team.ts";
import { loadScanner } from "../queries/redaction/scanner.ts";
import type { Store } from "../store/store.ts";
import { maskedBytes } from "./masked-bytes.ts";
import type { FormerForms } from "./forms.ts";
import { formsUnchanged, outdatedForms, formsOf } from "./forms.ts";
import { HiddenNames } from "./hidden-names.ts";
import type { Outgoing, OutgoingFolder } from "./outgoing.ts";
import { outgoingOf } from "./outgoing.ts";
import { sendFile } from "./send-file.ts";
import type { SyncFiles, SyncMemory, SyncSettings } from "./settings.ts";

export interface SyncWork {
  store: Store;
  server: SyncServer;
  files: SyncFiles;
  settings: SyncSettings;
  clock: () => number;
  /** Reads all rows of a session from its bytes. */
  rowsOf: (row: SessionRow) => Promise<SessionRows | undefined>;
  /** Waits, for pacing; does nothing if a user is waiting. */
  wait: (ms: number) => Promise<void>;
  progress?: (done: number, total: number) => void;
}

export interface SyncAnswer {
  server: string;
  team: string;
  level: SyncLevel;
  masked: boolean;
  /** Number of sent contents, and their compressed size. */
  contents: number;
  bytes: number;
  /** Number of sessions sent as rows only. */
  rowsOnly: number;
  withheld: number;
  /**
   * Number of sessions no longer updated: they were sent in full before their level was lowered.
   */
  lowered: number;
  /** Files that were not sent because they are too large for the server. */
  tooLarge: string[];
}

/**
 * Sends what is new. The archive is the spool: after an interruption, the next run asks what the
 * server has and continues. The memory only saves requests.
 */
export async function sync(work: SyncWork): Promise<SyncAnswer> {
  const { store, server, settings, files } = work;
  const policy = await server.policy();
  const memory = memoryOf(files, policy);
  const names = new HiddenNames(files.key, policy);
  const outgoing = await outgoingOf(store, settings, { policy, names });
  const answer: SyncAnswer = {
    server: settings.server,
    team: policy.team,
    level: policy.level,
    masked: policy.masked,
    contents: 0,
    bytes: 0,
    rowsOnly: 0,
    withheld: outgoing.withheld,
    lowered: 0,
    tooLarge: [],
  };
  const former = await formerOf({ server, names }, outgoing, memory);
  for (const { key } of former.inFull) remember(files, memory, { key, digest: IN_FULL });
  const { folders, sessions } = newsOf(outgoing, memory);
  answer.lowered = outgoing.sessions.filter(({ key }) => memory.sent[key] === IN_FULL).length;
  let done = 0;
  const step = (): void => work.progress?.((done += 1), folders.length + sessions.length);
  const sender = await senderOf(work, policy, answer);
  for (const folder of folders) {
    const stayed = answer.tooLarge.length;
    await sender(folder);
    // Not remembered if a file was left out, so that it is reported every time.
    if (answer.tooLarge.length === stayed) remember(files, memory, folder);
    step();
  }
  for (const session of sessions) {
    const sent = await sessionToSend({ ...work, names }, session);
    if (sent) await server.putRows(sent);
    answer.rowsOnly += sent ? 1 : 0;
    remember(files, memory, session);
    step();
  }
  if (former.outdated.length > 0) await server.dropRows(former.outdated);
  const forms = { ...memory.forms, ...formsOf(outgoing) };
  files.memory = { ...memory, forms, lastMs: work.clock() };
  return answer;
}

/** Sessions that the server may have in another form; empty while every session keeps its form. */
async function formerOf(
  { server, names }: { server: SyncServer; names: HiddenNames },
  outgoing: Outgoing,
  { forms }: SyncMemory,
): Promise<FormerForms> {
  if (formsUnchanged(formsOf(outgoing), forms)) return { outdated: [], inFull: [] };
  return outdatedForms(server, outgoing, names);
}

function memoryOf(files: SyncFiles, { epoch }: SyncPolicy): SyncMemory {
  const { memory } = files;
  return memory.epoch === epoch ? memory : { epoch, sent: {} };
}

/** Marks a session whose bytes were sent before its level was lowered. */
const IN_FULL = "in full";

function newsOf(
  { folders, sessions }: Outgoing,
  { sent }: SyncMemory,
): Pick<Outgoing, "folders" | "sessions"> {
  const isNew = ({ key, digest }: { key: string; digest: string }): boolean => {
    return sent[key] !== digest && sent[key] !== IN_FULL;
  };
  return { folders: folders.filter(isNew), sessions: sessions.filter(isNew) };
}

function remember(
  files: SyncFiles,
  memory: SyncMemory,
  { key, digest }: { key: string; digest: string },
): void {
  memory.sent[key] = digest;
  files.memory = memory;
}

/** Returns a function that sends a folder file by file, at the pace that the team allows. */
async function senderOf(
  { store, server, wait }: SyncWork,
  { masked, paceBytes }: SyncPolicy,
  answer: SyncAnswer,
): Promise<(folder: OutgoingFolder) => Promise<void>> {
  const scanner = masked ? await loadScanner() : undefined;
  const sent = (bytes: number): Promise<void> => wait((bytes / paceBytes) * 1000);
  return async ({ source, root, folder, files }) => {
    const place = { source, root, folder };
    const [held] = await server.held([place]);
    const mask = scanner && { masked: (bytes: Bytes) => maskedBytes(bytes, scanner) };
    for (const file of files) {
      const sending = { store, server, folder: place, sent, ...mask };
      const counts = await sendFile(sending, file, heldIn(held, file));
      answer.contents += counts.contents;
      answer.bytes += counts.bytes;
      answer.tooLarge.push(...counts.tooLarge);
    }
  };
}

type Bytes = Awaited<ReturnType<Store["bytes"]>>;

function heldIn(
  folder: ServerFolder | undefined,
  file: KnownFile,
): ServerFolder["files"][number] | undefined {
  return folder?.files.find(({ path }) => path === file.path);
}

async function sessionToSend(
  { names, rowsOf }: Pick<SyncWork, "rowsOf"> & { names: HiddenNames },
  { level, row }: Outgoing["sessions"][number],
): Promise<SentSession | undefined> {
  const rows = await rowsOf(row);
  return rows && { level, rows: rowsToSend(rows, level === "usage" ? names : undefined) };
}

/** Everything that would be sent. New names are not sent to the server to make the plan. */
export interface SyncPlan {
  server: string;
  policy: SyncPolicy;
  files: { path: string; sizeBytes: number; masked: boolean }[];
  sessions: SentSession[];
  withheld: number;
}

export async function planSync(work: SyncWork): Promise<SyncPlan> {
  const { store, server, settings, files } = work;
  const policy = await server.policy();
  const names = new HiddenNames(files.key, policy);
  const outgoing = await outgoingOf(store, settings, { policy, names });
  const memory = memoryOf(files, policy);
  const { inFull } = await formerOf({ server, names }, outgoing, memory);
  for (const { key } of inFull) memory.sent[key] = IN_FULL;
  const news = newsOf(outgoing, memory);
  const sessions: SentSession[] = [];
  for (const session of news.sessions) {
    const sent = await sessionToSend({ ...work, names }, session);
    if (sent) sessions.push(sent);
  }
  const whole = news.folders.flatMap((folder) => folder.files);
  return {
    server: settings.server,
    policy,
    files: whole.map(({ path, sizeBytes }) => ({ path, sizeBytes, masked: policy.masked })),
    sessions,
    withheld: outgoing.withheld,
  };
}

export function notEnrolled(): PolluxError {
  return new PolluxError("not-enrolled", "This machine is not enrolled with a team.", {
    remedy: "Get a code from the team's administrator, then run `pollux sync enrol CODE --to URL`.",
  });
}
