import { PolluxError } from "../../core/error.ts";
import type { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { quoted } from "./database.ts";
import { DERIVED_SCHEMA, DERIVED_TABLES, DERIVED_VERSION } from "./derived/derived-schema.ts";
import { KEPT_STEPS } from "./kept-schema.ts";
import { dropPolicies, applyPolicies } from "./team/policies.ts";

/** Numbers of advisory locks; combined with a hash of the schema. */
const LOCKS = { migrate: 1, commit: 2, bytes: 3 } as const;

/** Locks are per schema and person, so that people do not wait for one another. */
const WHOSE = "current_schema() || coalesce(current_setting('pollux.person', true), '')";

/** Takes an advisory lock until the transaction ends, exclusive or shared. */
export async function lock(
  connection: Connection,
  kind: keyof typeof LOCKS,
  how: "alone" | "shared" = "alone",
): Promise<void> {
  const take = how === "alone" ? "pg_advisory_xact_lock" : "pg_advisory_xact_lock_shared";
  const sql = `SELECT ${take}($1, hashtext(${WHOSE}))`;
  await connection.run(sql, [LOCKS[kind]]);
}

/** Creates or migrates the tables. Returns whether they may be written to. */
export async function prepareSchema(
  database: Database,
  { reader }: { reader: number },
): Promise<"write" | "read"> {
  const state = await stateOf(database);
  const isCurrent = state.kept === KEPT_STEPS.length && state.derived === stampOf(reader);
  const mode = state.mayWrite ? "write" : forReading(database, state);
  if (mode === "write" && !isCurrent) await migrate(database, reader);
  const opened = mode === "write" ? stampOf(reader) : state.derived;
  database.watch((connection) => refuseReplaced(connection, database.location, opened));
  return mode;
}

/**
 * Checks that the tables still have the version that was opened: after an update by another
 * process, this one would answer from rows that are still being rebuilt.
 */
async function refuseReplaced(
  connection: Connection,
  location: string,
  opened: string,
): Promise<void> {
  const { derived } = await stampsOf(connection);
  if (derived === opened) return;
  const what = `${location} was migrated by another version of Pollux in the meantime.`;
  throw new PolluxError("archive-newer", what, {
    remedy: "Start Pollux again, in the newer version.",
  });
}

interface State {
  /** Number of applied steps of the kept half; 0 if it does not exist. */
  kept: number;
  /** Schema version of the derived half and version of its readers. */
  derived: string;
  mayWrite: boolean;
}

function stampOf(reader: number): string {
  return `${DERIVED_VERSION}.${reader}`;
}

async function stateOf(connection: Connection & { schema: string }): Promise<State> {
  const [known] = await connection.all<{ meta: string | null; may: boolean; standby: boolean }>(
    `SELECT to_regclass($1)::text AS meta,
      coalesce(has_table_privilege(to_regclass($1), 'INSERT'),
        has_schema_privilege(to_regnamespace($2), 'CREATE'),
        has_database_privilege(current_database(), 'CREATE')) AS may,
      pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS standby`,
    [`${quoted(connection.schema)}.meta`, quoted(connection.schema)],
  );
  const mayWrite = known?.may === true && !known.standby;
  if (known?.meta === null || known === undefined) return { kept: 0, derived: "", mayWrite };
  return { ...(await stampsOf(connection)), mayWrite };
}

async function stampsOf(connection: Connection): Promise<Pick<State, "kept" | "derived">> {
  const rows = await connection.all<{ key: string; value: string }>("SELECT key, value FROM meta");
  const values = new Map(rows.map(({ key, value }) => [key, value]));
  return { kept: Number(values.get("kept") ?? 0), derived: values.get("derived") ?? "" };
}

function forReading({ location, schema }: Database, { kept, derived }: State): "read" {
  if (kept === 0) {
    throw new PolluxError("no-archive", `${location} has no schema ${schema} to read.`, {
      remedy:
        "Open it once with a role that may create a schema: GRANT CREATE ON DATABASE … TO …; " +
        "or with one that owns an empty schema of this name.",
    });
  }
  refuseNewer(location, { kept, derived });
  const isSame = Number.parseInt(derived, 10) === DERIVED_VERSION;
  if (isSame && kept === KEPT_STEPS.length) return "read";
  throw new PolluxError("archive-older", `${location} was made by an older version of Pollux.`, {
    remedy: "Open it once with a role that can write, which migrates it.",
  });
}

function refuseNewer(location: string, { kept, derived }: Pick<State, "kept" | "derived">): void {
  if (kept <= KEPT_STEPS.length && !(Number.parseInt(derived, 10) > DERIVED_VERSION)) return;
  throw new PolluxError("archive-newer", `${location} was made by a newer version of Pollux.`, {
    remedy: "Update Pollux.",
  });
}

/** Migrates under a lock; a second process then finds the work done. */
async function migrate(database: Database, reader: number): Promise<void> {
  const name = quoted(database.schema);
  await database.write(async (connection) => {
    await connection.run("SELECT pg_advisory_xact_lock($1, hashtext($2))", [
      LOCKS.migrate,
      database.schema,
    ]);
    // `to_regclass` may answer from before the lock, so query the catalogue.
    const [there] = await connection.all<{ schema: boolean; meta: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1) AS schema,
        EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'meta') AS meta`,
      [database.schema],
    );
    if (there?.schema !== true) await connection.run(`CREATE SCHEMA ${name}`);
    const known = there?.meta === true ? await stampsOf(connection) : { kept: 0, derived: "" };
    refuseNewer(database.location, known);
    refuseOlderReader(database.location, known.derived, reader);
    if (there?.meta === true) await dropPolicies(connection);
    for (const step of KEPT_STEPS.slice(known.kept)) await connection.run(step);
    if (known.derived !== stampOf(reader)) await recreateDerived(connection);
    await put(connection, "kept", String(KEPT_STEPS.length));
    await put(connection, "derived", stampOf(reader));
    await applyPolicies(connection, database.schema);
  });
}

/** Prevents two versions that share a store from rebuilding each other's rows in turn. */
function refuseOlderReader(location: string, derived: string, reader: number): void {
  const [shape = 0, made = 0] = derived.split(".").map(Number);
  if (derived === "" || shape !== DERIVED_VERSION || made <= reader) return;
  const what = `${location} was read by a newer version of Pollux.`;
  throw new PolluxError("archive-newer", what, { remedy: "Update Pollux." });
}

export async function recreateDerived(connection: Connection): Promise<void> {
  await connection.run(`DROP TABLE IF EXISTS ${DERIVED_TABLES.join(", ")}`);
  await connection.run(DERIVED_SCHEMA);
  await connection.run("UPDATE roots SET snapshot = NULL");
}

export async function put(connection: Connection, key: string, value: string): Promise<void> {
  const sql = `INSERT INTO meta (key, value) VALUES ($1, $2)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
  await connection.run(sql, [key, value]);
}
