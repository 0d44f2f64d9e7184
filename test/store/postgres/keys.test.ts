// @module-tag slow
import { READER_VERSION } from "../../../src/ingest/reader-version.ts";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { pack } from "../../../src/store/codec.ts";
import { openTeam } from "../../../src/store/postgres/team/team.ts";
import type { Store } from "../../../src/store/store.ts";
import { erasePerson } from "../../../src/team/erase.ts";
import { begin, keep, textOf } from "../../contracts/kept-samples.ts";
import { segmentsContract } from "../../contracts/segments.ts";
import { postgresStores } from "./stores.ts";
import { teamAt, who } from "./teams.ts";

const postgres = await postgresStores();
const PLANTED = "planted words, planted words, planted words, planted words\n";
const PACKED = Buffer.from(pack(Buffer.from(PLANTED), "fast").stored);

function newKey(): string {
  const file = join(mkdtempSync(join(tmpdir(), "key-")), "team.key");
  writeFileSync(file, `${randomBytes(32).toString("base64")}\n`);
  return file;
}

describe.skipIf(!postgres.isAvailable)(`a key for each person${postgres.skipReason}`, () => {
  const before = process.env["POLLUX_TEAM_KEY"];
  beforeEach(() => void (process.env["POLLUX_TEAM_KEY"] = newKey()));
  afterEach(() => {
    if (before === undefined) delete process.env["POLLUX_TEAM_KEY"];
    else process.env["POLLUX_TEAM_KEY"] = before;
  });

  async function kept(store: Store): Promise<() => Promise<string>> {
    const root = await begin(store);
    const file = await keep(store, root, { path: "a.jsonl", text: PLANTED });
    return () => textOf(store, file);
  }

  segmentsContract("sealed", async () => {
    const { team, people } = await teamAt(postgres.newDsn(), ["ada", "bob"], "of each person");
    return { segments: team.segmentsOf(people.ada), others: team.segmentsOf(people.bob) };
  });

  test("encrypts stored bytes differently for each person, and decrypts them", async () => {
    const dsn = postgres.newDsn();
    const { team, people } = await teamAt(dsn, ["ada", "bob"], "of each person");
    const [ada, bob] = [team.storeOf(who(people.ada)), team.storeOf(who(people.bob))];
    const texts = [await kept(ada), await kept(bob)];
    const rows = await postgres.sql(dsn, "SELECT digest, codec, bytes FROM chunks ORDER BY person");
    const [first, second] = rows.map(({ bytes }) => bytes as Buffer);
    expect(rows[0]?.["digest"]).toEqual(rows[1]?.["digest"]);
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(false);
    expect(first?.includes("planted")).toBe(false);
    expect(first?.includes(PACKED)).toBe(false);
    await ada.care.compact(() => undefined);
    expect(await ada.care.verify(() => undefined)).toMatchObject({ chunks: 1, problems: [] });
    for (const text of texts) expect(await text()).toBe(PLANTED);
    // Bytes encrypted for one person cannot replace those of another.
    await postgres.sql(
      dsn,
      `UPDATE chunks SET bytes = (SELECT bytes FROM chunks WHERE person = ${people.bob})
        WHERE person = ${people.ada}`,
    );
    await expect(texts[0]?.()).rejects.toMatchObject({ code: "archive-damaged" });
    expect((await ada.care.verify(() => undefined)).problems).toHaveLength(1);
  });

  test("encrypts bytes in a folder, too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bytes-"));
    const dsn = `${postgres.newDsn()}&bytes=${encodeURIComponent(folder)}`;
    const { team, people } = await teamAt(dsn, ["ada"], "of each person");
    const text = await kept(team.storeOf(who(people.ada)));
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile());
    expect(files).toHaveLength(1);
    for (const path of files) expect(readFileSync(path).includes(PACKED)).toBe(false);
    expect(await text()).toBe(PLANTED);
  });

  test("needs the right team key", async () => {
    const dsn = postgres.newDsn();
    await teamAt(dsn, [], "of each person");
    const open = (): Promise<unknown> => openTeam(dsn, { reader: READER_VERSION });
    process.env["POLLUX_TEAM_KEY"] = newKey();
    await expect(open()).rejects.toMatchObject({ code: "team-key" });
    process.env["POLLUX_TEAM_KEY"] = "/nonexistent/key";
    await expect(open()).rejects.toThrow(/cannot be read/);
    delete process.env["POLLUX_TEAM_KEY"];
    await expect(open()).rejects.toThrow(/sealed/);
    const other = postgres.newDsn();
    await expect(teamAt(other, [], "of each person")).rejects.toMatchObject({ code: "team-key" });
    await teamAt(other, []);
  });

  test("is destroyed with the person, so that a backup of the bytes is unreadable", async () => {
    const dsn = postgres.newDsn();
    const { team, people } = await teamAt(dsn, ["ada", "bob"], "of each person");
    const [ada, bob] = [team.storeOf(who(people.ada)), team.storeOf(who(people.bob))];
    await kept(ada);
    const others = await kept(bob);
    await postgres.sql(dsn, "CREATE TABLE backup AS SELECT * FROM chunks");
    const { counts } = await erasePerson(team, people.ada, { nowMs: 5, by: null });
    expect(counts).toMatchObject({ keys: 1, chunks: 1 });
    const keys = await postgres.sql(dsn, "SELECT id, key IS NULL AS gone FROM people ORDER BY id");
    expect(keys.map(({ gone }) => gone)).toEqual([true, false]);
    await postgres.sql(dsn, `INSERT INTO chunks SELECT * FROM backup WHERE person = ${people.ada}`);
    const again = team.storeOf(who(people.ada));
    await expect(again.care.verify(() => undefined)).rejects.toThrow(/destroyed/);
    expect(await others()).toBe(PLANTED);
  });
});
