import type { Context } from "./command.ts";

/** Asks on a terminal; elsewhere `--yes` is required, and a message says so. */
export async function isConfirmed(context: Context, question: string): Promise<boolean> {
  if (context.options.has("yes")) return true;
  if (!context.isTerminal || !process.stdin.isTTY) {
    await context.err.line("Nothing was written. Use --yes to write without confirmation.");
    return false;
  }
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message: question })) === true;
}
