import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { posix, win32 } from "node:path";
import { PolluxError } from "../core/error.ts";
import { readForeignText } from "../kernel/open-file.ts";
import type { ServiceKind } from "./service-unit.ts";
import { LAUNCHD_LABEL, serviceText } from "./service-unit.ts";

/** The file of a user service, and the commands that control it. */
export interface UserService {
  system: ServiceKind;
  file: string;
  text: string;
  /** Commands, in order. */
  start: string[][];
  stop: string[][];
  /** Exits with 0 while the service runs. */
  isRunning: string[];
}

export interface ServiceHome {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  /** The user's id; absent on Windows. */
  uid: number | undefined;
}

/** Runs a command; code -1 means that the program does not exist. */
export type RunCommand = (command: readonly string[]) => { code: number; error: string };

export function userService(system: ServiceKind, command: string, home: ServiceHome): UserService {
  const text = serviceText(system, command);
  return { system, text, ...placeOf(system, home) };
}

function placeOf(
  system: ServiceKind,
  { env, homeDir, uid = 0 }: ServiceHome,
): Omit<UserService, "system" | "text"> {
  switch (system) {
    case "systemd": {
      const config = env["XDG_CONFIG_HOME"] || posix.join(homeDir, ".config");
      const systemctl = (...args: string[]): string[] => ["systemctl", "--user", ...args];
      return {
        file: posix.join(config, "systemd", "user", "pollux.service"),
        start: [systemctl("daemon-reload"), systemctl("enable", "--now", "pollux.service")],
        stop: [systemctl("disable", "--now", "pollux.service")],
        isRunning: systemctl("is-active", "--quiet", "pollux.service"),
      };
    }
    case "launchd": {
      const file = posix.join(homeDir, "Library", "LaunchAgents", `${LAUNCHD_LABEL}.plist`);
      return {
        file,
        start: [["launchctl", "bootstrap", `gui/${uid}`, file]],
        stop: [["launchctl", "bootout", `gui/${uid}/${LAUNCHD_LABEL}`]],
        isRunning: ["launchctl", "print", `gui/${uid}/${LAUNCHD_LABEL}`],
      };
    }
    case "windows": {
      const local = env["LOCALAPPDATA"] || win32.join(homeDir, "AppData", "Local");
      const file = win32.join(local, "pollux", "service.xml");
      return {
        file,
        start: [
          ["schtasks", "/create", "/tn", "Pollux", "/xml", file, "/f"],
          ["schtasks", "/run", "/tn", "Pollux"],
        ],
        stop: [["schtasks", "/delete", "/tn", "Pollux", "/f"]],
        isRunning: ["schtasks", "/query", "/tn", "Pollux"],
      };
    }
    default:
      return system satisfies never;
  }
}

/** Writes the file and starts the service; removes the file again if starting fails. */
export function installService(service: UserService, run: RunCommand = runCommand): void {
  const { file, text, start } = service;
  const before = existsSync(file) ? readForeignText(file) : undefined;
  writeWhole(file, text);
  try {
    for (const command of start) mustRun(command, run);
  } catch (error) {
    if (before === undefined) rmSync(file, { force: true });
    else writeWhole(file, before);
    throw error;
  }
}

/** Stops the service and removes its file. Errors are ignored: it may not be running. */
export function uninstallService(service: UserService, run: RunCommand = runCommand): void {
  for (const command of service.stop) run(command);
  rmSync(service.file, { force: true });
}

export interface ServiceState {
  isInstalled: boolean;
  /** `null`: the service manager is not available. */
  isRunning: boolean | null;
}

export function serviceState(service: UserService, run: RunCommand = runCommand): ServiceState {
  const { code } = run(service.isRunning);
  return { isInstalled: existsSync(service.file), isRunning: code === -1 ? null : code === 0 };
}

function mustRun(command: readonly string[], run: RunCommand): void {
  const { code, error } = run(command);
  if (code === 0) return;
  const [program = ""] = command;
  const why = code === -1 ? `${program} was not found` : error.trim() || `exit code ${code}`;
  throw new PolluxError("service-not-started", `The service was not started: ${why}.`, {
    remedy: "Nothing was left behind. `pollux hook install` archives sessions without a service.",
  });
}

function runCommand([program = "", ...args]: readonly string[]): { code: number; error: string } {
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (error) return { code: -1, error: error.message };
  return { code: status ?? 1, error: stderr };
}

function writeWhole(file: string, text: string): void {
  mkdirSync(posix.dirname(file.replaceAll("\\", "/")), { recursive: true });
  const aside = `${file}.tmp-${process.pid}`;
  writeFileSync(aside, text, { mode: 0o600 });
  renameSync(aside, file);
}
