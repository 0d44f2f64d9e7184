import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { SERVICES } from "../../src/cli/service-unit.ts";
import type { RunCommand, UserService } from "../../src/cli/user-service.ts";
import {
  installService,
  serviceState,
  uninstallService,
  userService,
} from "../../src/cli/user-service.ts";
import { smallHome } from "./homes.ts";
import { run } from "./run.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pollux-service-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A system that remembers what it was told, and answers as it is told to. */
function system(code: number): { run: RunCommand; told: string[] } {
  const told: string[] = [];
  const answer: RunCommand = (command) => {
    told.push(command.join(" "));
    return { code, error: code === 0 ? "" : "Failed to connect to bus" };
  };
  return { run: answer, told };
}

function systemdService(): UserService {
  return userService("systemd", "pollux", { env: {}, homeDir: newFolder(), uid: 1000 });
}

describe("what is shown", () => {
  test.each([
    ["systemd", /ExecStart=.* watch --quiet/],
    ["launchd", /<string>exec .* watch --quiet<\/string>/],
    ["windows", /<Arguments>.* watch --quiet<\/Arguments>/],
  ])("is a unit for %s, on the same homes and the same archive", async (kind, line) => {
    const [root, archive] = [smallHome(), join(newFolder(), "archive.db")];
    const args = ["service", "install", "--system", kind, "--root", root, "--archive", archive];
    const { code, out, err } = await run(args);
    expect(code).toBe(0);
    expect(out).toMatch(line);
    expect(out).toContain(`--root ${root} --archive ${archive} watch`);
    expect(err).toContain("--write");
  });

  test.each([
    ["systemd", "/home/ada/.config/systemd/user/pollux.service"],
    ["launchd", "/home/ada/Library/LaunchAgents/dev.pollux.watch.plist"],
    ["windows", "C:\\Users\\ada\\AppData\\Local\\pollux\\service.xml"],
  ] as const)("stands where %s looks for it", (kind, file) => {
    const homeDir = kind === "windows" ? "C:\\Users\\ada" : "/home/ada";
    expect(userService(kind, "pollux", { env: {}, homeDir, uid: 501 }).file).toBe(file);
  });

  test("every system has its own", () => {
    const home = { env: {}, homeDir: "/home/ada", uid: 1 };
    const texts = SERVICES.map((kind) => userService(kind, "pollux", home).text);
    expect(new Set(texts).size).toBe(SERVICES.length);
  });
});

describe("what is done", () => {
  test("the unit is written, started, and taken away again", () => {
    const service = systemdService();
    const { run: answer, told } = system(0);
    installService(service, answer);
    expect(readFileSync(service.file, "utf8")).toBe(service.text);
    expect(told.at(-1)).toBe("systemctl --user enable --now pollux.service");
    expect(serviceState(service, answer)).toEqual({ isInstalled: true, isRunning: true });
    uninstallService(service, answer);
    expect(told.at(-1)).toBe("systemctl --user disable --now pollux.service");
    expect(existsSync(service.file)).toBe(false);
  });

  test.each([
    [1, /connect to bus/],
    [-1, /systemctl was not found/],
  ])("nothing is left behind when it does not start (%i)", (code, why) => {
    const service = systemdService();
    expect(() => installService(service, system(code).run)).toThrow(why);
    expect(existsSync(service.file)).toBe(false);
    const isRunning = code === -1 ? null : false;
    expect(serviceState(service, system(code).run)).toEqual({ isInstalled: false, isRunning });
  });

  test("nothing is written without a word", async () => {
    const home = newFolder();
    const { code, err } = await run(["service", "install", "--write", "--root", smallHome()], {
      env: { XDG_CONFIG_HOME: home },
    });
    expect(code).toBe(0);
    expect(err).toContain("Nothing was written");
    expect(existsSync(join(home, "systemd"))).toBe(false);
  });

  test("the status says what keeps sessions, and what would", async () => {
    const archive = join(newFolder(), "archive.db");
    const env = { XDG_CONFIG_HOME: newFolder() };
    const args = ["service", "status", "--system", "systemd", "--archive", archive];
    const { out, err } = await run([...args, "--root", smallHome()], { env });
    expect(out).toContain("not installed");
    expect(err).toContain("pollux service install");
  });
});
