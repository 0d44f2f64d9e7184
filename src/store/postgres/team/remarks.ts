import type { Connection } from "../connection.ts";

interface Server {
  is_super: boolean;
  is_replica: boolean;
  commit: string;
  sync: string;
  standbys: number;
  others: string[] | null;
}

/**
 * With `synchronous_commit = off`, commits are acknowledged that a crash may lose. Commits wait
 * only for standbys listed in `synchronous_standby_names`.
 */
const SERVER = `SELECT
  (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = session_user) AS is_super,
  pg_is_in_recovery() AS is_replica,
  current_setting('synchronous_commit') AS commit,
  current_setting('synchronous_standby_names') AS sync,
  (SELECT count(*)::int4 FROM pg_stat_replication) AS standbys,
  (SELECT array_agg(relname::text) FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition AND relname <> 'meta'
      AND NOT (relrowsecurity AND relforcerowsecurity)) AS others`;

export async function remarksOf(connection: Connection): Promise<string[]> {
  const [server] = await connection.all<Server>(SERVER);
  if (!server) return [];
  const { is_super: isSuper, is_replica: isReplica, commit, sync, standbys, others } = server;
  const remarks: string[] = [];
  if (isSuper) {
    remarks.push(
      "The address names a superuser. Statements are sent as a role with fewer rights, but a " +
        "server that others reach should sign in as one that owns nothing.",
    );
  }
  if (commit === "off") {
    remarks.push("synchronous_commit is off: a crash loses what machines believe to be kept.");
  }
  if (isReplica) remarks.push("This is a replica: these answers are as old as its last update.");
  else if (standbys === 0) remarks.push("No replica is connected: keep backups of this database.");
  else if (sync === "") {
    remarks.push("The replica is asynchronous: after a failover, machines send the rest again.");
  }
  for (const table of others ?? []) remarks.push(`Rows of ${table} are not secured.`);
  return remarks;
}
