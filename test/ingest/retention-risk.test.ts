import { statSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { filesAtRisk } from "../../src/ingest/retention-risk.ts";
import { safetyAtLastLook, compareWithDisk } from "../../src/ingest/safety.ts";
import { header, jsonl, model, user } from "../samples/records.ts";
import { CHATS, TestHome } from "./test-home.ts";

const DAY_MS = 86_400_000;
const FIRST = `${CHATS}/session-2026-02-10T17-28-aaaaaaaa.jsonl`;
/** When the sample sessions were written. */
const WRITTEN_MS = Date.parse("2026-02-10T17:28:00Z");

function homeWith(...ids: string[]): TestHome {
  const home = new TestHome();
  for (const [at, id] of ids.entries()) {
    const name = `${CHATS}/session-2026-02-10T17-${28 + at}-${id}.jsonl`;
    home.write(
      name,
      jsonl(header(id), user(`u${at}`, at, "hello"), model(`m${at}`, at + 1, "yes")),
    );
  }
  return home;
}

function risks(
  home: TestHome,
  days: number,
  isKept: (path: string) => boolean = () => false,
): string[][] {
  const context = { nowMs: WRITTEN_MS + days * DAY_MS, warnDays: 5, isKept };
  return filesAtRisk([home.place], context).map(({ files }) => files.map(({ path }) => path));
}

describe("files that their agent will delete", () => {
  test("are reported when the deletion is near, and not before", () => {
    const home = homeWith("aaaaaaaa", "bbbbbbbb");
    expect(risks(home, 10)).toEqual([]);
    expect(risks(home, 26)).toHaveLength(2);
    expect(risks(home, 40)).toHaveLength(2);
  });

  test("are not reported if they are kept or the agent deletes nothing", () => {
    const home = homeWith("aaaaaaaa");
    expect(risks(home, 40, () => true)).toEqual([]);
    home.write(
      "settings.json",
      JSON.stringify({ general: { sessionRetention: { enabled: false } } }),
    );
    expect(risks(home, 40)).toEqual([]);
  });

  test("are deleted at the next start if they have a stub, and come first", () => {
    const home = homeWith("aaaaaaaa", "bbbbbbbb");
    home.write(`${CHATS}/session-2026-02-11T10-00-bbbbbbbb.jsonl`, jsonl(header("bbbbbbbb")));
    const context = { nowMs: WRITTEN_MS + 27 * DAY_MS, warnDays: 5, isKept: () => false };
    const [first, second] = filesAtRisk([home.place], context);
    expect(first?.daysLeft).toBe(-Infinity);
    expect(first?.rows().map(({ summary }) => summary.id)).toEqual(["bbbbbbbb"]);
    expect(second?.daysLeft).toBeGreaterThan(0);
  });

  test("include those above the maximum number of sessions", () => {
    const home = homeWith("aaaaaaaa", "bbbbbbbb", "cccccccc");
    const sessionRetention = { enabled: true, maxAge: "90d", maxCount: 3 };
    home.write("settings.json", JSON.stringify({ general: { sessionRetention } }));
    const context = { nowMs: WRITTEN_MS + DAY_MS, warnDays: 5, isKept: () => false };
    const found = filesAtRisk([home.place], context);
    expect(found.map(({ surplus }) => surplus.size)).toEqual([1]);
    expect(found[0]?.files[0]?.path).toContain("aaaaaaaa");
  });

  test("are ingested before all others", async () => {
    const home = homeWith("aaaaaaaa", "bbbbbbbb", "cccccccc");
    const urgent = new Set([home.path(`${CHATS}/session-2026-02-10T17-28-aaaaaaaa.jsonl`)]);
    const commit = vi.spyOn(home.store, "commit");
    await home.ingest({ urgent });
    const sessions = commit.mock.calls.flatMap(([batch]) => batch.sessions);
    expect(sessions.map(({ summary }) => summary.id)).toEqual(["aaaaaaaa", "cccccccc", "bbbbbbbb"]);
  });
});

test("safetyOf compares kept files by name, size and time", async () => {
  const home = homeWith("aaaaaaaa", "bbbbbbbb");
  await home.ingest();
  expect((await compareWithDisk(home.store, [home.place])).safety).toMatchObject({
    keptFiles: 3,
    unkeptFiles: 0,
  });
  home.append(`${CHATS}/session-2026-02-10T17-28-aaaaaaaa.jsonl`, jsonl(user("u9", 9, "more")));
  const { safety, unkept } = await compareWithDisk(home.store, [home.place]);
  expect(safety).toMatchObject({ keptFiles: 2, unkeptFiles: 1 });
  expect([...unkept][0]).toContain("aaaaaaaa");
});

test("safetyAtLastLook returns the safety of the last scan without another one", async () => {
  const home = homeWith("aaaaaaaa", "bbbbbbbb");
  expect(await safetyAtLastLook(home.store, [home.place])).toBeUndefined();
  await home.ingest();
  const looked = await compareWithDisk(home.store, [home.place]);
  home.append(`${CHATS}/session-2026-02-10T17-28-aaaaaaaa.jsonl`, jsonl(user("u9", 9, "more")));
  expect(await safetyAtLastLook(home.store, [home.place])).toEqual(looked);
});

test("safetyAtLastLook returns undefined if the last scan left unsettled files", async () => {
  const home = homeWith("aaaaaaaa");
  // Within the clock's resolution: the file may change again with the same time.
  await home.ingest({ clock: () => statSync(home.path(FIRST)).mtimeMs });
  expect(await safetyAtLastLook(home.store, [home.place])).toBeUndefined();
});
