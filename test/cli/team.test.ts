// @module-tag slow
import { describe, expect, test } from "vitest";
import { openTeamKeeper } from "../../src/library/team/team.ts";
import { postgresStores } from "../store/postgres-stores.ts";
import { run } from "./run.ts";

const postgres = await postgresStores();

describe.skipIf(!postgres.isAvailable)(`pollux team${postgres.skipReason}`, () => {
  test("creates a team, adds people, issues codes, and reports its state", async () => {
    const env = { POLLUX_STORE: postgres.newDsn() };
    const before = await run(["team", "doctor"], { env });
    expect(before).toMatchObject({ code: 1, err: expect.stringContaining("pollux team init") });
    expect(await run(["team", "init", "--name", "Example"], { env })).toMatchObject({ code: 0 });
    const again = await run(["team", "init"], { env });
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("already") });
    const ada = ["team", "add", "ada@example.com", "--name", "Ada", "--team", "red", "--role"];
    expect(await run([...ada, "lead"], { env })).toMatchObject({
      code: 0,
      out: "Ada: red, developer, lead\n",
    });
    const code = JSON.parse(
      (await run(["team", "code", "ada@example.com", "--json"], { env })).out,
    );
    expect(code).toMatchObject({ code: expect.stringMatching(/^\w{4}-\w{4}-\w{4}$/) });
    const nobody = await run(["team", "code", "bob@example.com"], { env });
    expect(nobody).toMatchObject({ code: 3, err: expect.stringContaining("pollux team add") });
    const listed = JSON.parse((await run(["team", "people", "--json"], { env })).out);
    expect(listed).toMatchObject({ schemaVersion: 2, people: [{ subject: "ada@example.com" }] });
    const people = await run(["team", "people"], { env });
    expect(people.out).toMatch(/ada@example\.com +Ada +red +developer, lead +0 +0/);
    const doctor = JSON.parse((await run(["team", "doctor", "--json"], { env })).out);
    expect(doctor).toMatchObject({ name: "Example", people: 1, sessions: 0, unread: 0 });
    expect(doctor).toMatchObject({ bytesPlace: null });
    const verified = await run(["team", "doctor", "--verify"], { env });
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining("0 chunks") });
    const other = { clock: () => 1, replica: postgres.newDsn() };
    await expect(openTeamKeeper(env.POLLUX_STORE, other)).rejects.toThrow("not a replica");
    expect(await run(["team", "rebuild"], { env })).toMatchObject({ code: 0 });
    const sessions = await run(["sessions"], { env });
    expect(sessions).toMatchObject({ code: 1, err: expect.stringContaining("pollux sync") });
  });

  test("requires a database", async () => {
    expect(await run(["team", "doctor"], { env: {} })).toMatchObject({
      code: 2,
      err: expect.stringContaining("POLLUX_STORE"),
    });
  });
});
