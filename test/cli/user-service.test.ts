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

/** Records the commands and returns the given exit code for each. */
function system(code: number): { run: RunCommand; reported: string[] } {
  const reported: string[] = [];
  const answer: RunCommand = (command) => {
    reported.push(command.join(" "));
    return { code, error: code === 0 ? "" : "Failed to connect to bus" };
  };
  return { run: answer, reported };
}

function systemdService(): UserService {
  return userService("systemd", "pollux", { env: {}, homeDir: newFolder(), uid: 1000 });
}

describe("the printed unit", () => {
  test.each([
    ["systemd", /ExecStart=.* watch --quiet/],
    ["launchd", /<string>exec .* watch --quiet<\/string>/],
    ["windows", /<Arguments>.* watch --quiet<\/Arguments>/],
  ])("is for %s, with the given root and archive", async (kind, line) => {
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
  ] as const)("has the path where %s looks for it", (kind, file) => {
    const homeDir = kind === "windows" ? "C:\\Users\\ada" : "/home/ada";
    expect(userService(kind, "pollux", { env: {}, homeDir, uid: 501 }).file).toBe(file);
  });

  test("differs for every system", () => {
    const home = { env: {}, homeDir: "/home/ada", uid: 1 };
    const texts = SERVICES.map((kind) => userService(kind, "pollux", home).text);
    expect(new Set(texts).size).toBe(SERVICES.length);
  });
});

describe("installing the service", () => {
  test("writes and starts the unit, and can be undone", () => {
    const service = systemdService();
    const { run: answer, reported } = system(0);
    installService(service, answer);
    expect(readFileSync(service.file, "utf8")).toBe(service.text);
    expect(reported.at(-1)).toBe("systemctl --user enable --now pollux.service");
    expect(serviceState(service, answer)).toEqual({ isInstalled: true, isRunning: true });
    uninstallService(service, answer);
    expect(reported.at(-1)).toBe("systemctl --user disable --now pollux.service");
    expect(existsSync(service.file)).toBe(false);
  });

  test.each([
    [1, /connect to bus/],
    [-1, /systemctl was not found/],
  ])("leaves no file behind if the start fails with %i", (code, why) => {
    const service = systemdService();
    expect(() => installService(service, system(code).run)).toThrow(why);
    expect(existsSync(service.file)).toBe(false);
    const isRunning = code === -1 ? null : false;
    expect(serviceState(service, system(code).run)).toEqual({ isInstalled: false, isRunning });
  });

  test("writes nothing without --yes", async () => {
    const home = newFolder();
    const { code, err } = await run(["service", "install", "--write", "--root", smallHome()], {
      env: { XDG_CONFIG_HOME: home },
    });
    expect(code).toBe(0);
    expect(err).toContain("Nothing was written");
    expect(existsSync(join(home, "systemd"))).toBe(false);
  });

  test("service status reports that nothing is installed and how to install it", async () => {
    const archive = join(newFolder(), "archive.db");
    const env = { XDG_CONFIG_HOME: newFolder() };
    const args = ["service", "status", "--system", "systemd", "--archive", archive];
    const { out, err } = await run([...args, "--root", smallHome()], { env });
    expect(out).toContain("not installed");
    expect(err).toContain("pollux service install");
  });
});
