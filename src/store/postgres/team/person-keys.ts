import { randomBytes } from "node:crypto";
import { PolluxError } from "../../../core/error.ts";
import { readForeignText } from "../../../kernel/open-file.ts";
import { KEY_BYTES, Seal } from "../../seal.ts";
import { put } from "../migrations.ts";
import type { Connection } from "../connection.ts";
import type { Database } from "../database.ts";

/** Fingerprint of the team's key, if people have keys. */
const META = "person-keys";

/**
 * Each person's bytes are sealed with their own key, which is stored in their row, sealed with the
 * team's key. Without the team's key nothing can be read; without a person's key nothing of theirs,
 * not even from a backup. Destroying it erases the person's data.
 */
export class PersonKeys {
  readonly #server: Database;
  readonly #team: Seal;

  constructor(server: Database, team: Seal) {
    this.#server = server;
    this.#team = team;
  }

  async of(person: string): Promise<Seal> {
    const name = Buffer.from(`person ${person}`);
    const key = (await this.#known(person)) ?? (await this.#make(person, name));
    if (!key) throw new PolluxError("no-such-person", "The key of this person was destroyed.");
    return new Seal(this.#team.open(key, name));
  }

  async #known(person: string): Promise<Buffer | undefined> {
    const sql = "SELECT key FROM people WHERE id = $1";
    const [row] = await this.#server.all<{ key: Buffer | null }>(sql, [Number(person)]);
    return row?.key ?? undefined;
  }

  /**
   * Creates a key with a person's first bytes; of two concurrent writers, the first one's key is
   * used.
   */
  async #make(person: string, name: Buffer): Promise<Buffer | undefined> {
    const sql = `UPDATE people SET key = $2
      WHERE id = $1 AND key IS NULL AND subject NOT LIKE 'erased %'`;
    const fresh = this.#team.close(randomBytes(KEY_BYTES), name);
    await this.#server.run(sql, [Number(person), fresh]);
    return this.#known(person);
  }
}

/** Reads the team's key, if bytes are sealed, and checks that it is the right one. */
export async function findTeamKey(
  connection: Connection,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Seal | undefined> {
  const sql = "SELECT value FROM meta WHERE key = $1";
  const [row] = await connection.all<{ value: string }>(sql, [META]);
  if (!row) return undefined;
  const key = readTeamKey(env);
  if (key.fingerprint === row.value) return key;
  throw new PolluxError("team-key", "POLLUX_TEAM_KEY is not the key of this team.", {
    remedy: "Name the file that was named when the team was made.",
  });
}

/** Turns sealing on, permanently. */
export async function beginKeys(
  connection: Connection,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  await put(connection, META, readTeamKey(env).fingerprint);
}

/** Reads 32 bytes in base64 from a file, where a secret manager can put them. */
function readTeamKey(env: Readonly<Record<string, string | undefined>>): Seal {
  const path = env["POLLUX_TEAM_KEY"];
  const remedy =
    "POLLUX_TEAM_KEY names a file with 32 bytes in base64: `openssl rand -base64 32 > team.key`.";
  if (!path) {
    throw new PolluxError("team-key", "The bytes of this team are sealed.", { remedy });
  }
  const key = Buffer.from(textIn(path, remedy), "base64");
  if (key.length === KEY_BYTES) return new Seal(key);
  throw new PolluxError("team-key", `${path} contains no key.`, { remedy });
}

function textIn(path: string, remedy: string): string {
  try {
    return readForeignText(path).trim();
  } catch (error) {
    throw new PolluxError("team-key", `${path} cannot be read.`, { remedy, cause: error });
  }
}
