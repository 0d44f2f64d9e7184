import type { ChildProcess } from "node:child_process";
import type { Context, OptionSpec } from "./command.ts";
import { Writer } from "./print/writer.ts";

export const PAGER_OPTION: OptionSpec = {
  flags: "--no-pager",
  about: "print at once, not through $PAGER",
};

/**
 * On a terminal, long answers go through the person's pager; elsewhere they are just written. A
 * pager that cannot be started is no reason to show nothing.
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

/** Ctrl-C belongs to the pager as long as it runs. */
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
      // -F: leave when all fits on the screen, -R: let colours through, -X: leave the text behind.
      LESS: env["LESS"] ?? "FRX",
      // What is printed is UTF-8, also where no language is set and it would show bytes instead.
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
  // The person may leave before everything was written: that is what pagers are for.
  stdin.on("error", () => undefined);
  await Promise.race([print(new Writer(stdin)), ended]);
  stdin.end();
  await ended;
}
