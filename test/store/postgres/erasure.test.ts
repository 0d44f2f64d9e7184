// @module-tag slow
import { describe, expect, test } from "vitest";
import { openTeamKeeper } from "../../../src/library/team/team.ts";
import { run } from "../../cli/run.ts";
import { fillEverything, teamAt, who } from "./teams.ts";
import { postgresStores } from "./stores.ts";

const postgres = await postgresStores();
const NOW_MS = Date.parse("2027-01-01T00:00:00Z");

describe.skipIf(!postgres.isAvailable)(`erasure${postgres.skipReason}`, () => {
  test("leaves no text of a person in any table", async () => {
    const dsn = postgres.newDsn();
    const { team, people } = await teamAt(dsn, ["planted", "bob"]);
    const keeper = await openTeamKeeper(dsn, { clock: () => NOW_MS });
    await fillEverything(team.storeOf(who(people.planted)));
    await team.people.setTeams(people.planted, ["red"], 0);
    expect(await postgres.tablesWith(dsn, "planted")).not.toEqual([]);
    const receipt = await keeper.erase("planted@example.com");
    expect(receipt).toMatchObject({ kind: "erasure", counts: { sessions: 1, files: 1 } });
    expect(await postgres.tablesWith(dsn, "planted")).toEqual([]);
    expect(await keeper.team.looks.receipts()).toMatchObject([{ id: receipt.id, by: null }]);
    await fillEverything(team.storeOf(who(people.bob)));
    await keeper.close();
  });

  test("of one session leaves only a tombstone, and retention deletes old sessions", async () => {
    const dsn = postgres.newDsn();
    const { team, people } = await teamAt(dsn, ["ada", "bob"]);
    const keeper = await openTeamKeeper(dsn, { clock: () => NOW_MS });
    for (const person of Object.values(people)) await fillEverything(team.storeOf(who(person)));
    await keeper.erase("ada@example.com", "fir");
    const ada = team.storeOf(who(people.ada));
    expect((await ada.care.stats()).sessions).toBe(0);
    expect(await ada.known({})).toEqual([]);
    expect((await ada.forgotten()).hasSession({ source: "agent", id: "first" })).toBe(true);
    await expect(keeper.erase("ada@example.com", "fir")).rejects.toMatchObject({
      code: "no-such-session",
    });
    expect(await keeper.retain()).toEqual([]);
    await keeper.setPolicy({ retentionDays: 30 });
    expect(await keeper.retain()).toMatchObject([{ kind: "retention", counts: { sessions: 1 } }]);
    expect(await keeper.retain()).toEqual([]);
    const bob = team.storeOf(who(people.bob));
    const expression = { kind: "phrase", text: "planted", isPrefix: false } as const;
    const found = await bob.search({ scope: "own", expression, filter: {}, limit: 9 });
    expect([found.total, (await bob.forgotten()).sessions]).toEqual([0, ["first"]]);
    await keeper.close();
  });

  test("needs --yes on the command line", async () => {
    const env = { POLLUX_STORE: postgres.newDsn() };
    await teamAt(env.POLLUX_STORE, ["ada"]);
    const erase = ["team", "erase", "ada@example.com"];
    expect(await run(erase, { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining("--yes"),
    });
    const policy = ["team", "policy", "--level", "usage", "--retention-days", "30"];
    expect((await run(policy, { env })).out).toContain("usage; people may send less");
    expect(await run([...erase, "--yes"], { env })).toMatchObject({
      code: 0,
      out: expect.stringContaining("receipt 1"),
    });
    const left = await run(["team", "code", "ada@example.com"], { env });
    expect(left.code).toBe(3);
  });
});
