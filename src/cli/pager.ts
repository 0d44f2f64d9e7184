import type { ChildProcess } from "node:child_process";
import type { Context, OptionSpec } from "./command.ts";
import { Writer } from "./print/writer.ts";

export const PAGER_OPTION: OptionSpec = {
  flags: "--no-pager",
  about: "print directly, without $PAGER",
};

/**
 * On a terminal, long output goes through the user's pager; elsewhere it is written directly. If
 * the pager cannot be started, the output is written directly, too.
 */
export async function paged(
  context: Context,
  print: (out: Writer) => Promise<void>,
): Promise<void> {
  const pager = pagerLine(context);
  const child = pager === undefined ? undefined : await started(pager, context);
  if (!child) return print(context.out);
  process.on("SIGINT", ignore);
  try {
    await fed(child, print);
  } finally {
    process.off("SIGINT", ignore);
  }
}

/** While the pager runs, Ctrl-C belongs to it. */
function ignore(): void {}

function pagerLine({ isTerminal, options, env }: Context): string | undefined {
  if (!isTerminal || !options.has("pager") || env["TERM"] === "dumb") return undefined;
  const command = env["PAGER"] ?? "less";
  return command.trim() === "" || command === "cat" ? undefined : command;
}

async function started(line: string, { env }: Context): Promise<ChildProcess | undefined> {
  const [program = "less", ...args] = line.trim().split(/\s+/);
  const { spawn } = await import("node:child_process");
  const child = spawn(program, args, {
    stdio: ["pipe", "inherit", "inherit"],
    env: {
      ...process.env,
      // -F: quit if everything fits on the screen, -R: pass colours through, -X: keep the text on
      // exit.
      LESS: env["LESS"] ?? "FRX",
      // The output is UTF-8; without a locale, less would show bytes.
      LESSCHARSET: env["LESSCHARSET"] ?? "utf-8",
    },
  });
  return new Promise((resolve) => {
    child.once("spawn", () => resolve(child));
    child.once("error", () => resolve(undefined));
  });
}

async function fed(child: ChildProcess, print: (out: Writer) => Promise<void>): Promise<void> {
  const { stdin } = child;
  if (!stdin) return;
  const ended = new Promise<void>((resolve) => void child.once("close", () => resolve()));
  // The user may quit before everything is written.
  stdin.on("error", () => undefined);
  await Promise.race([print(new Writer(stdin)), ended]);
  stdin.end();
  await ended;
}
