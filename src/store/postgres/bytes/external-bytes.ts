import { randomUUID } from "node:crypto";
import { PolluxError } from "../../../core/error.ts";
import type { ObjectStorage, ExternalStorage } from "../../bytes/place.ts";
import { forEach, openPlace, placeName } from "../../bytes/place.ts";
import type { Connection } from "../connection.ts";
import type { Database } from "../database.ts";
import { lock } from "../migrations.ts";

const KEY = { place: "bytes", store: "bytes-store" } as const;

/**
 * Finds the external storage of a store. It is configured once and recorded in the database for
 * everyone who opens it. Undefined: bytes are stored in the database.
 */
export async function findOutside(
  database: Database,
  mode: "write" | "read",
): Promise<ExternalStorage | undefined> {
  const asked = database.askedPlace === undefined ? undefined : placeName(database.askedPlace);
  let recorded = await recordedPlace(database);
  if (recorded === undefined && asked !== undefined) {
    if (mode === "read") throw mayNotSay(asked);
    await tryPlace(await openPlace(asked, process.env));
    const sql = "INSERT INTO meta (key, value) VALUES ($1, $2), ($3, $4) ON CONFLICT DO NOTHING";
    await database.run(sql, [KEY.place, asked, KEY.store, randomUUID()]);
    recorded = await recordedPlace(database);
  }
  if (recorded === undefined) return undefined;
  if (asked !== undefined && asked !== recorded.place) throw otherPlace(recorded.place);
  return { place: await openPlace(recorded.place, process.env), prefix: recorded.store };
}

/**
 * Writes a test object: the location is permanent, so one that is unusable or mistyped is rejected.
 */
async function tryPlace(place: ObjectStorage): Promise<void> {
  const name = `tried/${randomUUID()}`;
  await place.put(name, Buffer.from(name));
  await place.drop(name);
}

async function recordedPlace(
  connection: Connection,
): Promise<{ place: string; store: string } | undefined> {
  const sql = "SELECT key, value FROM meta WHERE key = $1 OR key = $2";
  const values = Object.values(KEY);
  const rows = await connection.all<{ key: string; value: string }>(sql, values);
  const [place, store] = values.map((key) => rows.find((row) => row.key === key)?.value);
  return place === undefined || store === undefined ? undefined : { place, store };
}

/**
 * Object names contain the person: two people never share an object, so each can be deleted alone.
 */
function nameOf({ person }: Database, { prefix }: ExternalStorage, digest: Buffer): string {
  return `${prefix}/${person}/${digest.toString("hex")}`;
}

export interface OutsideBytes {
  digest: Buffer;
  stored: Uint8Array;
}

/**
 * Stores bytes outside, and their rows in the same transaction. The digests are first recorded as
 * loose, so that an interruption leaves no object that is never found again. Nothing is dropped
 * meanwhile (see `dropLoose`).
 */
export async function putOutside(
  database: Database,
  bytes: readonly OutsideBytes[],
  write: (connection: Connection) => Promise<void>,
): Promise<void> {
  const { outside } = database;
  if (!outside || bytes.length === 0) return;
  const digests = bytes.map(({ digest }) => digest);
  const note = `INSERT INTO loose_bytes (digest)
    SELECT unnest($1::bytea[]) ON CONFLICT DO NOTHING`;
  await database.run(note, [digests]);
  await database.write(async (connection) => {
    await lock(connection, "bytes", "shared");
    await write(connection);
    await forEach(bytes, ({ digest, stored }) => {
      return outside.place.put(nameOf(database, outside, digest), stored);
    });
    await connection.run("DELETE FROM loose_bytes WHERE digest = ANY($1::bytea[])", [digests]);
  });
}

/** Reads outside bytes in the order of `digests`; undefined for missing objects. */
export function getOutside(
  database: Database,
  digests: readonly Buffer[],
): Promise<(Buffer | undefined)[]> {
  const { outside } = database;
  if (!outside) return Promise.resolve(digests.map(() => undefined));
  return forEach(digests, (digest) => outside.place.get(nameOf(database, outside, digest)));
}

/**
 * Returns compressed bytes: fetches those stored outside, and opens sealed ones. Throws if any are
 * missing.
 */
export async function fetchBytes<Row extends { digest: Buffer; bytes: Buffer | null }>(
  database: Database,
  rows: readonly Row[],
): Promise<(Row & { bytes: Buffer })[]> {
  const absent = rows.filter(({ bytes }) => bytes === null).map(({ digest }) => digest);
  const found = absent.length === 0 ? [] : await getOutside(database, absent);
  const seal = rows.length === 0 ? undefined : await database.seal();
  let next = 0;
  return rows.map((row) => {
    const bytes = row.bytes ?? found[next++];
    if (bytes) return { ...row, bytes: seal?.open(bytes, row.digest) ?? bytes };
    throw new PolluxError("archive-damaged", `Stored data is missing in ${placeOf(database)}.`, {
      remedy: "`pollux archive verify` lists the damaged files.",
    });
  });
}

const GROUP = 256;

/** Removes objects that have no chunk any more. Writers of the same objects wait. */
export async function dropLoose(database: Database): Promise<void> {
  const { outside } = database;
  if (!outside) return;
  const loose = `SELECT digest FROM loose_bytes WHERE NOT EXISTS (
    SELECT 1 FROM chunks WHERE chunks.digest = loose_bytes.digest AND bytes IS NULL)
    LIMIT ${GROUP}`;
  for (let isMore = true; isMore;) {
    isMore = await database.write(async (connection) => {
      await lock(connection, "bytes");
      const digests = (await connection.all<{ digest: Buffer }>(loose)).map((row) => row.digest);
      await forEach(digests, (digest) => outside.place.drop(nameOf(database, outside, digest)));
      await connection.run("DELETE FROM loose_bytes WHERE digest = ANY($1::bytea[])", [digests]);
      return digests.length === GROUP;
    });
  }
}

function placeOf({ outside, location }: Database): string {
  return outside?.place.location ?? location;
}

function mayNotSay(asked: string): PolluxError {
  return new PolluxError(
    "archive-read-only",
    `This database user cannot set --bytes to ${asked}.`,
    {
      remedy: "Set it once as the owner of the database: `pollux team migrate --bytes …`.",
    },
  );
}

function otherPlace(recorded: string): PolluxError {
  return new PolluxError("wrong-usage", `This store keeps its files in ${recorded}.`, {
    remedy: "Leave out --bytes. The guide on team stores explains how to move them.",
  });
}
