import type { Context } from "./command.ts";
import type { ExitCode } from "./exit.ts";
import { EXIT } from "./exit.ts";
import { writeJson } from "./print/json.ts";

/** Prints an answer as JSON, or as lines of text. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- callers state the type
export async function printAnswer<Answer extends object>(
  { out, isJson }: Context,
  answer: Answer,
  lines: readonly string[],
): Promise<ExitCode> {
  if (isJson) await writeJson(out, answer);
  else for (const line of lines) await out.line(line);
  return EXIT.ok;
}
