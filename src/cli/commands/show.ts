import { optional } from "../../core/optional.ts";
import type { Library } from "../../library/library.ts";
import type { Transcript } from "../../queries/transcript.ts";
import { AGENT_OPTIONS, namedSession } from "../options/agent.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { ANOTHER } from "../options/handover.ts";
import { PAGER_OPTION, paged } from "../pager.ts";
import { writeJson } from "../print/json.ts";
import { loadMarkdownLines } from "../print/markdown.ts";
import type { Unfolded } from "../print/message.ts";
import { transcriptLines } from "../print/transcript.ts";
import type { Writer } from "../print/writer.ts";

export const command: Command = {
  about:
    "Thoughts, tool calls and injected context are shortened to one line each. Rewound and " +
    "rewritten messages are hidden unless you use --all.",
  arguments: [
    {
      name: "<id>",
      about: "a session id or unique prefix, a saved chat, or latest",
      offers: ["latest"],
    },
  ],
  options: [
    { flags: "-a, --all", about: "include rewound and rewritten messages, with the reason" },
    { flags: "--thoughts", about: "show thoughts in full" },
    { flags: "--tools", about: "show tool calls with full input and output" },
    { flags: "--context", about: "show referenced files and injected context in full" },
    ...AGENT_OPTIONS,
    PAGER_OPTION,
  ],
  examples: [
    { line: "show latest", about: "the most recently active session" },
    { line: "show 55844c5c --tools", about: "with full tool input and output" },
    { line: "show 55844c5c --all", about: "with rewound and rewritten messages" },
    { line: `show latest --agent ${ANOTHER}`, about: "the latest session of one agent" },
    { line: "show latest --json", about: "the whole session, as JSON" },
  ],
  async run(context) {
    const library = await context.library();
    const transcript = await library.transcript(namedSession(context));
    if (context.isJson) {
      await writeJson(context.out, transcript);
      return EXIT.ok;
    }
    const agents = await unnamedAgents(library, transcript);
    await paged(context, (out) => print(transcript, { ...context, agents }, out));
    return EXIT.ok;
  },
};

/**
 * Older records do not store the agent's id with the call that started it; only the agent's session
 * names its parent. Finding it reads all sessions, so this is done only if a call has no agent id.
 */
async function unnamedAgents(
  library: Library,
  { session, messages }: Transcript,
): Promise<string[]> {
  const calls = messages.flatMap(({ toolCalls }) => toolCalls);
  if (!calls.some(({ label, agentId }) => label === "Agent" && agentId === null)) return [];
  const named = new Set(calls.map(({ agentId }) => agentId));
  const { sessions } = await library.sessions({ kind: "subagent", source: session.source });
  const own = sessions.filter(({ parentId, id }) => parentId === session.id && !named.has(id));
  return own.map(({ id }) => id).toReversed();
}

/** Longer lines are hard to read, however wide the terminal is. */
const READABLE_COLUMNS = 110;

/** Output is written in chunks of this size: a write costs more than making a line. */
const PIECE_LENGTH = 65_536;

async function print(
  transcript: Transcript,
  context: Context & { agents: readonly string[] },
  out: Writer,
): Promise<void> {
  const { style, isTerminal, options, agents } = context;
  // Output to a file or program is not wrapped.
  const usual = isTerminal ? Math.min(context.columns, READABLE_COLUMNS) : Infinity;
  const columns = options.count("width") === undefined ? usual : context.columns;
  const unfolded = new Set<Unfolded>();
  if (options.has("all")) unfolded.add("taken-back");
  for (const fold of ["thoughts", "tools", "context"] as const) {
    if (options.has(fold)) unfolded.add(fold);
  }
  const markdown = isTerminal ? await loadMarkdownLines(style) : undefined;
  const view = { columns, style, unfolded, agents, ...optional("markdown", markdown) };
  let piece = "";
  for (const line of transcriptLines(transcript, view)) {
    piece += `${line}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    await out.write(piece);
    piece = "";
  }
  await out.write(piece);
}
