import { PolluxError, wrongUsage } from "../core/error.ts";
import type { SettingsAnswer } from "../library/settings-entries.ts";
import type { McpServerCommand } from "../sources/settings-entry.ts";
import type { Context } from "./command.ts";
import { isConfirmed } from "./confirm.ts";
import type { ExitCode } from "./exit.ts";
import { EXIT } from "./exit.ts";
import { writeJson } from "./print/json.ts";
import { homePath } from "./print/path.ts";
import { safeLine } from "./print/safe.ts";

/** Fields that `--json` prints besides the entry that is added or removed. */
export interface SettingsAnswers {
  settings: SettingsAnswer[];
}

export interface SettingsPlan {
  /** What is added or removed, for use in a sentence: "the hook". */
  what: string;
  action: "add" | "remove";
  /** The alternative if no agent has such settings. */
  without: string;
  /** Further fields with `--json`. */
  json: { command: string } | { server: McpServerCommand };
  ask: (mode: "plan" | "write") => Promise<SettingsAnswer[]>;
}

/** Shows changes to settings; with `--write`, makes them after confirmation. */
export async function changeSettings(context: Context, plan: SettingsPlan): Promise<ExitCode> {
  if (context.options.has("demo")) {
    throw wrongUsage("The demo has no settings to change.", { remedy: "Leave out --demo." });
  }
  const plans = await plan.ask("plan");
  if (plans.length === 0) throw nothingToChange(plan);
  const isWanted = context.options.has("write") && (await isAgreed(plans, plan, context));
  const answers = isWanted ? await plan.ask("write") : plans;
  const printed: SettingsAnswers = { ...plan.json, settings: answers };
  if (context.isJson) await writeJson(context.out, printed);
  else for (const answer of answers) await print(answer, plan, context);
  return answers.some(({ state }) => state === "refused") ? EXIT.failed : EXIT.ok;
}

/** Error: none of the selected or installed agents supports this entry. */
function nothingToChange({ what, without }: SettingsPlan): PolluxError {
  const message = `None of the agents found here has settings for ${what}.`;
  return new PolluxError("no-settings", message, { remedy: without });
}

async function isAgreed(
  plans: readonly SettingsAnswer[],
  { what, action }: SettingsPlan,
  context: Context,
): Promise<boolean> {
  const files = plans.filter(({ state }) => state === "planned").map(({ file }) => file);
  if (files.length === 0) return true;
  const where = files.map(homePath).join(", ");
  const change = action === "add" ? `Add ${what} to` : `Remove ${what} from`;
  return isConfirmed(context, `${change} ${where}?`);
}

async function print(
  { file: path, state, why, snippet }: SettingsAnswer,
  { what, action }: SettingsPlan,
  { out, err, options }: Context,
): Promise<void> {
  const file = homePath(path);
  const orWrite = options.has("write") ? "" : ", or use --write";
  const isAdded = action === "add";
  switch (state) {
    case "same":
      return err.line(`${what} is ${isAdded ? "already" : "not"} in ${file}.`.replace(/^t/, "T"));
    case "written":
      return err.line(`${what} is ${isAdded ? "now" : "no longer"} in ${file}.`.replace(/^t/, "T"));
    case "refused":
      await err.line(
        `${file} was not changed: ${safeLine(why ?? "")}. ` +
          `${isAdded ? "Add this" : "Remove this"} yourself:`,
      );
      return out.write(snippet);
    case "planned":
      await err.line(`${isAdded ? "Add this to" : "Remove this from"} ${file}${orWrite}:`);
      return out.write(snippet);
    default:
      return state satisfies never;
  }
}
