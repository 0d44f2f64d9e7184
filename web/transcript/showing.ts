import type { MessageAnswer, ToolCallAnswer } from "../../src/index.ts";
import { address, hrefWith } from "../address.ts";
import { fullPath } from "./changes.ts";
import { isBlank } from "./message.tsx";

/** Which parts of a session are shown. Stored in the URL. */
export interface Showing {
  taken: "live" | "everything";
  /** `prompts`, `answers`, `thoughts`, or a tool category. */
  hidden: ReadonlySet<string>;
  only: "errors" | undefined;
  file: string | undefined;
}

/** The project's folder; paths may be relative to it. */
type Folder = string | null;

export function showing(): Showing {
  const { query } = address.value;
  return {
    taken: query.get("show") === "everything" ? "everything" : "live",
    hidden: new Set(query.get("hide")?.split(",").filter(Boolean)),
    only: query.get("only") === "errors" ? "errors" : undefined,
    file: query.get("file") ?? undefined,
  };
}

/** The URL that toggles one kind. */
export function hrefToggling(kind: string, { hidden }: Showing): string {
  const next = new Set(hidden);
  if (!next.delete(kind)) next.add(kind);
  return hrefWith({ hide: [...next].join(",") });
}

/** Whether a message is live, or what was taken back is shown, too. */
export function isStanding({ standing }: MessageAnswer, { taken }: Showing): boolean {
  return taken === "everything" || standing === "live";
}

/** Neither a copy of another message nor said in a session that this one goes on from. */
export function isOwn({ copyOf, isInherited }: MessageAnswer): boolean {
  return copyOf === null && !isInherited;
}

export interface Kind {
  key: string;
  count: number;
}

/** How the categories of tools are called beside their counts. */
const NAMES: Readonly<Record<string, string>> = {
  Read: "reading files",
  Edit: "changing files",
  Execute: "shell commands",
  Search: "searching",
  Fetch: "web",
  Think: "thinking tools",
  Plan: "plans and todos",
  Agent: "subagents",
  Ask: "questions",
  Mcp: "MCP servers",
  Other: "other tools",
};

export function kindName(key: string): string {
  return NAMES[key] ?? key;
}

/** The kinds in a session: prompts, answers, thoughts, and tools by category. */
export function kindsOf(messages: readonly MessageAnswer[]): Kind[] {
  const counts = new Map<string, number>();
  const add = (key: string, count: number): void => {
    if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count);
  };
  for (const message of messages) {
    add("prompts", Number(message.isPrompt));
    add("answers", Number(message.author === "model" && message.text.trim() !== ""));
    add("thoughts", message.thoughts.length);
  }
  for (const { category } of messages.flatMap(({ toolCalls }) => toolCalls)) add(category, 1);
  return [...counts].map(([key, count]) => ({ key, count }));
}

/** The visible messages, without hidden parts and without messages that are then empty. */
export function shownOf(
  messages: readonly MessageAnswer[],
  how: Showing,
  folder: Folder,
): MessageAnswer[] {
  const standing = messages.filter((message) => isStanding(message, how));
  const isNarrow = how.only !== undefined || how.file !== undefined;
  const shown: MessageAnswer[] = [];
  let prompt: MessageAnswer | undefined;
  for (const message of standing) {
    const left = narrowed(message, how, folder);
    if (message.isPrompt && isNarrow) prompt = how.hidden.has("prompts") ? undefined : message;
    if (!left || isBlank(left)) continue;
    // Show the prompt that led to a match above it.
    if (prompt && isNarrow) shown.push(prompt);
    prompt = undefined;
    shown.push(left);
  }
  return shown;
}

function narrowed(message: MessageAnswer, how: Showing, folder: Folder): MessageAnswer | undefined {
  const { hidden, only, file } = how;
  const toolCalls = message.toolCalls.filter((call) => isCallShown(call, how, folder));
  if (only !== undefined || file !== undefined) {
    const isError = message.author === "notice" && message.level === "error" && only === "errors";
    if (isError) return message;
    if (toolCalls.length === 0) return undefined;
    return { ...message, text: "", thoughts: [], references: [], attachments: [], toolCalls };
  }
  if (message.isPrompt) return hidden.has("prompts") ? undefined : message;
  if (message.author !== "model") return message;
  return {
    ...message,
    text: hidden.has("answers") ? "" : message.text,
    thoughts: hidden.has("thoughts") ? [] : message.thoughts,
    toolCalls,
  };
}

function isCallShown(call: ToolCallAnswer, how: Showing, folder: Folder): boolean {
  const { hidden, only, file } = how;
  if (hidden.has(call.category)) return false;
  if (only === "errors" && call.outcome !== "error") return false;
  return file === undefined || call.files.some(({ path }) => fullPath(path, folder) === file);
}
