// @module-tag slow
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { demoHome } from "../../../src/cli/package-folder.ts";
import { ingest } from "../../../src/ingest/ingest.ts";
import { indexTexts } from "../../../src/ingest/texts/index-texts.ts";
import { READER_VERSION } from "../../../src/ingest/reader-version.ts";
import type { Library } from "../../../src/library/library.ts";
import { open } from "../../../src/library/library.ts";
import { openSession, viewerOf } from "../../../src/library/team/team-owners.ts";
import { sources } from "../../../src/sources/index.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Team } from "../../../src/store/team.ts";
import { NOW_MS } from "../../ingest/test-home.ts";
import { QUERIES, uncoveredQueries } from "../../library/every-question.ts";
import { postgresStores } from "./stores.ts";
import { teamAt, who } from "./teams.ts";

const postgres = await postgresStores();

/** A library as on a server: kept sessions only, no folders. */
function libraryOf(store: Store): Library {
  return open({
    store,
    refresh: "none",
    clock: () => NOW_MS,
    environment: { homeDir: "/none", env: {} },
  });
}

async function fill(store: Store): Promise<void> {
  const environment = { env: {}, tempDir: "/none", platform: "linux" as const, requestedRoots: [] };
  const places = sources.flatMap((source) => {
    const roots = source.roots({ ...environment, homeDir: demoHome() });
    return roots.filter(({ isFound }) => isFound).map((root) => ({ source, root }));
  });
  await ingest(store, places, { how: "usual", clock: () => NOW_MS });
  await indexTexts(store, { sources });
  const { items } = await store.sessions({ scope: "own", filter: {}, sort: "newest" });
  for (const [at, { summary }] of items.entries()) {
    if (at % 3 > 0) continue;
    const on = { source: summary.source, sessionId: summary.id, how: "set" } as const;
    await store.annotate(
      [
        { ...on, kind: "tag", text: "later" },
        { ...on, kind: "note", text: `note ${at}` },
        ...(at % 2 === 0 ? [{ ...on, kind: "star", text: "" } as const] : []),
      ],
      at + 1,
    );
  }
}

/** Removes rank and root ids, which differ between engines. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (name, inner: unknown) => {
      return name === "rank" || name === "rootId" ? undefined : inner;
    }),
  );
}

describe.skipIf(!postgres.isAvailable)(`every query about the demo${postgres.skipReason}`, () => {
  let sqlite: Library;
  const others: Record<string, Library> = {};
  let ids: string[] = [];
  let team: Team;

  beforeAll(async () => {
    const path = join(mkdtempSync(join(tmpdir(), "asked-")), "archive.db");
    const plainStore = await openSqliteStore(path, { reader: READER_VERSION });
    const whole = await postgres.open();
    const made = await teamAt(postgres.newDsn(), ["ada", "bob"]);
    team = made.team;
    const adas = team.storeOf(who(made.people.ada));
    for (const store of [plainStore, whole, adas]) await fill(store);
    sqlite = libraryOf(plainStore);
    others["PostgreSQL"] = libraryOf(whole);
    others["one person of a team"] = libraryOf(adas);
    const { sessions } = await sqlite.sessions();
    const agents = [...new Set(sessions.map(({ source }) => source))];
    ids = agents
      .flatMap((agent) => {
        return sessions
          .filter(({ source, kind }) => source === agent && kind === "main")
          .slice(0, 2);
      })
      .map(({ id }) => id);
  }, 120_000);

  test("is on the list", () => {
    expect(uncoveredQueries()).toEqual([]);
    expect(ids.length).toBeGreaterThanOrEqual(8);
  });

  test.each(Object.keys(QUERIES))(
    "%s has the same answer as in SQLite",
    async (name) => {
      const ask = QUERIES[name];
      const expected = plain(await ask?.(sqlite, ids));
      expect(expected).not.toBeNull();
      for (const [where, library] of Object.entries(others)) {
        expect(plain(await ask?.(library, ids)), where).toEqual(expected);
      }
    },
    120_000,
  );

  test("opened sessions of an owner give others the same answers", async () => {
    const [ada, bob] = await team.people.list();
    if (!ada || !bob) throw new RangeError("There is nobody.");
    const { sessions } = await sqlite.sessions();
    for (const { id, kind } of sessions) {
      if (kind === "main") await openSession(team, ada, { session: id, atMs: 1 });
    }
    const { viewer } = await viewerOf(team, bob, { owner: ada.subject });
    const shown = libraryOf(team.storeOf(viewer));
    expect((await shown.sessions()).sessions.map(({ id }) => id).toSorted()).toEqual(
      sessions.map(({ id }) => id).toSorted(),
    );
    for (const id of ids) {
      const [theirs, own] = [await shown.transcript(id), await sqlite.transcript(id)];
      expect(plain(theirs.messages.map(withoutOwn))).toEqual(plain(own.messages.map(withoutOwn)));
      const [sums, expected] = [await shown.explain(id), await sqlite.explain(id)];
      expect(sums.totals).toEqual(expected.totals);
    }
    const [usage, expected] = [
      await shown.usage({ by: ["model"] }),
      await sqlite.usage({ by: ["model"] }),
    ];
    expect(usage.rows).toEqual(expected.rows);
  }, 120_000);
});

/** Annotations on messages are visible only to their owner. */
function withoutOwn(message: object): object {
  return { ...message, own: null };
}
