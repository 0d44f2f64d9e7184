import type { CustomTypesConfig, PoolClient } from "pg";
import pg from "pg";
import type { Outside } from "../bytes/place.ts";
import { withoutPassword } from "../location.ts";
import type { Seal } from "../seal.ts";
import type { Connection, Copied } from "./connection.ts";
import { ActingConnection, ClientConnection } from "./connection.ts";
import { explained } from "./errors.ts";
import { fromStored } from "./stored-text.ts";

const CONNECTIONS = 4;
/** A server of many works for some of them at once. */
export const TEAM_CONNECTIONS = 16;

/** For whom statements are sent: a role of the server, and what row security asks for. */
export interface Acting {
  role: string;
  settings: Readonly<Record<string, string>>;
}

/** Asked before work, at most this often: whether the tables are still those that were opened. */
const LOOK_MS = 2000;

/** What was opened, of all that share its connections. */
interface Opened {
  check?: (connection: Connection) => Promise<void>;
  lookedAtMs: number;
}

/** A schema of a PostgreSQL database. */
export class Database implements Connection {
  /** Without the password. */
  readonly location: string;
  readonly schema: string;
  /** Whose rows are written; 0 where there are no people. */
  readonly person: string;
  /** Where bytes shall lie, as the address says (`bytes=`). */
  readonly askedPlace: string | undefined;
  /** Where bytes lie beside the tables, once that is known. */
  outside: Outside | undefined;
  /** Keys of people, where their bytes are sealed. */
  keys: { of(person: string): Promise<Seal> } | undefined;
  #seal: Promise<Seal> | undefined;
  readonly #pool: pg.Pool;
  readonly #opened: Opened;
  /** What every transaction begins with; without anybody, single statements need none. */
  readonly #acting: string | undefined;

  constructor(
    dsn: string | { of: Database; acting: Acting },
    { connections = CONNECTIONS }: { connections?: number } = {},
  ) {
    if (typeof dsn !== "string") {
      this.location = dsn.of.location;
      this.schema = dsn.of.schema;
      this.person = dsn.acting.settings["person"] ?? "0";
      this.askedPlace = dsn.of.askedPlace;
      this.outside = dsn.of.outside;
      this.keys = dsn.of.keys;
      this.#pool = dsn.of.#pool;
      this.#opened = dsn.of.#opened;
      this.#acting = actingSql(dsn.acting);
      return;
    }
    const { connectionString, schema, place } = partsOf(dsn);
    this.location = withoutPassword(dsn);
    this.schema = schema;
    this.person = "0";
    this.askedPlace = place;
    this.#opened = { lookedAtMs: 0 };
    this.#pool = new pg.Pool({
      connectionString,
      max: connections,
      allowExitOnIdle: true,
      connectionTimeoutMillis: 10_000,
      application_name: "pollux",
      types: TYPES,
    });
    this.#pool.on("connect", (client) => {
      // Statements of one connection wait for one another. Compiling them pays for long ones only.
      const settings = `SET search_path = ${quoted(schema)}; SET jit = off`;
      client.query(settings).catch(() => client.end());
    });
    // A connection that breaks while nobody uses it is replaced when the next one is needed.
    this.#pool.on("error", () => undefined);
  }

  /** Whether it is for somebody: row security then shows what is theirs. */
  get isActing(): boolean {
    return this.#acting !== undefined;
  }

  /** What bytes are sealed with; nothing when they are stored as they are packed. */
  async seal(): Promise<Seal | undefined> {
    return (this.#seal ??= this.keys?.of(this.person));
  }

  /** From now on, work is refused when this fails: somebody may replace tables meanwhile. */
  watch(check: (connection: Connection) => Promise<void>): void {
    this.#opened.check = check;
    this.#opened.lookedAtMs = performance.now();
  }

  /** The same connections, for somebody. */
  as(acting: Acting): Database {
    return new Database({ of: this, acting });
  }

  async all<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#alone((connection) => connection.all<Row>(sql, values));
  }

  async run(sql: string, values: readonly unknown[] = []): Promise<number> {
    return this.#alone((connection) => connection.run(sql, values));
  }

  async copy(table: string, columns: readonly string[], rows: Iterable<Copied>): Promise<void> {
    await this.#alone((connection) => connection.copy(table, columns, rows));
  }

  /** A statement by itself. What is set for somebody ends with a transaction. */
  async #alone<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#acting === undefined ? this.#lend(work) : this.write(work);
  }

  /** All statements see the same state. */
  async snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work);
  }

  /** All or nothing. */
  async write<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#transaction("BEGIN", work);
  }

  async #transaction<T>(begin: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#lend(async (connection) => {
      await connection.run(this.#acting === undefined ? begin : `${begin}; ${this.#acting}`);
      try {
        const answer = await work(connection);
        await connection.run("COMMIT");
        return answer;
      } catch (error) {
        // The connection may be gone; then the server has rolled back already.
        await connection.run("ROLLBACK").catch(() => undefined);
        throw error;
      }
    });
  }

  async #lend<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      const client = await this.#pool.connect();
      try {
        await this.#look(client);
        const isActing = this.#acting !== undefined;
        return await work(isActing ? new ActingConnection(client) : new ClientConnection(client));
      } finally {
        client.release();
      }
    } catch (error) {
      throw explained(error, this.location);
    }
  }

  async #look(client: PoolClient): Promise<void> {
    if (performance.now() - this.#opened.lookedAtMs < LOOK_MS) return;
    await this.check(new ClientConnection(client));
    this.#opened.lookedAtMs = performance.now();
  }

  /** Whoever writes rows looks each time. */
  async check(connection: Connection): Promise<void> {
    await this.#opened.check?.(connection);
  }

  async close(): Promise<void> {
    // Connections that others use as well are closed by whoever opened them.
    if (this.isActing) return;
    if (!this.#pool.ending) await this.#pool.end();
  }
}

const OID = { int8: 20, text: 25, textArray: 1009 } as const;

const TYPES: CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    const usual = pg.types.getTypeParser(oid, format) as (text: string) => unknown;
    if (format === "binary") return usual;
    // Keys of 64 bits are asked for as text; all other numbers are small enough.
    if (oid === OID.int8) return Number;
    if (oid === OID.text) return fromStored;
    if (oid === OID.textArray) return (text: string) => (usual(text) as string[]).map(fromStored);
    return usual;
  },
};

/** One text: it is sent together with the beginning of the transaction. */
function actingSql({ role, settings }: Acting): string {
  const set = Object.entries(settings).map(([name, value]) => {
    return `SET LOCAL pollux.${name} = '${value.replaceAll("'", "''")}'`;
  });
  return [...set, `SET LOCAL ROLE ${quoted(role)}`].join("; ");
}

/** `?schema=NAME` and `?bytes=PLACE` are ours; all else is the driver's. */
function partsOf(dsn: string): {
  connectionString: string;
  schema: string;
  place: string | undefined;
} {
  const own: Partial<Record<string, string>> = {};
  const [address = "", question = ""] = dsn.split(/\?(.*)/s);
  const others = question.split("&").filter((pair) => {
    const found = /^(schema|bytes)=(.*)$/s.exec(pair);
    if (found) own[found[1] ?? ""] = decodeURIComponent(found[2] ?? "");
    return !found && pair !== "";
  });
  const connectionString = others.length === 0 ? address : `${address}?${others.join("&")}`;
  return { connectionString, schema: own["schema"] ?? "pollux", place: own["bytes"] };
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
