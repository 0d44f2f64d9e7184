import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openArchive } from "../../src/store/sqlite/archive.ts";
import { indexTexts } from "../../src/ingest/index-texts.ts";
import { READER_VERSION } from "../../src/ingest/reader-version.ts";
import type { Library } from "../../src/library/library.ts";
import { sources } from "../../src/sources/index.ts";
import { jsonl, header, model, user } from "../samples/home.ts";
import { TestHome } from "./desk.ts";

function byName(a: string, b: string): number {
  return a < b ? -1 : 1;
}

interface Found {
  sessionId: string;
  role: string;
  standing: string;
  snippet: string;
}

async function found(asked: Library, query: string, options = {}): Promise<Found[]> {
  const { hits } = await asked.search(query, options);
  return hits.map(({ sessionId, role, standing, snippet }) => {
    return { sessionId, role, standing, snippet };
  });
}

function toolCall(id: string, args: object, output: string): object {
  const response = { functionResponse: { id, name: "read_file", response: { output } } };
  return { id, name: "read_file", args, result: [response], status: "success" };
}

function library(home: TestHome): Library {
  home.write(
    "chats/session-2026-02-10T17-28-aaaaaaaa.jsonl",
    jsonl(
      header("aaaaaaaa-1"),
      user("u1", 1, "Rotate the refresh token"),
      model("m1", 2, {
        text: "The cookie holds it.",
        thoughts: [{ subject: "Planning", description: "Consider jwt expiry" }],
        toolCalls: [toolCall("c1", { file_path: "src/auth/session.ts" }, "export const secret")],
      }),
      user("u2", 3, "Take this back please"),
      model("m2", 4, "A withdrawn answer"),
      { $rewindTo: "u2" },
      user("u3", 5, "用户登录失败了"),
      { $set: { summary: "Token rotation fixed" } },
    ),
  );
  home.session("bbbbbbbb-1", "another token");
  return home.library();
}

describe("a search", () => {
  test("finds prompts, answers, thoughts, arguments, outputs, file names and titles", async () => {
    const answers = library(new TestHome());
    const first = "aaaaaaaa-1";
    for (const [query, role] of [
      ["rotate", "prompt"],
      ["cookie", "answer"],
      ["jwt", "thought"],
      ["secret", "tool"],
      ["session.ts", "tool"],
      ["src/auth", "tool"],
      ["rotation", "title"],
      ["登录", "prompt"],
    ] as const) {
      expect(await found(answers, query), query).toMatchObject([{ sessionId: first, role }]);
    }
  });

  test("looks only where it is told to", async () => {
    const answers = library(new TestHome());
    expect(await found(answers, "token", { in: ["prompts"] })).toHaveLength(2);
    expect(await found(answers, "token", { in: ["answers"] })).toHaveLength(1);
    expect(await found(answers, "token", { in: ["tools", "thoughts"] })).toEqual([]);
    expect(await found(answers, "secret", { in: ["tools"] })).toHaveLength(1);
  });

  test("takes the filters of sessions", async () => {
    const answers = library(new TestHome());
    const filter = (one: object) => found(answers, "token", { filter: one });
    expect((await filter({ kind: "subagent" })).length).toBe(0);
    expect((await filter({ limit: 1 })).length).toBe(1);
    expect((await filter({ untilMs: 1 })).length).toBe(0);
    expect((await filter({ project: "ledger" })).length).toBe(4);
  });

  test("finds what was rewound, and says so", async () => {
    const answers = library(new TestHome());
    expect(await found(answers, "withdrawn")).toMatchObject([{ standing: "rewound" }]);
    expect(await found(answers, "back AND please")).toMatchObject([{ standing: "rewound" }]);
  });

  test("gives the hits of a session together, and its summary with them", async () => {
    const answers = library(new TestHome());
    const { hits, sessions, total, order } = await answers.search("token");
    const ids = hits.map(({ sessionId }) => sessionId);
    expect(new Set(ids).size).toBe(2);
    expect(ids).toEqual(ids.toSorted((a, b) => ids.indexOf(a) - ids.indexOf(b)));
    expect(sessions.map(({ id }) => id)).toEqual([...new Set(ids)]);
    expect({ total, order }).toEqual({ total: 4, order: "rank" });
    expect(hits.find(({ role }) => role === "prompt")).toMatchObject({
      messageId: expect.any(String) as unknown,
      at: expect.stringMatching(/^2026-02-10T/) as unknown,
      marks: [[expect.any(Number), expect.any(Number)]],
    });
  });

  test("knows new words after a session grew, and those that only an older state has", async () => {
    const home = new TestHome();
    const before = library(home);
    expect(await found(before, "another")).toHaveLength(2);
    home.append(home.fileOf("bbbbbbbb-1"), jsonl(user("u9", 9, "zebra")));
    expect(await found(home.library(), "zebra")).toHaveLength(1);
    home.session("bbbbbbbb-1", "nothing of that");
    const after = home.library();
    expect(await found(after, "zebra")).toHaveLength(1);
    // The same messages, told anew: the later words hold.
    expect(await found(after, "another")).toEqual([]);
    expect(await found(after, "nothing")).toHaveLength(2);
  });

  test("of a word that stands nearly everywhere answers with the newest", async () => {
    const home = new TestHome();
    const records = Array.from({ length: 2100 }, (_, n) => user(`u${n}`, n, `common word ${n}`));
    home.write("chats/session-many.jsonl", jsonl(header("many"), ...records));
    const { hits, total, order } = await home.library().search("common", { filter: { limit: 3 } });
    expect({ total, order }).toEqual({ total: 1001, order: "newest" });
    expect(hits.map(({ snippet }) => snippet)).toEqual([
      "common word 2099",
      "common word 2098",
      "common word 2097",
    ]);
  });

  test("finds what a tool put out in full, where the record holds only its beginning", async () => {
    const home = new TestHome();
    const cut = "Output too large. Showing first 10 characters. Saved to: /x/read_file_c1.txt";
    const call = toolCall("c1", {}, cut);
    const reply = model("m1", 2, { toolCalls: [call] });
    home.write("chats/session-s.jsonl", jsonl(header("spilled"), user("u1", 1, "read"), reply));
    home.write("tool-outputs/session-spilled/read_file_c1.txt", "a long output with a needle");
    const kept = home.library();
    const hits = [{ sessionId: "spilled", role: "tool", snippet: "a long output with a needle" }];
    expect(await found(kept, "needle")).toMatchObject(hits);
    expect(await found(home.library({ refresh: "fresh" }), "needle")).toMatchObject(hits);
    home.remove("tool-outputs");
    home.remove("chats");
    expect(await found(home.library(), "needle")).toMatchObject(hits);
  });

  test("looks only once into a session that says nothing", async () => {
    const home = new TestHome();
    home.write("chats/session-none.jsonl", jsonl(header("none"), model("m1", 2, {})));
    expect(await found(home.library(), "needle")).toEqual([]);
    const archive = openArchive(home.archive, READER_VERSION);
    const roots = archive.files.roots().map(({ id }) => id);
    expect(archive.rows.keys(roots).size).toBe(1);
    expect(archive.rows.withoutText(roots)).toEqual([]);
    archive.close();
  });

  test("puts the words of a session in once, whoever does so at the same time", async () => {
    const home = new TestHome();
    for (let n = 0; n < 20; n += 1) home.session(`${n}-session`, `needle ${n}`);
    home.library().sessions();
    const [one, other] = [home.archive, home.archive].map((path) => {
      return openArchive(path, READER_VERSION);
    });
    if (!one || !other) throw new Error("Two archives were opened.");
    const roots = one.files.roots().map(({ id }) => id);
    const told = { roots, sources, nowMs: 0 };
    expect(one.rows.withoutText(roots)).toHaveLength(20);
    // After its first step the other one puts in all that this one has listed.
    indexTexts(one, { ...told, progress: () => indexTexts(other, told) });
    expect(one.rows.withoutText(roots)).toEqual([]);
    const [[key] = [0]] = one.rows.keys(roots);
    const draft = other.texts.draft();
    const words = draft.add([{ role: "prompt", atMs: 0, texts: ["needle"] }]);
    draft.assign(words, { key, pieces: [] });
    other.texts.put(draft);
    for (const archive of [one, other]) archive.close();
    expect(await found(home.library(), "needle", { limit: 100 })).toHaveLength(20);
  });

  test("of damaged lines shows the words all the same", async () => {
    const home = new TestHome();
    const glued = jsonl(user("u2", 2, "glued needle"));
    const torn = `{"id":"m0","type":"gemini","content":"half${glued}`;
    home.write("chats/session-torn.jsonl", jsonl(header("torn")) + torn);
    expect(await found(home.library(), "needle")).toMatchObject([{ snippet: "glued needle" }]);
  });
});

describe("the index and the disk", () => {
  const word = fc.constantFrom(
    "token",
    "Token",
    "tokens",
    "émigré",
    "emigre",
    "函数",
    "数",
    "解析",
  );
  const between = fc.constantFrom(" ", ", ", "_", "\n", "", "函");
  const text = fc
    .array(fc.tuple(word, between), { minLength: 1, maxLength: 6 })
    .map((pairs) => pairs.flat().join(""));
  const term = fc.oneof(
    word,
    word.map((one) => `${one}*`),
    fc.tuple(word, word).map(([one, two]) => `"${one} ${two}"`),
  );
  const query = fc.oneof(
    term,
    fc.tuple(term, fc.constantFrom("AND", "OR", "NOT"), term).map((parts) => parts.join(" ")),
  );

  test("find the same, whatever is asked", async () => {
    const home = new TestHome();
    const texts = fc.sample(text, { numRuns: 200, seed: 7 });
    const records = texts.map((one, n) => user(`u${n}`, n, `${one} `));
    home.write("chats/session-all.jsonl", jsonl(header("all"), ...records));
    const indexed = home.library();
    const onDisk = home.library({ refresh: "fresh" });
    const all = { filter: { limit: 1000 } };
    for (const one of fc.sample(query, { numRuns: 120, seed: 11 })) {
      const ids = async (from: Library): Promise<string[]> => {
        const { hits } = await from.search(one, all);
        return hits.map(({ messageId }) => messageId ?? "").toSorted(byName);
      };
      expect(await ids(indexed), one).toEqual(await ids(onDisk));
    }
  });
});
