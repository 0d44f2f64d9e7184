import { homedir } from "node:os";
import type { Command, Context } from "../command.ts";
import { isConfirmed } from "../confirm.ts";
import type { ExitCode } from "../exit.ts";
import { EXIT } from "../exit.ts";
import { ownCommand } from "../own-command.ts";
import { writeJson } from "../print/json.ts";
import { homePath } from "../print/path.ts";
import type { ServiceKind } from "../service-unit.ts";
import { ownService, SERVICES } from "../service-unit.ts";
import type { ServiceState, UserService } from "../user-service.ts";
import { installService, serviceState, uninstallService, userService } from "../user-service.ts";

/** What `--json` prints of `install` and `uninstall`. */
export interface ServiceChange extends Pick<UserService, "system" | "file" | "text"> {
  commands: UserService["start"];
  state: "planned" | "done";
}

/** What `--json` prints of `status`. */
export interface ServiceStatus extends Pick<UserService, "system" | "file">, ServiceState {
  hooks: { source: string; file: string; isInstalled: boolean }[];
}

export const command: Command = {
  about:
    "Runs `pollux watch` as a user service of systemd or launchd, or as a Windows task, so that " +
    "every session is archived automatically. Without --write, shows what would be written and " +
    "run. `pollux hook` is an alternative that uses the agents' hooks.",
  arguments: [
    { name: "<action>", about: "what to do", choices: ["install", "uninstall", "status"] },
  ],
  options: [
    { flags: "--write", about: "make the changes, after confirmation" },
    { flags: "-y, --yes", about: "do not ask for confirmation" },
    { flags: "--system <name>", about: "show it for another service manager", choices: SERVICES },
  ],
  examples: [
    { line: "service install", about: "show what would be written and run" },
    { line: "service install --write", about: "write it and start it" },
    { line: "service status", about: "show whether it is installed and running" },
    { line: "service uninstall --write", about: "stop and remove it" },
  ],
  async run(context) {
    const [action = "status"] = context.args;
    const own = ownService(process.platform);
    const system = (context.options.text("system") as ServiceKind | undefined) ?? own;
    const home = { env: context.env, homeDir: homedir(), uid: process.getuid?.() };
    const service = userService(system, ownCommand(context), home);
    if (action === "status") return status(service, context);
    const isDone = context.options.has("write") && (await isDoneNow(action, service, context));
    return report(action, service, { context, isDone });
  },
};

async function isDoneNow(action: string, service: UserService, context: Context): Promise<boolean> {
  const isInstall = action === "install";
  const file = homePath(service.file);
  const question = isInstall
    ? `Write ${file} and start the service?`
    : `Stop the service and remove ${file}?`;
  if (!(await isConfirmed(context, question))) return false;
  if (isInstall) installService(service);
  else uninstallService(service);
  return true;
}

async function report(
  action: string,
  service: UserService,
  { context, isDone }: { context: Context; isDone: boolean },
): Promise<ExitCode> {
  const { out, err, isJson } = context;
  const { system, file, text } = service;
  const isInstall = action === "install";
  const commands = isInstall ? service.start : service.stop;
  if (isJson) {
    const state = isDone ? "done" : "planned";
    const answer: ServiceChange = { system, file, text, commands, state };
    await writeJson(out, answer);
    return EXIT.ok;
  }
  if (isDone) {
    await err.line(
      isInstall ? "The service is running and archives every session." : "The service was removed.",
    );
    return EXIT.ok;
  }
  const would = isInstall ? "Would write" : "Would remove";
  const how = context.options.has("write") ? "" : " (use --write to do it)";
  await err.line(`${would} ${homePath(file)}${how}:`);
  if (isInstall) await out.write(text);
  await err.line("and run:");
  for (const line of commands) await err.line(`  ${line.join(" ")}`);
  return EXIT.ok;
}

async function status(service: UserService, context: Context): Promise<ExitCode> {
  const { system, file } = service;
  const { isInstalled, isRunning } = serviceState(service);
  const library = await context.library();
  const keep = `${ownCommand(context)} keep --quiet`;
  const request = { value: keep, action: "add", mode: "plan" } as const;
  const hooks = (await library.archive.settings("hook", request)).map((hook) => {
    return { source: hook.source, file: hook.file, isInstalled: hook.state === "same" };
  });
  if (context.isJson) {
    const answer: ServiceStatus = { system, file, isInstalled, isRunning, hooks };
    await writeJson(context.out, answer);
    return EXIT.ok;
  }
  const { out } = context;
  const runs =
    isRunning === null ? `${system} is not available` : isRunning ? "running" : "not running";
  await out.line(`Service: ${isInstalled ? "installed" : "not installed"}, ${runs}`);
  await out.line(`         ${homePath(file)}`);
  for (const hook of hooks) {
    await out.line(
      `Hook:    ${hook.isInstalled ? "installed" : "not installed"} in ${homePath(hook.file)}`,
    );
  }
  const isKept = isRunning === true || hooks.some((hook) => hook.isInstalled);
  if (!isKept)
    await context.err.line("`pollux service install --write` archives sessions automatically.");
  return EXIT.ok;
}
