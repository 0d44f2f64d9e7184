import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { header, jsonl, model, user } from "../samples/records.ts";
import { idsInFile, restored, textsInFile } from "./restoring.ts";
import { rowsIn } from "./sessions-in.ts";
import { sqliteStore } from "./stores.ts";
import { CHATS, filesBelow, NOW_MS, TestHome } from "./test-home.ts";

const ID = "aaaaaaaa-1111-4111-8111-111111111111";
const AGENT = "bbbbbbbb-3333-4333-8333-333333333333";
const FILE = `${CHATS}/session-2026-02-10T17-28-aaaaaaaa.jsonl`;
const LINES = [
  header(ID),
  user("u1", 1, "Explain"),
  model("m1", 2, { text: "Let me look.", toolCalls: [agentCall()] }),
  user("u2", 3, "A question to be taken back"),
  model("m2", 4, "An answer to be taken back."),
  { $rewindTo: "u2" },
  user("u3", 5, "The better question"),
  model("m3", 6, "The better answer."),
];

function agentCall(): object {
  const response = {
    functionResponse: { id: "c1", name: "investigator", response: { output: "x" } },
  };
  return {
    id: "c1",
    name: "investigator",
    args: {},
    status: "success",
    agentId: AGENT,
    result: [response],
  };
}

const UNPLACED_ID = "dddddddd-4444-4444-8444-444444444444";
const UNPLACED = jsonl(
  header(UNPLACED_ID, { projectHash: "0".repeat(64) }),
  user("u1", 1, "Explain"),
);

let home: TestHome;
beforeEach(async () => {
  home = new TestHome({ store: await sqliteStore() });
  home.write(FILE, jsonl(...LINES));
  const agent = jsonl(header(AGENT, { kind: "subagent" }), user("a1", 2, "Find the cause"));
  home.write(`${CHATS}/${ID}/${AGENT}.jsonl`, agent);
  await home.ingest();
});

describe("restoring a deleted session", () => {
  beforeEach(() => home.remove(CHATS));

  test("writes it with its subagents, and it is no longer gone", async () => {
    const answer = await restored(home, ID);
    expect(answer).toMatchObject({
      outcome: "written",
      file: home.path(FILE),
      projectPath: "/home/ada/projects/ledger",
      command: ["gemini", "--resume", ID],
      removed: [],
      stubs: [],
    });
    expect(answer.alsoWritten).toContain(home.path(`${CHATS}/${ID}/${AGENT}.jsonl`));
    expect(textsInFile(home.path(FILE)).at(-1)).toBe("The better answer.");
    expect(idsInFile(home.path(FILE))).toEqual(["u1", "m1", "u3", "m3"]);
    await home.ingest();
    expect((await rowsIn(home)).map(({ summary }) => summary.goneSince)).toEqual([null, null]);
  });

  test("a dry run gives the same answer and writes nothing", async () => {
    const before = filesBelow(home.root);
    const would = await restored(home, ID, { writes: "dry-run" });
    expect(filesBelow(home.root)).toEqual(before);
    const really = await restored(home, ID);
    expect({ ...would, outcome: "written" }).toEqual(really);
    expect(would.outcome).toBe("would-write");
  });

  test("fails with cannot-write and leaves no session file behind", async () => {
    writeFileSync(home.path(CHATS), "no folder");
    await expect(restored(home, ID)).rejects.toMatchObject({ code: "cannot-write" });
    expect(filesBelow(home.root).filter((path) => path.includes("session-"))).toEqual([]);
  });

  test("writes a copy with the given id and its subagents", async () => {
    const newId = "cccccccc-5555-4555-8555-555555555555";
    const answer = await restored(home, ID, { newId });
    expect(answer.sessionId).toBe(newId);
    expect(existsSync(home.path(`${CHATS}/${newId}/${AGENT}.jsonl`))).toBe(true);
    expect(existsSync(home.path(FILE))).toBe(false);
  });

  test("refuses an id that the agent does not accept, and an unknown directory", async () => {
    const odd = restored(home, ID, { newId: "--help" });
    await expect(odd).rejects.toMatchObject({ code: "odd-id" });
    home.write(`tmp/elsewhere/chats/session-2026-02-10T17-28-dddddddd.jsonl`, UNPLACED);
    await home.ingest();
    const unplaced = restored(home, UNPLACED_ID);
    await expect(unplaced).rejects.toMatchObject({ code: "unknown-project" });
  });

  test("does not restore a subagent's session alone", async () => {
    await expect(restored(home, AGENT)).rejects.toMatchObject({ code: "agent-session" });
  });
});

describe("restoring over existing files", () => {
  test("writes nothing if the file is unchanged", async () => {
    const before = readFileSync(home.path(FILE), "utf8");
    expect(await restored(home, ID)).toMatchObject({ outcome: "unchanged", alsoWritten: [] });
    expect(readFileSync(home.path(FILE), "utf8")).toBe(before);
  });

  test("leaves another state unless asked to replace it, and keeps that state first", async () => {
    const original = readFileSync(home.path(FILE), "utf8");
    expect(await restored(home, ID, { at: "m1" })).toMatchObject({ outcome: "exists" });
    expect(readFileSync(home.path(FILE), "utf8")).toBe(original);
    const more = jsonl(user("u4", 9, "said since"));
    home.append(FILE, more);
    const answer = await restored(home, ID, { at: "m1", existing: "is-replaced" });
    expect(answer).toMatchObject({ outcome: "replaced", file: home.path(FILE), removed: [] });
    expect(idsInFile(home.path(FILE))).toEqual(["u1", "m1"]);
    expect(await home.kept(FILE)).toBe(`${original}${more}`);
  });

  test("never replaces a file of another session", async () => {
    const other = readFileSync(home.path(FILE), "utf8").replaceAll(ID, "aaaaaaaa-other");
    home.write(FILE, other);
    await home.ingest({ clock: () => NOW_MS + 1000 });
    for (const existing of ["is-replaced", "stays"] as const) {
      await expect(restored(home, ID, { existing })).rejects.toMatchObject({
        code: "foreign-file",
      });
    }
    expect(readFileSync(home.path(FILE), "utf8")).toBe(other);
  });

  test("removes the stub that a resume left behind, and keeps its bytes", async () => {
    const stub = `${CHATS}/session-2026-02-11T10-00-aaaaaaaa.jsonl`;
    home.write(stub, jsonl(header(ID)));
    await home.ingest();
    home.remove(FILE);
    const answer = await restored(home, ID);
    expect(answer).toMatchObject({ outcome: "written", removed: [home.path(stub)], stubs: [] });
    expect(existsSync(home.path(stub))).toBe(false);
    expect(await home.kept(stub)).toBe(jsonl(header(ID)));
  });
});
