import type { CustomTypesConfig, PoolClient } from "pg";
import pg from "pg";
import type { ExternalStorage } from "../bytes/place.ts";
import { withoutPassword } from "../location.ts";
import type { Seal } from "../seal.ts";
import type { Connection, Copied } from "./connection.ts";
import { ActingConnection, ClientConnection } from "./connection.ts";
import { explained } from "./errors.ts";
import { fromStored } from "./stored-text.ts";

const CONNECTIONS = 4;
/** Pool size of a team server, which works for several people at once. */
export const TEAM_CONNECTIONS = 16;

/** For whom statements run: a database role, and the settings that row security reads. */
export interface Acting {
  role: string;
  settings: Readonly<Record<string, string>>;
}

/** Maximum rate of the check that the tables are still those that were opened. */
const LOOK_MS = 2000;

/** State shared by all databases of one connection pool. */
interface Opened {
  check?: (connection: Connection) => Promise<void>;
  lookedAtMs: number;
}

/** A schema of a PostgreSQL database. */
export class Database implements Connection {
  /** The address without its password. */
  readonly location: string;
  readonly schema: string;
  /** The owner of written rows; 0 in a store without people. */
  readonly person: string;
  /** External storage for bytes, as requested by the address (`bytes=`). */
  readonly askedPlace: string | undefined;
  /** External storage for bytes, once it is opened. */
  outside: ExternalStorage | undefined;
  /** People's keys, if bytes are sealed. */
  keys: { of(person: string): Promise<Seal> } | undefined;
  #seal: Promise<Seal> | undefined;
  readonly #pool: pg.Pool;
  readonly #opened: Opened;
  /** SQL at the start of every transaction; if set, single statements need a transaction too. */
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
      // Runs before other statements of the connection. JIT compilation pays only for long
      // statements.
      const settings = `SET search_path = ${quoted(schema)}; SET jit = off`;
      client.query(settings).catch(() => client.end());
    });
    // An idle connection that breaks is replaced when the next one is needed.
    this.#pool.on("error", () => undefined);
  }

  /** True if it acts for a person; row security then limits the visible rows. */
  get isActing(): boolean {
    return this.#acting !== undefined;
  }

  /** The person's seal; undefined if bytes are not sealed. */
  async seal(): Promise<Seal | undefined> {
    return (this.#seal ??= this.keys?.of(this.person));
  }

  /**
   * Sets a check that runs before work; if it throws, the work is refused. Another version may have
   * replaced the tables.
   */
  watch(check: (connection: Connection) => Promise<void>): void {
    this.#opened.check = check;
    this.#opened.lookedAtMs = performance.now();
  }

  /** The same connection pool, acting for a person. */
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

  /**
   * Runs one statement. Acting for a person needs a transaction, because its settings are `SET
   * LOCAL`.
   */
  async #alone<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#acting === undefined ? this.#lend(work) : this.write(work);
  }

  /** Runs `work` on one read-only snapshot. */
  async snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work);
  }

  /** Runs `work` in a transaction. */
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
        // If the connection is gone, the server has already rolled back.
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

  /** Runs the check; called for every write. */
  async check(connection: Connection): Promise<void> {
    await this.#opened.check?.(connection);
  }

  async close(): Promise<void> {
    // A shared pool is closed by its owner.
    if (this.isActing) return;
    if (!this.#pool.ending) await this.#pool.end();
  }
}

const OID = { int8: 20, text: 25, textArray: 1009 } as const;

const TYPES: CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    const usual = pg.types.getTypeParser(oid, format) as (text: string) => unknown;
    if (format === "binary") return usual;
    // 64-bit keys are selected as text; all other int8 values fit into a number.
    if (oid === OID.int8) return Number;
    if (oid === OID.text) return fromStored;
    if (oid === OID.textArray) return (text: string) => (usual(text) as string[]).map(fromStored);
    return usual;
  },
};

/** One string, sent together with BEGIN. */
function actingSql({ role, settings }: Acting): string {
  const set = Object.entries(settings).map(([name, value]) => {
    return `SET LOCAL pollux.${name} = '${value.replaceAll("'", "''")}'`;
  });
  return [...set, `SET LOCAL ROLE ${quoted(role)}`].join("; ");
}

/** Splits off Pollux's own parameters `schema` and `bytes`; the rest goes to the driver. */
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
