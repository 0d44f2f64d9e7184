// @module-tag slow
import { existsSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { open } from "../../src/library/library.ts";
import type { RestoreOptions } from "../../src/library/restore.ts";
import { AGENT_ID, LEDGER_ID } from "../cli/homes.ts";
import { lines } from "../cli/run.ts";
import { AGENT, CHATS, DAY_MS, FILE, KeptHome, NOW_MS, texts } from "./kept-home.ts";

const NOW: Pick<RestoreOptions, "nowMs"> = { nowMs: NOW_MS };
let home: KeptHome;
beforeEach(() => {
  home = new KeptHome();
});
afterEach(() => home.remove());

describe("a session that was deleted", () => {
  beforeEach(() => {
    home.keep(NOW_MS - DAY_MS);
    rmSync(join(home.root, CHATS), { recursive: true });
  });

  test("comes back with its agents, and is resumed", () => {
    const answer = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    expect(answer).toMatchObject({
      outcome: "written",
      file: join(home.root, FILE),
      root: home.root,
      projectPath: "/home/ada/ledger",
      isProjectThere: false,
      command: ["gemini", "--resume", LEDGER_ID],
      removed: [],
      stubs: [],
      siblings: [],
      retention: { isEnabled: true, maxAgeDays: 30 },
    });
    expect(answer.alsoWritten).toEqual([join(home.root, "projects.json"), join(home.root, AGENT)]);
    expect(texts(join(home.root, FILE)).at(-1)).toBe("The better answer.");
    expect(texts(join(home.root, FILE))).not.toContain("An answer to be taken back.");
    const after = home.at(NOW_MS, (library) => library.sessions().sessions);
    expect(after.find(({ id }) => id === LEDGER_ID)?.goneSince).toBeNull();
    expect(after.find(({ id }) => id === AGENT_ID)?.goneSince).toBeNull();
  });

  test("a dry run tells the same, and writes nothing", () => {
    const before = home.files();
    const options = { ...NOW, writes: "dry-run" } as const;
    const would = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, options));
    expect(home.files()).toEqual(before);
    const really = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    expect({ ...would, outcome: "written" }).toEqual(really);
    expect(would.outcome).toBe("would-write");
  });

  test("resuming says what has to be restored, and does not", () => {
    const before = home.files();
    const answer = home.at(NOW_MS, (library) => library.resumeCommand(LEDGER_ID, NOW));
    expect(answer.restore?.outcome).toBe("would-write");
    expect(home.files()).toEqual(before);
    home.at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    const again = home.at(NOW_MS, (library) => library.resumeCommand(LEDGER_ID, NOW));
    expect(again.restore).toBeNull();
  });

  test("a message that was rewound can be the state to go back to", () => {
    const wish = { ...NOW, at: "m3" };
    home.at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(texts(join(home.root, FILE)).slice(-2)).toEqual([
      "A question to be taken back",
      "An answer to be taken back.",
    ]);
  });

  test("a folder that holds the program's own is as good", () => {
    const into = join(home.root, "..");
    const { root } = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, { ...NOW, into }));
    expect(root).toBe(home.root);
    expect(existsSync(join(home.root, FILE))).toBe(true);
  });

  test("what cannot be written says so, and leaves nothing behind", () => {
    writeFileSync(join(home.root, CHATS), "no folder");
    const before = home.files();
    expect(() => home.at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW))).toThrow(
      expect.objectContaining({ code: "cannot-write" }),
    );
    expect(home.files().filter((path) => !before.includes(path))).toEqual(["projects.json"]);
  });

  test("a copy gets an id of its own, and brings its agents along", () => {
    const answer = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, { ...NOW, id: "new" }));
    expect(answer.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.sessionId).not.toBe(LEDGER_ID);
    expect(answer.file).toContain(`-${answer.sessionId.slice(0, 8)}.jsonl`);
    expect(existsSync(join(home.root, CHATS, answer.sessionId, `${AGENT_ID}.jsonl`))).toBe(true);
    expect(existsSync(join(home.root, FILE))).toBe(false);
  });

  test("the legacy form is one document", () => {
    const wish = { ...NOW, forVersion: "0.38" };
    const { file } = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(file).toBe(join(home.root, FILE).replace(/l$/, ""));
    const { sessionId, messages } = JSON.parse(readFileSync(file, "utf8")) as {
      sessionId: string;
      messages: unknown[];
    };
    expect(sessionId).toBe(LEDGER_ID);
    expect(messages.length).toBe(6);
  });

  test("an agent's session is not restored alone", () => {
    const wish = (): unknown => home.at(NOW_MS, (library) => library.restore(AGENT_ID, NOW));
    expect(wish).toThrow(expect.objectContaining({ code: "agent-session" }));
  });
});

describe("what is there", () => {
  test("unchanged: nothing is written", () => {
    const before = home.files().map((path) => readFileSync(join(home.root, path), "utf8"));
    const answer = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    expect(answer).toMatchObject({
      outcome: "unchanged",
      file: join(home.root, FILE),
      alsoWritten: [],
    });
    const after = home.files().map((path) => readFileSync(join(home.root, path), "utf8"));
    expect(after).toEqual(before);
  });

  test("another state stays, unless it shall be replaced; then it is kept first", () => {
    const original = readFileSync(join(home.root, FILE), "utf8");
    const wish = { ...NOW, at: "m2" };
    const refused = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(refused).toMatchObject({ outcome: "exists", alsoWritten: [] });
    expect(readFileSync(join(home.root, FILE), "utf8")).toBe(original);
    const replacing = { ...wish, existing: "is-replaced" } as const;
    const answer = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, replacing));
    expect(answer).toMatchObject({ outcome: "replaced", file: join(home.root, FILE), removed: [] });
    expect(texts(join(home.root, FILE)).at(-1)).toBe("The notes say 42.");
    // The way back.
    const back = { ...NOW, version: 1, existing: "is-replaced" } as const;
    home.at(NOW_MS + 1, (library) => library.restore(LEDGER_ID, back));
    expect(texts(join(home.root, FILE)).at(-1)).toBe("The better answer.");
  });

  test("nothing is replaced without an archive", () => {
    const original = readFileSync(join(home.root, FILE), "utf8");
    const library = open({ roots: [home.root] });
    const wish = { ...NOW, at: "m2", existing: "is-replaced" } as const;
    expect(() => library.restore(LEDGER_ID, wish)).toThrow(
      expect.objectContaining({ code: "no-archive" }),
    );
    expect(readFileSync(join(home.root, FILE), "utf8")).toBe(original);
  });

  test("a session under another name gives way to the restored one", () => {
    const odd = join(home.root, CHATS, "session-1794726136259-aaaaaaaa.jsonl");
    writeFileSync(odd, readFileSync(join(home.root, FILE)));
    unlinkSync(join(home.root, FILE));
    const wish = { ...NOW, at: "m2", existing: "is-replaced" } as const;
    const answer = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(answer).toMatchObject({ outcome: "replaced", removed: [odd], siblings: [] });
    expect(existsSync(odd)).toBe(false);
    expect(existsSync(join(home.root, FILE))).toBe(true);
    const versions = home.at(NOW_MS + 1, (library) => library.versions(LEDGER_ID));
    expect(versions.length).toBe(2);
  });

  test("a file of another session is never replaced", () => {
    const text = readFileSync(join(home.root, FILE), "utf8");
    const odd = join(home.root, CHATS, "session-1794726136259-aaaaaaaa.jsonl");
    writeFileSync(odd, text);
    const other = text.replaceAll(LEDGER_ID, "aaaaaaaa-other");
    writeFileSync(join(home.root, FILE), other);
    home.keep(NOW_MS - DAY_MS);
    unlinkSync(odd);
    for (const existing of ["is-replaced", "stays"] as const) {
      const wish = { ...NOW, existing };
      expect(() => home.at(NOW_MS, (library) => library.restore(LEDGER_ID, wish))).toThrow(
        expect.objectContaining({ code: "foreign-file" }),
      );
    }
    expect(readFileSync(join(home.root, FILE), "utf8")).toBe(other);
  });

  test("what ends alike is told", () => {
    const other = join(home.root, CHATS, "session-2026-11-15T10-00-aaaaaaaa.jsonl");
    const text = readFileSync(join(home.root, FILE), "utf8");
    writeFileSync(other, text.replaceAll(LEDGER_ID, "aaaaaaaa-other"));
    home.keep(NOW_MS - DAY_MS);
    unlinkSync(join(home.root, FILE));
    const answer = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    expect(answer).toMatchObject({ outcome: "written", siblings: [other], stubs: [] });
  });
});

describe("the stub that a resume left behind", () => {
  const name = `${CHATS}/session-2026-11-15T10-00-aaaaaaaa.jsonl`;

  /** As it is after a resume, and the next start of the program. */
  function stubAlone(): string {
    const stub = join(home.root, name);
    const header = { sessionId: LEDGER_ID, projectHash: "h", startTime: "2026-11-15T10:00:00Z" };
    writeFileSync(stub, lines({ ...header, lastUpdated: "2026-11-15T10:00:00Z", kind: "main" }));
    home.keep(NOW_MS - DAY_MS);
    unlinkSync(join(home.root, FILE));
    return stub;
  }

  test("is no session: its own file is gone", () => {
    stubAlone();
    const { sessions } = home.at(NOW_MS, (library) => library.sessions());
    const goneSince = new Date(NOW_MS).toISOString();
    expect(sessions.find(({ id }) => id === LEDGER_ID)).toMatchObject({ goneSince });
  });

  test("gives way, for beside it the session would be deleted; its bytes stay", () => {
    const stub = stubAlone();
    const dry = home.at(NOW_MS, (library) =>
      library.restore(LEDGER_ID, { ...NOW, writes: "dry-run" }),
    );
    expect(dry).toMatchObject({ outcome: "would-write", removed: [stub], stubs: [] });
    expect(existsSync(stub)).toBe(true);
    const answer = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    expect(answer).toMatchObject({ outcome: "written", removed: [stub], stubs: [], siblings: [] });
    expect(existsSync(stub)).toBe(false);
    const kept = home.at(NOW_MS + 1, (library) => library.session(LEDGER_ID).files);
    expect(kept.find(({ path }) => path === stub)).toMatchObject({ part: "stub" });
  });

  test("stays where nothing is deleted, and where nothing can be kept", () => {
    const stub = stubAlone();
    const into = open({ roots: [home.root] });
    expect(() => into.restore(LEDGER_ID, NOW)).toThrow(/nothing to go on with/);
    const settings = { general: { sessionRetention: { enabled: false } } };
    writeFileSync(join(home.root, "settings.json"), JSON.stringify(settings));
    const answer = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    expect(answer).toMatchObject({ outcome: "written", removed: [], stubs: [] });
    expect(existsSync(stub)).toBe(true);
  });

  test("beside a session that is there is told, and taken away by replacing it", () => {
    const stub = stubAlone();
    home.at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    writeFileSync(stub, lines({ sessionId: LEDGER_ID, projectHash: "h", kind: "main" }));
    const there = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, NOW));
    expect(there).toMatchObject({ outcome: "unchanged", removed: [], stubs: [stub] });
    const wish = { ...NOW, existing: "is-replaced" } as const;
    const replaced = home.at(NOW_MS, (library) => library.restore(LEDGER_ID, wish));
    expect(replaced).toMatchObject({ outcome: "replaced", removed: [stub], stubs: [] });
    expect(existsSync(stub)).toBe(false);
  });
});
