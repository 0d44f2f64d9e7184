import { wrongUsage } from "../../core/error.ts";
import type { HandoverAnswer } from "../../library/handover.ts";
import { AGENT_OPTIONS, namedSession } from "../options/agent.ts";
import type { Command, Context } from "../command.ts";
import type { ExitCode } from "../exit.ts";
import { EXIT } from "../exit.ts";
import {
  ANOTHER,
  CARRY_OPTIONS,
  handoverOf,
  HANDOVER_AGENTS,
  TARGET_OPTIONS,
} from "../options/handover.ts";
import { handoverLines } from "../print/handover.ts";
import { writeJson } from "../print/json.ts";
import { homePath } from "../print/path.ts";
import { safeLine } from "../print/safe.ts";
import { shellLine, shellOf } from "../shell-line.ts";

export const command: Command = {
  about:
    "Writes the live conversation as a new session of that agent: prompts, answers, tool calls " +
    "with results, images, the last summary. The original session is not changed, and nothing " +
    "is overwritten.",
  arguments: [
    {
      name: "[id]",
      about: "a session id or unique prefix, a saved chat, or latest",
      offers: ["latest"],
    },
  ],
  options: [
    { flags: "--to <agent>", about: "the agent to hand it over to", choices: HANDOVER_AGENTS },
    { flags: "--dry-run", about: "show what would be written, without writing it" },
    ...CARRY_OPTIONS,
    ...TARGET_OPTIONS,
    ...AGENT_OPTIONS,
    { flags: "--undo <new-id>", about: "remove a handed-over session" },
  ],
  examples: [
    { line: `handover latest --to ${ANOTHER} --dry-run`, about: "see what would be written" },
    { line: `handover 55844c5c --to ${ANOTHER}`, about: "write it for this agent" },
    {
      line: `handover latest --to ${ANOTHER} --fit 60000`,
      about: "shortened to fit a small context window",
    },
    { line: "handover --undo 7f3a9c12", about: "remove the new session" },
  ],
  async run(context) {
    const { args, options } = context;
    const [id] = args;
    const undone = options.text("undo");
    if (undone !== undefined && id === undefined) return undo(context, undone);
    const to = options.text("to");
    if (undone !== undefined)
      throw wrongUsage("--undo takes the id of the new session; do not give another one.");
    if (id === undefined) throw wrongUsage("Missing session: give an id, or latest.");
    if (to === undefined)
      throw wrongUsage(`Missing agent: give one with --to, such as --to ${ANOTHER}.`);
    return handOver(context, namedSession(context), to);
  },
};

async function handOver(context: Context, id: string, to: string): Promise<ExitCode> {
  const { options, isJson, out, now } = context;
  const library = await context.library();
  // A wrong id is reported first: it is wrong with other sessions, too.
  if (options.has("demo")) await library.session(id);
  const answer = await library.handover(id, handoverOf(options, to, now));
  if (isJson) await writeJson(out, answer);
  else for (const line of linesOf(answer, context)) await out.line(line);
  return EXIT.ok;
}

function linesOf(answer: HandoverAnswer, context: Context): string[] {
  const shell = shellOf(process.platform, context.env);
  return handoverLines(answer, shellLine(answer.projectPath, answer.command, shell), context);
}

async function undo(context: Context, newId: string): Promise<ExitCode> {
  const { isJson, out } = context;
  const answer = await (await context.library()).undoHandover(newId, context.now.getTime());
  if (isJson) await writeJson(out, answer);
  else {
    const { outcome, agent, sessionId, file } = answer;
    const id = safeLine(sessionId);
    await out.line(
      outcome === "removed"
        ? `Removed session ${id} of ${agent}: ${homePath(file)}`
        : `Session ${id} of ${agent} was already removed.`,
    );
  }
  return EXIT.ok;
}
