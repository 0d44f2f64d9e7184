import type { Command } from "../command.ts";
import { ownCommand } from "../own-command.ts";
import { changeSettings } from "../settings-answers.ts";

export const command: Command = {
  about:
    "Makes agents that know hooks call `pollux keep` whenever a session ends, before anything " +
    "can be deleted. Without --write it prints what belongs into their settings; with it, the " +
    "hook is added there and everything else stays as it is. For other agents there is " +
    "`pollux watch`.",
  arguments: [{ name: "<action>", about: "what to do", choices: ["install", "uninstall"] }],
  options: [
    { flags: "--write", about: "change the settings" },
    { flags: "-y, --yes", about: "do not ask" },
  ],
  examples: [
    { line: "hook install", about: "print what to add" },
    { line: "hook install --write", about: "add it, after a question" },
    { line: "hook uninstall --write", about: "take it away again" },
  ],
  async run(context) {
    const library = await context.library();
    const keep = `${ownCommand(context)} keep --quiet`;
    const action = context.args[0] === "uninstall" ? "remove" : "add";
    return changeSettings(context, {
      what: "the hook",
      action,
      without: "`pollux watch` keeps the sessions of every agent.",
      json: { command: keep },
      ask: (mode) => library.archive.settings("hook", { value: keep, action, mode }),
    });
  },
};
