import type { Command } from "../command.ts";
import {
  changeAnnotations,
  listAnnotations,
  OWN_OPTIONS,
  SESSION_ARGUMENT,
} from "../annotations.ts";
import { wrongUsage } from "../options/options.ts";

export const command: Command = {
  about: "A note is your own text on a session or a message. A new note replaces the old one.",
  arguments: [SESSION_ARGUMENT, { name: "[text...]", about: "the note" }],
  options: [{ flags: "-r, --remove", about: "remove the note" }, ...OWN_OPTIONS],
  examples: [
    { line: 'note latest "Look at the retry again"', about: "write a note" },
    { line: "note 55844c5c --remove", about: "remove the note" },
    { line: "note", about: "list all notes" },
  ],
  async run(context) {
    const [id, ...words] = context.args;
    if (id === undefined) return listAnnotations(context, ({ note }) => note !== null);
    const isRemoved = context.options.has("remove");
    if (isRemoved === words.length > 0) {
      throw wrongUsage("Missing text: give the note, or --remove to remove it.");
    }
    return changeAnnotations(context, [id], { note: isRemoved ? null : words.join(" ") });
  },
};
