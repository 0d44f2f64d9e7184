import type { Message } from "../../src/core/session/message.ts";
import type { Session } from "../../src/core/session/session.ts";
import type { ToolCall } from "../../src/core/session/tool-call.ts";
import type { UsageFact } from "../../src/core/usage/usage-fact.ts";
import { cacheWriteOf, factsOf } from "../../src/core/usage/usage-facts.ts";
import type { RequestRole, TrueCall, TrueOutcomes, TrueSums, Truth } from "./truth.ts";
import { sumsByModel } from "./truth.ts";

/**
 * Differences between the sessions read and the truth. Absent fields are equal, so that a test is
 * `expect(compareTree(truth, sessions)).toEqual(KNOWN[tree.name] ?? {})`, with a reason for each.
 */
export interface TreeDifference {
  prompts?: Lists;
  answers?: Lists;
  /** By model: value read minus true value, only counts that differ. */
  tokens?: Record<string, string>;
  /** By tool: calls read and calls in the API log, each as sent/ok/error/cancelled. */
  tools?: Record<string, string>;
}

/** Texts missing from the sessions read, and texts that only they have, in order. */
interface Lists {
  missing: string[];
  extra: string[];
}

export interface CompareOptions {
  /** Roles of the requests that the agent records. */
  roles?: readonly RequestRole[];
  /** The reader's name of a tool, if it differs from the API (namespaces, tools in scripts). */
  nameOf?: (call: TrueCall) => string;
}

export function compareTree(
  truth: Truth,
  sessions: readonly Session[],
  { roles = ["conversation", "subagent"], nameOf = ({ name }) => name }: CompareOptions = {},
): TreeDifference {
  const difference: TreeDifference = {};
  const prompts = listDifference(truth.prompts, sessions.flatMap(promptsOf));
  if (prompts) difference.prompts = prompts;
  const answers = answerDifference(truth, sessions);
  if (answers) difference.answers = answers;
  const tokens = tokenDifference(sumsByModel(truth, roles), uniqueFacts(sessions));
  if (tokens) difference.tokens = tokens;
  const tools = toolDifference(outcomesIn(truth, roles, nameOf), readOutcomes(sessions));
  if (tools) difference.tools = tools;
  return difference;
}

function promptsOf({ kind, messages }: Session): string[] {
  return messages
    .filter((message) => kind === "main" && message.isPrompt && isOwn(message))
    .map(({ typed, text }) => typed ?? text);
}

/** Whether a message is neither a copy nor inherited from another session. */
function isOwn({ copyOf, isInherited }: Message): boolean {
  return copyOf === undefined && isInherited !== true;
}

/** The API log has the text blocks of an answer; a reader may join them to one message. */
function answerDifference(truth: Truth, sessions: readonly Session[]): Lists | undefined {
  const read = sessions
    .filter(({ kind }) => kind === "main")
    .flatMap(({ messages }) =>
      messages.filter((message) => message.author === "model" && isOwn(message)),
    )
    .map(({ text }) => text)
    .filter((text) => text.trim() !== "");
  const left = [...read];
  const wanted = truth.requests
    .filter(({ role, isComplete }) => role === "conversation" && isComplete)
    .flatMap(({ texts }) => (take(left, texts.join("")) ? [] : texts))
    .filter((text) => text.trim() !== "");
  return listDifference(wanted, left);
}

function take(left: string[], wanted: string): boolean {
  const at = left.findIndex((text) => isSameText(wanted, text));
  if (at !== -1) left.splice(at, 1);
  return at !== -1;
}

/** Ignores white space. The API log cuts long texts and ends them with `…` or `…(4711)`. */
function isSameText(wanted: string, read: string): boolean {
  const [bare, whole] = [wanted, read].map((text) => text.replace(/\s+/g, "")) as [string, string];
  const cut = /^(.{60,})…(\(\d+\))?$/u.exec(bare)?.[1];
  return cut === undefined ? bare === whole : whole.startsWith(cut);
}

function listDifference(wanted: readonly string[], read: readonly string[]): Lists | undefined {
  const extra = [...read];
  const missing = wanted.filter((text) => !take(extra, text));
  return missing.length + extra.length === 0 ? undefined : { missing, extra };
}

/** Each reply once, even if several sessions have a copy. */
function uniqueFacts(sessions: readonly Session[]): UsageFact[] {
  const facts = sessions.flatMap((session) => factsOf(session));
  return [...new Map(facts.map((fact) => [fact.replyId, fact])).values()];
}

type Sums = Pick<TrueSums, "requests" | "input" | "cached" | "cacheWrite" | "total"> & {
  /** Output and thoughts together: not every record counts them separately. */
  written: number;
};

function tokenDifference(
  truth: ReadonlyMap<string, TrueSums>,
  facts: readonly UsageFact[],
): Record<string, string> | undefined {
  const read = new Map<string, Sums>();
  for (const fact of facts) {
    const sums = read.get(fact.model ?? "") ?? none();
    sums.requests += 1;
    sums.input += fact.input;
    sums.cached += fact.cached ?? 0;
    sums.cacheWrite = (sums.cacheWrite ?? 0) + (cacheWriteOf(fact) ?? 0);
    sums.written += fact.output + (fact.thoughts ?? 0);
    sums.total += fact.total;
    read.set(fact.model ?? "", sums);
  }
  const models = [...new Set([...truth.keys(), ...read.keys()])].toSorted();
  return pairsThatDiffer(models, (model) => {
    const [ours, sums] = [read.get(model) ?? none(), truth.get(model)];
    const theirs = sums ? { ...sums, written: sums.output + (sums.thoughts ?? 0) } : none();
    const fields = (Object.keys(none()) as (keyof Sums)[]).flatMap((name) => {
      const more = (ours[name] ?? 0) - (theirs[name] ?? 0);
      return more === 0 ? [] : [`${name} ${more}`];
    });
    return fields.length === 0 ? undefined : fields.join(", ");
  });
}

function none(): Sums {
  return { requests: 0, input: 0, cached: 0, cacheWrite: 0, written: 0, total: 0 };
}

function pairsThatDiffer(
  keys: readonly string[],
  differenceOf: (key: string) => string | undefined,
): Record<string, string> | undefined {
  const pairs = keys.map((key) => [key, differenceOf(key)] as const);
  const different = pairs.filter(
    (pair): pair is readonly [string, string] => pair[1] !== undefined,
  );
  return different.length === 0 ? undefined : Object.fromEntries(different);
}

function outcomesIn(
  truth: Truth,
  roles: readonly RequestRole[],
  nameOf: (call: TrueCall) => string,
): Map<string, TrueOutcomes> {
  const counted = new Map<string, TrueOutcomes>();
  for (const call of truth.toolCalls) {
    if (roles.includes(call.role)) count(counted, nameOf(call), call.outcome);
  }
  return counted;
}

/** Each call once, even if several sessions have a copy. */
function readOutcomes(sessions: readonly Session[]): Map<string, TrueOutcomes> {
  const own = sessions.flatMap(({ messages }) => messages.filter(isOwn));
  const calls = new Map<string, ToolCall>();
  for (const call of own.flatMap(({ toolCalls }) => toolCalls)) {
    if (calls.get(call.id)?.outcome === undefined) calls.set(call.id, call);
  }
  const counted = new Map<string, TrueOutcomes>();
  for (const { name, outcome = "none" } of calls.values()) {
    count(counted, name, outcome === "success" ? "ok" : outcome);
  }
  return counted;
}

function count(
  counted: Map<string, TrueOutcomes>,
  name: string,
  outcome: TrueCall["outcome"],
): void {
  const counts = counted.get(name) ?? { sent: 0, ok: 0, error: 0, cancelled: 0, none: 0 };
  counts.sent += 1;
  counts[outcome] += 1;
  counted.set(name, counts);
}

function toolDifference(
  api: ReadonlyMap<string, TrueOutcomes>,
  read: ReadonlyMap<string, TrueOutcomes>,
): Record<string, string> | undefined {
  const names = [...new Set([...api.keys(), ...read.keys()])].toSorted();
  return pairsThatDiffer(names, (name) => {
    const [ours, theirs] = [inShort(read.get(name)), inShort(api.get(name))];
    return ours === theirs ? undefined : `${ours} instead of ${theirs}`;
  });
}

function inShort(counts: TrueOutcomes | undefined): string {
  const { sent = 0, ok = 0, error = 0, cancelled = 0 } = counts ?? {};
  return [sent, ok, error, cancelled].join("/");
}
