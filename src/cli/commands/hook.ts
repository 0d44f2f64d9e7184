import type { HookAnswer } from "../../library/hooks.ts";
import type { Command, Context } from "../command.ts";
import type { ExitCode } from "../exit.ts";
import { EXIT } from "../exit.ts";
import { ownCommand } from "../own-command.ts";
import { writeJson } from "../print/json.ts";
import { homePath } from "../print/path.ts";
import { safeLine } from "../print/safe.ts";

export const command: Command = {
  about:
    "Makes agents that know hooks call `pollux keep` whenever a session ends, before anything " +
    "can be deleted. Without --write it prints what belongs into their settings; with it, the " +
    "hook is added there and everything else stays as it is. For other agents there is " +
    "`pollux watch`.",
  arguments: [{ name: "<action>", about: "what to do", choices: ["install"] }],
  options: [
    { flags: "--write", about: "add it to the settings" },
    { flags: "-y, --yes", about: "do not ask" },
  ],
  examples: [
    { line: "hook install", about: "print what to add" },
    { line: "hook install --write", about: "add it, after a question" },
  ],
  async run(context) {
    const { options, isJson, out } = context;
    const library = await context.library();
    const keep = `${ownCommand(context)} keep --quiet`;
    const plans = library.archive.hooks(keep, "plan");
    const isWanted = options.has("write") && (await isAgreed(plans, context));
    const answers = isWanted ? library.archive.hooks(keep, "write") : plans;
    if (isJson) {
      await writeJson(out, { command: keep, hooks: answers });
      return exitCodeOf(answers);
    }
    for (const answer of answers) await print(answer, context);
    return exitCodeOf(answers);
  },
};

function exitCodeOf(answers: readonly HookAnswer[]): ExitCode {
  return answers.some(({ state }) => state === "refused") ? EXIT.failed : EXIT.ok;
}

async function isAgreed(plans: readonly HookAnswer[], context: Context): Promise<boolean> {
  const files = plans.filter(({ state }) => state === "planned").map(({ file }) => file);
  if (files.length === 0 || context.options.has("yes")) return true;
  if (!context.isTerminal || !process.stdin.isTTY) {
    await context.err.line("Nothing was written: --yes writes without a question.");
    return false;
  }
  const { confirm } = await import("@clack/prompts");
  return (
    (await confirm({ message: `Add the hook to ${files.map(homePath).join(", ")}?` })) === true
  );
}

async function print(answer: HookAnswer, { out, err }: Context): Promise<void> {
  const file = homePath(answer.file);
  switch (answer.state) {
    case "there":
      return err.line(`The hook is already in ${file}.`);
    case "written":
      return err.line(`The hook is now in ${file}.`);
    case "refused":
      await err.line(`${file} was not changed: ${safeLine(answer.why ?? "")}. Add this yourself:`);
      return out.write(answer.snippet);
    case "planned":
      await err.line(`Add this to ${file} (or let --write do it):`);
      return out.write(answer.snippet);
    default:
      return answer.state satisfies never;
  }
}
