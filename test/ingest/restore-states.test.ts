// @module-tag slow
import { readFileSync, rmSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { open } from "../../src/library/library.ts";
import type { RestoreOptions } from "../../src/library/restore.ts";
import { LEDGER_ID } from "../cli/homes.ts";
import { lines, makeRoot } from "../cli/run.ts";
import { CHATS, DAY_MS, FILE, KeptHome, NOW_MS, texts } from "./kept-home.ts";

const NOW: Pick<RestoreOptions, "nowMs"> = { nowMs: NOW_MS };
let home: KeptHome;
beforeEach(() => {
  home = new KeptHome();
});
afterEach(() => home.remove());

describe("kept versions", () => {
  const times = [
    "2026-11-10T08:00:00.000Z",
    "2026-11-11T08:00:00.000Z",
    "2026-11-12T08:00:00.000Z",
  ];

  /** Written and kept three times, longer each time, and then deleted. */
  beforeEach(() => {
    const rows = readFileSync(join(home.root, FILE), "utf8").trim().split("\n");
    for (const [step, time] of times.entries()) {
      const whole = rows.slice(0, [3, 4, rows.length][step]);
      writeFileSync(join(home.root, FILE), `${whole.join("\n")}\n`);
      utimesSync(join(home.root, FILE), new Date(time), new Date(time));
      home.keep(Date.parse(time) + 60_000);
    }
    unlinkSync(join(home.root, FILE));
  });

  test("are listed, oldest first", () => {
    const versions = home.at(NOW_MS, (library) => library.versions(LEDGER_ID));
    expect(versions.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(versions.map(({ modifiedAt }) => modifiedAt)).toEqual(times);
    const sizes = versions.map(({ sizeBytes }) => sizeBytes);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  });

  test.each([
    [1, "Let me look."],
    [2, "The notes say 42."],
    [3, "The better answer."],
  ])("version %i ends with %j", (version, last) => {
    const { file } = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, { ...NOW, version }));
    expect(texts(file).at(-1)).toBe(last);
  });

  test.each([
    ["2026-11-10T12:00:00Z", "Let me look."],
    ["2026-11-11T08:00:00Z", "The notes say 42."],
    ["2026-11-15T00:00:00Z", "The better answer."],
  ])("as of %s it ends with %j", (time, last) => {
    const wish = { ...NOW, asOfMs: Date.parse(time) };
    const { file } = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(texts(file).at(-1)).toBe(last);
  });

  test("a message is looked for in the chosen version", () => {
    const wish = { ...NOW, version: 2, at: "m1" };
    const { file } = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(texts(file).at(-1)).toBe("Let me look.");
    const absent = { ...NOW, version: 2, at: "m4" };
    expect(() => home.at(NOW_MS, (library) => library.restore(LEDGER_ID, absent))).toThrow(
      expect.objectContaining({ code: "no-such-message" }),
    );
  });

  test("what is not kept is not made up", () => {
    const wishes: Partial<RestoreOptions>[] = [{ version: 4 }, { asOfMs: 0 }];
    for (const wish of wishes) {
      expect(() =>
        home.at(NOW_MS, (library) => library.restore(LEDGER_ID, { ...NOW, ...wish })),
      ).toThrow(expect.objectContaining({ code: "no-such-version" }));
    }
  });
});

describe("outputs that were spilled", () => {
  const id = "dddddddd-5555-4555-8555-555555555555";
  const spill = `tmp/ledger/tool-outputs/session-${id}/run_shell_command_c9.txt`;
  const cut = `Output too large. Showing first 2. Full output: /home/ada/.gemini/${spill}`;

  test("come back to their place", () => {
    const at1 = "2026-11-14T09:00:00.000Z";
    const header = { sessionId: id, projectHash: "h", startTime: at1, lastUpdated: at1 };
    const result = {
      functionResponse: { id: "c9", name: "run_shell_command", response: { output: cut } },
    };
    const call = {
      id: "c9",
      name: "run_shell_command",
      args: { command: "ls" },
      status: "success",
    };
    home.remove();
    home = new KeptHome(
      makeRoot({
        "tmp/ledger/.project_root": "/home/ada/ledger",
        [spill]: "all of it\n",
        [`${CHATS}/session-2026-11-14T09-00-dddddddd.jsonl`]: lines(
          { ...header, kind: "main" },
          { id: "u1", timestamp: at1, type: "user", content: [{ text: "List" }] },
          {
            id: "m1",
            timestamp: at1,
            type: "gemini",
            content: "",
            toolCalls: [{ ...call, result: [result] }],
          },
        ),
      }),
    );
    home.keep(NOW_MS - DAY_MS);
    rmSync(join(home.root, "tmp"), { recursive: true });
    const answer = home.at(NOW_MS, (library) => library.restore(id, NOW));
    expect(answer.alsoWritten).toContain(join(home.root, spill));
    expect(readFileSync(join(home.root, spill), "utf8")).toBe("all of it\n");
  });
});

describe("refused", () => {
  test("a session whose directory is not known, until it is named", () => {
    home.remove();
    home = new KeptHome(
      makeRoot({
        [`tmp/${"0".repeat(64)}/chats/session-2026-11-14T09-00-eeeeeeee.json`]: JSON.stringify({
          sessionId: "eeeeeeee-6666",
          projectHash: "0".repeat(64),
          startTime: "2026-11-14T09:00:00.000Z",
          lastUpdated: "2026-11-14T09:00:00.000Z",
          messages: [
            { id: "u1", type: "user", content: "Hello", timestamp: "2026-11-14T09:00:00.000Z" },
          ],
        }),
      }),
    );
    const library = open({ roots: [home.root] });
    expect(() => library.restore("eeeeeeee", NOW)).toThrow(
      expect.objectContaining({ code: "unknown-project" }),
    );
    const { file } = library.restore("eeeeeeee", { ...NOW, projectPath: "/home/ada/ledger" });
    expect(file).toBe(join(home.root, "tmp/ledger/chats/session-2026-11-14T09-00-eeeeeeee.jsonl"));
  });

  test.each(["--yolo", "../../x", "a b", ""])("an id that is none: %j", (id) => {
    const at1 = "2026-11-14T09:00:00.000Z";
    const text = lines(
      { sessionId: id, projectHash: "h", startTime: at1, lastUpdated: at1, kind: "main" },
      { id: "u1", timestamp: at1, type: "user", content: [{ text: "List" }] },
    );
    home.remove();
    home = new KeptHome(
      makeRoot({
        "tmp/ledger/.project_root": "/home/ada/ledger",
        [`${CHATS}/session-2026-11-14T09-00-x.jsonl`]: text,
      }),
    );
    const before = home.files();
    const library = open({ roots: [home.root] });
    const [session] = library.sessions().sessions;
    const wish = { ...NOW, into: join(home.root, "elsewhere") };
    if (id === "") expect(session?.id).not.toBe("");
    else
      expect(() => library.restore(id, wish)).toThrow(expect.objectContaining({ code: "odd-id" }));
    expect(home.files()).toEqual(before);
  });
});
