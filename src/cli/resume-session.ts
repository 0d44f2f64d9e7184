import { spawn } from "node:child_process";
import { resolve } from "node:path";
import type { HandoverOptions } from "../library/handover.ts";
import type { RestoreOptions, ResumeAnswer } from "../library/restore.ts";
import type { Context } from "./command.ts";
import type { ExitCode } from "./exit.ts";
import { EXIT } from "./exit.ts";
import type { Options } from "./options/options.ts";
import { findOnPath } from "../kernel/on-path.ts";
import { writeJson } from "./print/json.ts";
import { homePath } from "./print/path.ts";
import { safeLine } from "./print/safe.ts";
import { commandLine, shellLine, shellOf } from "./shell-line.ts";

export interface ResumeRequest {
  id: string;
  place: RestoreOptions;
  mode: "print" | "run";
}

/** Prints or runs the command that resumes a session; restores its files first if needed. */
export async function resumeSession(context: Context, request: ResumeRequest): Promise<ExitCode> {
  const { id, place, mode } = request;
  const library = await context.library();
  const answer = await library.resumeCommand(id, place);
  if (context.isJson) {
    const isRestored = answer.restore !== null && context.options.has("yes");
    const done = isRestored ? { restore: await library.restore(id, place) } : {};
    await writeJson(context.out, { ...answer, ...done });
    return EXIT.ok;
  }
  const isRestored = answer.restore === null || (await isWanted(context, answer));
  if (answer.restore && isRestored) {
    const { file } = await library.restore(id, place);
    await context.err.line(`Restored ${homePath(file)}.`);
  }
  await warn(context, answer);
  if (mode === "print") {
    await context.out.line(lineOf(context, answer, isRestored ? undefined : place));
    return EXIT.ok;
  }
  if (isRestored) return run(context, answer);
  await context.err.line("The session must be restored first. Use --yes to restore it.");
  return EXIT.failed;
}

/** Continues a session in another agent, as a new session there. */
export async function resumeElsewhere(
  context: Context,
  { id, how, mode }: { id: string; how: HandoverOptions; mode: ResumeRequest["mode"] },
): Promise<ExitCode> {
  const { out, err, isJson } = context;
  const handover = await (await context.library()).handover(id, how);
  const { sessionId, projectPath, isProjectThere, command } = handover;
  const answer = { sessionId, projectPath, isProjectThere, command, restore: null };
  if (isJson) {
    await writeJson(out, { ...answer, handover });
    return EXIT.ok;
  }
  await err.line(`Handed over to ${handover.to.agent}: ${homePath(handover.file)}`);
  await warn(context, answer);
  if (mode === "run") return run(context, answer);
  await out.line(lineOf(context, answer, undefined));
  return EXIT.ok;
}

/** Asks on a terminal; elsewhere nothing is written without `--yes`. */
async function isWanted(
  { options, isTerminal, err }: Context,
  answer: ResumeAnswer,
): Promise<boolean> {
  if (options.has("yes")) return true;
  const file = homePath(answer.restore?.file ?? "");
  if (!isTerminal || !process.stdin.isTTY) {
    await err.line(`The agent no longer has this session; restoring would write ${file}`);
    return false;
  }
  const { confirm } = await import("@clack/prompts");
  const message = `The agent no longer has this session. Restore it to ${file}?`;
  return (await confirm({ message })) === true;
}

/** The printed line includes everything that is needed, for a person or a shell. */
function lineOf(
  { env, isTerminal, options }: Context,
  { sessionId, projectPath, command }: ResumeAnswer,
  toRestore: RestoreOptions | undefined,
): string {
  const shell = shellOf(process.platform, env);
  const line = shellLine(projectPath, command, shell);
  const where = toRestore ? whereOf(toRestore, options) : [];
  const restore = commandLine(["pollux", "restore", sessionId, ...where], shell);
  const joint = shell === "powershell" ? "; " : " && ";
  const whole = toRestore ? `${restore}${joint}${line}` : line;
  return isTerminal ? safeLine(whole) : whole;
}

/** Options that make `restore` write to where the resume command will look. */
function whereOf({ into, projectPath, forVersion }: RestoreOptions, options: Options): string[] {
  const archive = options.text("archive");
  const named: [string, string | undefined][] = [
    ["--into", into],
    ["--project", projectPath],
    ["--for", forVersion],
    ["--archive", archive === undefined ? undefined : resolve(archive)],
    ...options.list("root").map((root): [string, string] => ["--root", resolve(root)]),
  ];
  return named.flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
}

async function warn(
  { err, env, style }: Context,
  { projectPath, isProjectThere, command }: ResumeAnswer,
): Promise<void> {
  const [program = ""] = command;
  const mark = style.yellow("!");
  if (!isProjectThere) {
    await err.line(
      `${mark} The directory ${homePath(projectPath)} does not exist: name another with --project.`,
    );
  }
  if (findOnPath(program, env) === undefined) {
    await err.line(`${mark} ${safeLine(program)} was not found on your PATH: install it first.`);
  }
}

/** Runs the agent in the project's directory, on this terminal. */
async function run({ env }: Context, answer: ResumeAnswer): Promise<ExitCode> {
  const { projectPath, isProjectThere, command } = answer;
  const [program = "", ...args] = command;
  const file = findOnPath(program, env);
  if (!isProjectThere || file === undefined) return EXIT.failed;
  // npm's .cmd scripts need a shell on Windows; ids and options contain no special characters.
  const isScript = /\.(cmd|bat)$/i.test(file);
  const child = spawn(isScript ? `"${file}"` : file, args, {
    cwd: projectPath,
    stdio: "inherit",
    shell: isScript,
  });
  const ignore = (): void => undefined;
  // While the agent runs, Ctrl-C belongs to it.
  process.on("SIGINT", ignore);
  return new Promise((settle) => {
    const end = (code: ExitCode): void => {
      process.off("SIGINT", ignore);
      settle(code);
    };
    child.once("error", () => end(EXIT.failed));
    child.once("close", (code) => end(code === 0 ? EXIT.ok : EXIT.failed));
  });
}
