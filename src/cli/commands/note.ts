import type { Command } from "../command.ts";
import { changeOwn, listOwn, OWN_OPTIONS, SESSION_ARGUMENT } from "../own-layer.ts";
import { wrongUsage } from "../options/options.ts";

export const command: Command = {
  about: "A note is your own text on a session or a message; a new one takes the place of the old.",
  arguments: [SESSION_ARGUMENT, { name: "[text...]", about: "what it shall say" }],
  options: [{ flags: "-r, --remove", about: "take it away" }, ...OWN_OPTIONS],
  examples: [
    { line: 'note latest "Look at the retry again"', about: "write a note" },
    { line: "note 55844c5c --remove", about: "take it away" },
    { line: "note", about: "all notes" },
  ],
  async run(context) {
    const [id, ...words] = context.args;
    if (id === undefined) return listOwn(context, ({ note }) => note !== null);
    const isRemoved = context.options.has("remove");
    if (isRemoved === words.length > 0) {
      throw wrongUsage("Give a text, or --remove to take it away.");
    }
    return changeOwn(context, [id], { note: isRemoved ? null : words.join(" ") });
  },
};
