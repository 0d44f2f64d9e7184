// @module-tag slow
import { READER_VERSION } from "../../../src/ingest/reader-version.ts";
import { describe, expect, test } from "vitest";
import { openTeam } from "../../../src/store/postgres/team/team.ts";
import { postgresStores } from "./stores.ts";
import { equalityContract } from "../../contracts/store-equality.ts";
import { filesContract } from "../../contracts/store-files.ts";
import { Dice, randomRows } from "../../contracts/random-home.ts";
import { fact, sessionRows } from "../../contracts/store-samples.ts";
import type { Store } from "../../../src/store/store.ts";
import { NOTHING } from "../one-file.ts";
import { fillEverything, teamAt, who } from "./teams.ts";

const postgres = await postgresStores();

describe.skipIf(!postgres.isAvailable)(`a shared store of a team${postgres.skipReason}`, () => {
  equalityContract("one of two people", () => freshPerson(), 6);
  filesContract("one of two people", () => freshPerson());

  /** Root ids are part of the queries, so they must be those of an empty store. */
  async function freshPerson(): Promise<Store> {
    const { team, people } = await teamAt(postgres.newDsn(), ["ada", "bob"]);
    const bob = team.storeOf(who(people.bob));
    await bob.commit({ ...NOTHING, sessions: randomRows(new Dice(7)) });
    return team.storeOf(who(people.ada));
  }

  test("keeps the same session of two people apart", async () => {
    const { team, people } = await teamAt(postgres.newDsn(), ["ada", "bob"]);
    for (const [name, tokens] of [
      ["ada", 10],
      ["bob", 20],
    ] as const) {
      const usage = [fact("first", "shared", { input: tokens })];
      await team.storeOf(who(people[name])).commit({
        ...NOTHING,
        sessions: [sessionRows("first", { usage, summary: { title: `of ${name}` } })],
      });
    }
    for (const name of ["ada", "bob"] as const) {
      const store = team.storeOf(who(people[name]));
      const { items } = await store.sessions({ scope: "own", filter: {}, sort: "newest" });
      expect(items.map(({ summary }) => summary.title)).toEqual([`of ${name}`]);
      const [reply] = await store.replies({ scope: "own", filter: {} });
      expect(reply?.input).toBe(name === "ada" ? 10 : 20);
    }
  });

  test("rebuilds the rows of one person and leaves those of others", async () => {
    const { team, people } = await teamAt(postgres.newDsn(), ["ada", "bob"]);
    for (const person of Object.values(people)) await fillEverything(team.storeOf(who(person)));
    await team.storeOf(who(people.ada)).care.clearDerived();
    const counts = await Promise.all(
      [people.ada, people.bob].map(async (person) => {
        return (await team.storeOf(who(person)).care.stats()).sessions;
      }),
    );
    expect(counts).toEqual([0, 1]);
  });

  test("cannot be opened as a store of one person", async () => {
    const dsn = postgres.newDsn();
    await teamAt(dsn, []);
    await expect(postgres.at(dsn, READER_VERSION)).rejects.toMatchObject({ code: "store-of-team" });
  });

  test("keeps its policies when its rows are rebuilt", async () => {
    const dsn = postgres.newDsn();
    const { team, people } = await teamAt(dsn, ["ada", "bob"]);
    await fillEverything(team.storeOf(who(people.ada)));
    await team.close();
    const newer = await openTeam(dsn, { reader: READER_VERSION + 1 });
    const [ada, bob] = [newer.storeOf(who(people.ada)), newer.storeOf(who(people.bob))];
    expect((await ada.care.stats()).files.total).toBe(1);
    expect((await bob.care.stats()).files.total).toBe(0);
    expect(await ada.unread()).toHaveLength(1);
    await ada.commit({ ...NOTHING, sessions: [sessionRows("first", {})] });
    expect((await bob.care.stats()).sessions).toBe(0);
    await newer.close();
  });

  test("returns sums of all teams to a payer, and of the own team to a lead", async () => {
    const { team, people } = await teamAt(postgres.newDsn(), ["ada", "bob", "cy", "lea", "pay"]);
    await team.people.setTeams(people.ada, ["red"], 0);
    await team.people.setTeams(people.bob, ["blue"], 0);
    await team.people.setTeams(people.cy, ["red"], 0);
    await team.people.setTeams(people.cy, ["blue"], Date.parse("2026-05-02T00:00:00Z"));
    await team.people.grant(people.lea, "lead", "red");
    for (const name of ["ada", "bob", "cy"] as const) {
      const usage = ["2026-05-01", "2026-05-03"].map((date, at) => {
        return fact("s", `r${at}`, { at: `${date}T10:00:00.000Z` });
      });
      await team.storeOf(who(people[name])).commit({
        ...NOTHING,
        sessions: [sessionRows("s", { usage })],
      });
    }
    const query = {
      by: ["team"],
      filter: {},
      priceDates: [],
      thresholds: [],
      subagents: "separate",
    } as const;
    const described = async (
      viewer: number,
      role: "lead" | "payer" | "developer",
    ): Promise<unknown> => {
      const { buckets, people: whose } = await team.sums.usage({ viewer, role }, query);
      const requests = buckets
        .map(({ groups, requests: count }) => [groups[0]?.key ?? "", count] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
      return { requests, whose: whose.map(({ people: all }) => all.length) };
    };
    expect(await described(people.pay, "payer")).toEqual({
      requests: [
        ['["blue"]', 3],
        ['["red"]', 3],
      ],
      whose: [2, 2],
    });
    expect(await described(people.lea, "lead")).toEqual({ requests: [['["red"]', 3]], whose: [2] });
    expect(await described(people.ada, "developer")).toEqual({ requests: [], whose: [] });
    // In two teams at a time: one list, and counted once.
    await team.people.setTeams(people.ada, ["blue", "red"], Date.parse("2026-05-02T00:00:00Z"));
    await team.people.grant(people.lea, "lead", "blue");
    expect(await described(people.lea, "lead")).toEqual({
      requests: [
        ['["blue", "red"]', 1],
        ['["blue"]', 3],
        ['["red"]', 2],
      ],
      whose: [1, 2, 2],
    });
    const all = { ...query, by: [] };
    const {
      buckets: [sum],
    } = await team.sums.usage({ viewer: people.lea, role: "lead" }, all);
    expect(sum?.requests).toBe(6);
  });

  test("accepts a code once, and a token until it expires or is revoked", async () => {
    const { team, people } = await teamAt(postgres.newDsn(), ["ada"]);
    const code = Buffer.alloc(32, 1);
    const token = Buffer.alloc(32, 2);
    await team.devices.addCode({ digest: code, person: people.ada, expiresMs: 100 });
    const id = "00000000-0000-4000-8000-000000000001";
    const asked = { code, token, id, name: "laptop", nowMs: 50, expiresMs: 1000 };
    expect(await team.devices.enrol({ ...asked, nowMs: 101 })).toBeUndefined();
    expect(await team.devices.enrol(asked)).toMatchObject({ id, person: people.ada });
    expect(await team.devices.enrol(asked)).toBeUndefined();
    expect(await team.devices.byToken(token, 60)).toMatchObject({ id, name: "laptop" });
    expect(await team.devices.byToken(token, 1001)).toBeUndefined();
    expect(await team.devices.revoke(id, people.ada, 70)).toBe(true);
    expect(await team.devices.byToken(token, 80)).toBeUndefined();
  });
});
