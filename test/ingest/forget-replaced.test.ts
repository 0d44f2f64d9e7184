import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { at, header, jsonl, model, user } from "../samples/home.ts";
import { NOW_MS, TestHome } from "./desk.ts";

const FILE = "chats/session-2026-02-10T17-28-aaaaaaaa.jsonl";
const SECRETS = { one: "xyzzyplugh", two: "frobnitzquux" };

/** One place, two sessions, one after the other. */
function takenOver(): { home: TestHome; library: Library } {
  const home = new TestHome();
  const { one, two } = SECRETS;
  home.write(FILE, jsonl(header("one-1"), user("u1", 1, one), model("m1", 2, "yes")));
  home.library().archive.keep();
  home.write(FILE, jsonl(header("two-2"), user("u2", 3, two), model("m2", 4, "no")));
  const library = home.library();
  library.archive.keep();
  return { home, library };
}

function rawBytes(home: TestHome): string {
  const ends = ["", "-wal"].filter((end) => existsSync(`${home.archive}${end}`));
  return ends.map((end) => readFileSync(`${home.archive}${end}`, "latin1")).join("");
}

function ids(library: Library): string[] {
  return library.sessions().sessions.map(({ id }) => id);
}

describe("of two sessions that had one place, forgetting", () => {
  test.each([
    ["one-1", "two-2"],
    ["two-2", "one-1"],
  ])("%s leaves the other", (forgotten, left) => {
    const { home, library } = takenOver();
    const plan = library.archive.care.planForget([forgotten]);
    expect(plan.sessions.map(({ id }) => id)).toEqual([forgotten]);
    library.archive.care.forget([forgotten]);
    expect(ids(library)).toEqual([left]);
    expect(library.transcript(left).messages).toHaveLength(2);
    expect(library.archive.care.verify().problems).toEqual([]);
    library.archive.rebuild();
    expect(ids(library)).toEqual([left]);
    home.append(FILE, jsonl(user("u9", 9, "more")));
    const again = home.library();
    again.archive.keep();
    expect(ids(again)).toEqual([left]);
    again.archive.close();
    expect(rawBytes(home)).not.toContain(forgotten === "one-1" ? SECRETS.one : SECRETS.two);
  });

  test("the one that is gone keeps the mark of it", () => {
    const { library } = takenOver();
    library.archive.care.forget(["two-2"]);
    expect(library.sessions().sessions[0]).toMatchObject({
      id: "one-1",
      goneSince: new Date(NOW_MS).toISOString(),
    });
  });
});

test("forgetting removes every version of a document, also those that newer ones repeat", () => {
  const home = new TestHome();
  const name = "chats/session-2026-02-10T17-28-aaaaaaaa.json";
  const messages = [user("u1", 1, "first"), model("m1", 2, "answer"), user("u2", 3, "second")];
  for (const count of [1, 2, 3, 2]) {
    const facts = { sessionId: "one-1", projectHash: "cafe", startTime: at(0) };
    const told = { ...facts, lastUpdated: at(count), messages: messages.slice(0, count) };
    home.write(name, JSON.stringify(told, null, 2));
    home.library().archive.keep();
  }
  const library = home.library();
  expect(library.archive.care.stats()).toMatchObject({ versions: 4 });
  library.archive.care.forget(["one-1"]);
  expect(library.archive.care.stats()).toMatchObject({
    versions: 0,
    chunks: 0,
    files: { total: 0 },
  });
});
