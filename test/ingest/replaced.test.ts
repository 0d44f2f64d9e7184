// @module-tag slow
import { describe, expect, test } from "vitest";
import { rebuild } from "../../src/ingest/rebuild.ts";
import { promptLogs, savedChats } from "../../src/ingest/companions/stored-companions.ts";
import { sources } from "../../src/sources/index.ts";
import { at, header, jsonl, model, user } from "../samples/records.ts";
import { answersOf } from "./answers.ts";
import { rowsIn, sessionIn, standingsIn } from "./sessions-in.ts";
import { STORES } from "./stores.ts";
import { CHATS, NOW_MS, TestHome } from "./test-home.ts";

const FILE = `${CHATS}/session-2026-02-10T17-28-aaaaaaaa.jsonl`;
const DOCUMENT = `${CHATS}/session-2026-02-10T17-28-aaaaaaaa.json`;
const LATER = NOW_MS + 60_000;

function document(id: string, messages: readonly object[], updated: number): string {
  const facts = { sessionId: id, projectHash: "cafe", startTime: at(0), lastUpdated: at(updated) };
  return JSON.stringify({ ...facts, messages }, null, 2);
}

describe.each(STORES)("with a %s store", (_, open) => {
  /** Writes the file in each state and ingests it. */
  async function keptSteps(name: string, steps: readonly string[]): Promise<TestHome> {
    const home = new TestHome({ store: await open() });
    await keepSteps(home, name, steps);
    return home;
  }

  async function keepSteps(home: TestHome, name: string, steps: readonly string[]): Promise<void> {
    for (const [step, text] of steps.entries()) {
      home.write(name, text);
      await home.ingest({ clock: () => NOW_MS + step * 60_000 });
    }
  }

  async function goneIn(home: TestHome): Promise<Record<string, string | null>> {
    const rows = await rowsIn(home);
    return Object.fromEntries(rows.map(({ summary }) => [summary.id, summary.goneSince]));
  }

  describe("a session whose file was overwritten by another session", () => {
    const steps = [
      jsonl(header("one-1"), user("u1", 1, "precious"), model("m1", 2, "kept answer")),
      jsonl(header("two-2"), user("u2", 3, "newcomer"), model("m2", 4, "other answer")),
    ];

    test("is listed, counted and marked as gone since then", async () => {
      const home = await keptSteps(FILE, steps);
      expect(await goneIn(home)).toEqual({ "one-1": new Date(LATER).toISOString(), "two-2": null });
      const inputs = (await rowsIn(home)).map(({ summary }) => summary.tokens.input);
      expect(inputs).toEqual([1002, 1004]);
      expect(await home.store.replies({ scope: "own", filter: {} })).toHaveLength(2);
    });

    test("is read from the replaced content", async () => {
      const home = await keptSteps(FILE, steps);
      const { messages, files } = await sessionIn(home, "one-1");
      expect(messages.map(({ text }) => text)).toEqual(["precious", "kept answer"]);
      expect(files).toMatchObject([{ replacedPath: home.path(FILE), goneSinceMs: LATER }]);
    });

    test("is the same after a rebuild", async () => {
      const home = await keptSteps(FILE, steps);
      const before = await answersOf(home.store);
      await rebuild(home.store, { sources, clock: () => NOW_MS });
      expect(await answersOf(home.store)).toEqual(before);
    });

    test("is not gone when it comes back", async () => {
      const home = await keptSteps(FILE, [...steps, steps[0] ?? ""]);
      expect(await goneIn(home)).toEqual({
        "one-1": null,
        "two-2": new Date(LATER + 60_000).toISOString(),
      });
      expect((await sessionIn(home, "one-1")).files).toHaveLength(1);
      expect(await home.store.replies({ scope: "own", filter: {} })).toHaveLength(2);
    });

    test("is merged with its other kept files", async () => {
      const home = new TestHome({ store: await open() });
      const twin = jsonl(header("one-1"), user("u1", 1, "precious"), user("u3", 9, "went on"));
      home.write(`${CHATS}/session-2026-02-10T17-40-aaaaaaaa.jsonl`, twin);
      await keepSteps(home, FILE, steps);
      expect(await standingsIn(home, "one-1")).toEqual(["u1 live", "m1 live", "u3 live"]);
      expect(Object.values(await goneIn(home))).toEqual([null, null]);
    });
  });

  describe("a JSONL file that became shorter", () => {
    const whole = [
      header("one-1"),
      user("u1", 1, "first"),
      model("m1", 2, "answer"),
      user("u2", 3, "second"),
      model("m2", 4, "lost reply"),
    ];

    test("keeps the missing messages live if nothing follows", async () => {
      const home = await keptSteps(FILE, [jsonl(...whole), jsonl(...whole.slice(0, 3))]);
      const live = ["u1 live", "m1 live", "u2 live", "m2 live"];
      expect(await standingsIn(home, "one-1")).toEqual(live);
      const [row] = await rowsIn(home);
      expect(row?.summary).toMatchObject({ goneSince: null, prompts: 2, tokens: { input: 2006 } });
    });

    test("marks the missing messages as rewritten if others follow, and counts their tokens", async () => {
      const went = jsonl(...whole.slice(0, 3), user("u3", 9, "instead"), model("m3", 10, "new"));
      const steps = [jsonl(...whole), jsonl(...whole.slice(0, 3)), went];
      const home = await keptSteps(FILE, steps);
      const rewritten = ["u2 rewritten", "m2 rewritten"];
      const live = ["u1 live", "m1 live"];
      expect(await standingsIn(home, "one-1")).toEqual([
        ...live,
        ...rewritten,
        "u3 live",
        "m3 live",
      ]);
      expect((await rowsIn(home))[0]?.summary.tokens.input).toBe(1002 + 1004 + 1010);
    });
  });

  describe("a JSON document that is rewritten with every change", () => {
    const messages = [
      user("u1", 1, "first"),
      model("m1", 2, "answer"),
      user("u2", 3, "second"),
      model("m2", 4, "taken back"),
    ];

    test("is read once if it only grew", async () => {
      const steps = [1, 2, 3, 4].map((count) => document("one-1", messages.slice(0, count), count));
      const home = await keptSteps(DOCUMENT, steps);
      expect((await sessionIn(home, "one-1")).files).toHaveLength(1);
      expect(await standingsIn(home, "one-1")).toEqual([
        "u1 live",
        "m1 live",
        "u2 live",
        "m2 live",
      ]);
      await rebuild(home.store, { sources, clock: () => NOW_MS });
      expect((await sessionIn(home, "one-1")).files).toHaveLength(1);
      expect(await home.store.unread()).toEqual([]);
    });

    test("keeps messages that a rewind removed, marked as rewound", async () => {
      const steps = [document("one-1", messages, 4), document("one-1", messages.slice(0, 2), 9)];
      const home = await keptSteps(DOCUMENT, steps);
      const rewound = ["u2 rewound", "m2 rewound"];
      expect(await standingsIn(home, "one-1")).toEqual(["u1 live", "m1 live", ...rewound]);
    });

    test("keeps all messages live if it was truncated while being written", async () => {
      const whole = document("one-1", messages, 4);
      const torn = document("one-1", messages, 9).slice(0, whole.indexOf("second"));
      const home = await keptSteps(DOCUMENT, [whole, torn]);
      expect(await standingsIn(home, "one-1")).toEqual([
        "u1 live",
        "m1 live",
        "u2 live",
        "m2 live",
      ]);
    });

    test("loses nothing when two writers overwrite each other", async () => {
      const [mine, theirs] = [messages.slice(0, 2), messages.slice(2)];
      const more = [...mine, user("u3", 20, "third")];
      const steps = [mine, theirs, more].map((list, step) => document("one-1", list, step * 10));
      const home = await keptSteps(DOCUMENT, steps);
      const live = ["m1 live", "m2 live", "u1 live", "u2 live", "u3 live"];
      expect((await standingsIn(home, "one-1")).toSorted()).toEqual(live);
      // The third content contains the first.
      expect((await sessionIn(home, "one-1")).files).toHaveLength(2);
    });
  });

  describe("a file beside the sessions that was overwritten", () => {
    const logged = (sessionId: string, messageId: number): object => {
      return {
        sessionId,
        messageId,
        type: "user",
        message: `typed in ${sessionId}`,
        timestamp: at(messageId),
      };
    };
    const chat = (...texts: string[]): string => {
      return JSON.stringify(texts.map((text) => ({ role: "user", parts: [{ text }] })));
    };
    const query = { sources, scope: "own" } as const;

    test("keeps the prompts of a prompt log", async () => {
      const steps = [
        [logged("a", 0), logged("b", 1)],
        [logged("b", 1), logged("c", 2)],
      ];
      const home = await keptSteps(
        "tmp/ledger/logs.json",
        steps.map((list) => JSON.stringify(list)),
      );
      const logs = await promptLogs(home.store, query);
      expect(logs.map(({ sessionId }) => sessionId).toSorted()).toEqual(["a", "b", "c"]);
      expect(logs.flatMap(({ prompts }) => prompts)).toHaveLength(3);
      expect(await home.store.unread()).toEqual([]);
    });

    test("reads a prompt log that only grew from its newest content", async () => {
      const steps = [[logged("a", 0)], [logged("a", 0), logged("b", 1)]];
      const home = await keptSteps(
        "tmp/ledger/logs.json",
        steps.map((list) => JSON.stringify(list)),
      );
      expect(await home.store.known({ roles: ["prompt-log"], replaced: "with" })).toHaveLength(1);
      expect(await promptLogs(home.store, query)).toHaveLength(2);
    });

    test("keeps a saved chat when another one is saved under its name", async () => {
      const steps = [chat("one", "two"), chat("other")];
      const home = await keptSteps("tmp/ledger/checkpoint-mine.json", steps);
      const chats = await savedChats(home.store, query);
      expect(chats.map(({ messages }) => messages.length).toSorted((a, b) => a - b)).toEqual([
        1, 2,
      ]);
      expect(new Set(chats.map(({ id }) => id)).size).toBe(2);
    });

    test("merges a saved chat with its continuation", async () => {
      const steps = [chat("one"), chat("one", "two")];
      const home = await keptSteps("tmp/ledger/checkpoint-mine.json", steps);
      const chats = await savedChats(home.store, query);
      expect(chats.map(({ messages, tag }) => [tag, messages.length])).toEqual([["mine", 2]]);
    });
  });
});
