import { optional } from "../../../core/optional.ts";
import type { Device, Devices } from "../../team.ts";
import type { Database } from "../database.ts";

interface DeviceRow {
  id: string;
  person: number;
  name: string;
  made_ms: number;
  expires_ms: number;
  seen_ms: number | null;
  revoked_ms: number | null;
}

const COLUMNS =
  "devices.id::text, devices.person, devices.name, made_ms, expires_ms, seen_ms, revoked_ms";

/** Machines that may send sessions. */
export class PostgresDevices implements Devices {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async of(person: number): Promise<Device[]> {
    const sql = `SELECT ${COLUMNS} FROM devices WHERE person = $1 ORDER BY made_ms, id`;
    return (await this.#database.all<DeviceRow>(sql, [person])).map(deviceOf);
  }

  async list(): Promise<Device[]> {
    const sql = `SELECT ${COLUMNS} FROM devices ORDER BY made_ms, id`;
    return (await this.#database.all<DeviceRow>(sql)).map(deviceOf);
  }

  async addCode(code: Parameters<Devices["addCode"]>[0]): Promise<void> {
    const sql = "INSERT INTO codes (digest, person, expires_ms) VALUES ($1, $2, $3)";
    await this.#database.run(sql, [code.digest, code.person, code.expiresMs]);
  }

  async enrol(asked: Parameters<Devices["enrol"]>[0]): Promise<Device | undefined> {
    const { code, token, id, name, nowMs, expiresMs } = asked;
    return this.#database.write(async (connection) => {
      const use = `UPDATE codes SET used_ms = $2
        WHERE digest = $1 AND used_ms IS NULL AND expires_ms > $2 RETURNING person`;
      const [used] = await connection.all<{ person: number }>(use, [code, nowMs]);
      if (!used) return undefined;
      const sql = `INSERT INTO devices (id, person, name, token, made_ms, expires_ms)
        VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${COLUMNS}`;
      const values = [id, used.person, name, token, nowMs, expiresMs];
      const [row] = await connection.all<DeviceRow>(sql, values);
      return row && deviceOf(row);
    });
  }

  async byToken(token: Uint8Array, nowMs: number): Promise<Device | undefined> {
    const sql = `SELECT ${COLUMNS} FROM devices JOIN people ON people.id = devices.person
      WHERE token = $1 AND revoked_ms IS NULL AND expires_ms > $2 AND left_ms IS NULL`;
    const [row] = await this.#database.all<DeviceRow>(sql, [token, nowMs]);
    if (!row) return undefined;
    const isOld = nowMs - (row.seen_ms ?? 0) > SEEN_EVERY_MS;
    const seen = "UPDATE devices SET seen_ms = $2 WHERE id = $1";
    if (isOld) await this.#database.run(seen, [row.id, nowMs]);
    return deviceOf(row);
  }

  async revoke(id: string, person: number, nowMs: number): Promise<boolean> {
    const sql = `UPDATE devices SET revoked_ms = $3
      WHERE id::text = $1 AND person = $2 AND revoked_ms IS NULL`;
    return (await this.#database.run(sql, [id, person, nowMs])) > 0;
  }
}

/** Limits writes: updating it every time would be a write for every request. */
const SEEN_EVERY_MS = 60_000;

function deviceOf(row: DeviceRow): Device {
  return {
    id: row.id,
    person: row.person,
    name: row.name,
    madeMs: row.made_ms,
    expiresMs: row.expires_ms,
    ...optional("seenMs", row.seen_ms ?? undefined),
    ...optional("revokedMs", row.revoked_ms ?? undefined),
  };
}
