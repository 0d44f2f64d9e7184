import { PolluxError } from "../../core/error.ts";
import { PriceBook } from "../../queries/prices/prices.ts";
import { optional } from "../../core/optional.ts";
import type { ThreadConfig } from "../../ingest/threads/helper-thread.ts";
import { READER_VERSION } from "../../ingest/reader-version.ts";
import type { Source } from "../../sources/source.ts";
import { sources as allSources } from "../../sources/index.ts";
import type { TeamRole } from "../../core/team/team.ts";
import type { Adoption } from "../../queries/team/adoption.ts";
import { adoptionOf } from "../../queries/team/adoption.ts";
import type { TeamUsageRequest } from "../../queries/team/team-usage-table.ts";
import type { TeamUsageReport } from "../../queries/team/team-usage.ts";
import { planTeamUsage, reportTeamUsage, withNames } from "../../queries/team/team-usage.ts";
import type { VerifyReport } from "../../store/store.ts";
import type { Device, Person, Team, TeamPolicy, Viewer } from "../../store/team.ts";
import type { ErasureReceipt } from "../../team/erase.ts";
import { erasePerson, eraseSessions } from "../../team/erase.ts";
import { retain } from "../../team/retention.ts";
import type { Reading } from "../../team/ingest-sent.ts";
import { ingestSent } from "../../team/ingest-sent.ts";
import type { SignIn } from "../../team/sign-in.ts";
import { verifyTeam } from "../../team/verify.ts";
import type { Library } from "../library.ts";
import { open } from "../library.ts";
import { refuseOtherStores } from "../open-store.ts";
import { namedSession } from "./team-owners.ts";
import { isActive, TeamPeople } from "./team-people.ts";
import { ReadingThread } from "../threads/reading-thread.ts";
import { threadScript } from "../threads/thread-script.ts";
import { DAY_MS } from "../../core/instant.ts";

const OPTIONS = { reader: READER_VERSION };
/** A team's server reads no local folders. */
const NOWHERE = { homeDir: "/nonexistent", env: {} };

/** Turns a PostgreSQL schema into a team's store. */
export async function initTeam(
  address: string,
  name: string,
  { keys = "none" }: { keys?: "none" | "of each person" } = {},
): Promise<void> {
  refuseOtherStores(address);
  const { makeTeam } = await import("../../store/postgres/team/team.ts");
  await makeTeam(address, { name, keys, ...OPTIONS });
}

export interface TeamAdminOptions {
  clock: () => number;
  sources?: readonly Source[];
  /** The address of a replica that answers queries for sums. */
  replica?: string;
}

export async function openTeamAdmin(
  address: string,
  { sources = allSources, clock, replica }: TeamAdminOptions,
): Promise<TeamAdmin> {
  for (const store of [address, replica ?? address]) refuseOtherStores(store);
  const { openTeam } = await import("../../store/postgres/team/team.ts");
  const team = await openTeam(address, { ...OPTIONS, ...optional("replica", replica) });
  // Threads have only the built-in sources.
  const script = sources === allSources ? threadScript() : undefined;
  const thread = script === undefined ? undefined : { script, location: address };
  return new TeamAdmin(team, { sources, clock, ...optional("thread", thread) });
}

/** Opens a team's store; undefined if no team shares it. */
export async function teamAt(
  address: string,
  options: TeamAdminOptions,
): Promise<TeamAdmin | undefined> {
  try {
    return await openTeamAdmin(address, options);
  } catch (error) {
    if (error instanceof PolluxError && error.code === "no-team") return undefined;
    throw error;
  }
}

export interface TeamReport {
  location: string;
  /** Where file bytes are stored if not in the database. */
  bytesPlace: string | null;
  name: string;
  epoch: string;
  policy: TeamPolicy;
  people: number;
  devices: { active: number; silent: number };
  sessions: number;
  /** Number of sent files that are not read yet. */
  unread: number;
  /** Warnings for the server's administrator. */
  remarks: string[];
}

export interface PersonAnswer extends Person {
  devices: Device[];
  sessions: number;
}

export type PolicyChanges = { [Name in keyof TeamPolicy]?: TeamPolicy[Name] | null };

/** How sent files are read. */
export interface TeamReading extends Reading {
  /** The thread to read in; without it, reading happens in this thread. */
  thread?: ThreadConfig;
}

const SILENT_MS = 7 * DAY_MS;

/** Administers a team's store, for the owner of the database. */
export class TeamAdmin extends TeamPeople {
  readonly #reading: TeamReading;
  readonly #thread: ReadingThread | undefined;

  constructor(team: Team, reading: TeamReading) {
    super(team, reading.clock);
    this.#reading = reading;
    this.#thread = reading.thread && new ReadingThread(reading.thread);
  }

  /** Reads files that a person's machines sent. */
  async readArrived(person: number): Promise<void> {
    if (this.#thread) await this.#thread.read(person);
    else await ingestSent(this.team, person, this.#reading);
  }

  /** Sign-in through a reverse proxy, configured by environment variables; undefined if not set. */
  async signIn(env: Readonly<Record<string, string | undefined>>): Promise<SignIn | undefined> {
    const [issuer, audience] = [env["POLLUX_OIDC_ISSUER"], env["POLLUX_OIDC_AUDIENCE"]];
    if (!issuer || !audience) return undefined;
    const { SignIn: ByToken } = await import("../../team/sign-in.ts");
    const header = env["POLLUX_OIDC_HEADER"] || "Authorization";
    const settings = { issuer, audience, header, ...optional("jwks", env["POLLUX_OIDC_JWKS"]) };
    return new ByToken(this.team, settings, { clock: this.#reading.clock });
  }

  /** A library of one person's sessions, or of the session that a look is at. */
  library(viewer: Viewer): Library {
    const store = this.team.storeOf(viewer);
    const { sources, clock } = this.#reading;
    // The thread that reads sent files also indexes them, apart from queries.
    const how = { refresh: "none", index: "elsewhere" } as const;
    return open({ store, sources, clock, ...how, environment: NOWHERE });
  }

  /**
   * Usage of a lead's teams, or of everyone; groups below the policy's minimum size are withheld.
   */
  async usage(viewer: Viewer, asked: TeamUsageRequest): Promise<TeamUsageReport> {
    const prices = new PriceBook();
    const { smallestGroup } = await this.team.policy();
    const context = { smallestGroup, nowMs: this.clock() };
    const { person } = asked;
    const owner = person === undefined ? undefined : (await this.person(person)).id;
    const meant = { ...asked, ...optional("person", owner?.toString()) };
    const { ranges, ...plan } = planTeamUsage(meant, prices, context);
    const query = { ...plan, ...(ranges ? { ranges } : {}) };
    const answer = await this.team.sums.usage(viewer, query);
    const report = reportTeamUsage(meant, answer, { prices, ...context });
    return asked.by.includes("person") ? withNames(report, await this.team.people.list()) : report;
  }

  /** Who of the team sends sessions; a lead sees only their teams. */
  async adoption(viewer: Pick<Person, "id">, role: TeamRole): Promise<Adoption> {
    const led = role === "lead" ? await this.team.people.led(viewer.id) : undefined;
    const [people, devices] = [await this.team.people.list(), await this.team.devices.list()];
    const { smallestGroup } = await this.team.policy();
    const nowMs = this.clock();
    return adoptionOf({ people, devices, ...optional("led", led) }, { nowMs, smallestGroup });
  }

  async doctor(): Promise<TeamReport> {
    const { team } = this;
    const nowMs = this.clock();
    const people = await this.people();
    const devices = people.flatMap((person) => person.devices).filter(isActive(nowMs));
    const silent = devices.filter(({ seenMs = 0 }) => nowMs - seenMs > SILENT_MS);
    let unread = 0;
    for (const { id } of people) {
      unread += (await team.storeOf({ viewer: id, role: "developer" }).unread()).length;
    }
    return {
      location: team.location,
      bytesPlace: team.bytesPlace,
      name: team.tenant.name,
      epoch: await team.epoch(),
      policy: await team.policy(),
      people: people.filter(({ leftMs }) => leftMs === undefined).length,
      devices: { active: devices.length, silent: silent.length },
      sessions: people.reduce((sum, { sessions }) => sum + sessions, 0),
      unread,
      remarks: await team.remarks(),
    };
  }

  verify(): Promise<VerifyReport> {
    return verifyTeam(this.team);
  }

  async people(): Promise<PersonAnswer[]> {
    const answers: PersonAnswer[] = [];
    for (const person of await this.team.people.list()) {
      const devices = await this.team.devices.of(person.id);
      const store = this.team.storeOf({ viewer: person.id, role: "developer" });
      const list = { scope: "own", limit: 1 } as const;
      answers.push({ ...person, devices, sessions: (await store.sessions(list)).total });
    }
    return answers;
  }

  /** Permanently removes one session of a person, or all of them; returns the recorded receipt. */
  async erase(subject: string, session?: string): Promise<ErasureReceipt> {
    const { id: person } = await this.person(subject);
    const erasing = { sources: this.#reading.sources, nowMs: this.clock(), by: null };
    if (session === undefined) return erasePerson(this.team, person, erasing);
    const store = this.team.storeOf({ viewer: person, role: "developer" });
    const refs = [await namedSession(store, session)];
    return eraseSessions(this.team, { person, refs, kind: "erasure" }, erasing);
  }

  /** Changes the given fields of the policy; `null` removes one. */
  async setPolicy(changes: PolicyChanges): Promise<TeamPolicy> {
    const fields = Object.entries({ ...(await this.team.policy()), ...changes });
    const set = Object.fromEntries(fields.filter(([, value]) => value !== null));
    await this.team.setPolicy(set as unknown as TeamPolicy);
    return this.team.policy();
  }

  /** Removes what is older than the policy allows. */
  retain(): Promise<ErasureReceipt[]> {
    return retain(this.team, { sources: this.#reading.sources, nowMs: this.clock() });
  }

  /** Rebuilds everyone's rows from the kept bytes; returns the number of sessions. */
  async rebuild(): Promise<number> {
    let sessions = 0;
    for (const { id } of await this.team.people.list()) {
      sessions += await ingestSent(this.team, id, { ...this.#reading, how: "all" });
    }
    return sessions;
  }

  async close(): Promise<void> {
    await this.#thread?.close();
    await this.team.close();
  }
}
