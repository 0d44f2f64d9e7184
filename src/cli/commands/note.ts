import { ownTextCommand } from "../annotations.ts";
import type { Command } from "../command.ts";

export const command: Command = ownTextCommand("note", {
  about: "A note is your own text on a session or a message. A new note replaces the old one.",
  set: { line: 'note latest "Look at the retry again"', about: "write a note" },
});
