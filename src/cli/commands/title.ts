import type { Command } from "../command.ts";
import { changeOwn, listOwn, OWN_OPTIONS, SESSION_ARGUMENT } from "../own-layer.ts";
import { wrongUsage } from "../options/options.ts";

export const command: Command = {
  about: "A title of your own is shown in the place of the recorded one, in every list.",
  arguments: [SESSION_ARGUMENT, { name: "[text...]", about: "what it shall say" }],
  options: [{ flags: "-r, --remove", about: "take it away" }, ...OWN_OPTIONS],
  examples: [
    { line: 'title latest "The day the ledger broke"', about: "give it a title" },
    { line: "title 55844c5c --remove", about: "take it away" },
    { line: "title", about: "all titles" },
  ],
  async run(context) {
    const [id, ...words] = context.args;
    if (id === undefined) return listOwn(context, ({ title }) => title !== null);
    const isRemoved = context.options.has("remove");
    if (isRemoved === words.length > 0) {
      throw wrongUsage("Give a text, or --remove to take it away.");
    }
    return changeOwn(context, [id], { title: isRemoved ? null : words.join(" ") });
  },
};
