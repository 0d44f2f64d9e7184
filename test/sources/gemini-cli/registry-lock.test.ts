import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, symlinkSync } from "node:fs";
import { utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { withRegistryLock } from "../../../src/sources/gemini-cli/restore/registry-lock.ts";

const NOW_MS = Date.parse("2026-11-15T12:00:00Z");

function registry(): { file: string; lock: string } {
  const folder = mkdtempSync(join(tmpdir(), "pollux-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "projects.json");
  writeFileSync(file, "{}");
  return { file, lock: `${file}.lock` };
}

/** Holds the lock like another process that renewed it `secondsAgo`. */
function hold(lock: string, secondsAgo: number): void {
  mkdirSync(lock);
  const time = new Date(NOW_MS - secondsAgo * 1000);
  utimesSync(lock, time, time);
}

describe("the lock of the registry", () => {
  test("is held during the work and then released", () => {
    const { file, lock } = registry();
    const seen = withRegistryLock(file, { nowMs: NOW_MS }, () => existsSync(lock));
    expect([seen, existsSync(lock)]).toEqual([true, false]);
  });

  test("is released if the work fails", () => {
    const { file, lock } = registry();
    const fail = (): void => {
      throw new Error("no");
    };
    expect(() => withRegistryLock(file, { nowMs: NOW_MS }, fail)).toThrow("no");
    expect(existsSync(lock)).toBe(false);
  });

  test("is waited for", () => {
    const { file, lock } = registry();
    hold(lock, 0);
    let pauses = 0;
    const pause = (): void => {
      pauses += 1;
      if (pauses === 3) rmdirSync(lock);
    };
    expect(withRegistryLock(file, { nowMs: NOW_MS, pause }, () => "done")).toBe("done");
    expect(pauses).toBe(3);
  });

  test("is taken over from a crashed process without waiting", () => {
    const { file, lock } = registry();
    hold(lock, 11);
    const pause = (): never => {
      throw new Error("waited");
    };
    expect(withRegistryLock(file, { nowMs: NOW_MS, pause }, () => "done")).toBe("done");
    expect(existsSync(lock)).toBe(false);
  });

  test("may become stale while waiting", () => {
    const { file, lock } = registry();
    hold(lock, 8);
    let waitedMs = 0;
    const pause = (ms: number): void => void (waitedMs += ms);
    expect(withRegistryLock(file, { nowMs: NOW_MS, pause }, () => "done")).toBe("done");
    expect(waitedMs).toBeGreaterThan(2000);
    expect(waitedMs).toBeLessThan(2500);
  });

  test("held for too long is an error with its path, and stays", () => {
    const { file, lock } = registry();
    hold(lock, 0);
    let waitedMs = 0;
    const pause = (ms: number): void => {
      waitedMs += ms;
      const time = new Date(NOW_MS + waitedMs);
      utimesSync(lock, time, time);
    };
    expect(() => withRegistryLock(file, { nowMs: NOW_MS, pause }, () => "done")).toThrow(
      expect.objectContaining({
        code: "registry-locked",
        remedy: expect.stringContaining(lock) as unknown,
      }),
    );
    expect(existsSync(lock)).toBe(true);
    expect(waitedMs).toBeGreaterThanOrEqual(10_000);
  });

  test("is beside the file itself, not beside a link to it", () => {
    const { file, lock } = registry();
    const link = join(mkdtempSync(join(tmpdir(), "pollux-link-")), "projects.json");
    onTestFinished(() => rmSync(join(link, ".."), { recursive: true }));
    symlinkSync(file, link);
    expect(withRegistryLock(link, { nowMs: NOW_MS }, () => existsSync(lock))).toBe(true);
  });
});
