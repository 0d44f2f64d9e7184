import { describe, expect, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { at, header, jsonl, model, user } from "../samples/home.ts";
import { NOW_MS, TestHome } from "./desk.ts";

const FILE = "chats/session-2026-02-10T17-28-aaaaaaaa.jsonl";
const DOCUMENT = "chats/session-2026-02-10T17-28-aaaaaaaa.json";
const LATER = NOW_MS + 60_000;

function document(id: string, messages: readonly object[], updated: number): string {
  const facts = { sessionId: id, projectHash: "cafe", startTime: at(0), lastUpdated: at(updated) };
  return JSON.stringify({ ...facts, messages }, null, 2);
}

/** Keeps the file as it is after each step. */
function keptSteps(home: TestHome, name: string, steps: readonly string[]): Library {
  for (const [step, text] of steps.entries()) {
    home.write(name, text);
    home.library({ clock: () => NOW_MS + step * 60_000 }).archive.keep();
  }
  return home.library({ clock: () => NOW_MS + steps.length * 60_000 });
}

function standings(library: Library, id: string): string[] {
  return library.session(id).messages.map(({ id: message, standing }) => `${message} ${standing}`);
}

describe("a session whose file another session took over", () => {
  const steps = [
    jsonl(header("one-1"), user("u1", 1, "precious"), model("m1", 2, "kept answer")),
    jsonl(header("two-2"), user("u2", 3, "newcomer"), model("m2", 4, "other answer")),
  ];

  test("is listed, counted and marked as gone since then", async () => {
    const library = keptSteps(new TestHome(), FILE, steps);
    const { sessions } = library.sessions();
    const gone = Object.fromEntries(sessions.map(({ id, goneSince }) => [id, goneSince]));
    expect(gone).toEqual({ "one-1": new Date(LATER).toISOString(), "two-2": null });
    expect(new Set(sessions.map(({ tokens }) => tokens.input))).toEqual(new Set([1002, 1004]));
    expect((await library.usage({ by: ["session"] })).totals.requests).toBe(2);
  });

  test("is shown, found and told from where it stood", async () => {
    const home = new TestHome();
    const library = keptSteps(home, FILE, steps);
    expect(library.transcript("one-1").messages.map(({ text }) => text)).toEqual([
      "precious",
      "kept answer",
    ]);
    expect(library.session("one-1").files).toMatchObject([
      { replacedPath: home.path(FILE), goneSinceMs: LATER },
    ]);
    const { hits } = await library.search("precious");
    expect(hits).toMatchObject([{ sessionId: "one-1", messageId: "u1" }]);
    expect(hits[0]?.snippet).toContain("precious");
  });

  test("stays so after a rebuild, and in an archive that it was moved to", () => {
    const home = new TestHome();
    const library = keptSteps(home, FILE, steps);
    const before = library.sessions();
    library.archive.rebuild();
    expect(library.sessions()).toEqual(before);
    const file = `${home.folder}/moved.pollux`;
    library.archive.care.exportTo(file);
    const other = home.library({ archive: `${home.folder}/other.db`, refresh: "none" });
    other.archive.care.importFrom(file);
    expect(other.sessions()).toEqual(before);
  });

  test("is not gone when it comes back", async () => {
    const home = new TestHome();
    const library = keptSteps(home, FILE, [...steps, steps[0] ?? ""]);
    const { sessions } = library.sessions();
    const gone = Object.fromEntries(sessions.map(({ id, goneSince }) => [id, goneSince]));
    expect(gone).toEqual({ "one-1": null, "two-2": new Date(LATER + 60_000).toISOString() });
    expect(library.session("one-1").files).toHaveLength(1);
    expect((await library.usage({ by: ["session"] })).totals.requests).toBe(2);
  });

  test("is put together with what else is kept of it", () => {
    const home = new TestHome();
    const twin = jsonl(header("one-1"), user("u1", 1, "precious"), user("u3", 9, "went on"));
    home.write("chats/session-2026-02-10T17-40-aaaaaaaa.jsonl", twin);
    const library = keptSteps(home, FILE, steps);
    expect(standings(library, "one-1")).toEqual(["u1 live", "m1 live", "u3 live"]);
    expect(library.sessions().sessions.every(({ goneSince }) => goneSince === null)).toBe(true);
  });
});

describe("lines that are shorter than before", () => {
  const whole = [
    header("one-1"),
    user("u1", 1, "first"),
    model("m1", 2, "answer"),
    user("u2", 3, "second"),
    model("m2", 4, "lost reply"),
  ];

  test("have lost their end; nobody took it back", async () => {
    const steps = [jsonl(...whole), jsonl(...whole.slice(0, 3))];
    const library = keptSteps(new TestHome(), FILE, steps);
    expect(standings(library, "one-1")).toEqual(["u1 live", "m1 live", "u2 live", "m2 live"]);
    const [summary] = library.sessions().sessions;
    expect(summary).toMatchObject({ goneSince: null, prompts: 2, tokens: { input: 2006 } });
    expect((await library.search('"lost reply"')).hits).toHaveLength(1);
  });

  test("and go on without it: what is missing is no longer remembered, but was paid for", () => {
    const went = jsonl(...whole.slice(0, 3), user("u3", 9, "instead"), model("m3", 10, "new"));
    const library = keptSteps(new TestHome(), FILE, [
      jsonl(...whole),
      jsonl(...whole.slice(0, 3)),
      went,
    ]);
    expect(standings(library, "one-1")).toEqual([
      "u1 live",
      "m1 live",
      "u2 rewritten",
      "m2 rewritten",
      "u3 live",
      "m3 live",
    ]);
    expect(library.sessions().sessions[0]?.tokens.input).toBe(1002 + 1004 + 1010);
  });
});

describe("documents, written anew with every change", () => {
  const messages = [
    user("u1", 1, "first"),
    model("m1", 2, "answer"),
    user("u2", 3, "second"),
    model("m2", 4, "taken back"),
  ];

  test("that only grew are read once", () => {
    const steps = [1, 2, 3, 4].map((count) => document("one-1", messages.slice(0, count), count));
    const library = keptSteps(new TestHome(), DOCUMENT, steps);
    expect(library.session("one-1").files).toHaveLength(1);
    expect(standings(library, "one-1")).toEqual(["u1 live", "m1 live", "u2 live", "m2 live"]);
    expect(library.sessions().sessions[0]?.tokens.input).toBe(2006);
    library.archive.rebuild();
    expect(library.session("one-1").files).toHaveLength(1);
    expect(library.versions("one-1")).toHaveLength(4);
  });

  test("lose what a rewind cut off; it stays, and is marked", () => {
    const steps = [document("one-1", messages, 4), document("one-1", messages.slice(0, 2), 9)];
    const library = keptSteps(new TestHome(), DOCUMENT, steps);
    expect(standings(library, "one-1")).toEqual(["u1 live", "m1 live", "u2 rewound", "m2 rewound"]);
    expect(library.sessions().sessions[0]?.tokens.input).toBe(2006);
  });

  test("that were cut off while written take nothing back", () => {
    const whole = document("one-1", messages, 4);
    const torn = document("one-1", messages, 9).slice(0, whole.indexOf("second"));
    const library = keptSteps(new TestHome(), DOCUMENT, [whole, torn]);
    expect(standings(library, "one-1")).toEqual(["u1 live", "m1 live", "u2 live", "m2 live"]);
  });

  test("leave out a message in the middle", () => {
    const without = messages.filter((_, index) => index !== 1);
    const steps = [document("one-1", messages, 4), document("one-1", without, 9)];
    const library = keptSteps(new TestHome(), DOCUMENT, steps);
    expect(standings(library, "one-1")).toEqual(["u1 live", "m1 rewritten", "u2 live", "m2 live"]);
  });

  test("two writers that overwrite one another lose nothing", () => {
    const [mine, theirs] = [messages.slice(0, 2), messages.slice(2)];
    const more = [...mine, user("u3", 20, "third")];
    const steps = [mine, theirs, more].map((list, step) => document("one-1", list, step * 10));
    const library = keptSteps(new TestHome(), DOCUMENT, steps);
    expect(standings(library, "one-1").toSorted()).toEqual([
      "m1 live",
      "m2 live",
      "u1 live",
      "u2 live",
      "u3 live",
    ]);
    // The first content holds nothing that the third does not.
    expect(library.session("one-1").files).toHaveLength(2);
  });
});
