import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { counted } from "../print/figures.ts";
import { writeJson } from "../print/json.ts";

export const command: Command = {
  about:
    "Summaries, usage, text index: all that was read from the kept bytes is thrown away and made " +
    "again, without the files on the disk. After an update this happens by itself.",
  examples: [{ line: "rebuild", about: "make all rows again" }],
  async run(context) {
    const sessions = (await context.library()).archive.rebuild();
    if (context.isJson) await writeJson(context.out, { sessions });
    else await context.out.line(`${counted(sessions, "session")} read again from the kept bytes.`);
    return EXIT.ok;
  },
};
