import { wrongUsage } from "../../core/error.ts";
import { resolve } from "node:path";
import type { ArchiveAdmin, CompactAnswer, ImportedAnswer } from "../../library/archive.ts";
import type { PullAnswer } from "../../library/sync.ts";
import type { StoreStats, VerifyReport } from "../../store/store.ts";
import type { Command, Context } from "../command.ts";
import type { ExitCode } from "../exit.ts";
import { EXIT } from "../exit.ts";
import { statsLines, verifyLines } from "../print/archive.ts";
import { counted, size } from "../print/figures.ts";
import { homePath } from "../print/path.ts";
import { safeLine } from "../print/safe.ts";
import { printAnswer } from "../print-answer.ts";

const ACTIONS = ["stats", "verify", "compact", "export", "import", "pull"] as const;
type Action = (typeof ACTIONS)[number];

export const command: Command = {
  about:
    "stats: what the archive holds, and its size. verify: check every archived byte against its " +
    "digest. compact: reduce the file to its smallest size. export, import: copy the archive to " +
    "or from one file, to move it or to merge two machines; duplicates are stored once. pull: " +
    "fetch one of your sessions that another machine sent to the team (see `pollux sync`).",
  arguments: [
    { name: "<action>", about: "what to do", choices: ACTIONS },
    { name: "[file]", about: "the file to export to or import from; for pull, the session's id" },
  ],
  examples: [
    { line: "archive stats", about: "what the archive holds" },
    { line: "archive verify", about: "check every byte" },
    { line: "archive export laptop.pollux", about: "write the whole archive to one file" },
    { line: "archive import laptop.pollux", about: "add another machine's archive" },
    { line: "archive compact", about: "reduce its size" },
    { line: "archive pull 3f2a", about: "fetch a session from another machine" },
  ],
  async run(context) {
    const [action, file] = context.args;
    const { archive } = await context.library();
    return perform(action as Action, { archive, file, context });
  },
};

/** What `--json` prints, by action. */
export type ArchiveAnswer =
  | StoreStats
  | VerifyReport
  | CompactAnswer
  | { file: string }
  | ImportedAnswer
  | PullAnswer;

interface Work {
  archive: ArchiveAdmin;
  file: string | undefined;
  context: Context;
}

async function perform(action: Action, work: Work): Promise<ExitCode> {
  const { archive, context } = work;
  switch (action) {
    case "stats": {
      const answer = await archive.stats();
      return printAnswer<ArchiveAnswer>(context, answer, statsLines(answer, context));
    }
    case "verify": {
      const answer = await archive.verify();
      await printAnswer<ArchiveAnswer>(context, answer, verifyLines(answer, context));
      return answer.problems.length === 0 ? EXIT.ok : EXIT.failed;
    }
    case "compact": {
      const answer = await archive.compact();
      const { beforeBytes, afterBytes } = answer;
      return printAnswer<ArchiveAnswer>(context, answer, [
        `Compacted from ${size(beforeBytes)} to ${size(afterBytes)}.`,
      ]);
    }
    case "export": {
      const path = fileOf(work);
      await archive.exportTo(path);
      return printAnswer<ArchiveAnswer>(context, { file: path }, [
        `Exported the archive to ${homePath(path)}.`,
      ]);
    }
    case "import": {
      const answer = await archive.importFrom(fileOf(work));
      return printAnswer<ArchiveAnswer>(context, answer, importLines(answer));
    }
    case "pull": {
      const sync = await archive.sync();
      const { id, title, files, bytes, ...rest } = await sync.pull(sessionOf(work));
      const what = `${counted(files, "file")}, ${size(bytes)}`;
      const lines = [
        `${safeLine(title ?? id)}: ${what}.`,
        `To resume it here: \`pollux restore ${id}\`.`,
      ];
      return printAnswer<ArchiveAnswer>(context, { id, title, files, bytes, ...rest }, lines);
    }
    default:
      return action satisfies never;
  }
}

function importLines({ files, versions, bytes, leftOut }: ImportedAnswer): string[] {
  const news = `${counted(files, "new file")}, ${counted(versions, "new version")}`;
  const lines = [`${news}, ${size(bytes)} added.`];
  if (leftOut === 0) return lines;
  const many = counted(leftOut, "session among them was", "sessions among them were");
  return [...lines, `${many} forgotten here before and left out.`];
}

function sessionOf({ file }: Work): string {
  if (file !== undefined) return file;
  throw wrongUsage("Missing session id: `pollux archive pull ID` (a unique prefix is enough).");
}

function fileOf({ file }: Work): string {
  if (file !== undefined) return resolve(file);
  throw wrongUsage(
    "Missing file name: `pollux archive export FILE` or `pollux archive import FILE`.",
  );
}
