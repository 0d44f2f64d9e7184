// @module-tag slow
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jsonl, model, user } from "../samples/home.ts";
import { NOW_MS, TestHome } from "./desk.ts";

function idsOf(home: TestHome, options = {}): string[] {
  return home
    .library(options)
    .sessions()
    .sessions.map(({ id }) => id)
    .toSorted();
}

describe("a second look", () => {
  test("opens none of 1,500 files that did not change", () => {
    const home = new TestHome();
    const ids = Array.from({ length: 1500 }, (_, n) => `${String(n).padStart(8, "0")}-x`);
    for (const id of ids) home.session(id);
    expect(home.library().archive.keep()).toMatchObject([{ opened: 1500, added: 1500 }]);
    const before = home.library().sessions();
    // Whoever opened one now would find other bytes in it.
    for (const id of ids) home.falsify(home.fileOf(id));
    const library = home.library();
    expect(library.archive.keep()).toMatchObject([{ opened: 0, unchanged: 1500, sessions: 0 }]);
    expect(library.sessions()).toEqual(before);
    expect(library.archive.care.stats()).toMatchObject({ versions: 1500 });
  });

  test("reads a file that grew from where it ended", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1", "first");
    home.library().archive.keep();
    const more = jsonl(user("u2", 3, "second"), model("m2", 4, "again"));
    home.append(home.fileOf("aaaaaaaa-1"), more);
    const library = home.library();
    expect(library.archive.keep()).toMatchObject([
      { opened: 1, appended: 1, replaced: 0, bytes: more.length, sessions: 1 },
    ]);
    expect(library.transcript("aaaaaaaa-1").messages.map(({ text }) => text)).toEqual([
      "first",
      "answer to first",
      "second",
      "again",
    ]);
    expect(library.archive.care.stats()).toMatchObject({ versions: 2, files: { total: 1 } });
  });

  test("takes a file that only begins alike for another one", () => {
    const home = new TestHome();
    home.write("chats/session-a.json", '{"sessionId":"a","projectHash":"h","messages":[]}');
    home.library().archive.keep();
    const longer = '{"sessionId":"a","projectHash":"h","messages":[{"id":"u","type":"user"}]}';
    home.write("chats/session-a.json", longer);
    expect(home.library().archive.keep()).toMatchObject([{ appended: 0, replaced: 1 }]);
  });

  test("keeps the old version of a file that was cut or replaced", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1", "first");
    home.append(home.fileOf("aaaaaaaa-1"), jsonl(user("u2", 3, "second")));
    home.library().archive.keep();
    home.session("aaaaaaaa-1", "first");
    const library = home.library();
    expect(library.archive.keep()).toMatchObject([{ replaced: 1 }]);
    expect(library.archive.care.stats()).toMatchObject({ versions: 2, files: { total: 1 } });
  });

  test("does not double bytes of a file that was only touched, or written anew as it was", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1");
    home.append(home.fileOf("aaaaaaaa-1"), jsonl(user("u2", 3, "second")));
    home.library().archive.keep();
    const text = jsonl(user("u3", 4, "third"));
    home.append(home.fileOf("aaaaaaaa-1"), text);
    const library = home.library();
    library.archive.keep();
    const before = library.archive.care.stats();
    const bytes = library.session("aaaaaaaa-1").messages.length;
    home.append(home.fileOf("aaaaaaaa-1"), "");
    const again = home.library();
    expect(again.archive.keep()).toMatchObject([{ opened: 1, appended: 0, replaced: 0, bytes: 0 }]);
    expect(again.archive.care.stats()).toMatchObject({
      versions: before.versions,
      distinctBytes: before.distinctBytes,
    });
    expect(again.session("aaaaaaaa-1").messages).toHaveLength(bytes);
  });

  test("looks again into a file that may have changed within its clock's tick", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1");
    const soon = { clock: () => 1_770_000_001_010 };
    expect(home.library(soon).archive.keep()).toMatchObject([{ opened: 1 }]);
    expect(home.library().archive.keep()).toMatchObject([{ opened: 1, bytes: 0 }]);
    expect(home.library().archive.keep()).toMatchObject([{ opened: 0 }]);
  });
});

describe("what is deleted", () => {
  test("stays visible, and is marked with the time it was missed", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1", "precious");
    home.session("bbbbbbbb-1", "other");
    home.library().archive.keep();
    home.remove(home.fileOf("aaaaaaaa-1"));
    const { sessions } = home.library({ clock: () => NOW_MS + 5000 }).sessions();
    const gone = Object.fromEntries(sessions.map(({ id, goneSince }) => [id, goneSince]));
    expect(gone).toEqual({
      "aaaaaaaa-1": new Date(NOW_MS + 5000).toISOString(),
      "bbbbbbbb-1": null,
    });
    const library = home.library();
    expect(library.transcript("aaaaaaaa-1").messages[0]?.text).toBe("precious");
    expect(library.session("aaaaaaaa-1").files[0]?.goneSinceMs).toBe(NOW_MS + 5000);
    expect(home.library({ refresh: "fresh" }).sessions().sessions).toHaveLength(1);
  });

  test("is no longer gone when it is back, and is not opened for that", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1");
    home.library().archive.keep();
    renameSync(home.root, `${home.root}-away`);
    expect(home.library().sessions().sessions[0]?.goneSince).not.toBeNull();
    renameSync(`${home.root}-away`, home.root);
    const library = home.library();
    expect(library.archive.keep()).toMatchObject([{ opened: 0 }]);
    expect(library.sessions().sessions[0]?.goneSince).toBeNull();
  });

  test("with its whole root answers still", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1", "precious");
    home.library().archive.keep();
    rmSync(home.root, { recursive: true });
    const library = home.library();
    expect(library.sessions().sessions[0]).toMatchObject({
      id: "aaaaaaaa-1",
      goneSince: new Date(NOW_MS).toISOString(),
    });
    expect(library.transcript("aaaaaaaa-1").messages[0]?.text).toBe("precious");
  });

  test("still knows its project", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1");
    home.write(".project_root", "/home/ada/projects/ledger");
    home.library().archive.keep();
    rmSync(home.root, { recursive: true });
    const library = home.library();
    library.archive.rebuild();
    expect(library.sessions().sessions[0]?.project.path).toBe("/home/ada/projects/ledger");
  });
});

describe("rows", () => {
  test("are made again from the kept bytes, without the sources", async () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1", "needle");
    home.session("bbbbbbbb-1", "hay");
    home.write("logs.json", JSON.stringify([{ sessionId: "c", message: "typed", messageId: 0 }]));
    const before = home.library();
    before.archive.keep();
    const answers = [before.sessions(), before.transcript("aaaaaaaa-1"), before.doctor(NOW_MS)];
    const found = await before.search("needle");
    rmSync(home.root, { recursive: true });
    const after = home.library({ refresh: "none" });
    expect(after.archive.rebuild()).toBe(2);
    expect([after.sessions(), after.transcript("aaaaaaaa-1")]).toEqual(answers.slice(0, 2));
    expect((await after.search("needle")).hits).toEqual(found.hits);
  });

  test("follow when a project gets its name later", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1");
    expect(home.library().sessions().sessions[0]?.project.path).toBeNull();
    home.write(".project_root", "/home/ada/projects/ledger");
    expect(home.library().sessions().sessions[0]?.project.path).toBe("/home/ada/projects/ledger");
  });

  test("of one session come from all its files, also from those that come later", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1", "first");
    home.library().archive.keep();
    home.write(
      "chats/session-2026-02-11T10-00-aaaaaaaa.jsonl",
      jsonl({ sessionId: "aaaaaaaa-1", projectHash: "cafe" }, user("u9", 90_000, "later")),
    );
    const library = home.library();
    library.archive.keep();
    expect(library.session("aaaaaaaa-1").files).toHaveLength(2);
    expect(library.sessions().sessions[0]?.prompts).toBe(2);
  });

  test("stay when a file turns out to hold another session", () => {
    const home = new TestHome();
    home.write("chats/session-x.jsonl", jsonl({ sessionId: "one" }, user("u1", 1, "a")));
    home.library().archive.keep();
    home.write("chats/session-x.jsonl", jsonl({ sessionId: "two" }, user("u2", 1, "b")));
    expect(idsOf(home)).toEqual(["one", "two"]);
  });
});

describe("roots", () => {
  test("only visited are left out of answers about everything", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1");
    const other = new TestHome();
    other.session("bbbbbbbb-1");
    const usual = { roots: [], environment: { homeDir: home.folder, env: {} } };
    expect(idsOf(home, usual)).toEqual(["aaaaaaaa-1"]);
    expect(idsOf(home, { roots: [other.root] })).toEqual(["bbbbbbbb-1"]);
    expect(idsOf(home, usual)).toEqual(["aaaaaaaa-1"]);
    home.library({ roots: [other.root] }).archive.keep();
    expect(idsOf(home, usual)).toEqual(["aaaaaaaa-1", "bbbbbbbb-1"]);
    expect(idsOf(home, { roots: [home.root] })).toEqual(["aaaaaaaa-1"]);
  });

  test("with the same session make one of it; one of them alone tells its part", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1", "first");
    const copy = new TestHome();
    copy.session("aaaaaaaa-1", "first");
    copy.append(copy.fileOf("aaaaaaaa-1"), jsonl(user("u2", 3, "only in the copy")));
    const both = { roots: [home.root, copy.root] };
    home.library(both).archive.keep();
    expect(
      home
        .library(both)
        .sessions()
        .sessions.map(({ prompts }) => prompts),
    ).toEqual([2]);
    expect(
      home
        .library()
        .sessions()
        .sessions.map(({ prompts }) => prompts),
    ).toEqual([1]);
    const fresh = home.library({ ...both, refresh: "fresh" }).sessions();
    expect(home.library(both).sessions()).toEqual(fresh);
    copy.append(copy.fileOf("aaaaaaaa-1"), jsonl(user("u3", 4, "one more")));
    expect(
      home
        .library(both)
        .sessions()
        .sessions.map(({ prompts }) => prompts),
    ).toEqual([3]);
  });

  test("that loop through links are kept once", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1");
    symlinkSync(join(home.root, "tmp", "ledger"), join(home.root, "tmp", "again"));
    home.library().archive.keep();
    const library = home.library();
    expect(library.archive.keep()).toMatchObject([{ opened: 0 }]);
    expect(library.sessions().coverage.diagnostics.map(({ code }) => code)).toEqual([
      "symlink-loop",
    ]);
  });
});
