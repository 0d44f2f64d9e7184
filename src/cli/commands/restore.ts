import type { SessionVersion } from "../../ingest/restore/session-states.ts";
import type { RestoreAnswer } from "../../library/restore.ts";
import { AGENT_OPTIONS, namedSession } from "../options/agent.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { size } from "../print/figures.ts";
import { writeJson } from "../print/json.ts";
import { restoreLines } from "../print/restore.ts";
import { tableLines } from "../print/table.ts";
import { PLACE_OPTIONS, placeOf, STATE_OPTIONS, stateOf } from "../options/restore.ts";
import { shellLine, shellOf } from "../shell-line.ts";

export const command: Command = {
  about: "The agent then lists and resumes it. Existing files are only overwritten with --replace.",
  arguments: [
    {
      name: "<id>",
      about: "a session id or unique prefix, or latest",
      offers: ["latest"],
    },
  ],
  options: [
    ...PLACE_OPTIONS,
    ...STATE_OPTIONS,
    { flags: "--versions", about: "list the archived versions, without writing anything" },
    { flags: "--replace", about: "replace the existing file, after archiving it" },
    { flags: "--new-id", about: "restore as a copy with a new id" },
    { flags: "--dry-run", about: "show what would be written, without writing it" },
    ...AGENT_OPTIONS,
  ],
  examples: [
    { line: "restore 55844c5c", about: "restore a deleted session" },
    { line: "restore 55844c5c --dry-run", about: "see what would be written" },
    { line: "restore 55844c5c --at 7f3a --new-id", about: "as it was at a message, as a copy" },
    { line: "restore 55844c5c --as-of yesterday --replace", about: "go back to yesterday's state" },
    { line: "restore 55844c5c --for 0.38", about: "for an older version of the agent" },
  ],
  async run(context) {
    const { options, isJson, out, now } = context;
    const id = namedSession(context);
    const library = await context.library();
    if (options.has("versions")) {
      const versions = await library.versions(id);
      if (isJson) await writeJson(out, { versions });
      else for (const line of versionLines(versions, context)) await out.line(line);
      return EXIT.ok;
    }
    const wanted = { ...placeOf(options, now), ...stateOf(options) };
    const answer = await library.restore(id, wanted);
    if (isJson) await writeJson(out, answer);
    else for (const line of linesOf(answer, context)) await out.line(line);
    return answer.outcome === "exists" ? EXIT.failed : EXIT.ok;
  },
};

function linesOf(answer: RestoreAnswer, context: Context): string[] {
  const shell = shellOf(process.platform, context.env);
  return restoreLines(answer, shellLine(answer.projectPath, answer.command, shell), context);
}

function versionLines(versions: readonly SessionVersion[], context: Context): string[] {
  if (versions.length === 0) {
    return ["No versions are archived. `pollux keep` archives sessions."];
  }
  return tableLines(
    versions,
    [
      { title: "VERSION", text: ({ number }) => String(number), align: "right" },
      { title: "LAST WRITTEN", text: ({ modifiedAt }) => modifiedAt },
      { title: "KEPT", text: ({ keptAt }) => keptAt, rank: 1 },
      { title: "SIZE", text: ({ sizeBytes }) => size(sizeBytes), align: "right" },
    ],
    context,
  );
}
