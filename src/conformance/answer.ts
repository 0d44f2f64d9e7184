import { isOriginal } from "../core/session/message.ts";
import { compareTexts } from "../core/lists.ts";
import { join, relative } from "node:path";
import type { Message } from "../core/session/message.ts";
import type { Session } from "../core/session/session.ts";
import type { Library } from "../library/library.ts";
import { open } from "../library/library.ts";

/** A reader's answer for a home (docs/guide/conformance.md); what it does not know is absent. */
export interface Answer {
  sessions?: SessionAnswer[];
  /** Of all sessions, whatever their standing. */
  prompts?: string[];
  tokens?: Record<string, Partial<TokenAnswer>>;
  /** The sum of all models, for readers that do not distinguish models or name them differently. */
  totals?: Partial<TokenAnswer>;
  tools?: Record<string, Partial<ToolAnswer>>;
  savedChats?: { tag: string; prompts: number }[];
  promptLogs?: { sessionId: string; prompts: string[] }[];
  damaged?: string[];
}
/** Only fields that are present are compared. */
export type Expected = Answer;

interface SessionAnswer {
  id: string;
  kind?: string;
  parentId?: string | null;
  projectPath?: string | null;
  conversation?: Turn[];
  takenBack?: Turn[];
}

type Turn = { user: string } | { model: string; tools?: string[] };

export interface TokenAnswer {
  replies: number;
  input: number;
  cached: number;
  cacheWrite: number | null;
  output: number;
  thoughts: number | null;
  /** Output plus thoughts: not every agent counts them separately. */
  written: number;
  tool: number;
  total: number;
}

interface ToolAnswer {
  calls: number;
  success: number;
  error: number;
  cancelled: number;
}

/** Pollux's own answer for a home. */
export async function ownAnswer(
  home: string,
  variables: Readonly<Record<string, string>>,
): Promise<Answer> {
  const environment = { env: variables, homeDir: home, tempDir: join(home, "no-temp") };
  const library = open({ environment });
  try {
    return await answerOf(library, home);
  } finally {
    await library.close();
  }
}

async function answerOf(library: Library, home: string): Promise<Answer> {
  const list = await library.sessions();
  const sessions: Session[] = [];
  for (const { id } of list.sessions) sessions.push(await library.session(id));
  const damage = list.coverage.diagnostics.filter(({ severity }) => severity === "damage");
  const files = damage.map(({ file }) => relative(home, file).replaceAll("\\", "/"));
  const main = sessions.filter(({ kind }) => kind === "main");
  return {
    sessions: sessions.toSorted(byId).map(sessionAnswer),
    prompts: main.flatMap(promptsOf),
    tokens: await tokensOf(library),
    tools: await toolsOf(library),
    savedChats: list.savedChats.map(({ tag, prompts }) => ({ tag, prompts })),
    promptLogs: list.promptLogs.map(({ sessionId, prompts }) => {
      return { sessionId, prompts: prompts.map(({ text }) => text) };
    }),
    damaged: [...new Set(files)].toSorted(compareTexts),
  };
}

function byId(a: Session, b: Session): number {
  if (a.id === b.id) return 0;
  return compareTexts(a.id, b.id);
}

function promptsOf({ messages }: Session): string[] {
  const prompts = messages.filter((message) => message.isPrompt && isOriginal(message));
  return prompts.map(({ typed, text }) => typed ?? text);
}

function sessionAnswer(session: Session): SessionAnswer {
  const own = session.messages.filter(({ copyOf }) => copyOf === undefined);
  const live = own.filter(({ standing }) => standing === "live");
  const takenBack = own.filter(({ standing }) => standing !== "live");
  return {
    id: session.id,
    kind: session.kind,
    parentId: session.parentId ?? null,
    projectPath: session.project.path ?? null,
    conversation: live.flatMap(turnOf),
    takenBack: takenBack.flatMap(turnOf),
  };
}

/** Prompts and replies; context, tool responses and notices are left out. */
function turnOf({ author, isPrompt, typed, text, toolCalls }: Message): Turn[] {
  if (isPrompt) return [{ user: (typed ?? text).trim() }];
  if (author !== "model") return [];
  const tools = toolCalls.map(({ name, outcome }) => `${name} ${outcome ?? "unknown"}`);
  if (text.trim() === "" && tools.length === 0) return [];
  return [{ model: text.trim(), ...(tools.length > 0 ? { tools } : {}) }];
}

async function tokensOf(library: Library): Promise<Record<string, TokenAnswer>> {
  const { rows } = await library.usage({ by: ["model"] });
  return Object.fromEntries(
    rows.map(({ key, requests, tokens }) => {
      const { input, cached, cacheWrite, output, thoughts, tool, total } = tokens;
      const written = output + (thoughts ?? 0);
      const counts = { input, cached: cached ?? 0, cacheWrite, output, thoughts, written };
      return [key, { replies: requests, ...counts, tool: tool ?? 0, total }];
    }),
  );
}

/** A name may have several rows, because a script in Codex is labelled by what it does. */
async function toolsOf(library: Library): Promise<Record<string, ToolAnswer>> {
  const answers: Record<string, ToolAnswer> = {};
  for (const { name, calls, success, error, cancelled } of (await library.tools()).tools) {
    const sum = (answers[name] ??= { calls: 0, success: 0, error: 0, cancelled: 0 });
    sum.calls += calls;
    sum.success += success;
    sum.error += error;
    sum.cancelled += cancelled;
  }
  return answers;
}
