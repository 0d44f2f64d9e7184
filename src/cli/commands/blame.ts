import { optional } from "../../core/optional.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { AGENT_OPTIONS, agentOf } from "../options/agent.ts";
import { PAGER_OPTION, paged } from "../pager.ts";
import { blameLines } from "../print/blame.ts";
import { writeJson } from "../print/json.ts";

export const command: Command = {
  about:
    "Each line of a file as it is now, with the session, the model, the day and the prompt that " +
    "wrote it, from the edits that agents recorded. What you have changed since does not matter: " +
    "lines that no edit explains are not by an agent, or by one whose record is not there. Of a file " +
    "that is gone it tells the lines that the last recorded edit left, where the record has them.",
  arguments: [{ name: "<file>", about: "a file; when it is gone, its path or the end of it" }],
  options: [
    {
      flags: "--recorded <path>",
      about: "the path under which agents knew it, or the end of it, when it has moved",
    },
    { flags: "--summary", about: "only who wrote how many lines" },
    ...AGENT_OPTIONS,
    PAGER_OPTION,
  ],
  examples: [
    { line: "blame src/hours.ts", about: "who wrote which line" },
    { line: "blame src/hours.ts --summary", about: "who wrote how much, and why" },
    { line: "blame new/place.ts --recorded src/hours.ts", about: "of a file that has moved" },
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
