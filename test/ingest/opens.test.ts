// @module-tag slow
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { ended, isBuilt, program } from "../store/program.ts";
import { jsonl, user } from "../samples/home.ts";
import { TestHome } from "./desk.ts";

const COUNTER = pathToFileURL(join(import.meta.dirname, "count-opens.mjs")).href;

/** Runs a command; the session files that the process opened, each as often as it did. */
async function openedBy(home: TestHome, ...args: string[]): Promise<string[]> {
  const common = ["--root", home.root, "--archive", home.archive, "--json"];
  const child = spawn(process.execPath, ["--import", COUNTER, program, ...args, ...common], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", HOME: home.folder, POLLUX_TEST_FOLDER: home.root },
  });
  let told = "";
  child.stdio[3]?.on("data", (data: Buffer) => void (told += data.toString()));
  expect(await ended(child)).toMatchObject({ code: 0, err: "" });
  return told.split("\n").filter((path) => path.includes("session-"));
}

describe.skipIf(!isBuilt)("a process", () => {
  test("opens 1,500 new files, and none of them again", { timeout: 120_000 }, async () => {
    const home = new TestHome();
    const ids = Array.from({ length: 1500 }, (_, n) => `${String(n).padStart(8, "0")}-x`);
    for (const id of ids) home.session(id);
    expect(new Set(await openedBy(home, "keep")).size).toBe(1500);
    expect(await openedBy(home, "keep")).toEqual([]);
    expect(await openedBy(home, "sessions")).toEqual([]);
    expect(await openedBy(home, "usage")).toEqual([]);
    // One that grew is opened, and no other.
    const grown = home.fileOf("00000007-x");
    home.append(grown, jsonl(user("u9", 9, "more")));
    expect(new Set(await openedBy(home, "keep"))).toEqual(new Set([home.path(grown)]));
  });
});
