import type { Connection } from "../connection.ts";
import { quoted } from "../database.ts";

/** Database roles that statements run as; they own nothing. */
export interface TeamRoles {
  /** Access to one person's rows and bytes, and to the list of people. */
  app: string;
  /** Access to sums over many people, without any session text. */
  sums: string;
}

export function rolesOf(schema: string): TeamRoles {
  return { app: `${schema}_app`, sums: `${schema}_sums` };
}

/**
 * A setting of the transaction. If it is missing the statement fails, so nothing is seen by
 * accident.
 */
const set = (name: string): string => `(SELECT current_setting('pollux.${name}'))`;
const ME = `${set("person")}::int4`;
const VIEWER = `${set("viewer")}::int4`;
const isRole = (...roles: string[]): string => {
  return `${set("role")} = ANY ('{${roles.join(",")}}')`;
};

/** The viewer's own rows. */
const OWN = `person = ${ME} AND ${VIEWER} = ${ME}`;

/** The session that an auditor has given a reason for, until the look expires. */
const LOOKED = `SELECT looks.session FROM looks
  WHERE looks.id = nullif(${set("look")}, '')::int8 AND looks.viewer = ${VIEWER}
    AND looks.person = ${ME} AND looks.until_ms > extract(epoch FROM now()) * 1000`;

/** Sessions that a person has opened to the viewer; row security on `opened` hides others. */
const OPENED = `SELECT opened.session FROM opened WHERE opened.person = ${ME}`;

const REACHED = `CASE WHEN ${isRole("auditor")} THEN session = ANY (ARRAY(${LOOKED}))
  ELSE ${isRole("developer")} AND session = ANY (ARRAY(${OPENED})) END`;

/** The viewer's own rows, or those of another person that belong to visible sessions. */
function ownOrReached(reached: string): string {
  return `person = ${ME} AND CASE WHEN ${VIEWER} = ${ME} THEN true ELSE ${reached} END`;
}

const BY_SESSION = ownOrReached(REACHED);
const among = (column: string, other: string, table: string): string => {
  return ownOrReached(`${column} = ANY (ARRAY(SELECT ${other} FROM ${table}))`);
};

/** The viewer's current teams. */
const MY_TEAMS = `SELECT memberships.team FROM memberships
  WHERE memberships.person = ${VIEWER} AND memberships.to_ms IS NULL`;

/** Readable by everyone in the tenant: names that other rows refer to by id. */
const ALL = "true";
/** The server itself, which identifies people before a viewer is known. */
const SERVER = isRole("server");
const ADMIN = isRole("admin");

/** People who are or were in teams that the viewer leads. */
const LED = `person = ANY (ARRAY(SELECT memberships.person FROM memberships
  JOIN grants ON grants.team = memberships.team
  WHERE grants.person = ${VIEWER} AND grants.role = 'lead'))`;

interface Rule {
  /** Condition for visible rows. */
  read: string;
  /** Condition for writable rows; absent: none. */
  write?: string;
  /** Condition for rows that may be changed and removed; `write` by default. */
  change?: string;
}

/**
 * Which rows of each table the role `app` sees. Tables that are not listed are not granted; only
 * `meta` is open, which holds versions and the tenant.
 */
export const RULES: Readonly<Record<string, Rule>> = {
  models: { read: ALL, write: ALL },
  tool_names: { read: ALL, write: ALL },
  roots: { read: among("path", "root", "session_files"), write: OWN },
  files: { read: among("path", "path", "session_files"), write: OWN },
  contents: { read: among("file", "id", "files"), write: OWN },
  versions: { read: among("content", "id", "contents"), write: OWN },
  pieces: { read: among("content", "id", "contents"), write: OWN },
  chunks: { read: among("digest", "digest", "pieces"), write: OWN },
  loose_bytes: { read: OWN, write: OWN },
  readings: { read: among("path", "path", "session_files"), write: OWN },
  forgotten: { read: OWN, write: OWN },
  annotations: { read: OWN, write: OWN },
  vocabulary: { read: OWN, write: OWN },
  record_keys: { read: BY_SESSION, write: OWN },
  sessions: { read: BY_SESSION, write: OWN },
  session_files: { read: BY_SESSION, write: OWN },
  agent_calls: { read: BY_SESSION, write: OWN },
  replies: { read: BY_SESSION, write: OWN },
  buckets: { read: BY_SESSION, write: OWN },
  tool_calls: { read: BY_SESSION, write: OWN },
  tool_files: { read: BY_SESSION, write: OWN },
  texts: { read: BY_SESSION, write: OWN },
  opened: { read: `person = ${VIEWER} OR team = 0 OR team = ANY (ARRAY(${MY_TEAMS}))`, write: OWN },
  tenant: { read: ALL, write: ADMIN },
  people: {
    read: `id = ${VIEWER} OR ${isRole("admin", "auditor", "server")}`,
    write: isRole("admin", "server"),
  },
  teams: { read: ALL, write: isRole("admin", "server") },
  memberships: {
    read: `person = ${VIEWER} OR ${isRole("admin", "server", "lead", "payer")}`,
    write: isRole("admin", "server"),
  },
  grants: { read: `person = ${VIEWER} OR ${isRole("admin", "server")}`, write: ADMIN },
  devices: {
    read: `person = ${VIEWER} OR ${isRole("admin", "server")}`,
    write: `person = ${VIEWER} OR ${isRole("admin", "server")}`,
  },
  codes: { read: SERVER, write: `person = ${VIEWER} OR ${isRole("admin", "server")}` },
  looks: {
    read: `viewer = ${VIEWER} OR person = ${VIEWER} OR ${isRole("admin", "server")}`,
    write: `viewer = ${VIEWER} AND ${isRole("auditor")}`,
    change: SERVER,
  },
  receipts: {
    read: `person = ${VIEWER} OR ${isRole("admin", "server")}`,
    write: isRole("admin", "server"),
    change: SERVER,
  },
};

/** Tables with rows of people, where each person writes their own. */
export const OF_PEOPLE: readonly string[] = Object.entries(RULES).flatMap(([table, rule]) => {
  return rule.write === OWN ? [table] : [];
});

/** For the role `sums`: whose rows a lead or payer may sum, and which columns of sessions. */
const SUMMED = `${isRole("payer")} OR ${isRole("lead")} AND ${LED}`;
const SUM_TABLES: Readonly<Record<string, { read: string; columns?: string }>> = {
  buckets: { read: SUMMED },
  sessions: {
    read: SUMMED,
    columns:
      "(session, person, source, kind, status, project, project_name, project_hash, name_folded, " +
      "path_folded, root, generations, top)",
  },
  models: { read: ALL },
  teams: { read: ALL },
  memberships: { read: isRole("payer", "lead") },
  grants: { read: `person = ${VIEWER}` },
};

/**
 * Enables row security on every table and creates its policies. They are recreated after each
 * migration, because a newer version may have other rules.
 */
export async function applyPolicies(connection: Connection, schema: string): Promise<void> {
  const tenant = await tenantOf(connection);
  if (tenant === undefined) return;
  const isTenant = `${set("tenant")} = '${tenant}'`;
  const { app, sums } = rolesOf(schema);
  const [role, adding, place] = [quoted(app), quoted(sums), quoted(schema)];
  const statements = [
    `GRANT USAGE ON SCHEMA ${place} TO ${role}, ${adding}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${place} TO ${role}`,
    `GRANT SELECT ON meta TO ${role}, ${adding}`,
  ];
  for (const [table, { read, write, change = write }] of Object.entries(RULES)) {
    statements.push(
      `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
      `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
      `REVOKE ALL ON ${table} FROM PUBLIC, ${role}, ${adding}`,
      `GRANT SELECT ON ${table} TO ${role}`,
      `CREATE POLICY seen ON ${table} FOR SELECT TO ${role} USING (${isTenant} AND (${read}))`,
    );
    if (write === undefined) continue;
    const mayChange = `(${isTenant} AND (${change}))`;
    statements.push(
      `GRANT INSERT, UPDATE, DELETE ON ${table} TO ${role}`,
      `CREATE POLICY added ON ${table} FOR INSERT TO ${role} WITH CHECK (${isTenant} AND (${write}))`,
      `CREATE POLICY changed ON ${table} FOR UPDATE TO ${role} USING ${mayChange}`,
      `CREATE POLICY removed ON ${table} FOR DELETE TO ${role} USING ${mayChange}`,
    );
  }
  for (const [table, { read, columns = "" }] of Object.entries(SUM_TABLES)) {
    // For comparisons with settings the planner expects hardly any rows and would use nested loops;
    // CASE prevents that.
    const rule = `USING (CASE WHEN ${isTenant} AND (${read}) THEN true ELSE false END)`;
    statements.push(
      `GRANT SELECT ${columns} ON ${table} TO ${adding}`,
      `CREATE POLICY summed ON ${table} FOR SELECT TO ${adding} ${rule}`,
    );
  }
  await connection.run(statements.join(";\n"));
}

/** The tenant of the schema; undefined if no team shares it. */
export async function tenantOf(connection: Connection): Promise<string | undefined> {
  const sql = "SELECT value FROM meta WHERE key = 'tenant'";
  const [row] = await connection.all<{ value: string }>(sql);
  return row?.value;
}

/** Lets the schema's owner change tables and rows, until `secure` is called again. */
export async function dropPolicies(connection: Connection): Promise<void> {
  if ((await tenantOf(connection)) === undefined) return;
  const rules = "SELECT policyname, tablename FROM pg_policies WHERE schemaname = current_schema()";
  type Rules = { policyname: string; tablename: string }[];
  for (const { policyname, tablename } of await connection.all<Rules[number]>(rules)) {
    await connection.run(`DROP POLICY ${quoted(policyname)} ON ${quoted(tablename)}`);
  }
  for (const table of Object.keys(RULES)) {
    await connection.run(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  }
}

/** From PostgreSQL 16 on, a role that was created by somebody is not yet one to act as. */
const MAY_ACT_AS = `SELECT pg_has_role(current_user, $1,
  CASE WHEN current_setting('server_version_num')::int4 >= 160000 THEN 'SET' ELSE 'MEMBER' END
) AS is`;

/** Creates the two roles, and lets the current user act as them. */
export async function makeRoles(connection: Connection, schema: string): Promise<void> {
  for (const role of Object.values(rolesOf(schema))) {
    const sql = "SELECT 1 FROM pg_roles WHERE rolname = $1";
    const isThere = (await connection.all(sql, [role])).length > 0;
    if (!isThere) await connection.run(`CREATE ROLE ${quoted(role)} NOLOGIN`);
    const [member] = await connection.all<{ is: boolean }>(MAY_ACT_AS, [role]);
    if (member?.is !== true) await connection.run(`GRANT ${quoted(role)} TO CURRENT_USER`);
  }
}
