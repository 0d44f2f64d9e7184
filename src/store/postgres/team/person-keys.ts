import { randomBytes } from "node:crypto";
import { PolluxError } from "../../../core/error.ts";
import { readForeignText } from "../../../kernel/open-file.ts";
import { KEY_BYTES, Seal } from "../../seal.ts";
import { put } from "../migrations.ts";
import type { Connection } from "../connection.ts";
import type { Database } from "../database.ts";

/** The fingerprint of the team's key, where people have keys of their own. */
const META = "person-keys";

/**
 * Each person's bytes are sealed with a key of their own, which lies beside their name, sealed with
 * the team's. Without the team's key nothing can be read, and without a person's nothing of theirs,
 * not in a backup either: to destroy it is to erase.
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

  /** With the first bytes of a person; whoever comes second takes the first one's. */
  async #make(person: string, name: Buffer): Promise<Buffer | undefined> {
    const sql = `UPDATE people SET key = $2
      WHERE id = $1 AND key IS NULL AND subject NOT LIKE 'erased %'`;
    const fresh = this.#team.close(randomBytes(KEY_BYTES), name);
    await this.#server.run(sql, [Number(person), fresh]);
    return this.#known(person);
  }
}

/** The team's key, when bytes of its people are sealed: the one that they were sealed by. */
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

/** From now on, and for ever, bytes of people are sealed. */
export async function beginKeys(
  connection: Connection,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  await put(connection, META, readTeamKey(env).fingerprint);
}

/** 32 bytes in base64, in a file: a service that keeps secrets can put it there. */
function readTeamKey(env: Readonly<Record<string, string | undefined>>): Seal {
  const path = env["POLLUX_TEAM_KEY"];
  const remedy =
    "POLLUX_TEAM_KEY names a file with 32 bytes in base64: `openssl rand -base64 32 > team.key`.";
  if (!path) {
    throw new PolluxError("team-key", "The bytes of this team are sealed.", { remedy });
  }
  const key = Buffer.from(textIn(path, remedy), "base64");
  if (key.length === KEY_BYTES) return new Seal(key);
  throw new PolluxError("team-key", `${path} holds no key.`, { remedy });
}

function textIn(path: string, remedy: string): string {
  try {
    return readForeignText(path).trim();
  } catch (error) {
    throw new PolluxError("team-key", `${path} cannot be read.`, { remedy, cause: error });
  }
}
