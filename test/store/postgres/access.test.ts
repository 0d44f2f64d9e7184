// @module-tag slow
import { describe, expect, test } from "vitest";
import { Database } from "../../../src/store/postgres/database.ts";
import { RULES } from "../../../src/store/postgres/team/policies.ts";
import { actingAs } from "../../../src/store/postgres/team/team.ts";
import type { Team, Viewer } from "../../../src/store/team.ts";
import { TEAM_ROLES } from "../../../src/core/team/team.ts";
import { SOURCE } from "../../contracts/store-samples.ts";
import { fillEverything, teamAt, who } from "./teams.ts";
import { postgresStores } from "./stores.ts";

const postgres = await postgresStores();

/** Tables with rows that belong to a person. */
const OF_PEOPLE = (
  "roots files contents versions pieces chunks loose_bytes readings forgotten annotations vocabulary " +
  "record_keys sessions session_files agent_calls replies buckets tool_calls tool_files texts"
).split(" ");

/** Names that rows refer to by number, teams, and the tenant itself. */
const FOR_ALL = ["models", "tool_names", "teams", "tenant", "meta"];

/** Tables about people, with the roles that see rows of others. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  people: ["auditor", "admin"],
  memberships: ["admin", "lead", "payer"],
  grants: ["admin"],
  devices: ["admin"],
  codes: [],
  looks: ["admin"],
  opened: [],
  receipts: ["admin"],
};

/** The column with the owner of a row, if it is not `person`. */
const WHOSE: Readonly<Record<string, string>> = { people: "id" };

async function filled(dsn: string): Promise<{ team: Team; people: Record<"ada" | "bob", number> }> {
  const { team, people } = await teamAt(dsn, ["ada", "bob"]);
  for (const person of Object.values(people)) {
    await fillEverything(team.storeOf(who(person)));
    await team.people.setTeams(person, ["red"], 0);
    await team.people.grant(person, "lead", "red");
    await team.devices.addCode({ digest: Buffer.alloc(32, person), person, expiresMs: 9 });
    const token = Buffer.alloc(32, 50 + person);
    const id = `00000000-0000-4000-8000-00000000000${person}`;
    const code = Buffer.alloc(32, person);
    await team.devices.enrol({ code, token, id, name: "laptop", nowMs: 1, expiresMs: 9 });
    const look = { source: SOURCE, sessionId: "none", reason: "why", atMs: 1, untilMs: 2 };
    await team.looks.add({ viewer: person, person, ...look });
    const sessions = [{ source: SOURCE, id: "none" }];
    await team.people.setTeams(person, [`of ${person}`, "red"], 0);
    await team.openings.open(person, { sessions, team: `of ${person}`, atMs: 1 });
    await postgres.sql(
      dsn,
      `INSERT INTO receipts (at_ms, kind, person, counts) VALUES (1, 'erasure', ${person}, '{}');
      INSERT INTO loose_bytes (digest, person) VALUES ('x', ${person})`,
    );
  }
  return { team, people };
}

describe.skipIf(!postgres.isAvailable)(`row-level security${postgres.skipReason}`, () => {
  const [dsn, foreign] = postgres.isAvailable ? [postgres.newDsn(), postgres.newDsn()] : ["", ""];
  const setUp = postgres.isAvailable ? Promise.all([filled(dsn), filled(foreign)]) : undefined;

  async function ours(): Promise<Awaited<ReturnType<typeof filled>>> {
    const [first] = (await setUp) ?? [];
    if (!first) throw new RangeError("There is no team.");
    return first;
  }

  async function tables(): Promise<string[]> {
    const rows = await postgres.sql(
      dsn,
      `SELECT relname::text AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
        AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    return rows.map(({ name }) => String(name)).toSorted();
  }

  async function seen(
    table: string,
    viewer: Omit<Viewer, "role"> & { role: Viewer["role"] },
    { tenant, as = "app" }: { tenant: string; as?: "app" | "sums" },
  ): Promise<number[]> {
    const database = new Database(dsn);
    try {
      const acting = actingAs(database, tenant, { ...viewer, as });
      const whose = FOR_ALL.includes(table) ? "0" : (WHOSE[table] ?? "person");
      const sql = `SELECT DISTINCT ${whose} AS person FROM ${table} ORDER BY 1`;
      return (await acting.all<{ person: number }>(sql)).map(({ person }) => person);
    } finally {
      await database.close();
    }
  }

  test("every table has a policy, and an entry in this test", async () => {
    await setUp;
    const ruled = [...Object.keys(RULES), "meta"].toSorted();
    expect(await tables()).toEqual(ruled);
    expect([...OF_PEOPLE, ...FOR_ALL, ...Object.keys(OTHERS)].toSorted()).toEqual(ruled);
    const rows = await postgres.sql(
      dsn,
      `SELECT relname::text AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
        AND relkind IN ('r', 'p') AND NOT relispartition
        AND NOT (relrowsecurity AND relforcerowsecurity)`,
    );
    expect(rows.map(({ name }) => name)).toEqual(["meta"]);
  });

  test.each(TEAM_ROLES)("a %s sees only the rows that the policies allow", async (role) => {
    const { team, people } = await ours();
    const { ada, bob } = people;
    const tenant = team.tenant.id;
    for (const table of await tables()) {
      const mine = await seen(table, { viewer: ada, role }, { tenant });
      const both = OTHERS[table]?.includes(role) === true;
      const expected = FOR_ALL.includes(table) ? [0] : both ? [ada, bob] : [ada];
      expect([table, mine]).toEqual([table, table === "codes" ? [] : expected]);
    }
  });

  test.each(TEAM_ROLES)("a %s sees no rows of another person by naming them", async (role) => {
    const { team, people } = await ours();
    const viewer = { viewer: people.ada, person: people.bob, role };
    for (const table of OF_PEOPLE) {
      expect([table, await seen(table, viewer, { tenant: team.tenant.id })]).toEqual([table, []]);
    }
  });

  test.each(TEAM_ROLES)("a %s of another tenant sees no rows", async (role) => {
    const { people } = await ours();
    const [, other] = (await setUp) ?? [];
    for (const table of Object.keys(RULES)) {
      const rows = await seen(
        table,
        { viewer: people.ada, role },
        { tenant: other?.team.tenant.id ?? "" },
      );
      expect([table, rows]).toEqual([table, []]);
    }
  });

  test("the sums role reads buckets only, and only with permission", async () => {
    const { team, people } = await ours();
    const { ada, bob } = people;
    const tenant = team.tenant.id;
    const open = ["buckets", "sessions", "models", "teams", "memberships", "grants", "meta"];
    for (const table of await tables()) {
      for (const role of TEAM_ROLES) {
        const answer = seen(table, { viewer: ada, role }, { tenant, as: "sums" });
        if (!open.includes(table)) {
          await expect(answer, table).rejects.toThrow(/lacks the permission/);
          continue;
        }
        if (FOR_ALL.includes(table)) continue;
        const all = table === "grants" ? [ada] : [ada, bob];
        const isAllowed = role === "lead" || role === "payer" || table === "grants";
        const expected = isAllowed ? all : [];
        expect([table, role, await answer]).toEqual([table, role, expected]);
      }
    }
    const titles = actingAs(new Database(dsn), tenant, { viewer: ada, role: "payer", as: "sums" });
    await expect(titles.all("SELECT title FROM sessions")).rejects.toThrow(/lacks the permission/);
    await titles.close();
  });

  test("queries without a viewer fail, and partitions cannot be read directly", async () => {
    await setUp;
    const schema = /schema=(\w+)/.exec(dsn)?.[1] ?? "";
    for (const table of Object.keys(RULES)) {
      const sql = `BEGIN; SET LOCAL ROLE ${schema}_app; SELECT count(*) FROM ${table}; COMMIT`;
      await expect(postgres.sql(dsn, sql), table).rejects.toThrow(/pollux\.|permission/);
    }
    const rows = await postgres.sql(
      dsn,
      `SELECT relname::text AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
        AND relispartition AND relkind = 'r' AND (has_table_privilege('${schema}_app', oid, 'SELECT')
          OR has_table_privilege('${schema}_sums', oid, 'SELECT'))`,
    );
    expect(rows).toEqual([]);
  });

  test("an admin cannot write rows of another person", async () => {
    const { team, people } = await ours();
    const database = new Database(dsn);
    const viewer = { viewer: people.ada, person: people.ada, role: "admin" } as const;
    const acting = actingAs(database, team.tenant.id, viewer);
    for (const table of OF_PEOPLE) {
      const change = `UPDATE ${table} SET person = ${people.bob}`;
      await expect(acting.run(change), table).rejects.toThrow(/lacks the permission/);
      const removed = await acting.run(`DELETE FROM ${table} WHERE person = ${people.bob}`);
      expect([table, removed]).toEqual([table, 0]);
    }
    await database.close();
  });

  test("an auditor sees one session, with a reason, for a limited time", async () => {
    const { team, people } = await ours();
    const { ada, bob } = people;
    const now = Date.now();
    const session = { source: SOURCE, sessionId: "first", reason: "incident 7" };
    const during = { viewer: ada, person: bob, ...session, atMs: now };
    const look = await team.looks.add({ ...during, untilMs: now + 60_000 });
    const ended = await team.looks.add({ ...during, untilMs: now - 1 });
    const tenant = team.tenant.id;
    const viewer = { viewer: ada, person: bob, role: "auditor", look } as const;
    const none = ["forgotten", "annotations", "vocabulary", "loose_bytes"];
    for (const table of OF_PEOPLE) {
      const expected = none.includes(table) ? [] : [bob];
      expect([table, await seen(table, viewer, { tenant })]).toEqual([table, expected]);
      expect(await seen(table, { ...viewer, look: ended }, { tenant })).toEqual([]);
      expect(await seen(table, { ...viewer, role: "admin" }, { tenant })).toEqual([]);
      expect(await seen(table, { ...viewer, viewer: 99 }, { tenant })).toEqual([]);
    }
    const { items } = await team
      .storeOf(viewer)
      .sessions({ scope: "own", filter: {}, sort: "newest" });
    expect(items.map(({ summary }) => summary.id)).toEqual(["first"]);
    expect(
      (await team.looks.at(bob)).map(({ viewer: name, reason }) => [name, reason]),
    ).toContainEqual(["ada", "incident 7"]);
  });

  test("an opened session is visible to its team, and nothing else is", async () => {
    const { team, people } = await filled(postgres.newDsn());
    const { ada, bob } = people;
    const opened = { sessions: [{ source: SOURCE, id: "first" }], atMs: 2 };
    await team.openings.open(bob, { ...opened, team: "red" });
    const list = { scope: "own", filter: {}, sort: "newest" } as const;
    const ids = async (viewer: Viewer): Promise<string[]> => {
      const { items } = await team.storeOf(viewer).sessions(list);
      return items.map(({ summary }) => summary.id);
    };
    const viewer = { viewer: ada, person: bob, role: "developer" } as const;
    expect(await ids(viewer)).toEqual(["first"]);
    expect(await team.openings.owners(ada)).toMatchObject([{ id: bob, opened: 1 }]);
    const store = team.storeOf(viewer);
    await expect(store.annotate([], 1)).rejects.toThrow(/reading only/);
    expect(await store.annotations({})).toEqual([]);
    for (const role of ["lead", "payer", "auditor", "admin"] as const) {
      expect(await ids({ ...viewer, role })).toEqual([]);
    }
    await team.people.setTeams(ada, ["blue"], 3);
    expect(await ids(viewer)).toEqual([]);
    await team.openings.open(bob, opened);
    expect(await ids(viewer)).toEqual(["first"]);
    expect(await team.openings.close(bob, opened.sessions)).toBe(1);
    expect(await ids(viewer)).toEqual([]);
    expect(await team.openings.owners(ada)).toEqual([]);
  });
});
