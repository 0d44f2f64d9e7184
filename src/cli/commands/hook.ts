import type { Command } from "../command.ts";
import { ownCommand } from "../own-command.ts";
import { changeSettings } from "../settings-answers.ts";

export const command: Command = {
  about:
    "Agents that support hooks then run `pollux keep` whenever a session ends, before anything " +
    "can be deleted. Without --write, prints what to add to the agents' settings; with --write, " +
    "adds it and leaves all other settings unchanged. For agents without hooks, use `pollux " +
    "watch`.",
  arguments: [{ name: "<action>", about: "what to do", choices: ["install", "uninstall"] }],
  options: [
    { flags: "--write", about: "write the agents' settings" },
    { flags: "-y, --yes", about: "do not ask for confirmation" },
  ],
  examples: [
    { line: "hook install", about: "print what to add" },
    { line: "hook install --write", about: "add it, after confirmation" },
    { line: "hook uninstall --write", about: "remove it" },
  ],
  async run(context) {
    const library = await context.library();
    const keep = `${ownCommand(context)} keep --quiet`;
    const action = context.args[0] === "uninstall" ? "remove" : "add";
    return changeSettings(context, {
      what: "the hook",
      action,
      without: "Use `pollux watch`: it archives the sessions of every agent.",
      json: { command: keep },
      ask: (mode) => library.archive.settings("hook", { value: keep, action, mode }),
    });
  },
};
