import { optional } from "../../core/optional.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { AGENT_OPTIONS, agentOf } from "../options/agent.ts";
import { PAGER_OPTION, paged } from "../pager.ts";
import { blameLines } from "../print/blame.ts";
import { writeJson } from "../print/json.ts";

export const command: Command = {
  about:
    "Uses the edits that agents recorded. Lines that no recorded edit explains are marked as " +
    "unknown: you wrote or changed them, or the session is missing. For a deleted file, shows " +
    "the lines that the last recorded edit left, where they are recorded.",
  arguments: [{ name: "<file>", about: "a file; for a deleted file, its path or the end of it" }],
  options: [
    {
      flags: "--recorded <path>",
      about: "the path (or its end) that agents recorded, if the file has moved since",
    },
    { flags: "--summary", about: "only the edits, with their prompts and numbers of lines" },
    ...AGENT_OPTIONS,
    PAGER_OPTION,
  ],
  examples: [
    { line: "blame src/hours.ts", about: "which session wrote which line" },
    { line: "blame src/hours.ts --summary", about: "lines per edit, with the prompts" },
    { line: "blame new/place.ts --recorded src/hours.ts", about: "a file that has moved" },
    { line: "blame src/hours.ts --json", about: "for programs" },
  ],
  async run(context) {
    const [file = ""] = context.args;
    const recordedAs = context.options.text("recorded");
    const library = await context.library();
    const answer = await library.review.blame(file, {
      allow: "named",
      ...optional("recordedAs", recordedAs),
      ...optional("source", agentOf(context.options)),
    });
    if (context.isJson) await writeJson(context.out, answer);
    else {
      const form = context.options.has("summary") ? "summary" : "lines";
      const lines = blameLines(answer, form, context);
      await paged(context, async (out) => out.write(`${lines.join("\n")}\n`));
    }
    return EXIT.ok;
  },
};
