import { dirname } from "node:path";
import { PolluxError } from "../core/error.ts";
import { rowsOf } from "../core/rows-of.ts";
import type { SessionRow, SessionRows } from "../core/session-rows.ts";
import type { OpenAsked } from "../core/sync-protocol.ts";
import type { SyncLevel } from "../core/team.ts";
import { readSession } from "../ingest/read-session.ts";
import { shellCommands } from "../kernel/shell/commands.ts";
import type { PullAnswer } from "../sync/pull.ts";
import { pull } from "../sync/pull.ts";
import { RemoteServer } from "../sync/remote.ts";
import type { SyncSettings } from "../sync/settings.ts";
import { SyncFiles } from "../sync/settings.ts";
import type { SyncAnswer, SyncPlan, SyncWork } from "../sync/sync.ts";
import { notEnrolled, planSync, sync } from "../sync/sync.ts";
import type { StoreAccess } from "./store-access.ts";

export type { SyncAnswer, SyncPlan } from "../sync/sync.ts";
export type { PullAnswer } from "../sync/pull.ts";

/** Whether this machine sends, and to whom. */
export interface SyncStatus {
  isEnrolled: boolean;
  server: string | null;
  team: string | null;
  device: string | null;
  /** When the token ends. */
  expiresAt: string | null;
  lastAt: string | null;
  level: SyncLevel | null;
  projects: { project: string; level: SyncLevel }[];
}

export interface SendOptions {
  /** As fast as possible: somebody waits. */
  pace?: "team" | "none";
  progress?: (done: number, total: number) => void;
}

/** Sends what is kept to a team, once this machine was enrolled. */
export class SyncKeeper {
  readonly #access: StoreAccess;

  constructor(access: StoreAccess) {
    this.#access = access;
  }

  /** Beside the archive; a database of one's own is sent by nobody. */
  get #files(): SyncFiles {
    const { setup, path } = this.#access;
    if (setup.options.store === undefined) return new SyncFiles(dirname(path));
    throw new PolluxError("wrong-usage", "Only an archive of this machine is sent to a team.", {
      remedy: "Leave --store and POLLUX_STORE away.",
    });
  }

  get status(): SyncStatus {
    return statusOf(this.#files);
  }

  /** Turns a code into the right to send. Nothing else is sent. */
  async enrol({ code, to, name }: { code: string; to: string; name: string }): Promise<SyncStatus> {
    const files = this.#files;
    const server = new RemoteServer(to, { wait });
    const { device, token, team, expiresMs } = await server.enrol({ code, name });
    const { projects = [], level } = files.settings ?? {};
    const levels = { projects, ...(level === undefined ? {} : { level }) };
    files.settings = undefined;
    files.settings = { server: to, token, device, team, expiresMs, ...levels };
    return this.status;
  }

  /** Nothing is sent any more. What was sent stays where it is. */
  leave(): void {
    this.#files.settings = undefined;
  }

  /** Less than the team asks for, of all projects or of one; what is said later counts. */
  setLevel(level: SyncLevel, project?: string): SyncStatus {
    const settings = this.#settings();
    const others = settings.projects.filter((each) => each.project !== project);
    this.#files.settings =
      project === undefined
        ? { ...settings, level }
        : { ...settings, projects: [...others, { project, level }] };
    return this.status;
  }

  async send(options: SendOptions = {}): Promise<SyncAnswer> {
    return sync(await this.#work(options));
  }

  /** What would be sent, in full. Nothing of it is sent, not even a name. */
  async plan(): Promise<SyncPlan> {
    return planSync(await this.#work({}));
  }

  /** Brings a session of one's own from another machine. It can then be shown and restored. */
  async pull(session: string): Promise<PullAnswer> {
    const store = await this.#access.storeToWrite();
    const { server } = await this.#work({ pace: "none" });
    const answer = await pull({ store, server, clock: this.#clock }, session);
    await (await this.#access.ingester()).rebuild({ only: "unread" });
    this.#access.forget();
    return answer;
  }

  /** Shows a session that was sent to a team, or to everybody in it. */
  open(asked: OpenAsked): Promise<{ source: string; id: string }> {
    return this.#server(this.#settings()).open(asked);
  }

  /** Nobody else sees it any more. */
  close(session: string): Promise<void> {
    return this.#server(this.#settings()).close(session);
  }

  #server({ server, token }: SyncSettings): RemoteServer {
    return new RemoteServer(server, { token, wait });
  }

  #settings(): SyncSettings {
    const { settings } = this.#files;
    if (settings) return settings;
    throw notEnrolled();
  }

  async #work({ pace = "team", progress }: SendOptions): Promise<SyncWork> {
    const settings = this.#settings();
    const store = await this.#access.store();
    const server = this.#server(settings);
    const rows = (row: SessionRow): Promise<SessionRows | undefined> => this.#rows(row);
    const rest = pace === "team" ? wait : async (): Promise<void> => undefined;
    const work = { store, server, files: this.#files, settings, clock: this.#clock };
    return { ...work, rowsOf: rows, wait: rest, ...(progress ? { progress } : {}) };
  }

  async #rows({ summary }: SessionRow): Promise<SessionRows | undefined> {
    const view = await this.#access.reads("full");
    const session = await readSession(view, summary);
    return session && rowsOf(session, shellCommands);
  }

  get #clock(): () => number {
    const { clock } = this.#access.setup;
    return () => Math.floor(clock());
  }
}

function statusOf({ settings, memory }: SyncFiles): SyncStatus {
  const at = (ms: number | undefined): string | null => {
    return ms === undefined ? null : new Date(ms).toISOString();
  };
  return {
    isEnrolled: settings !== undefined,
    server: settings?.server ?? null,
    team: settings?.team ?? null,
    device: settings?.device ?? null,
    expiresAt: at(settings?.expiresMs),
    lastAt: at(settings === undefined ? undefined : memory.lastMs),
    level: settings?.level ?? null,
    projects: settings?.projects ?? [],
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
