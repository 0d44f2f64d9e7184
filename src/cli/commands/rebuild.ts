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
    "Deletes summaries, usage and the text index and derives them again, without reading the " +
    "agents' folders. After an update this happens automatically.",
  examples: [{ line: "rebuild", about: "rebuild all derived data" }],
  async run(context) {
    const { archive } = await context.library();
    const sessions = await archive.rebuild();
    const unread = await archive.unread();
    const answer: RebuildAnswer = { sessions, unread };
    if (context.isJson) await writeJson(context.out, answer);
    else await context.out.line(`${counted(sessions, "session")} rebuilt from the archived files.`);
    if (unread > 0) {
      const advice =
        "`pollux doctor` lists them; `pollux archive verify` checks the archive for damage.";
      await context.err.line(`${counted(unread, "file")} could not be read: ${advice}`);
    }
    return EXIT.ok;
  },
};
