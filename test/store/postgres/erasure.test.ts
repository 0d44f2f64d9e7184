// @module-tag slow
import { describe, expect, test } from "vitest";
import { demoHome } from "../../../src/cli/package-folder.ts";
import { ingest } from "../../../src/ingest/ingest.ts";
import { sources } from "../../../src/sources/index.ts";
import { openTeamAdmin } from "../../../src/library/team/team.ts";
import { run } from "../../cli/run.ts";
import { fillEverything, teamAt, who } from "./teams.ts";
import { postgresStores } from "./stores.ts";

const postgres = await postgresStores();
const PLAIN = { priceDates: [], thresholds: [], subagents: "separate" } as const;
const NOW_MS = Date.parse("2027-01-01T00:00:00Z");

describe.skipIf(!postgres.isAvailable)(`erasure${postgres.skipReason}`, () => {
  test("leaves no text of a person in any table", async () => {
    const dsn = postgres.newDsn();
    const { team, people } = await teamAt(dsn, ["planted", "bob"]);
    const admin = await openTeamAdmin(dsn, { clock: () => NOW_MS });
    await fillEverything(team.storeOf(who(people.planted)));
    await team.people.setTeams(people.planted, ["red"], 0);
    expect(await postgres.tablesWith(dsn, "planted")).not.toEqual([]);
    const receipt = await admin.erase("planted@example.com");
    expect(receipt).toMatchObject({ kind: "erasure", counts: { sessions: 1, files: 1 } });
    expect(await postgres.tablesWith(dsn, "planted")).toEqual([]);
    expect(await admin.team.looks.receipts()).toMatchObject([{ id: receipt.id, by: null }]);
    await fillEverything(team.storeOf(who(people.bob)));
    await admin.close();
  });

  test("of one session leaves only a tombstone, and retention deletes old sessions", async () => {
    const dsn = postgres.newDsn();
    const { team, people } = await teamAt(dsn, ["ada", "bob"]);
    const admin = await openTeamAdmin(dsn, { clock: () => NOW_MS });
    for (const person of Object.values(people)) await fillEverything(team.storeOf(who(person)));
    await admin.erase("ada@example.com", "fir");
    const ada = team.storeOf(who(people.ada));
    expect((await ada.care.stats()).sessions).toBe(0);
    expect(await ada.known({})).toEqual([]);
    expect((await ada.forgotten()).hasSession({ source: "agent", id: "first" })).toBe(true);
    await expect(admin.erase("ada@example.com", "fir")).rejects.toMatchObject({
      code: "no-such-session",
    });
    expect(await admin.retain()).toEqual([]);
    await admin.setPolicy({ retentionDays: 30 });
    expect(await admin.retain()).toMatchObject([{ kind: "retention", counts: { sessions: 1 } }]);
    expect(await admin.retain()).toEqual([]);
    const bob = team.storeOf(who(people.bob));
    const expression = { kind: "phrase", text: "planted", isPrefix: false } as const;
    const found = await bob.search({ scope: "own", expression, filter: {}, limit: 9 });
    expect([found.total, (await bob.forgotten()).sessions]).toEqual([0, ["first"]]);
    await admin.close();
  });

  test("of conversations after their term leaves rows without words, also after a rebuild", async () => {
    const dsn = postgres.newDsn();
    const { people } = await teamAt(dsn, ["ada"]);
    const admin = await openTeamAdmin(dsn, { clock: () => NOW_MS });
    const store = admin.team.storeOf(who(people.ada));
    const environment = {
      env: {},
      tempDir: "/none",
      platform: "linux",
      requestedRoots: [],
    } as const;
    const places = sources
      .filter(({ id }) => id === "codex")
      .flatMap((source) => {
        const roots = source.roots({ ...environment, homeDir: demoHome() });
        return roots.filter(({ isFound }) => isFound).map((root) => ({ source, root }));
      });
    await ingest(store, places, { how: "usual", clock: () => NOW_MS });
    await admin.rebuild();
    const answers = async (): Promise<unknown[]> => {
      const { items } = await store.sessions({ scope: "own", filter: {}, sort: "newest" });
      const usage = await store.usage({ scope: "own", filter: {}, by: ["model"], ...PLAIN });
      return [items.map(({ summary }) => [summary.id, summary.title, summary.tokens]), usage];
    };
    const before = await answers();
    const expression = { kind: "phrase", text: "cakes", isPrefix: false } as const;
    const query = { scope: "own", expression, filter: {}, limit: 9 } as const;
    expect((await store.search(query)).total).toBeGreaterThan(0);
    await admin.setPolicy({ conversationDays: 30 });
    expect(await admin.retain()).toMatchObject([
      { kind: "retention", counts: { conversations: 2, sharedFiles: 2 } },
    ]);
    expect(await answers()).toEqual(before);
    expect((await store.search(query)).total).toBe(0);
    expect(await postgres.tablesWith(dsn, "cakes")).toEqual([]);
    expect((await store.known({})).map((file) => file.root)).toEqual(["told", "told"]);
    await admin.rebuild();
    expect(await answers()).toEqual(before);
    expect(await admin.retain()).toEqual([]);
    await admin.close();
  });

  test("of records of accesses, after their term", async () => {
    const dsn = postgres.newDsn();
    const { team, people } = await teamAt(dsn, ["ada"]);
    const admin = await openTeamAdmin(dsn, { clock: () => NOW_MS });
    const look = { viewer: 0, person: people.ada, source: "", sessionId: "", reason: "why" };
    for (const age of [40, 20]) {
      const atMs = NOW_MS - age * 86_400_000;
      await team.looks.add({ ...look, atMs, untilMs: atMs });
    }
    await admin.setPolicy({ auditDays: 30 });
    await admin.retain();
    expect((await team.looks.at(people.ada)).map(({ id }) => id)).toEqual([2]);
    await admin.close();
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
    const receipts = await run(["team", "receipts"], { env });
    expect(receipts.out).toMatch(/^receipt 1, erasure, 20/);
    const left = await run(["team", "code", "ada@example.com"], { env });
    expect(left.code).toBe(3);
  });
});
