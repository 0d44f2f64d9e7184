import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverKey } from "../../src/library/server-key.ts";

describe("the key of the server", () => {
  const home = (): { env: { POLLUX_HOME: string }; file: string } => {
    const folder = join(mkdtempSync(join(tmpdir(), "pollux-key-")), "data");
    return { env: { POLLUX_HOME: folder }, file: join(folder, "server.key") };
  };

  test("is the same every time and readable only by its owner", () => {
    const { env, file } = home();
    const key = serverKey(env);
    expect(key).toMatch(/^[\w-]{32}$/);
    expect(serverKey(env)).toBe(key);
    expect(readFileSync(file, "utf8").trim()).toBe(key);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("is replaced on request, if it is invalid, and if others can read it", () => {
    const { env, file } = home();
    const first = serverKey(env);
    const second = serverKey(env, "new");
    expect(second).not.toBe(first);
    writeFileSync(file, "short");
    const third = serverKey(env);
    expect(third).not.toBe(second);
    if (process.platform === "win32") return;
    chmodSync(file, 0o644);
    expect(serverKey(env)).not.toBe(third);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("is undefined if the folder cannot be written", () => {
    expect(serverKey({ POLLUX_HOME: "/dev/null/there" })).toBeUndefined();
  });
});
