// @module-tag slow
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { run } from "../../cli/run.ts";
import { fact, sessionRows } from "../../contracts/store-samples.ts";
import { NOTHING } from "../one-file.ts";
import { postgresStores } from "./stores.ts";
import { teamAt, who } from "./teams.ts";

const postgres = await postgresStores();
const NAMES = ["ada", "bob", "cyd", "dan", "eve"] as const;

/** Five people with usage in May, one of them also in June. */
async function team(): Promise<{ dsn: string; folder: string }> {
  const dsn = postgres.newDsn();
  const { team: made, people } = await teamAt(dsn, NAMES);
  for (const [name, person] of Object.entries(people)) {
    const usage = [fact(name, `${name}-may`, { at: "2026-05-31T23:50:00.000Z" })];
    if (name === "ada") usage.push(fact(name, "ada-june", { at: "2026-06-01T00:10:00.000Z" }));
    const sessions = [sessionRows(name, { usage })];
    await made.storeOf(who(person)).commit({ ...NOTHING, sessions });
    await made.people.setTeams(person, ["red"], 0);
  }
  return { dsn, folder: mkdtempSync(join(tmpdir(), "lake-")) };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".parquet"))
    .toSorted();
}

async function rowsOf(folder: string, path: string): Promise<Record<string, unknown>[]> {
  const { buffer, byteOffset, byteLength } = readFileSync(join(folder, path));
  const file = buffer.slice(byteOffset, byteOffset + byteLength);
  return (await parquetReadObjects({ file })) as Record<string, unknown>[];
}

describe.skipIf(!postgres.isAvailable)(`the Parquet export of a team${postgres.skipReason}`, () => {
  test("has sums by month, and none about too few people", async () => {
    const { dsn, folder } = await team();
    const lake = ["team", "lake", folder, "--since", "2026-04", "--json"];
    const { out } = await run(lake, { env: { POLLUX_STORE: dsn } });
    const month = "2026-06";
    expect(JSON.parse(out).withheld).toEqual(
      ["days", "teams", "projects"].map((table) => ({ table, month })),
    );
    expect(filesIn(folder)).toEqual([
      "days/month=2026-05/days.parquet",
      "projects/month=2026-05/projects.parquet",
      "teams/month=2026-05/teams.parquet",
    ]);
    const [row, ...others] = await rowsOf(folder, "teams/month=2026-05/teams.parquet");
    expect(others).toEqual([]);
    expect(row).toMatchObject({ team: "red", agent: "agent", people: 5n, requests: 5n });
    const [day] = await rowsOf(folder, "days/month=2026-05/days.parquet");
    expect(day).toMatchObject({ day: "2026-05-31", total: row?.["total"] });
    const text = readFileSync(join(folder, "days/month=2026-05/days.parquet"), "latin1");
    for (const name of NAMES) expect(text).not.toContain(name);
  });

  test("has a person's own replies for that person", async () => {
    const { dsn, folder } = await team();
    const env = { POLLUX_STORE: dsn };
    const lake = ["team", "lake", folder, "--since", "2026-05", "--as", "ada@example.com"];
    expect(await run(lake, { env })).toMatchObject({ code: 0 });
    expect(filesIn(folder)).toEqual([
      "replies/month=2026-05/replies.parquet",
      "replies/month=2026-06/replies.parquet",
    ]);
    const rows = await rowsOf(folder, "replies/month=2026-06/replies.parquet");
    expect(rows).toMatchObject([{ session: "ada", agent: "agent" }]);
    // Erased data is not in the next export.
    await run(["team", "erase", "ada@example.com", "--session", "ada", "--yes"], { env });
    expect(await run(lake, { env })).toMatchObject({ out: "Nothing to write.\n" });
    expect(filesIn(folder)).toEqual([]);
  });

  test("has rows by person if the policy allows groups of one", async () => {
    const { dsn, folder } = await team();
    const env = { POLLUX_STORE: dsn };
    await run(["team", "policy", "--smallest-group", "1"], { env });
    await run(["team", "lake", folder, "--since", "2026-05"], { env });
    const people = await rowsOf(folder, "people/month=2026-05/people.parquet");
    expect(new Set(people.map(({ person }) => person))).toEqual(new Set(NAMES));
  });

  test("needs a folder and a valid month", async () => {
    const { dsn, folder } = await team();
    const env = { POLLUX_STORE: dsn };
    expect(await run(["team", "lake"], { env })).toMatchObject({ code: 2 });
    expect(await run(["team", "lake", folder, "--since", "May"], { env })).toMatchObject({
      code: 2,
    });
  });
});
