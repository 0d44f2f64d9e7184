import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import type { McpContext } from "../../src/mcp/context.ts";
import { mcpServer } from "../../src/mcp/server.ts";

/** The SDK's own client, connected to our server. */
export async function connected(context: McpContext): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([mcpServer(context, "0").connect(far), client.connect(near)]);
  return client;
}

export interface ToolAnswer {
  text: string;
  isError: boolean;
}

export async function ask(client: Client, name: string, input: object = {}): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: { ...input } });
  const [first] = result.content;
  return { text: first?.type === "text" ? first.text : "", isError: result.isError === true };
}

/** Calls a tool and parses its JSON answer. */
export async function askJson<T>(client: Client, name: string, input: object = {}): Promise<T> {
  const { text, isError } = await ask(client, name, input);
  if (isError) throw new Error(text);
  return JSON.parse(text) as T;
}
