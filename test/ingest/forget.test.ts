import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { removeReturnedSessions, forgetSessions, planForget } from "../../src/ingest/forgetting.ts";
import { indexTexts } from "../../src/ingest/texts/index-texts.ts";
import { rebuild } from "../../src/ingest/rebuild.ts";
import { sources } from "../../src/sources/index.ts";
import { header, jsonl, model, user } from "../samples/records.ts";
import { idsIn, messagesIn, rowsIn } from "./sessions-in.ts";
import { newArchive, sqliteStore, STORES } from "./stores.ts";
import { CHATS, NOW_MS, TestHome } from "./test-home.ts";

const SECRET = "xyzzyplugh";
const FILE = `${CHATS}/session-2026-02-10T17-28-aaaaaaaa.jsonl`;
const OTHER = `${CHATS}/session-2026-02-10T17-29-bbbbbbbb.jsonl`;

function refs(...ids: string[]): { source: string; id: string }[] {
  return ids.map((id) => ({ source: "gemini-cli", id }));
}

function logged(sessionId: string, messageId: number): object {
  return { sessionId, messageId, type: "user", message: `typed in ${sessionId}` };
}

/** Two sessions; the first has a secret, a subagent, a spilled output and a shared log. */
function writeSecret(home: TestHome): void {
  home.write(FILE, jsonl(header("aaaaaaaa-1"), user("u1", 1, SECRET), model("m1", 2, "noted")));
  home.write(OTHER, jsonl(header("bbbbbbbb-1"), user("u2", 1, "harmless")));
  const agent = jsonl(header("agent-1", { kind: "subagent" }), user("a1", 1, `task of ${SECRET}`));
  home.write(`${CHATS}/aaaaaaaa-1/agent-1.jsonl`, agent);
  home.write("tmp/ledger/tool-outputs/session-aaaaaaaa-1/read.txt", `spilled ${SECRET}`);
  const log = [logged("aaaaaaaa-1", 0), logged("bbbbbbbb-1", 1)];
  home.write("tmp/ledger/logs.json", JSON.stringify(log));
}

describe.each(STORES)("with a %s store, forgetting", (_, open) => {
  async function homeWithSecret(): Promise<TestHome> {
    const home = new TestHome({ store: await open() });
    writeSecret(home);
    await home.ingest();
    return home;
  }

  test("plans what would be removed without changing anything", async () => {
    const home = await homeWithSecret();
    const plan = await planForget(home.store, sources, refs("aaaaaaaa-1"));
    expect(plan.sessions.map(({ id }) => id).toSorted()).toEqual(["aaaaaaaa-1", "agent-1"]);
    expect(plan.files.map(({ role }) => role).toSorted()).toEqual(["main", "spill", "subagent"]);
    expect(plan.sharedLogs).toEqual([{ path: home.path("tmp/ledger/logs.json"), prompts: 1 }]);
    expect(await idsIn(home)).toEqual(["aaaaaaaa-1", "agent-1", "bbbbbbbb-1"]);
  });

  test("does not keep a forgotten session again from disk or from a copy", async () => {
    const home = await homeWithSecret();
    await forgetSessions(home.store, sources, { refs: refs("aaaaaaaa-1"), nowMs: NOW_MS });
    expect(await idsIn(home)).toEqual(["bbbbbbbb-1"]);
    home.append(FILE, jsonl(user("u9", 9, "more")));
    home.write(`${CHATS}/session-copy.jsonl`, jsonl(header("aaaaaaaa-1"), user("u1", 1, SECRET)));
    await home.ingest();
    expect(await idsIn(home)).toEqual(["bbbbbbbb-1"]);
    expect(await home.ingest()).toMatchObject([{ opened: 0 }]);
    await rebuild(home.store, { sources, clock: () => NOW_MS });
    expect(await idsIn(home)).toEqual(["bbbbbbbb-1"]);
    expect(await removeReturnedSessions(home.store, sources, NOW_MS)).toBe(0);
  });

  test("does not keep it again from a file that names its session late", async () => {
    const home = await homeWithSecret();
    await forgetSessions(home.store, sources, { refs: refs("aaaaaaaa-1"), nowMs: NOW_MS });
    const named = [user("u1", 1, SECRET), header("aaaaaaaa-1"), user("u2", 2, "more")];
    home.write(`${CHATS}/session-2026-02-11T10-00-zzzzzzzz.jsonl`, jsonl(...named));
    await home.ingest();
    expect(await idsIn(home)).toEqual(["bbbbbbbb-1"]);
    expect(await home.ingest()).toMatchObject([{ opened: 0 }]);
  });
});

describe("in a SQLite file, forgetting", () => {
  test("leaves no bytes of the session or of its replaced contents", async () => {
    const archive = newArchive();
    const home = new TestHome({ store: await sqliteStore(archive) });
    writeSecret(home);
    await home.ingest();
    // Replaced without loss: the new content contains the old one.
    const longer = [header("aaaaaaaa-1"), user("u1", 1, SECRET), model("m1", 2, "noted, again")];
    home.write(FILE, jsonl(...longer, user("u3", 3, "more")));
    await home.ingest({ clock: () => NOW_MS + 1000 });
    await indexTexts(home.store, { sources });
    await forgetSessions(home.store, sources, { refs: refs("aaaaaaaa-1"), nowMs: NOW_MS });
    expect((await home.store.care.verify(() => undefined)).problems).toEqual([]);
    await home.store.close();
    for (const name of [archive, archive.replace(/\.db$/, ".texts.db")]) {
      expect(readFileSync(name, "latin1")).not.toContain(SECRET);
    }
  });

  test.each([
    ["one-1", "two-2"],
    ["two-2", "one-1"],
  ])("%s leaves the other session that used the same path", async (forgotten, left) => {
    const home = new TestHome({ store: await sqliteStore() });
    home.write(FILE, jsonl(header("one-1"), user("u1", 1, "first"), model("m1", 2, "yes")));
    await home.ingest();
    home.write(FILE, jsonl(header("two-2"), user("u2", 3, "second"), model("m2", 4, "no")));
    await home.ingest({ clock: () => NOW_MS + 1000 });
    await forgetSessions(home.store, sources, { refs: refs(forgotten), nowMs: NOW_MS });
    expect(await idsIn(home)).toEqual([left]);
    expect(await messagesIn(home, left)).toHaveLength(2);
    expect((await home.store.care.verify(() => undefined)).problems).toEqual([]);
    await rebuild(home.store, { sources, clock: () => NOW_MS });
    expect(await idsIn(home)).toEqual([left]);
    const since = (await rowsIn(home))[0]?.summary.goneSince;
    if (left === "one-1") expect(since).not.toBeNull();
    else expect(since).toBeNull();
  });
});
