import { createContext } from "preact";
import type { ToolCallAnswer } from "../../src/index.ts";

/** The project's folder; paths inside it are shown relative to it. */
export const Folder = createContext<string | null>(null);

/** A path relative to the project's folder, if it is inside. */
export function inFolder(path: string, folder: string | null): string {
  const base = folder?.replace(/[\\/]$/, "");
  if (base === undefined || base === "" || !path.startsWith(base)) return path;
  const inside = path.slice(base.length);
  return inside === "" ? "." : /^[\\/]/.test(inside) ? inside.slice(1) : path;
}

/** The name of a tool; for one of an MCP server, its name there. */
export function toolName({ label, mcp }: ToolCallAnswer): string {
  return mcp?.tool ?? label;
}
