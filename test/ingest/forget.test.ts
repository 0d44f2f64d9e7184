import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PolluxError } from "../../src/core/error.ts";
import { jsonl, header, user } from "../samples/home.ts";
import { TestHome } from "./desk.ts";

const SECRET = "xyzzyplugh";

/** Two sessions: one with a secret, a subagent's, a spilled output and a log of its own. */
function homeWithSecret(): TestHome {
  const home = new TestHome();
  home.session("aaaaaaaa-1", SECRET);
  home.session("bbbbbbbb-1", "harmless");
  home.write(
    "chats/aaaaaaaa-1/agent.jsonl",
    jsonl(header("agent-1", { kind: "subagent" }), user("a1", 1, `task of ${SECRET}`)),
  );
  home.write("tool-outputs/session-aaaaaaaa-1/read.txt", `spilled ${SECRET}`);
  home.write("logs.json", JSON.stringify([logged("aaaaaaaa-1", 0), logged("bbbbbbbb-1", 1)]));
  return home;
}

function logged(sessionId: string, messageId: number): object {
  return { sessionId, messageId, type: "user", message: `typed in ${sessionId}` };
}

describe("forgetting", () => {
  test("shows first what would go, and changes nothing", () => {
    const home = homeWithSecret();
    const library = home.library();
    library.archive.keep();
    const before = library.archive.care.stats();
    const plan = library.archive.care.planForget(["aaaaaaaa-1"]);
    expect(plan.sessions.map(({ id }) => id).toSorted()).toEqual(["aaaaaaaa-1", "agent-1"]);
    expect(plan.files.map(({ role }) => role).toSorted()).toEqual(["main", "spill", "subagent"]);
    expect(plan.sharedLogs).toEqual([{ path: home.path("logs.json"), prompts: 1 }]);
    expect(library.archive.care.stats()).toEqual(before);
  });

  test("removes bytes, rows and words for good", async () => {
    const home = homeWithSecret();
    const library = home.library();
    library.archive.keep();
    expect((await library.search(SECRET)).hits.length).toBeGreaterThan(0);
    library.archive.care.forget(["aaaaaaaa-1"]);
    expect(library.sessions().sessions.map(({ id }) => id)).toEqual(["bbbbbbbb-1"]);
    expect((await library.search(SECRET)).hits).toEqual([]);
    expect(library.archive.care.verify().problems).toEqual([]);
    library.archive.close();
    for (const end of ["", "-wal"]) {
      expect(readFileSync(`${home.archive}${end}`, "latin1")).not.toContain(SECRET);
    }
  });

  test("concerns every root that has the session, also one that was only visited", () => {
    const home = homeWithSecret();
    const other = homeWithSecret();
    home.library().archive.keep();
    const visit = { roots: [other.root], archive: home.archive };
    expect(other.library(visit).sessions().sessions).toHaveLength(3);
    const library = home.library();
    const { files } = library.archive.care.forget(["aaaaaaaa-1"]);
    expect(files.filter(({ role }) => role === "main").map(({ path }) => path)).toEqual([
      home.path(home.fileOf("aaaaaaaa-1")),
      other.path(other.fileOf("aaaaaaaa-1")),
    ]);
    const kept = library.archive.care.stats().files.total;
    expect(kept).toBe(4);
    expect(
      other
        .library(visit)
        .sessions()
        .sessions.map(({ id }) => id),
    ).toEqual(["bbbbbbbb-1"]);
    library.archive.close();
    expect(readFileSync(home.archive, "latin1")).not.toContain(SECRET);
  });

  test("removes what was remembered of it", async () => {
    const home = homeWithSecret();
    const asked = home.library();
    asked.archive.keep();
    asked.sessions();
    await asked.usage({ by: ["session"] });
    asked.archive.close();
    expect(readFileSync(home.archive, "latin1")).toContain(SECRET);
    const library = home.library();
    library.archive.care.forget(["aaaaaaaa-1"]);
    library.archive.close();
    expect(readFileSync(home.archive, "latin1")).not.toContain(SECRET);
  });

  test("lasts: what is still on the disk, or comes as a copy, is not taken in again", () => {
    const home = homeWithSecret();
    const first = home.library();
    first.archive.keep();
    first.archive.care.forget(["aaaaaaaa-1"]);
    home.append(home.fileOf("aaaaaaaa-1"), jsonl(user("u9", 9, "more")));
    home.write("chats/session-copy.jsonl", jsonl(header("aaaaaaaa-1"), user("u1", 1, SECRET)));
    const second = home.library();
    second.archive.keep();
    expect(second.sessions().sessions.map(({ id }) => id)).toEqual(["bbbbbbbb-1"]);
    expect(home.library().archive.keep()).toMatchObject([{ opened: 0 }]);
    second.archive.rebuild();
    expect(second.sessions().sessions.map(({ id }) => id)).toEqual(["bbbbbbbb-1"]);
  });

  test("lasts when another archive brings it back", () => {
    const home = homeWithSecret();
    const library = home.library();
    library.archive.keep();
    const file = join(home.folder, "moved.pollux");
    library.archive.care.exportTo(file);
    library.archive.care.forget(["aaaaaaaa-1"]);
    // The session, and its agent's.
    expect(library.archive.care.importFrom(file)).toMatchObject({ leftOut: 2 });
    expect(library.sessions().sessions.map(({ id }) => id)).toEqual(["bbbbbbbb-1"]);
    expect(library.archive.care.verify().problems).toEqual([]);
    library.archive.close();
    expect(readFileSync(home.archive, "latin1")).not.toContain(SECRET);
  });

  test("lasts when the file names its session only later", () => {
    const home = homeWithSecret();
    const library = home.library();
    library.archive.keep();
    library.archive.care.forget(["aaaaaaaa-1"]);
    const named = [user("u1", 1, SECRET), header("aaaaaaaa-1"), user("u2", 2, "more")];
    home.write("chats/session-2026-02-11T10-00-zzzzzzzz.jsonl", jsonl(...named));
    const again = home.library();
    again.archive.keep();
    expect(again.sessions().sessions.map(({ id }) => id)).toEqual(["bbbbbbbb-1"]);
    expect(home.library().archive.keep()).toMatchObject([{ opened: 0 }]);
  });

  test("means a project, or what is older than a day", () => {
    const home = homeWithSecret();
    const library = home.library();
    library.archive.keep();
    expect(library.meant({ project: "ledger" })).toHaveLength(3);
    expect(library.meant({ project: "other" })).toEqual([]);
    expect(library.meant({ beforeMs: Date.parse("2026-02-10T00:00:00Z") })).toEqual([]);
    expect(library.meant({ beforeMs: Date.parse("2026-02-11T00:00:00Z") })).toHaveLength(3);
    expect(library.meant({ ids: ["bbbb"] })).toEqual(["bbbbbbbb-1"]);
  });
});

describe("two machines", () => {
  test("are put together without doubles", async () => {
    const laptop = new TestHome();
    laptop.session("aaaaaaaa-1", "from the laptop");
    laptop.session("cccccccc-1", "on both");
    const tower = new TestHome();
    tower.session("bbbbbbbb-1", "from the tower");
    tower.session("cccccccc-1", "on both");
    laptop.library().archive.keep();
    const there = tower.library();
    there.archive.keep();
    const file = join(tower.folder, "tower.pollux");
    there.archive.care.exportTo(file);
    const all = { roots: [] as string[], environment: { homeDir: laptop.folder, env: {} } };
    laptop.library(all).archive.keep();
    const library = laptop.library(all);
    expect(library.archive.care.importFrom(file)).toMatchObject({ files: 2, roots: 1 });
    expect(library.archive.care.importFrom(file)).toMatchObject({
      files: 0,
      versions: 0,
      roots: 0,
    });
    const { sessions } = library.sessions();
    expect(sessions.map(({ id }) => id).toSorted()).toEqual([
      "aaaaaaaa-1",
      "bbbbbbbb-1",
      "cccccccc-1",
    ]);
    const { hits } = await library.search("both", { in: ["prompts"] });
    expect(hits).toHaveLength(1);
    const roots = library.archive.care.stats().roots.map(({ machine }) => machine.isThis);
    expect(roots).toEqual([true, false]);
  });

  test("refuse a file that is damaged, or is none", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1", "x".repeat(5000));
    const library = home.library();
    library.archive.keep();
    const file = join(home.folder, "moved.pollux");
    library.archive.care.exportTo(file);
    const bytes = readFileSync(file);
    // Somewhere in the stored chunk: brotli's own bytes.
    bytes.fill(0, bytes.length - 8192 * 3, bytes.length - 8192 * 2);
    writeFileSync(file, bytes);
    const before = library.archive.care.stats();
    expect(() => library.archive.care.importFrom(file)).toThrow(/Nothing was taken in.*damaged/);
    expect(() => library.archive.care.importFrom(join(home.folder, "no.pollux"))).toThrow(
      /no file/,
    );
    expect(library.archive.care.stats()).toEqual(before);
  });

  test("refuse half a file, another database's, and one of a newer version", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1", "x".repeat(5000));
    const library = home.library();
    library.archive.keep();
    const file = join(home.folder, "moved.pollux");
    library.archive.care.exportTo(file);
    const nowhere = join(home.folder, "not", "there.pollux");
    expect(() => library.archive.care.exportTo(nowhere)).toThrow(/no folder/);
    const bytes = readFileSync(file);
    const before = library.archive.care.stats();
    const refused = (changed: Buffer): string => {
      writeFileSync(file, changed);
      try {
        library.archive.care.importFrom(file);
      } catch (error) {
        if (error instanceof PolluxError) return error.code;
        throw error;
      }
      return "taken in";
    };
    expect(refused(bytes.subarray(0, bytes.length / 2))).toBe("archive-damaged");
    expect(refused(Buffer.from("no database at all".repeat(1000)))).toBe("archive-damaged");
    // The header of a database: its version, and whose it is.
    const newer = Buffer.from(bytes);
    newer.writeUInt32BE(99, 60);
    expect(refused(newer)).toBe("archive-newer");
    const strange = Buffer.from(bytes);
    strange.writeUInt32BE(7, 68);
    expect(refused(strange)).toBe("archive-strange");
    expect(library.archive.care.stats()).toEqual(before);
    expect(refused(bytes)).toBe("taken in");
  });

  test("forget each for itself: an import removes nothing, and bars no path of here", () => {
    const [laptop, tower] = [new TestHome(), new TestHome()];
    for (const home of [laptop, tower]) home.session("cccccccc-1", "on both");
    tower.session("dddddddd-1", "there alone");
    const there = tower.library();
    there.archive.keep();
    there.archive.care.forget(["cccccccc-1", "dddddddd-1"]);
    const file = join(tower.folder, "tower.pollux");
    there.archive.care.exportTo(file);
    const library = laptop.library();
    library.archive.keep();
    expect(library.archive.care.importFrom(file)).toMatchObject({ leftOut: 0 });
    expect(library.sessions().sessions.map(({ id }) => id)).toEqual(["cccccccc-1"]);
    // What was forgotten there, and is not here, does not come in later.
    laptop.session("dddddddd-1", "there alone");
    laptop.append(laptop.fileOf("cccccccc-1"), jsonl(user("u9", 9, "more")));
    const again = laptop.library();
    again.archive.keep();
    expect(again.sessions().sessions).toMatchObject([{ id: "cccccccc-1", prompts: 2 }]);
  });

  test("have one session, grown on one of them, once", () => {
    const laptop = new TestHome();
    laptop.session("cccccccc-1", "on both");
    const tower = new TestHome();
    tower.session("cccccccc-1", "on both");
    tower.append(tower.fileOf("cccccccc-1"), jsonl(user("u9", 9, "went on there")));
    const there = tower.library();
    there.archive.keep();
    const file = join(tower.folder, "tower.pollux");
    there.archive.care.exportTo(file);
    const all = { roots: [] as string[], environment: { homeDir: laptop.folder, env: {} } };
    const library = laptop.library(all);
    library.archive.keep();
    library.archive.care.importFrom(file);
    const { sessions } = library.sessions();
    expect(sessions.map(({ id, prompts }) => ({ id, prompts }))).toEqual([
      { id: "cccccccc-1", prompts: 2 },
    ]);
    expect(sessions[0]?.tokens.input).toBe(1002);
    expect(library.transcript("cccccccc-1").messages).toHaveLength(3);
  });
});
