import { PolluxError } from "../core/error.ts";
import { matchesProject } from "../core/filter/matches.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import type { Transcript } from "../queries/transcript.ts";
import type { McpContext } from "./context.ts";
import { scopeOf } from "./context.ts";

/** Reads a session of the project, or of any project with `everywhere`. */
export async function readInScope(
  context: McpContext,
  name: string,
  asked: { everywhere: boolean },
): Promise<Transcript> {
  const scope = scopeOf(context, asked);
  const named = name === "latest" ? await latestIn(context, scope) : name;
  const transcript = await context.library.transcript(named);
  requireInScope(transcript.session, scope);
  return transcript;
}

/** `latest` is the newest session of the project, not of the machine. */
async function latestIn(
  { library }: McpContext,
  scope: ReturnType<typeof scopeOf>,
): Promise<string> {
  if (scope.folder === undefined) return "latest";
  const { sessions } = await library.sessions({ ...scope, kind: "main" });
  const latest = sessions.find(({ status }) => status !== "stub");
  if (latest) return latest.id;
  throw new PolluxError("no-session", `No sessions of ${scope.folder} yet.`, {
    remedy: "Use `everywhere` for sessions of other projects.",
  });
}

function requireInScope(session: SessionSummary, scope: ReturnType<typeof scopeOf>): void {
  if (matchesProject(session, scope)) return;
  throw new PolluxError("other-project", `Session ${session.id} belongs to another project.`, {
    remedy: "Call `read` with `everywhere` if the user wants sessions of other projects.",
  });
}
