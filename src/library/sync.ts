import { dirname } from "node:path";
import { PolluxError } from "../core/error.ts";
import { timeText } from "../core/instant.ts";
import { rowsOf } from "../core/rows/rows-of.ts";
import type { SessionRow, SessionRows } from "../core/rows/session-rows.ts";
import type { ShareRequest } from "../core/team/sync-protocol.ts";
import type { SyncLevel } from "../core/team/team.ts";
import { readSession } from "../ingest/read-session.ts";
import { shellCommands } from "../kernel/shell/commands.ts";
import type { PullAnswer } from "../sync/pull.ts";
import { pull } from "../sync/pull.ts";
import { isProject } from "../sync/levels.ts";
import { RemoteServer } from "../sync/remote.ts";
import type { SyncSettings } from "../sync/settings.ts";
import { SyncFiles } from "../sync/settings.ts";
import type { SyncAnswer, SyncPlan, SyncWork } from "../sync/sync.ts";
import { notEnrolled, planSync, sync } from "../sync/sync.ts";
import type { StoreAccess } from "./store-access.ts";

export type { SyncAnswer, SyncPlan } from "../sync/sync.ts";
export type { PullAnswer } from "../sync/pull.ts";

/** Whether this machine sends sessions, and to which server. */
export interface SyncStatus {
  isEnrolled: boolean;
  server: string | null;
  team: string | null;
  device: string | null;
  /** Expiry of the token. */
  expiresAt: string | null;
  lastAt: string | null;
  level: SyncLevel | null;
  projects: { project: string; level: SyncLevel }[];
}

export interface SendOptions {
  /** `none`: no pauses, because a user is waiting. */
  pace?: "team" | "none";
  progress?: (done: number, total: number) => void;
}

/** Sends kept sessions to a team's server, after enrolment. */
export class SyncClient {
  readonly #access: StoreAccess;

  constructor(access: StoreAccess) {
    this.#access = access;
  }

  /** Settings next to the archive; a PostgreSQL store is never sent. */
  get #files(): SyncFiles {
    const { setup, path } = this.#access;
    if (setup.options.store === undefined) return new SyncFiles(dirname(path));
    throw new PolluxError("wrong-usage", "Only this machine's archive can be sent to a team.", {
      remedy: "Do not set --store or POLLUX_STORE.",
    });
  }

  get status(): SyncStatus {
    return statusOf(this.#files);
  }

  /** Exchanges a code for a token. Nothing else is sent. */
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

  /** Stops sending. Sent sessions stay on the server. */
  leave(): void {
    this.#files.settings = undefined;
  }

  /** Limits what is sent, for all projects or for one; the latest call counts. */
  setLevel(level: SyncLevel, project?: string): SyncStatus {
    const settings = this.#settings();
    const others = settings.projects.filter((each) => each.project !== project);
    this.#files.settings =
      project === undefined
        ? { ...settings, level }
        : { ...settings, projects: [...others, { project, level }] };
    return this.status;
  }

  /** Whether a session of this project is archived; a misspelt project would be sent. */
  async knows(project: string): Promise<boolean> {
    const store = await this.#access.store();
    const { items } = await store.sessions({ scope: "own" });
    return items.some(({ summary }) => isProject(project, summary.project));
  }

  async send(options: SendOptions = {}): Promise<SyncAnswer> {
    return sync(await this.#work(options));
  }

  /** Lists everything that would be sent. Sends nothing, not even a name. */
  async plan(): Promise<SyncPlan> {
    return planSync(await this.#work({}));
  }

  /** Fetches the user's own session from another machine, so that it can be shown and restored. */
  async pull(session: string): Promise<PullAnswer> {
    const store = await this.#access.storeToWrite();
    const { server } = await this.#work({ pace: "none" });
    const answer = await pull({ store, server, clock: this.#clock }, session);
    await (await this.#access.ingester()).rebuild({ only: "unread" });
    this.#access.forget();
    return answer;
  }

  /** Shares a sent session with a team, or with everyone in the store. */
  open(asked: ShareRequest): Promise<{ source: string; id: string }> {
    return this.#server(this.#settings()).open(asked);
  }

  /** Stops sharing a session. */
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
  return {
    isEnrolled: settings !== undefined,
    server: settings?.server ?? null,
    team: settings?.team ?? null,
    device: settings?.device ?? null,
    expiresAt: timeText(settings?.expiresMs),
    lastAt: timeText(settings === undefined ? undefined : memory.lastMs),
    level: settings?.level ?? null,
    projects: settings?.projects ?? [],
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
