import { readFileSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { at, header, jsonl, model, user } from "../samples/home.ts";
import { NOW_MS, TestHome } from "./desk.ts";

const FILE = "chats/session-2026-02-10T17-28-aaaaaaaa.jsonl";
const DOCUMENT = "chats/session-2026-02-10T17-28-aaaaaaaa.json";

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

/** Kept after so many lines each, written at the time of the last of them. */
function keptLines(...counts: readonly [lines: number, seconds: number][]): TestHome {
  const home = new TestHome();
  home.write(".project_root", "/home/ada/projects/ledger");
  for (const [step, [count, seconds]] of counts.entries()) {
    home.write(FILE, jsonl(...LINES.slice(0, count)));
    const time = new Date(at(seconds));
    utimesSync(home.path(FILE), time, time);
    home.library({ clock: () => NOW_MS + step * 1000 }).archive.keep();
  }
  home.remove(FILE);
  return home;
}

function restoredAt(library: Library, seconds: number): string[] {
  const wish = { asOfMs: Date.parse(at(seconds)), nowMs: NOW_MS, id: "new" as const };
  const { file } = library.restore("one-1", wish);
  return idsIn(readFileSync(file, "utf8"));
}

function idsIn(text: string): string[] {
  const rows = text.trim().split("\n").slice(1);
  return rows.map((row) => (JSON.parse(row) as { id: string }).id);
}

describe("lines as of a time", () => {
  test.each([
    [10, ["u1"]],
    [15, ["u1"]],
    [20, ["u1", "m1"]],
    [45, ["u1", "m1", "u2", "m2"]],
    // Nothing tells when it was taken back; it was before the next that was said.
    [49, ["u1", "m1", "u2", "m2"]],
    [50, ["u1", "m1", "u3"]],
    [99, ["u1", "m1", "u3", "m3"]],
  ])("that were kept once: %i", (seconds, ids) => {
    expect(restoredAt(keptLines([LINES.length, 60]).library(), seconds)).toEqual(ids);
  });

  test("are cut inside of what was appended, and not below what was kept", () => {
    const library = keptLines([3, 12], [LINES.length, 60]).library();
    expect(restoredAt(library, 12)).toEqual(["u1"]);
    expect(restoredAt(library, 25)).toEqual(["u1", "m1"]);
    // Its clock was slow: by its own time it was written later.
    const slow = keptLines([4, 12], [LINES.length, 60]).library();
    expect(restoredAt(slow, 15)).toEqual(["u1", "m1"]);
  });

  test("that had not begun are an error, in a sentence", () => {
    const library = keptLines([LINES.length, 60]).library();
    expect(() => restoredAt(library, -5)).toThrow("At that time the session had not begun.");
  });

  test("need no archive", () => {
    const home = new TestHome();
    home.write(".project_root", "/home/ada/projects/ledger");
    home.write(FILE, jsonl(...LINES));
    utimesSync(home.path(FILE), new Date(at(60)), new Date(at(60)));
    expect(restoredAt(home.library({ refresh: "fresh" }), 20)).toEqual(["u1", "m1"]);
  });

  test("leave out what tools gave back later", () => {
    const call = { id: "c1", name: "read_file", args: {}, status: "success", timestamp: at(25) };
    const home = new TestHome();
    home.write(".project_root", "/home/ada/projects/ledger");
    const done = model("m1", 20, { text: "looking", toolCalls: [call] });
    home.write(FILE, jsonl(header("one-1"), user("u1", 1, "hi"), model("m1", 20, "looking"), done));
    utimesSync(home.path(FILE), new Date(at(60)), new Date(at(60)));
    const library = home.library();
    const wish = { nowMs: NOW_MS, id: "new" as const };
    const calls = [22, 25].map((seconds) => {
      const { file } = library.restore("one-1", { ...wish, asOfMs: Date.parse(at(seconds)) });
      return readFileSync(file, "utf8").includes('"toolCalls"');
    });
    expect(calls).toEqual([false, true]);
  });
});

describe("documents as of a time", () => {
  const messages = [1, 2, 3, 4].map((n) => user(`u${n}`, n * 10, `prompt ${n}`));

  function keptDocuments(...states: readonly [list: object[], seconds: number][]): Library {
    const home = new TestHome();
    home.write(".project_root", "/home/ada/projects/ledger");
    for (const [step, [list, seconds]] of states.entries()) {
      const facts = { sessionId: "one-1", projectHash: "cafe", startTime: at(0) };
      const told = { ...facts, lastUpdated: at(seconds), messages: list };
      home.write(DOCUMENT, JSON.stringify(told, null, 2));
      utimesSync(home.path(DOCUMENT), new Date(at(seconds)), new Date(at(seconds)));
      home.library({ clock: () => NOW_MS + step * 1000 }).archive.keep();
    }
    home.remove(DOCUMENT);
    return home.library();
  }

  test("hold the messages up to then", () => {
    const library = keptDocuments([messages.slice(0, 1), 10], [messages, 40]);
    expect(restoredAt(library, 10)).toEqual(["u1"]);
    expect(restoredAt(library, 35)).toEqual(["u1", "u2", "u3"]);
    expect(restoredAt(library, 40)).toEqual(["u1", "u2", "u3", "u4"]);
  });

  test("hold what was taken back later", () => {
    const library = keptDocuments([messages.slice(0, 3), 30], [messages.slice(0, 1), 50]);
    expect(restoredAt(library, 35)).toEqual(["u1", "u2", "u3"]);
    expect(restoredAt(library, 55)).toEqual(["u1"]);
  });
});

test("versions are those of the session, not of another one in its place", () => {
  const home = new TestHome();
  home.write(".project_root", "/home/ada/projects/ledger");
  const write = (id: string, words: string, step: number): void => {
    home.write(FILE, jsonl(header(id), user(`${id}-u`, step, words)));
    home.library({ clock: () => NOW_MS + step * 1000 }).archive.keep();
  };
  write("one-1", "mine", 1);
  home.append(FILE, jsonl(user("one-1-v", 2, "more")));
  home.library({ clock: () => NOW_MS + 2000 }).archive.keep();
  write("two-2", "yours", 3);
  const library = home.library();
  expect(library.versions("one-1")).toHaveLength(2);
  expect(library.versions("two-2")).toHaveLength(1);
  const wish = { nowMs: NOW_MS, version: 1, id: "new" as const };
  const { file } = library.restore("one-1", wish);
  expect(idsIn(readFileSync(file, "utf8"))).toEqual(["one-1-u"]);
  const whole = library.restore("one-1", { nowMs: NOW_MS, id: "new" });
  expect(idsIn(readFileSync(whole.file, "utf8"))).toEqual(["one-1-u", "one-1-v"]);
  expect(() => library.restore("two-2", { ...wish, version: 2 })).toThrow(/no version 2/);
});
