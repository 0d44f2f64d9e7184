import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpContext } from "./context.ts";
import { mcpServer } from "./server.ts";

export interface McpOptions {
  context: McpContext;
  version: string;
  /** Called with errors of the transport. */
  report: (error: Error) => void;
}

/** Serves one agent over stdin and stdout, until it closes them. */
export async function serveMcp({ context, version, report }: McpOptions): Promise<void> {
  const ended = new Promise<void>((resolve) => process.stdin.once("close", resolve));
  const handle = serveStdio(() => mcpServer(context, version), { onerror: report });
  await ended;
  await handle.close();
}
