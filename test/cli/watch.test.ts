// @module-tag slow
import type { ChildProcess } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { WatchJson } from "../../src/cli/print/answers.ts";
import { header, jsonl, model, user } from "../samples/records.ts";
import { folder } from "../store/temporary-archives.ts";
import { ended, isBuilt, start } from "../store/program.ts";

interface Row {
  id: string;
  messages: { live: number };
  goneSince: string | null;
}

const isPossible = isBuilt && process.platform !== "win32";
const YEAR_S = 31_536_000;

/** Starts a process that watches a home, with functions to read its archive. */
async function watched(names: readonly string[]): Promise<{
  child: ChildProcess;
  file: (name: string) => string;
  kept: () => Promise<Record<string, string>>;
  read: (...args: string[]) => Promise<string>;
  /** What it printed so far, a JSON object per line. */
  changes: () => WatchJson[];
}> {
  const place = folder();
  const root = join(place, ".gemini");
  const file = (name: string): string => {
    return join(root, "tmp", name.split("-")[0] ?? "", "chats", `session-${name}.jsonl`);
  };
  for (const name of names) write(file(name), name);
  const common = ["--root", root, "--archive", join(place, "archive.db")];
  const child = start(["watch", "--json", ...common]);
  let printed = "";
  child.stdout?.on("data", (data: Buffer) => (printed += data.toString()));
  onTestFinished(() => void child.kill("SIGKILL"));
  await said(child, "Watching");
  const read = async (...args: string[]): Promise<string> => {
    return (await ended(start([...args, "--no-refresh", "--json", ...common]))).out;
  };
  const kept = async (): Promise<Record<string, string>> => {
    const { sessions } = JSON.parse(await read("sessions")) as { sessions: Row[] };
    return Object.fromEntries(
      sessions.map(({ id, messages, goneSince }) => {
        return [id, `${messages.live}${goneSince === null ? "" : ", gone"}`];
      }),
    );
  };
  const changes = (): WatchJson[] => {
    const lines = printed.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as WatchJson);
  };
  return { child, file, kept, read, changes };
}

function write(path: string, id: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, jsonl(header(id), user(`u-${id}`, 1, `Said in ${id}`)));
}

function grow(path: string, id: string): void {
  appendFileSync(path, jsonl(model(`g-${id}`, 2, "Answered.")));
}

function said(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let err = "";
    child.stderr?.on("data", (data: Buffer) => {
      err += data.toString();
      if (err.includes(text)) resolve();
    });
    child.once("close", () => reject(new Error(`It ended: ${err}`)));
  });
}

const soon = { timeout: 30_000, interval: 300 };

describe.skipIf(!isPossible)("pollux watch", () => {
  test("keeps changes made while it was suspended, with any modification time", async () => {
    const names = ["grown-back", "grown-ahead", "deleted-alone", "project-deleted", "quiet-one"];
    const { child, file, kept, read, changes } = await watched(names);
    const before = await kept();
    expect(changes()).toEqual([]);
    expect(before).toEqual(Object.fromEntries(names.map((name) => [name, "1"])));

    child.kill("SIGSTOP");
    for (const [name, jump] of [
      ["grown-back", -YEAR_S],
      ["grown-ahead", YEAR_S],
    ] as const) {
      grow(file(name), name);
      const at = Date.now() / 1000 + jump;
      utimesSync(file(name), at, at);
    }
    // Deleted as agents do when they clean up.
    rmSync(file("deleted-alone"));
    rmSync(dirname(dirname(file("project-deleted"))), { recursive: true });
    write(file("new-one"), "new-one");
    expect(await kept()).toEqual(before);

    child.kill("SIGCONT");
    const after = {
      ...before,
      "grown-back": "2",
      "grown-ahead": "2",
      "deleted-alone": "1, gone",
      "project-deleted": "1, gone",
      "new-one": "1",
    };
    await expect.poll(kept, soon).toEqual(after);
    expect(await read("show", "project-deleted")).toContain("Said in project-deleted");

    // It still watches, also a folder that was created again.
    grow(file("quiet-one"), "quiet-one");
    write(file("project-deleted"), "project-deleted");
    grow(file("project-deleted"), "project-deleted");
    await expect.poll(kept, soon).toEqual({ ...after, "quiet-one": "2", "project-deleted": "2" });
    // A file that grows while it is kept may be kept twice.
    const files = (): number => changes().reduce((sum, change) => sum + change.files, 0);
    await expect.poll(files, soon).toBeGreaterThanOrEqual(5);
    expect(changes()[0]).toMatchObject({ schemaVersion: 2, bytes: expect.any(Number) });
    const end = ended(child);
    child.kill("SIGTERM");
    expect(await end).toMatchObject({ code: 0 });
  }, 120_000);
});
