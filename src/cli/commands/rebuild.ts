import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { counted } from "../print/figures.ts";
import { writeJson } from "../print/json.ts";

/** What `--json` prints. */
export interface RebuildAnswer {
  sessions: number;
  /** Files that could not be read. */
  unread: number;
}

export const command: Command = {
  about:
    "Summaries, usage, text index: all that was read from the kept bytes is thrown away and made " +
    "again, without the files on the disk. After an update this happens by itself.",
  examples: [{ line: "rebuild", about: "make all rows again" }],
  async run(context) {
    const { archive } = await context.library();
    const sessions = await archive.rebuild();
    const unread = await archive.unread();
    const answer: RebuildAnswer = { sessions, unread };
    if (context.isJson) await writeJson(context.out, answer);
    else await context.out.line(`${counted(sessions, "session")} read again from the kept bytes.`);
    if (unread > 0) {
      const advice =
        "`pollux doctor` lists them, `pollux archive verify` tells whether bytes are lost.";
      await context.err.line(`${counted(unread, "file")} could not be read: ${advice}`);
    }
    return EXIT.ok;
  },
};
