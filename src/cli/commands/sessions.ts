import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { writeJson } from "../print/json.ts";

export const command: Command = {
  options: [{ flags: "-n, --limit <count>", about: "show at most so many" }],
  examples: [{ line: "sessions --limit 5", about: "the five newest" }],
  async run(context) {
    const limit = context.options.count("limit");
    const answer = (await context.library()).sessions();
    const sessions = answer.sessions.slice(0, limit);
    if (context.isJson) {
      await writeJson(context.out, { ...answer, sessions });
      return EXIT.ok;
    }
    for (const { id, project } of sessions) await context.out.line(`${id}  ${project.name}`);
    return EXIT.ok;
  },
};
