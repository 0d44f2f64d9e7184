// @module-tag slow
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Answers } from "../../src/store/archive.ts";
import { openArchive } from "../../src/store/sqlite/archive.ts";
import { PolluxError } from "../../src/core/error.ts";
import { READER_VERSION } from "../../src/ingest/reader-version.ts";
import { recall } from "../../src/ingest/recall.ts";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import { ChangingHome } from "../store/changing-home.ts";
import { folder } from "../store/places.ts";
import { TestHome } from "./desk.ts";

const surroundings = { homeDir: "/home/ada", env: {} };

type Question = (library: Library) => unknown;

const QUESTIONS: Record<string, Question> = {
  sessions: (library) => library.sessions(),
  "some sessions": (library) => library.sessions({ kind: "main", limit: 3 }),
  "the latest": (library) => library.session("latest").id,
  "usage by day": (library) => library.usage({ by: ["day"], timezone: "UTC" }),
  tools: (library) => library.tools(),
  overview: (library) => library.overview(1_771_000_000_000, "UTC"),
  "usage by project": (library) => library.usage({ by: ["project"], timezone: "UTC" }),
};

/** Asks with a library of its own: nothing is in memory. */
async function ask(question: Question, wish: Parameters<typeof open>[0]): Promise<unknown> {
  const library = open({ surroundings, ...wish });
  const answer = await question(library);
  library.archive.close();
  return answer;
}

function remembered(archive: string): Record<string, string> {
  const opened = openArchive(archive, READER_VERSION);
  const texts = Object.fromEntries(opened.answers.all());
  opened.close();
  return texts;
}

describe("an answer is remembered", () => {
  test.each(Object.entries(QUESTIONS))("and is the same: %s", async (_name, question) => {
    const place = folder();
    const home = new ChangingHome(place, 3);
    const archive = join(place, "archive.db");
    const roots = [home.root];
    for (let round = 0; round < 6; round += 1) {
      home.change();
      const first = await ask(question, { roots, archive });
      const known = remembered(archive);
      expect(Object.keys(known).length).toBeGreaterThan(0);
      expect(await ask(question, { roots, archive })).toEqual(first);
      // It was not worked out again.
      expect(remembered(archive)).toEqual(known);
    }
  });

  test.each(Object.entries(QUESTIONS))("until anything changes: %s", async (_name, question) => {
    const place = folder();
    const home = new ChangingHome(place, 5);
    const wish = { roots: [home.root], archive: join(place, "archive.db") };
    const again: Question = (library) => {
      // Now everything is in memory, and nothing is recalled.
      library.doctor(2_000_000_000_000);
      return question(library);
    };
    for (let round = 0; round < 10; round += 1) {
      await ask(question, wish);
      home.change();
      expect(await ask(question, wish)).toEqual(await ask(again, wish));
    }
  });

  test("but not one that rests on what was read before a change", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1");
    const early = home.library();
    // The list of files is in memory now, rows are not.
    expect(early.archive.shelf.savedChats()).toEqual([]);
    home.write("checkpoint-plan.json", JSON.stringify([{ role: "user", parts: [{ text: "x" }] }]));
    const other = home.library();
    other.archive.keep();
    other.archive.close();
    early.sessions();
    early.archive.close();
    expect(home.library().sessions().savedChats).toHaveLength(1);
  });
});

test("an answer that cannot be remembered is an answer", () => {
  const answers: Answers = {
    revision: () => 1,
    find: () => undefined,
    all: () => [],
    put: () => {
      throw new PolluxError("disk-full", "The disk is full.");
    },
  };
  const { keep } = recall<number>({ answers, mode: "write" }, { question: "?", revision: 1 });
  expect(keep(42)).toBe(42);
});
