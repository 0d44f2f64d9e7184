import type { CallToolResult } from "@modelcontextprotocol/server";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import { PolluxError } from "../core/error.ts";
import { conversationPiece } from "./conversation-text.ts";
import type { McpContext } from "./context.ts";
import { masked, scopeOf } from "./context.ts";
import { readInScope } from "./read-in-scope.ts";
import type { Tool } from "./tool.ts";
import { readingTools, writingTools } from "./tools/index.ts";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/** A resource is read at once: larger than a piece, but small enough for a context. */
const RESOURCE_CHARACTERS = 60_000;
const LISTED = 50;
/** Number of messages from the end of a session that a new conversation starts with. */
const TAIL_MESSAGES = 12;

const INSTRUCTIONS =
  "Pollux gives access to past sessions of all coding agents on this machine. Use it before you " +
  "repeat work: `search` for words, `sessions` for a list, `read` for a conversation, " +
  "`file_history` for a file. Answers cover the current project unless you set `everywhere`.";

/** Creates an MCP server for the library. */
export function mcpServer(context: McpContext, version: string): McpServer {
  const server = new McpServer(
    { name: "pollux", title: "Pollux", version },
    { instructions: INSTRUCTIONS },
  );
  for (const tool of readingTools) addTool(server, tool, { context, access: "read" });
  const writing = context.access === "write" ? writingTools : [];
  for (const tool of writing) addTool(server, tool, { context, access: "write" });
  addSessions(server, context);
  addContinuation(server, context);
  return server;
}

function addTool(
  server: McpServer,
  tool: Tool,
  { context, access }: { context: McpContext; access: "read" | "write" },
): void {
  const { name, title, about, input } = tool;
  const annotations = { title, readOnlyHint: access === "read", openWorldHint: false };
  // Unknown arguments are rejected, so that an agent does not assume they had an effect.
  const config = { title, description: about, inputSchema: input.strict(), annotations };
  server.registerTool(name, config, async (given): Promise<CallToolResult> => {
    try {
      const found = await fresh(context, () => tool.answer(given, context));
      return textResult(typeof found === "string" ? found : JSON.stringify(found));
    } catch (error) {
      return { ...textResult(await masked(context, sentenceOf(error))), isError: true };
    }
  });
}

/** Every request reads the disk again, because sessions grow while the server runs. */
async function fresh<T>({ library }: McpContext, ask: () => Promise<T>): Promise<T> {
  library.release();
  return ask();
}

/** Control and bidi characters are replaced, because an agent may print the text. */
const ACTIVE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text: text.replaceAll(ACTIVE, "\ufffd") }] };
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof PolluxError)) return `Pollux failed: ${String(error)}`;
  return error.remedy === undefined ? error.message : `${error.message} ${error.remedy}`;
}

/** `pollux://session/<id>`: a conversation as text. */
function addSessions(server: McpServer, context: McpContext): void {
  const list = async () => {
    const filter = { ...scopeOf(context, { everywhere: false }), limit: LISTED };
    const { sessions } = await fresh(context, () => context.library.sessions(filter));
    const resources = sessions.map(({ id, title, updatedAt }) => ({
      uri: `pollux://session/${encodeURIComponent(id)}`,
      name: title ?? id,
      mimeType: "text/plain",
      ...(updatedAt === null ? {} : { description: `last active ${updatedAt}` }),
    }));
    return { resources: await masked(context, resources) };
  };
  server.registerResource(
    "session",
    new ResourceTemplate("pollux://session/{id}", { list }),
    { title: "A past session", mimeType: "text/plain" },
    async (uri, { id }) => {
      const name = decodeURIComponent(String(id));
      const transcript = await fresh(context, () =>
        readInScope(context, name, { everywhere: false }),
      );
      const most = RESOURCE_CHARACTERS;
      const { text, next } = await conversationPiece(context, transcript, { most });
      const more = next === null ? "" : `\n\n(Go on with \`read\`, cursor ${next}.)`;
      return { contents: [{ uri: uri.href, mimeType: "text/plain", text: `${text}${more}` }] };
    },
  );
}

/** A prompt that lets a person continue earlier work in a new conversation. */
function addContinuation(server: McpServer, context: McpContext): void {
  const config = {
    title: "Continue from a session",
    description: "Starts with the end of a past conversation of any agent.",
    argsSchema: z.strictObject({
      session: z
        .string()
        .min(1)
        .max(300)
        .describe("A session id, or `latest` for the latest session of this project."),
    }),
  };
  server.registerPrompt("continue", config, async ({ session }) => {
    const transcript = await fresh(context, () =>
      readInScope(context, session, { everywhere: true }),
    );
    const live = transcript.messages.filter(({ standing }) => standing === "live");
    const tail = live.slice(-TAIL_MESSAGES);
    const { text } = await conversationPiece(context, { messages: tail }, {});
    const { id, title } = await masked(context, transcript.session);
    const left = live.length - tail.length;
    const head =
      `Let us go on with the work of an earlier session (${id}: ${title ?? "without a title"}). ` +
      "Its end follows" +
      (left > 0 ? `; \`read\` of Pollux gives the ${left} messages before it` : "") +
      ". Summarise its state, then wait for instructions.";
    return {
      messages: [{ role: "user", content: { type: "text", text: `${head}\n\n${text}` } }],
    };
  });
}

export interface McpOptions {
  context: McpContext;
  version: string;
  /** Called with errors of the transport. */
  report: (error: Error) => void;
}

/** Serves one agent over stdin and stdout, until it closes them. */
export async function serveMcp({ context, version, report }: McpOptions): Promise<void> {
  // Standard input that is a file or a device ends without being closed.
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close"]) process.stdin.once(event, resolve);
  });
  const handle = serveStdio(() => mcpServer(context, version), { onerror: report });
  await ended;
  await handle.close();
}
