import { ownTextCommand } from "../annotations.ts";
import type { Command } from "../command.ts";

export const command: Command = ownTextCommand("title", {
  about: "Your own title is shown instead of the recorded one in every list.",
  set: { line: 'title latest "The day the ledger broke"', about: "give it a title" },
});
