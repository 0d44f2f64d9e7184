// @module-tag slow
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { SessionRow } from "../../src/core/rows/session-rows.ts";
import { ingest } from "../../src/ingest/ingest.ts";
import { readSession } from "../../src/ingest/read-session.ts";
import { rebuild } from "../../src/ingest/rebuild.ts";
import { geminiCli } from "../../src/sources/gemini-cli/index.ts";
import type { PlayedFile } from "../../src/sources/gemini-cli/interpret/file-replay.ts";
import { projectHash } from "../../src/sources/gemini-cli/project.ts";
import { sources } from "../../src/sources/index.ts";
import type { Source } from "../../src/sources/source.ts";
import { header, jsonl, model, user } from "../samples/records.ts";
import { answersOf } from "./answers.ts";
import { STORES } from "./stores.ts";
import { CHATS, NOW_MS, TestHome } from "./test-home.ts";

function fileOf(id: string): string {
  return `${CHATS}/session-2026-02-10T17-28-${id.slice(0, 8)}.jsonl`;
}

function said(id: string, text: string): string {
  return jsonl(header(id), user("u1", 1, text), model("m1", 2, `answer to ${text}`));
}

async function rowsOf(home: TestHome): Promise<SessionRow[]> {
  const { items } = await home.store.sessions({ scope: "own", filter: {}, sort: "newest" });
  return items.toSorted((a, b) => (a.summary.id < b.summary.id ? -1 : 1));
}

async function textsOf(home: TestHome, id: string): Promise<string[]> {
  const place = { store: home.store, sources: [home.source], scope: "own" } as const;
  const session = await readSession(place, { source: home.source.id, id });
  return session?.messages.map(({ text }) => text) ?? [];
}

describe.each(STORES)("with a %s store", (_, open) => {
  const newHome = async (): Promise<TestHome> => new TestHome({ store: await open() });

  test("reports a conversation whose source throws, and keeps the others", async () => {
    const broken: Source = {
      ...geminiCli,
      interpret(files, depth) {
        if (files.some(({ file }) => file.path.includes("bbbbbbbb"))) throw new TypeError("ours");
        return geminiCli.interpret(files as PlayedFile[], depth);
      },
    };
    const home = new TestHome({ store: await open(), source: broken });
    home.write(fileOf("aaaaaaaa"), said("aaaaaaaa", "first"));
    home.write(fileOf("bbbbbbbb"), said("bbbbbbbb", "second"));
    expect(await home.ingest()).toMatchObject([{ added: 3, sessions: 1 }]);
    expect((await rowsOf(home)).map(({ summary }) => summary.id)).toEqual(["aaaaaaaa"]);
    const { diagnostics } = await home.store.coverage({ scope: "own" });
    const found = diagnostics.map(({ code, message }) => `${code} ${message}`);
    expect(found).toEqual([expect.stringMatching(/^reader-failed .*TypeError at ingest.test.ts:/)]);
  });

  describe("a second ingest", () => {
    test("opens and writes nothing when nothing changed", async () => {
      const home = await newHome();
      for (let at = 0; at < 50; at += 1)
        home.write(fileOf(`${at + 10_000_000}-x`), said(`s${at}`, "a"));
      expect(await home.ingest()).toMatchObject([{ opened: 51, added: 51, sessions: 50 }]);
      const commit = vi.spyOn(home.store, "commit");
      const known = vi.spyOn(home.store, "known");
      expect(await home.ingest()).toMatchObject([{ opened: 0, unchanged: 51, sessions: 0 }]);
      expect(commit).not.toHaveBeenCalled();
      expect(known).not.toHaveBeenCalled();
    });

    test("stores only the new bytes of a file that grew", async () => {
      const home = await newHome();
      home.write(fileOf("aaaaaaaa"), said("one", "first"));
      await home.ingest();
      const more = jsonl(user("u2", 3, "second"), model("m2", 4, "again"));
      home.append(fileOf("aaaaaaaa"), more);
      expect(await home.ingest()).toMatchObject([
        { opened: 1, appended: 1, replaced: 0, bytes: more.length, sessions: 1 },
      ]);
      expect(await textsOf(home, "one")).toEqual(["first", "answer to first", "second", "again"]);
      const [file] = await home.store.known({ paths: [home.path(fileOf("aaaaaaaa"))] });
      expect(await home.store.versions(file?.id ?? 0)).toHaveLength(2);
    });

    test("does not load all known files when one session grows", async () => {
      const home = await newHome();
      for (let at = 0; at < 300; at += 1)
        home.write(fileOf(`${at + 10_000_000}-x`), said(`s${at}`, "a"));
      await home.ingest();
      const known = vi.spyOn(home.store, "known");
      home.append(fileOf("10000007-x"), jsonl(model("m9", 9, "more")));
      expect(await home.ingest()).toMatchObject([{ opened: 1, appended: 1, unchanged: 300 }]);
      const asked = await Promise.all(
        known.mock.results.map(({ value }) => value as Promise<unknown[]>),
      );
      expect(Math.max(...asked.map(({ length }) => length))).toBeLessThan(200);
      home.write(fileOf("99999999-x"), said("new", "a"));
      home.remove(fileOf("10000008-x"));
      expect(await home.ingest()).toMatchObject([{ opened: 1, added: 1, gone: 1 }]);
    });

    test("stores no bytes of a file that was only touched", async () => {
      const home = await newHome();
      home.write(fileOf("aaaaaaaa"), said("one", "first"));
      await home.ingest();
      home.age(fileOf("aaaaaaaa"));
      expect(await home.ingest()).toMatchObject([
        { opened: 1, appended: 0, replaced: 0, bytes: 0 },
      ]);
      expect(await home.ingest()).toMatchObject([{ opened: 0 }]);
    });

    test("opens a file again if it may have changed within the clock's resolution", async () => {
      const home = await newHome();
      home.write(fileOf("aaaaaaaa"), said("one", "first"));
      const soon = (): number => 1_900_000_001_010;
      expect(await home.ingest({ clock: soon })).toMatchObject([{ added: 2 }]);
      expect(await home.ingest()).toMatchObject([{ opened: 1, bytes: 0 }]);
      expect(await home.ingest()).toMatchObject([{ opened: 0 }]);
    });

    test("reports a diagnostic of a root once and keeps it", async () => {
      const home = await newHome();
      home.write(fileOf("aaaaaaaa"), said("one", "first"));
      symlinkSync(home.path("tmp/ledger"), home.path("tmp/again"));
      await home.ingest();
      expect(await home.ingest()).toMatchObject([{ opened: 0 }]);
      const { diagnostics } = await home.store.coverage({ scope: "own" });
      expect(diagnostics.map(({ code }) => code)).toEqual(["symlink-loop"]);
    });
  });

  describe("a deleted session", () => {
    test("stays listed, with the time when it was found missing", async () => {
      const home = await newHome();
      home.write(fileOf("aaaaaaaa"), said("one", "precious"));
      home.write(fileOf("bbbbbbbb"), said("two", "other"));
      await home.ingest();
      home.remove(fileOf("aaaaaaaa"));
      expect(await home.ingest({ clock: () => NOW_MS + 5000 })).toMatchObject([{ gone: 1 }]);
      const rows = await rowsOf(home);
      expect(rows.map(({ summary }) => summary.goneSince)).toEqual([
        new Date(NOW_MS + 5000).toISOString(),
        null,
      ]);
      expect(await textsOf(home, "one")).toEqual(["precious", "answer to precious"]);
    });

    test("is no longer gone when its file is back, without opening it", async () => {
      const home = await newHome();
      home.write(fileOf("aaaaaaaa"), said("one", "precious"));
      await home.ingest();
      renameSync(home.path("tmp/ledger"), home.path("aside"));
      await home.ingest();
      expect((await rowsOf(home))[0]?.summary.goneSince).not.toBeNull();
      renameSync(home.path("aside"), home.path("tmp/ledger"));
      expect(await home.ingest()).toMatchObject([{ opened: 0, gone: 0 }]);
      expect((await rowsOf(home))[0]?.summary.goneSince).toBeNull();
    });

    test("stays readable while its root is missing, and returns with it", async () => {
      const home = await newHome();
      home.write(fileOf("aaaaaaaa"), said("one", "precious"));
      await home.ingest();
      renameSync(home.root, `${home.root}-away`);
      const missing = { ...home.place, root: { ...home.place.root, isFound: false } };
      const options = { how: "usual", clock: () => NOW_MS } as const;
      expect(await ingest(home.store, [missing], options)).toMatchObject([{ gone: 2 }]);
      expect((await rowsOf(home))[0]?.summary.goneSince).not.toBeNull();
      expect(await ingest(home.store, [missing], options)).toEqual([]);
      // A newer reader version discards the rows and rebuilds them.
      const before = await answersOf(home.store);
      await home.store.care.clearDerived();
      await ingest(home.store, [missing], options);
      expect(await answersOf(home.store)).toEqual(before);
      renameSync(`${home.root}-away`, home.root);
      await home.ingest();
      expect((await rowsOf(home))[0]?.summary.goneSince).toBeNull();
    });

    test.skipIf(process.getuid?.() === 0)("is not assumed in unreadable folders", async () => {
      const home = await newHome();
      home.write(fileOf("aaaaaaaa"), said("one", "precious"));
      await home.ingest();
      const { chmodSync } = await import("node:fs");
      chmodSync(home.path(CHATS), 0);
      expect(await home.ingest()).toMatchObject([{ gone: 0 }]);
      chmodSync(home.path(CHATS), 0o755);
    });
  });

  describe("rows", () => {
    test("are rebuilt from the kept bytes, without the original files", async () => {
      const home = await newHome();
      home.write(fileOf("aaaaaaaa"), said("one", "needle"));
      home.write(fileOf("bbbbbbbb"), said("two", "hay"));
      home.write("tmp/ledger/logs.json", JSON.stringify([{ sessionId: "c", message: "typed" }]));
      await home.ingest();
      const before = await answersOf(home.store);
      rmSync(home.root, { recursive: true });
      const options = { sources, clock: () => NOW_MS };
      expect(await rebuild(home.store, options)).toBe(2);
      expect(await answersOf(home.store)).toEqual(before);
    });

    test("are updated when the path of a project becomes known", async () => {
      const home = await newHome();
      home.remove("tmp/ledger/.project_root");
      home.write(fileOf("aaaaaaaa"), said("one", "first"));
      await home.ingest();
      expect((await rowsOf(home))[0]?.summary.project.path).toBeNull();
      home.write("tmp/ledger/.project_root", "/home/ada/projects/ledger");
      await home.ingest();
      expect((await rowsOf(home))[0]?.summary.project.path).toBe("/home/ada/projects/ledger");
    });

    test("take the project path from another session and keep it as they grow", async () => {
      const home = await newHome();
      const hash = projectHash("/home/ada/kiosk");
      const chats = `tmp/${hash}/chats`;
      const first = jsonl(header("one", { projectHash: hash }), user("u1", 1, "hello"));
      home.write(`${chats}/session-2026-02-10T17-28-aaaaaaaa.jsonl`, first);
      await home.ingest();
      expect((await rowsOf(home))[0]?.summary.project.path).toBeNull();
      const reported = header("two", { projectHash: hash, directories: ["/home/ada/kiosk"] });
      home.write(
        `${chats}/session-2026-02-10T17-29-bbbbbbbb.jsonl`,
        jsonl(reported, user("u2", 2, "a")),
      );
      await home.ingest();
      const paths = async (): Promise<unknown[]> => {
        return (await rowsOf(home)).map(({ summary }) => summary.project.path);
      };
      expect(await paths()).toEqual(["/home/ada/kiosk", "/home/ada/kiosk"]);
      home.append(`${chats}/session-2026-02-10T17-28-aaaaaaaa.jsonl`, jsonl(user("u3", 3, "more")));
      await home.ingest();
      expect(await paths()).toEqual(["/home/ada/kiosk", "/home/ada/kiosk"]);
      expect(await answersOf(home.store)).toEqual(await answersOf(await home.fresh()));
    });

    test("of one session come from all its files, including later ones", async () => {
      const home = await newHome();
      home.write(fileOf("aaaaaaaa"), said("one", "first"));
      await home.ingest();
      const later = jsonl(header("one"), user("u9", 90_000, "later"));
      home.write(`${CHATS}/session-2026-02-11T10-00-aaaaaaaa.jsonl`, later);
      await home.ingest();
      const [row] = await rowsOf(home);
      expect(row?.session.files).toHaveLength(2);
      expect(row?.summary.prompts).toBe(2);
    });

    test("of one session come from all roots that hold it", async () => {
      const home = await newHome();
      const copy = new TestHome({ store: home.store });
      home.write(fileOf("aaaaaaaa"), said("one", "first"));
      copy.write(fileOf("aaaaaaaa"), said("one", "first"));
      copy.append(fileOf("aaaaaaaa"), jsonl(user("u2", 3, "only in the copy")));
      await home.ingest();
      await copy.ingest();
      expect((await rowsOf(home)).map(({ summary }) => summary.prompts)).toEqual([2]);
      home.append(fileOf("aaaaaaaa"), jsonl(user("u3", 4, "one more")));
      await home.ingest();
      expect((await rowsOf(home)).map(({ summary }) => summary.prompts)).toEqual([3]);
    });

    test("are not created for a file of unknown format", async () => {
      const home = await newHome();
      home.write(fileOf("aaaaaaaa"), "not a session at all\n");
      await home.ingest();
      expect(await rowsOf(home)).toEqual([]);
      const { diagnostics } = await home.store.coverage({ scope: "own" });
      expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-format"]);
    });
  });

  test("unreadable paths do not hide other sessions", async () => {
    const home = await newHome();
    home.write(fileOf("aaaaaaaa"), said("one", "first"));
    mkdirSync(home.path(`${CHATS}/session-folder.jsonl`));
    symlinkSync(join(home.root, "nowhere"), home.path(`${CHATS}/session-gone.jsonl`));
    await home.ingest();
    expect(await rowsOf(home)).toHaveLength(1);
  });

  test("reports progress up to the total number of files", async () => {
    const home = await newHome();
    home.write(fileOf("aaaaaaaa"), said("one", "first"));
    home.write(fileOf("bbbbbbbb"), said("two", "second"));
    const reported: unknown[] = [];
    await home.ingest({ progress: (progress) => reported.push(progress) });
    expect(reported).toHaveLength(2);
    expect(reported.at(-1)).toMatchObject({ doneFiles: 2, totalFiles: 2 });
  });
});
