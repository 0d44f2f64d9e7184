// @module-tag slow
import type { ChildProcess } from "node:child_process";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { Store } from "../../src/store/store.ts";
import { Dice } from "../contracts/random-home.ts";
import { answersOf, randomQuestions } from "../contracts/store-answers.ts";
import type { Plan } from "./commit-plan.ts";
import { commitStep, keptIn } from "./commit-plan.ts";
import { archiveAt, folder } from "./temporary-archives.ts";
import { ended } from "./program.ts";

// Inside node_modules, so that the driver can be resolved.
const place = mkdtempSync(fileURLToPath(new URL("../../node_modules/.commits-", import.meta.url)));
const committer = join(place, "committer.mjs");
beforeAll(async () => {
  const input = join(import.meta.dirname, "committer.ts");
  const external = ["@photostructure/sqlite"];
  const built = await rolldown({ input, external, platform: "node", logLevel: "silent" });
  await built.write({ file: committer, format: "esm" });
  await built.close();
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

function start(
  path: string,
  { seed, name }: Plan,
  steps: [from: number, to: number],
): ChildProcess {
  const args = [path, seed, name, ...steps].map(String);
  return spawn(process.execPath, [committer, ...args], { stdio: ["ignore", "pipe", "pipe"] });
}

/** The last commit of a plan in the archive; -1 before the first. */
async function lastStep(store: Store): Promise<number> {
  const [root] = await store.roots();
  const [, step = "-1"] = (root?.snapshot ?? "").split(" ");
  return Number(step);
}

/** Expects the archive to equal a store in which the same commits were made one after another. */
async function expectSame(store: Store, plain: Store): Promise<void> {
  expect(await keptIn(store)).toEqual(await keptIn(plain));
  for (const seed of [1, 2, 3]) {
    const asked = { ...randomQuestions(new Dice(seed)), scope: "own" as const };
    const about = { ...asked, usage: { ...asked.usage, scope: asked.scope } };
    expect(await answersOf(store, about)).toEqual(await answersOf(plain, about));
  }
  expect((await store.care.verify(() => undefined)).problems).toEqual([]);
}

describe("commits", () => {
  const MANY = 100_000;

  test("are atomic when the process is killed", { timeout: 120_000 }, async () => {
    const path = join(folder(), "archive.db");
    const plan = { seed: 5, name: "a" };
    const dice = new Dice(77);
    const plain = memoryStore();
    let done = -1;
    for (let round = 0; round < 12; round += 1) {
      const child = start(path, plan, [done + 1, MANY]);
      await new Promise((resolve) => void child.stdout?.once("data", resolve));
      setTimeout(() => child.kill("SIGKILL"), dice.roll(250));
      expect(await ended(child)).toMatchObject({ signal: "SIGKILL", err: "" });
      const store = await archiveAt(path);
      const last = await lastStep(store);
      for (let step = done + 1; step <= last; step += 1) await commitStep(plain, plan, step);
      done = last;
      await expectSame(store, plain);
      await store.close();
    }
    expect(done).toBeGreaterThan(12);
  });

  test("of two processes at the same time all succeed", { timeout: 120_000 }, async () => {
    const path = join(folder(), "archive.db");
    const plans = [
      { seed: 8, name: "a" },
      { seed: 9, name: "b" },
    ];
    const ends = plans.map((plan) => ended(start(path, plan, [0, 25])));
    for (const end of await Promise.all(ends)) expect(end).toMatchObject({ code: 0, err: "" });
    const plain = memoryStore();
    for (const plan of plans) {
      for (let step = 0; step < 25; step += 1) await commitStep(plain, plan, step);
    }
    await expectSame(await archiveAt(path), plain);
  });

  test("of two processes that keep the same files are stored once each", async () => {
    const path = join(folder(), "archive.db");
    const plan = { seed: 8, name: "a" };
    const ends = [0, 1].map(() => ended(start(path, plan, [0, 12])));
    for (const end of await Promise.all(ends)) expect(end).toMatchObject({ code: 0, err: "" });
    const store = await archiveAt(path);
    expect((await store.care.verify(() => undefined)).problems).toEqual([]);
    const files = await store.known({});
    expect(new Set(files.map((file) => file.path)).size).toBe(files.length);
    const versions = await Promise.all(files.map(({ id }) => store.versions(id)));
    expect(versions.flat()).toHaveLength(24);
  });

  test("on a full disk fail with an error, and kept data stays", async ({ skip }) => {
    const disk = join(folder(), "disk");
    mkdirSync(disk);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", disk]);
    if (mounted.status !== 0) skip("a small disk cannot be mounted without the rights of root");
    try {
      const plan = { seed: 5, name: "a" };
      const path = join(disk, "archive.db");
      const full = await ended(start(path, plan, [0, MANY]));
      expect(full.err).toContain("The disk is full");
      const store = await archiveAt(path);
      const plain = memoryStore();
      const last = await lastStep(store);
      for (let step = 0; step <= last; step += 1) await commitStep(plain, plan, step);
      expect(await keptIn(store)).toEqual(await keptIn(plain));
      expect((await store.care.verify(() => undefined)).problems).toEqual([]);
      await store.close();
    } finally {
      // The driver releases a file when its statements are collected, not when it is closed.
      spawnSync("umount", ["-l", disk]);
    }
  });
});
