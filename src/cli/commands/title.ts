import type { Command } from "../command.ts";
import {
  changeAnnotations,
  listAnnotations,
  OWN_OPTIONS,
  SESSION_ARGUMENT,
} from "../annotations.ts";
import { wrongUsage } from "../options/options.ts";

export const command: Command = {
  about: "Your own title is shown instead of the recorded one in every list.",
  arguments: [SESSION_ARGUMENT, { name: "[text...]", about: "the title" }],
  options: [{ flags: "-r, --remove", about: "remove the title" }, ...OWN_OPTIONS],
  examples: [
    { line: 'title latest "The day the ledger broke"', about: "give it a title" },
    { line: "title 55844c5c --remove", about: "remove the title" },
    { line: "title", about: "list all titles" },
  ],
  async run(context) {
    const [id, ...words] = context.args;
    if (id === undefined) return listAnnotations(context, ({ title }) => title !== null);
    const isRemoved = context.options.has("remove");
    if (isRemoved === words.length > 0) {
      throw wrongUsage("Missing text: give the title, or --remove to remove it.");
    }
    return changeAnnotations(context, [id], { title: isRemoved ? null : words.join(" ") });
  },
};
