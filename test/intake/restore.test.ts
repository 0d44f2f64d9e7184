import { existsSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { readdirSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Library } from "../../src/library.ts";
import { open } from "../../src/library.ts";
import type { RestoreOptions } from "../../src/restore-desk.ts";
import { AGENT_ID, LEDGER_ID, smallHome } from "../cli/homes.ts";
import { lines, makeRoot } from "../cli/run.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse("2026-11-15T12:00:00Z");
const NOW: Pick<RestoreOptions, "nowMs"> = { nowMs: NOW_MS };
const CHATS = "tmp/ledger/chats";
const FILE = `${CHATS}/session-2026-11-14T09-00-aaaaaaaa.jsonl`;
const AGENT = `${CHATS}/${LEDGER_ID}/${AGENT_ID}.jsonl`;

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

let root = "";
let archive = "";
beforeEach(() => {
  root = smallHome();
  archive = join(mkdtempSync(join(tmpdir(), "pollux-archive-")), "pollux.db");
  folders.push(dirname(root), dirname(archive));
});

/** A new look, as another run of the program would have it. */
function at<T>(nowMs: number, ask: (library: Library) => T): T {
  const surroundings = { env: {}, homeDir: dirname(root), tempDir: join(root, "no-temp") };
  const library = open({ archive, clock: () => nowMs, surroundings });
  try {
    return ask(library);
  } finally {
    library.archive.close();
  }
}

function keep(nowMs: number): void {
  at(nowMs, (library) => library.archive.keep());
}

function texts(path: string): string[] {
  const rows = readFileSync(path, "utf8").trim().split("\n");
  return rows.slice(1).map((row) => {
    const { content } = JSON.parse(row) as { content: string | { text: string }[] };
    return typeof content === "string" ? content : content.map(({ text }) => text).join("");
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

describe("a session that was deleted", () => {
  beforeEach(() => {
    keep(NOW_MS - DAY_MS);
    rmSync(join(root, CHATS), { recursive: true });
  });

  test("comes back with its agents, and is resumed", () => {
    const answer = at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    expect(answer).toMatchObject({
      outcome: "written",
      file: join(root, FILE),
      root,
      projectPath: "/home/ada/ledger",
      isProjectThere: false,
      command: ["gemini", "--resume", LEDGER_ID],
      removed: [],
      siblings: [],
      retention: { isEnabled: true, maxAgeDays: 30 },
    });
    expect(answer.alsoWritten).toEqual([join(root, "projects.json"), join(root, AGENT)]);
    expect(texts(join(root, FILE)).at(-1)).toBe("The better answer.");
    expect(texts(join(root, FILE))).not.toContain("An answer to be taken back.");
    const after = at(NOW_MS, (library) => library.sessions().sessions);
    expect(after.find(({ id }) => id === LEDGER_ID)?.goneSince).toBeNull();
    expect(after.find(({ id }) => id === AGENT_ID)?.goneSince).toBeNull();
  });

  test("a dry run tells the same, and writes nothing", () => {
    const before = filesBelow(root);
    const options = { ...NOW, writes: "dry-run" } as const;
    const would = at(NOW_MS, (library) => library.restore(LEDGER_ID, options));
    expect(filesBelow(root)).toEqual(before);
    const really = at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    expect({ ...would, outcome: "written" }).toEqual(really);
    expect(would.outcome).toBe("would-write");
  });

  test("resuming says what has to be restored, and does not", () => {
    const before = filesBelow(root);
    const answer = at(NOW_MS, (library) => library.resumeCommand(LEDGER_ID, NOW));
    expect(answer.restore?.outcome).toBe("would-write");
    expect(filesBelow(root)).toEqual(before);
    at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    const again = at(NOW_MS, (library) => library.resumeCommand(LEDGER_ID, NOW));
    expect(again.restore).toBeNull();
  });

  test("a message that was rewound can be the state to go back to", () => {
    const wish = { ...NOW, at: "m3" };
    at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(texts(join(root, FILE)).slice(-2)).toEqual([
      "A question to be taken back",
      "An answer to be taken back.",
    ]);
  });

  test("a copy gets an id of its own, and brings its agents along", () => {
    const answer = at(NOW_MS, (library) => library.restore(LEDGER_ID, { ...NOW, id: "new" }));
    expect(answer.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.sessionId).not.toBe(LEDGER_ID);
    expect(answer.file).toContain(`-${answer.sessionId.slice(0, 8)}.jsonl`);
    expect(existsSync(join(root, CHATS, answer.sessionId, `${AGENT_ID}.jsonl`))).toBe(true);
    expect(existsSync(join(root, FILE))).toBe(false);
  });

  test("the legacy form is one document", () => {
    const wish = { ...NOW, forVersion: "0.38" };
    const { file } = at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(file).toBe(join(root, FILE).replace(/l$/, ""));
    const { sessionId, messages } = JSON.parse(readFileSync(file, "utf8")) as {
      sessionId: string;
      messages: unknown[];
    };
    expect(sessionId).toBe(LEDGER_ID);
    expect(messages.length).toBe(texts.length + 5);
  });

  test("an agent's session is not restored alone", () => {
    const wish = (): unknown => at(NOW_MS, (library) => library.restore(AGENT_ID, NOW));
    expect(wish).toThrow(expect.objectContaining({ code: "agent-session" }));
  });
});

describe("what is there", () => {
  test("unchanged: nothing is written", () => {
    const before = filesBelow(root).map((path) => readFileSync(join(root, path), "utf8"));
    const answer = at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    expect(answer).toMatchObject({ outcome: "unchanged", file: join(root, FILE), alsoWritten: [] });
    const after = filesBelow(root).map((path) => readFileSync(join(root, path), "utf8"));
    expect(after).toEqual(before);
  });

  test("another state stays, unless it shall be replaced; then it is kept first", () => {
    const original = readFileSync(join(root, FILE), "utf8");
    const wish = { ...NOW, at: "m2" };
    const refused = at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(refused).toMatchObject({ outcome: "exists", alsoWritten: [] });
    expect(readFileSync(join(root, FILE), "utf8")).toBe(original);
    const replacing = { ...wish, existing: "is-replaced" } as const;
    const answer = at(NOW_MS, (library) => library.restore(LEDGER_ID, replacing));
    expect(answer).toMatchObject({ outcome: "replaced", file: join(root, FILE), removed: [] });
    expect(texts(join(root, FILE)).at(-1)).toBe("The notes say 42.");
    // The way back.
    const back = { ...NOW, version: 1, existing: "is-replaced" } as const;
    at(NOW_MS + 1, (library) => library.restore(LEDGER_ID, back));
    expect(texts(join(root, FILE)).at(-1)).toBe("The better answer.");
  });

  test("nothing is replaced without an archive", () => {
    const original = readFileSync(join(root, FILE), "utf8");
    const library = open({ roots: [root] });
    const wish = { ...NOW, at: "m2", existing: "is-replaced" } as const;
    expect(() => library.restore(LEDGER_ID, wish)).toThrow(
      expect.objectContaining({ code: "no-archive" }),
    );
    expect(readFileSync(join(root, FILE), "utf8")).toBe(original);
  });

  test("a session under another name gives way to the restored one", () => {
    const odd = join(root, CHATS, "session-1794726136259-aaaaaaaa.jsonl");
    writeFileSync(odd, readFileSync(join(root, FILE)));
    unlinkSync(join(root, FILE));
    const wish = { ...NOW, at: "m2", existing: "is-replaced" } as const;
    const answer = at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(answer).toMatchObject({ outcome: "replaced", removed: [odd], siblings: [] });
    expect(existsSync(odd)).toBe(false);
    expect(existsSync(join(root, FILE))).toBe(true);
    const versions = at(NOW_MS + 1, (library) => library.versions(LEDGER_ID));
    expect(versions.length).toBe(2);
  });

  test("a file of another session is never replaced", () => {
    const text = readFileSync(join(root, FILE), "utf8");
    const odd = join(root, CHATS, "session-1794726136259-aaaaaaaa.jsonl");
    writeFileSync(odd, text);
    const other = text.replaceAll(LEDGER_ID, "aaaaaaaa-other");
    writeFileSync(join(root, FILE), other);
    keep(NOW_MS - DAY_MS);
    unlinkSync(odd);
    const wish = { ...NOW, existing: "is-replaced" } as const;
    expect(() => at(NOW_MS, (library) => library.restore(LEDGER_ID, wish))).toThrow(
      expect.objectContaining({ code: "foreign-file" }),
    );
    const staying = at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    expect(staying.outcome).toBe("exists");
    expect(readFileSync(join(root, FILE), "utf8")).toBe(other);
  });

  test("what ends alike is told", () => {
    const stub = join(root, CHATS, "session-2026-11-15T10-00-aaaaaaaa.jsonl");
    const header = { sessionId: LEDGER_ID, projectHash: "h", startTime: "2026-11-15T10:00:00Z" };
    writeFileSync(stub, lines({ ...header, lastUpdated: "2026-11-15T10:00:00Z", kind: "main" }));
    keep(NOW_MS - DAY_MS);
    unlinkSync(join(root, FILE));
    const answer = at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    expect(answer).toMatchObject({ outcome: "written", siblings: [stub] });
  });
});

describe("kept versions", () => {
  const times = [
    "2026-11-10T08:00:00.000Z",
    "2026-11-11T08:00:00.000Z",
    "2026-11-12T08:00:00.000Z",
  ];

  /** Written and kept three times, longer each time, and then deleted. */
  beforeEach(() => {
    const rows = readFileSync(join(root, FILE), "utf8").trim().split("\n");
    for (const [step, time] of times.entries()) {
      const whole = rows.slice(0, [3, 4, rows.length][step]);
      writeFileSync(join(root, FILE), `${whole.join("\n")}\n`);
      utimesSync(join(root, FILE), new Date(time), new Date(time));
      keep(Date.parse(time) + 60_000);
    }
    unlinkSync(join(root, FILE));
  });

  test("are listed, oldest first", () => {
    const versions = at(NOW_MS, (library) => library.versions(LEDGER_ID));
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
    const { file } = at(NOW_MS, (library) => library.restore(LEDGER_ID, { ...NOW, version }));
    expect(texts(file).at(-1)).toBe(last);
  });

  test.each([
    ["2026-11-10T12:00:00Z", "Let me look."],
    ["2026-11-11T08:00:00Z", "The notes say 42."],
    ["2026-11-15T00:00:00Z", "The better answer."],
  ])("as of %s it ends with %j", (time, last) => {
    const wish = { ...NOW, asOfMs: Date.parse(time) };
    const { file } = at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(texts(file).at(-1)).toBe(last);
  });

  test("a message is looked for in the chosen version", () => {
    const wish = { ...NOW, version: 2, at: "m1" };
    const { file } = at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(texts(file).at(-1)).toBe("Let me look.");
    const absent = { ...NOW, version: 2, at: "m4" };
    expect(() => at(NOW_MS, (library) => library.restore(LEDGER_ID, absent))).toThrow(
      expect.objectContaining({ code: "no-such-message" }),
    );
  });

  test("what is not kept is not made up", () => {
    const wishes: Partial<RestoreOptions>[] = [{ version: 4 }, { asOfMs: 0 }];
    for (const wish of wishes) {
      expect(() =>
        at(NOW_MS, (library) => library.restore(LEDGER_ID, { ...NOW, ...wish })),
      ).toThrow(expect.objectContaining({ code: "no-such-version" }));
    }
  });
});

describe("outputs that were spilled", () => {
  const id = "dddddddd-5555-4555-8555-555555555555";
  const spill = `tmp/ledger/tool-outputs/session-${id}/run_shell_command_c9.txt`;
  const cut = `Output too large. Showing first 2 characters. Full output: /home/ada/.gemini/${spill}`;

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
    root = makeRoot({
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
    });
    folders.push(dirname(root));
    keep(NOW_MS - DAY_MS);
    rmSync(join(root, "tmp"), { recursive: true });
    const answer = at(NOW_MS, (library) => library.restore(id, NOW));
    expect(answer.alsoWritten).toContain(join(root, spill));
    expect(readFileSync(join(root, spill), "utf8")).toBe("all of it\n");
  });
});

describe("refused", () => {
  test("a session whose directory is not known, until it is named", () => {
    root = makeRoot({
      [`tmp/${"0".repeat(64)}/chats/session-2026-11-14T09-00-eeeeeeee.json`]: JSON.stringify({
        sessionId: "eeeeeeee-6666",
        projectHash: "0".repeat(64),
        startTime: "2026-11-14T09:00:00.000Z",
        lastUpdated: "2026-11-14T09:00:00.000Z",
        messages: [
          { id: "u1", type: "user", content: "Hello", timestamp: "2026-11-14T09:00:00.000Z" },
        ],
      }),
    });
    folders.push(dirname(root));
    const library = open({ roots: [root] });
    expect(() => library.restore("eeeeeeee", NOW)).toThrow(
      expect.objectContaining({ code: "unknown-project" }),
    );
    const { file } = library.restore("eeeeeeee", { ...NOW, projectPath: "/home/ada/ledger" });
    expect(file).toBe(join(root, "tmp/ledger/chats/session-2026-11-14T09-00-eeeeeeee.jsonl"));
  });

  test.each(["--yolo", "../../x", "a b", ""])("an id that is none: %j", (id) => {
    const at1 = "2026-11-14T09:00:00.000Z";
    const text = lines(
      { sessionId: id, projectHash: "h", startTime: at1, lastUpdated: at1, kind: "main" },
      { id: "u1", timestamp: at1, type: "user", content: [{ text: "List" }] },
    );
    root = makeRoot({
      "tmp/ledger/.project_root": "/home/ada/ledger",
      [`${CHATS}/session-2026-11-14T09-00-x.jsonl`]: text,
    });
    folders.push(dirname(root));
    const before = filesBelow(root);
    const library = open({ roots: [root] });
    const [session] = library.sessions().sessions;
    const wish = { ...NOW, into: join(root, "elsewhere") };
    if (id === "") expect(session?.id).not.toBe("");
    else
      expect(() => library.restore(id, wish)).toThrow(expect.objectContaining({ code: "odd-id" }));
    expect(filesBelow(root)).toEqual(before);
  });
});
