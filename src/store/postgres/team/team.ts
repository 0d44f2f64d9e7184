import { PolluxError } from "../../../core/error.ts";
import type { Store } from "../../store.ts";
import type {
  Devices,
  AuditLog,
  Shares,
  People,
  SegmentStore,
  Sums,
  Team,
  TeamPolicy,
  TeamUsage,
  TeamUsageQuery,
  Tenant,
  Viewer,
} from "../../team.ts";
import { Database, TEAM_CONNECTIONS } from "../database.ts";
import { lock, prepareSchema, put } from "../migrations.ts";
import { dropLoose, findOutside } from "../bytes/external-bytes.ts";
import { storeIn } from "../store.ts";
import { peopleIn, sumUsage } from "../reads/usage.ts";
import { PostgresDevices } from "./devices.ts";
import { PostgresLooks } from "./looks.ts";
import { PostgresOpenings } from "./openings.ts";
import { PostgresPeople } from "./people.ts";
import { beginKeys, findTeamKey, PersonKeys } from "./person-keys.ts";
import { remarksOf } from "./remarks.ts";
import { makeRoles, OF_PEOPLE, rolesOf, applyPolicies, tenantOf } from "./policies.ts";
import { TEAM_SCHEMA } from "./schema.ts";
import { PostgresSegments } from "./segments.ts";

/** The default policy. */
const FIRST_POLICY: TeamPolicy = {
  level: "full",
  mayLower: true,
  masked: true,
  smallestGroup: 5,
};

export interface NewTeam {
  name: string;
  reader: number;
  /** Whether bytes are sealed with a key for each person. */
  keys?: "none" | "of each person";
}

/** Turns a schema into a team's store. Existing rows belong to nobody and stay hidden. */
export async function makeTeam(
  dsn: string,
  { name, reader, keys = "none" }: NewTeam,
): Promise<void> {
  const database = new Database(dsn);
  try {
    const mode = await prepareSchema(database, { reader });
    if (mode === "read") throw mayNot(database.location);
    await database.write(async (connection) => {
      await lock(connection, "migrate");
      if ((await tenantOf(connection)) !== undefined) throw isThere(database.location);
      await makeRoles(connection, database.schema);
      await connection.run(TEAM_SCHEMA);
      const sql = "INSERT INTO tenant (name, policy) VALUES ($1, $2) RETURNING id::text";
      const [row] = await connection.all<{ id: string }>(sql, [name, JSON.stringify(FIRST_POLICY)]);
      await put(connection, "tenant", row?.id ?? "");
      if (keys === "of each person") await beginKeys(connection, process.env);
      await applyPolicies(connection, database.schema);
    });
    await findOutside(database, mode);
  } finally {
    await database.close();
  }
}

export interface OpenTeamOptions {
  reader: number;
  /** The address of a replica that answers queries for sums. */
  replica?: string;
}

/** Opens a team's store; migrates older tables first. */
export async function openTeam(
  dsn: string,
  { reader, replica: address }: OpenTeamOptions,
): Promise<Team> {
  const database = new Database(dsn, { connections: TEAM_CONNECTIONS });
  try {
    const mode = await prepareSchema(database, { reader });
    const tenant = await tenantOf(database);
    if (tenant === undefined) throw noTeam(database.location);
    database.outside = await findOutside(database, mode);
    const key = await findTeamKey(database, process.env);
    const server = actingAs(database, tenant, { viewer: 0, role: "server" });
    database.keys = key && new PersonKeys(server, key);
    const replica = address === undefined ? undefined : await replicaAt(address, tenant);
    return new PostgresTeam(database, await readTenant(database, tenant), replica);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens a replica; throws if it is not a copy of the same store. */
async function replicaAt(address: string, tenant: string): Promise<Database> {
  const replica = new Database(address, { connections: TEAM_CONNECTIONS });
  try {
    const hasTables = "SELECT to_regclass('meta') IS NOT NULL AS yes";
    const [found] = await replica.all<{ yes: boolean }>(hasTables);
    if (found?.yes === true && (await tenantOf(replica)) === tenant) return replica;
    throw new PolluxError("wrong-usage", `${replica.location} is not a replica of this store.`, {
      remedy: "Give --read the address of one, with the same database and schema.",
    });
  } catch (error) {
    await replica.close();
    throw error;
  }
}

/** A viewer, or the server itself; `as` is the database role. */
type Acting = Omit<Viewer, "role"> & { role: Viewer["role"] | "server"; as?: "app" | "sums" };

/** Runs statements for a viewer: row security hides everything that these settings do not allow. */
export function actingAs(database: Database, tenant: string, viewer: Acting): Database {
  const { viewer: who, role, person = who, look, as = "app" } = viewer;
  const settings = { tenant, role, viewer: String(who), person: String(person) };
  const all = { ...settings, look: look === undefined ? "" : String(look) };
  return database.as({ role: rolesOf(database.schema)[as], settings: all });
}

async function readTenant(database: Database, id: string): Promise<Tenant> {
  const acting = actingAs(database, id, { viewer: 0, role: "server" });
  const sql = "SELECT id::text, name FROM tenant";
  const [tenant] = await acting.all<Tenant>(sql);
  if (!tenant) throw noTeam(database.location);
  return tenant;
}

class PostgresTeam implements Team {
  readonly location: string;
  readonly bytesPlace: string | null;
  readonly tenant: Tenant;
  readonly people: People;
  readonly devices: Devices;
  readonly looks: AuditLog;
  readonly openings: Shares;
  readonly sums: Sums;
  readonly #database: Database;
  /** Acts as the server, to identify people before a viewer is known. */
  readonly #server: Database;
  readonly #admin: Database;
  /** Answers queries for sums, if there is one. */
  readonly #replica: Database | undefined;

  constructor(database: Database, tenant: Tenant, replica: Database | undefined) {
    this.location = database.location;
    this.bytesPlace = database.outside?.place.location ?? null;
    this.#replica = replica;
    this.tenant = tenant;
    this.#database = database;
    this.#server = actingAs(database, tenant.id, { viewer: 0, role: "server" });
    this.#admin = actingAs(database, tenant.id, { viewer: 0, role: "admin" });
    this.people = new PostgresPeople(this.#admin);
    this.devices = new PostgresDevices(this.#server);
    const roles = { admin: this.#admin, server: this.#server };
    this.looks = new PostgresLooks(roles, (viewer) => this.#acting(viewer));
    this.openings = new PostgresOpenings(this.#admin, (viewer) => this.#acting(viewer));
    this.sums = { usage: (viewer, query) => this.#usage(viewer, query) };
  }

  #acting(viewer: Viewer): Database {
    return actingAs(this.#database, this.tenant.id, viewer);
  }

  storeOf(viewer: Viewer, { mode = "write" }: Partial<Pick<Store, "mode">> = {}): Store {
    const isOwn = viewer.person === undefined || viewer.person === viewer.viewer;
    return storeIn(this.#acting(viewer), { mode: isOwn ? mode : "read" });
  }

  segmentsOf(person: number): SegmentStore {
    return new PostgresSegments(this.#acting({ viewer: person, role: "developer" }));
  }

  async #usage(viewer: Viewer, query: TeamUsageQuery): Promise<TeamUsage> {
    const where = this.#replica ?? this.#database;
    const database = actingAs(where, this.tenant.id, { ...viewer, as: "sums" });
    return database.snapshot(async (connection) => {
      const led = viewer.role === "lead" ? { ledBy: viewer.viewer } : {};
      const asked = { ...query, ...led, scope: "own" } as const;
      const usage = await sumUsage(connection, asked);
      // People are found without the team filter: the caller must see what leaving a team out would
      // reveal.
      const { team: _named, ...whole } = asked;
      return { ...usage, people: await peopleIn(connection, whole) };
    });
  }

  async epoch(): Promise<string> {
    const [row] = await this.#server.all<{ epoch: string }>("SELECT epoch::text FROM tenant");
    return row?.epoch ?? "";
  }

  async newEpoch(): Promise<void> {
    await this.#admin.run("UPDATE tenant SET epoch = gen_random_uuid()");
  }

  async policy(): Promise<TeamPolicy> {
    const [row] = await this.#server.all<{ policy: string }>("SELECT policy FROM tenant");
    return { ...FIRST_POLICY, ...(JSON.parse(row?.policy ?? "{}") as Partial<TeamPolicy>) };
  }

  async setPolicy(policy: TeamPolicy): Promise<void> {
    await this.#admin.run("UPDATE tenant SET policy = $1", [JSON.stringify(policy)]);
  }

  async eraseRows(person: number): Promise<Record<string, number>> {
    const acting = this.#acting({ viewer: person, role: "developer" });
    const counts = await acting.write(async (connection) => {
      await lock(connection, "commit");
      await connection.run(`INSERT INTO loose_bytes (digest)
        SELECT digest FROM chunks WHERE bytes IS NULL ON CONFLICT DO NOTHING`);
      const removed: Record<string, number> = {};
      for (const table of OF_PEOPLE.filter((name) => name !== "loose_bytes")) {
        const count = await connection.run(`DELETE FROM ${table}`);
        if (count > 0) removed[table] = count;
      }
      return removed;
    });
    await dropLoose(acting);
    return counts;
  }

  async remarks(): Promise<string[]> {
    return remarksOf(this.#database);
  }

  async close(): Promise<void> {
    await this.#replica?.close();
    await this.#database.close();
  }
}

function isThere(location: string): PolluxError {
  return new PolluxError("team-exists", `A team shares ${location} already.`, {
    remedy:
      "`pollux team doctor` describes it. For another team, use another schema (?schema=NAME).",
  });
}

function noTeam(location: string): PolluxError {
  return new PolluxError("no-team", `No team shares ${location} yet.`, {
    remedy: "Make it one with `pollux team init`.",
  });
}

function mayNot(location: string): PolluxError {
  return new PolluxError("archive-read-only", `${location} cannot be changed by this user.`, {
    remedy: "Name a user that owns the schema and may make roles (CREATEROLE).",
  });
}
