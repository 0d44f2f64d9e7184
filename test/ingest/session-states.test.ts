// @module-tag slow
import { readFileSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { at, header, jsonl, model, user } from "../samples/records.ts";
import { idsInFile, restored, textsInFile, versionsIn } from "./restoring.ts";
import { STORES } from "./stores.ts";
import { CHATS, NOW_MS, TestHome } from "./test-home.ts";

const FILE = `${CHATS}/session-2026-02-10T17-28-aaaaaaaa.jsonl`;
const DOCUMENT = `${CHATS}/session-2026-02-10T17-28-aaaaaaaa.json`;
const COPY = { newId: "ffffffff-1111-4111-8111-111111111111" };

const LINES = [
  header("one-1"),
  user("u1", 10, "first"),
  { $set: { lastUpdated: at(10) } },
  model("m1", 20, "first answer"),
  { $set: { lastUpdated: at(20) } },
  user("u2", 30, "second"),
  model("m2", 40, "second answer"),
  { $rewindTo: "u2" },
  user("u3", 50, "instead"),
  model("m3", 60, "third answer"),
];

function setTime(home: TestHome, name: string, seconds: number): void {
  const time = new Date(at(seconds));
  utimesSync(home.path(name), time, time);
}

describe.each(STORES)("with a %s store", (_, open) => {
  /** Ingests the file after each number of lines, with the given modification time. */
  async function keptLines(
    ...counts: readonly [lines: number, seconds: number][]
  ): Promise<TestHome> {
    const home = new TestHome({ store: await open() });
    for (const [step, [count, seconds]] of counts.entries()) {
      home.write(FILE, jsonl(...LINES.slice(0, count)));
      setTime(home, FILE, seconds);
      await home.ingest({ clock: () => NOW_MS + step * 1000 });
    }
    home.remove(FILE);
    return home;
  }

  async function restoredAt(home: TestHome, seconds: number): Promise<string[]> {
    const { file } = await restored(home, "one-1", {
      asOfMs: Date.parse(at(seconds)),
      ...COPY,
      existing: "is-replaced",
    });
    return idsInFile(file);
  }

  describe("versions", () => {
    const steps: [lines: number, seconds: number][] = [
      [4, 20],
      [7, 40],
      [LINES.length, 60],
    ];

    test("are listed, oldest first", async () => {
      const versions = await versionsIn(await keptLines(...steps), "one-1");
      expect(versions.map(({ number }) => number)).toEqual([1, 2, 3]);
      expect(versions.map(({ modifiedAt }) => modifiedAt)).toEqual([at(20), at(40), at(60)]);
      const sizes = versions.map(({ sizeBytes }) => sizeBytes);
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    });

    test.each([
      [1, "first answer"],
      [2, "second answer"],
      [3, "third answer"],
    ])("%i ends with %j", async (version, last) => {
      const { file } = await restored(await keptLines(...steps), "one-1", { version });
      expect(textsInFile(file).at(-1)).toBe(last);
    });

    test("are those of the session, not of another one at its path", async () => {
      const home = new TestHome({ store: await open() });
      const keep = (step: number): Promise<unknown> =>
        home.ingest({ clock: () => NOW_MS + step * 1000 });
      home.write(FILE, jsonl(header("one-1"), user("one-1-u", 1, "mine")));
      await keep(1);
      home.append(FILE, jsonl(user("one-1-v", 2, "more")));
      await keep(2);
      home.write(FILE, jsonl(header("two-2"), user("two-2-u", 3, "yours")));
      await keep(3);
      expect(await versionsIn(home, "one-1")).toHaveLength(2);
      expect(await versionsIn(home, "two-2")).toHaveLength(1);
      const first = await restored(home, "one-1", { ...COPY, version: 1 });
      expect(idsInFile(first.file)).toEqual(["one-1-u"]);
      const whole = await restored(home, "one-1", {
        newId: "eeeeeeee-2222-4222-8222-222222222222",
      });
      expect(idsInFile(whole.file)).toEqual(["one-1-u", "one-1-v"]);
      await expect(restored(home, "two-2", { ...COPY, version: 2 })).rejects.toThrow(
        /no version 2/,
      );
    });

    test("that are not kept are an error", async () => {
      const home = await keptLines(...steps);
      for (const request of [{ version: 4 }, { asOfMs: 0 }]) {
        await expect(restored(home, "one-1", request)).rejects.toMatchObject({
          code: "no-such-version",
        });
      }
    });
  });

  describe("restoring a JSONL file as of a time", () => {
    test.each([
      [10, ["u1"]],
      [15, ["u1"]],
      [20, ["u1", "m1"]],
      [45, ["u1", "m1", "u2", "m2"]],
      // A rewind has no time of its own: it counts from the next message on.
      [49, ["u1", "m1", "u2", "m2"]],
      [50, ["u1", "m1", "u3"]],
      [99, ["u1", "m1", "u3", "m3"]],
    ])("kept once, at second %i", async (seconds, ids) => {
      expect(await restoredAt(await keptLines([LINES.length, 60]), seconds)).toEqual(ids);
    });

    test("cuts within the appended lines, and not before the kept version", async () => {
      const home = await keptLines([3, 12], [LINES.length, 60]);
      expect(await restoredAt(home, 12)).toEqual(["u1"]);
      expect(await restoredAt(home, 25)).toEqual(["u1", "m1"]);
      // The kept version was modified at 12, although its last message says 20.
      expect(await restoredAt(await keptLines([4, 12], [LINES.length, 60]), 15)).toEqual([
        "u1",
        "m1",
      ]);
    });

    test("fails for a time before the session began", async () => {
      const home = await keptLines([LINES.length, 60]);
      await expect(restoredAt(home, -5)).rejects.toThrow(
        "The session had not started at that time.",
      );
    });

    test("leaves out later tool results", async () => {
      const call = { id: "c1", name: "read_file", args: {}, status: "success", timestamp: at(25) };
      const home = new TestHome({ store: await open() });
      const done = model("m1", 20, { text: "looking", toolCalls: [call] });
      home.write(
        FILE,
        jsonl(header("one-1"), user("u1", 1, "hi"), model("m1", 20, "looking"), done),
      );
      setTime(home, FILE, 60);
      await home.ingest();
      const calls: boolean[] = [];
      for (const seconds of [22, 25]) {
        const asOfMs = Date.parse(at(seconds));
        const { file } = await restored(home, "one-1", {
          ...COPY,
          asOfMs,
          existing: "is-replaced",
        });
        calls.push(readFileSync(file, "utf8").includes('"toolCalls"'));
      }
      expect(calls).toEqual([false, true]);
    });
  });

  describe("restoring a JSON document as of a time", () => {
    const messages = [1, 2, 3, 4].map((n) => user(`u${n}`, n * 10, `prompt ${n}`));

    async function keptDocuments(
      ...states: readonly [list: object[], seconds: number][]
    ): Promise<TestHome> {
      const home = new TestHome({ store: await open() });
      for (const [step, [list, seconds]] of states.entries()) {
        const facts = { sessionId: "one-1", projectHash: "cafe", startTime: at(0) };
        const whole = { ...facts, lastUpdated: at(seconds), messages: list };
        home.write(DOCUMENT, JSON.stringify(whole, null, 2));
        setTime(home, DOCUMENT, seconds);
        await home.ingest({ clock: () => NOW_MS + step * 1000 });
      }
      home.remove(DOCUMENT);
      return home;
    }

    test("writes the messages up to then", async () => {
      const home = await keptDocuments([messages.slice(0, 1), 10], [messages, 40]);
      expect(await restoredAt(home, 10)).toEqual(["u1"]);
      expect(await restoredAt(home, 35)).toEqual(["u1", "u2", "u3"]);
      expect(await restoredAt(home, 40)).toEqual(["u1", "u2", "u3", "u4"]);
    });

    test("writes messages that were rewound later", async () => {
      const home = await keptDocuments([messages.slice(0, 3), 30], [messages.slice(0, 1), 50]);
      expect(await restoredAt(home, 35)).toEqual(["u1", "u2", "u3"]);
      expect(await restoredAt(home, 55)).toEqual(["u1"]);
    });
  });

  describe("restoring at a message", () => {
    test.each([
      ["m1", ["u1", "m1"]],
      // Messages that were rewound later are live again.
      ["m2", ["u1", "m1", "u2", "m2"]],
      ["u3", ["u1", "m1", "u3"]],
    ])("writes the messages up to %s", async (message, ids) => {
      const home = await keptLines([LINES.length, 60]);
      const { file } = await restored(home, "one-1", { at: message });
      expect(idsInFile(file)).toEqual(ids);
    });

    test("looks for the message in the chosen version", async () => {
      const home = await keptLines([4, 20], [LINES.length, 60]);
      const { file } = await restored(home, "one-1", { ...COPY, version: 1, at: "u1" });
      expect(idsInFile(file)).toEqual(["u1"]);
      await expect(
        restored(home, "one-1", { ...COPY, version: 1, at: "m3" }),
      ).rejects.toMatchObject({
        code: "no-such-message",
      });
    });

    test("finds the message, not the rewrite that lists it", async () => {
      const home = new TestHome({ store: await open() });
      const first = [user("u1", 1, "one"), model("m1", 2, "two")];
      const rewrite = { $set: { messages: [...first, user("u2", 3, "three")] } };
      home.write(
        FILE,
        jsonl(header("one-1"), ...first, user("u2", 3, "three"), rewrite, model("m2", 4, "four")),
      );
      await home.ingest();
      const { file } = await restored(home, "one-1", { ...COPY, at: "m1" });
      expect(idsInFile(file)).toEqual(["u1", "m1"]);
    });
  });
});
