import type { Message } from "../../../../src/core/session/message.ts";
import type { Session } from "../../../../src/core/session/session.ts";
import { factsOf } from "../../../../src/core/usage/usage-facts.ts";
import type { Outcomes, Truth, UsageName } from "./trees.ts";

/**
 * Differences between the sessions read and the truth. Absent fields are equal. Lists have the
 * texts that are missing and the texts that only the sessions have, in order.
 */
export interface Difference {
  prompts?: Lists;
  answers?: Lists;
  /** By tool: calls read and calls in the API log, each as sent/ok/error/cancelled. */
  tools?: Record<string, string>;
  /** By model: value read minus true value, only counts that differ. */
  tokens?: Record<string, string>;
  projects?: string[];
}

interface Lists {
  missing: string[];
  extra: string[];
}

export function compare(truth: Truth, sessions: readonly Session[]): Difference {
  const prompts = listDifference(truePrompts(truth), sessions.flatMap(promptsOf));
  const answers = listDifference(trueAnswers(truth), sessions.flatMap(answersOf).map(likeTruth));
  const tools = toolDifference(truth, sessions);
  const tokens = tokenDifference(truth, sessions);
  const projects = projectDifference(truth, sessions);
  return {
    ...(prompts ? { prompts } : {}),
    ...(answers ? { answers } : {}),
    ...(tools ? { tools } : {}),
    ...(tokens ? { tokens } : {}),
    ...(projects ? { projects } : {}),
  };
}

/** Slash commands and shell mode lines are not prompts to the model. */
function truePrompts(truth: Truth): string[] {
  return truth.prompts.filter((prompt) => !/^[/!]/.test(prompt)).map((prompt) => prompt.trim());
}

function promptsOf({ messages }: Session): string[] {
  return messages
    .filter(({ isPrompt }) => isPrompt)
    .map(({ typed, text }) => (typed ?? text).trim());
}

/** The API log has only the answers of the main conversation. */
function trueAnswers({ answers }: Truth): string[] {
  return answers.filter(({ completed }) => completed).map(({ text }) => likeTruth(text.trim()));
}

function answersOf({ kind, messages }: Session): string[] {
  if (kind === "subagent") return [];
  return messages.filter(isAnswer).map(({ text }) => text.trim());
}

function isAnswer(message: Message): boolean {
  return message.author === "model" && message.copyOf === undefined && message.text.trim() !== "";
}

/** The API log cuts long answers and appends their length: `…(58034)`. */
function likeTruth(text: string): string {
  return text.length > 4000 && !/…\(\d+\)$/.test(text)
    ? `${text.slice(0, 4000)}…(${text.length})`
    : text;
}

function listDifference(wanted: readonly string[], got: readonly string[]): Lists | undefined {
  const missing = without(wanted, got);
  const extra = without(got, wanted);
  return missing.length + extra.length === 0 ? undefined : { missing, extra };
}

function without(list: readonly string[], taken: readonly string[]): string[] {
  const left = [...taken];
  return list.filter((item) => {
    const at = left.indexOf(item);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

function toolDifference(truth: Truth, sessions: readonly Session[]): Difference["tools"] {
  const api = trueOutcomes(truth);
  const read = readOutcomes(sessions);
  const names = [...new Set([...api.keys(), ...read.keys()])].toSorted();
  const pairs = names.flatMap((name) => {
    const [ours, theirs] = [inShort(read.get(name)), inShort(api.get(name))];
    return ours === theirs ? [] : [[name, `${ours} instead of ${theirs}`] as const];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

function inShort({ sent, ok, error, cancelled }: Outcomes = none()): string {
  return [sent, ok, error, cancelled].join("/");
}

function none(): Outcomes {
  return { sent: 0, ok: 0, error: 0, cancelled: 0 };
}

/** A resumed history sends responses again, with the tool's name as another id prefix. */
function trueOutcomes(truth: Truth): Map<string, Outcomes> {
  const counted = new Map<string, Outcomes>();
  for (const [name, { sent }] of Object.entries(truth.toolCalls))
    counted.set(name, { ...none(), sent });
  const seen = new Set<string>();
  for (const { id, name, outcome } of truth.toolOutcomes) {
    const bare = withoutPrefix(id, name);
    if (seen.has(bare)) continue;
    seen.add(bare);
    const counts = counted.get(name) ?? none();
    counts[outcome as keyof Outcomes] += 1;
    counted.set(name, counts);
  }
  return counted;
}

function withoutPrefix(id: string, name: string): string {
  return id.startsWith(`${name}__`) ? withoutPrefix(id.slice(name.length + 2), name) : id;
}

function readOutcomes(sessions: readonly Session[]): Map<string, Outcomes> {
  const counted = new Map<string, Outcomes>();
  const own = sessions.flatMap(({ messages }) =>
    messages.filter(({ copyOf }) => copyOf === undefined),
  );
  for (const { name, outcome } of own.flatMap(({ toolCalls }) => toolCalls)) {
    const counts = counted.get(name) ?? none();
    counts.sent += 1;
    if (outcome !== undefined) counts[outcome === "success" ? "ok" : outcome] += 1;
    counted.set(name, counts);
  }
  return counted;
}

type Sums = Record<UsageName | "replies", number>;

const NAMES: readonly UsageName[] = ["input", "output", "cached", "thoughts", "tool", "total"];

function tokenDifference(truth: Truth, sessions: readonly Session[]): Difference["tokens"] {
  const api = new Map<string, Sums>();
  for (const { kind, model = "", usage } of truth.requests) {
    if (!usage || (kind !== "main" && kind !== "subagent")) continue;
    const { prompt: input, candidates: output, ...rest } = usage;
    add(api, model, { input, output, ...rest });
  }
  const read = readSums(sessions);
  const models = [...new Set([...api.keys(), ...read.keys()])].toSorted();
  const pairs = models.flatMap((model) => {
    const fields = [...NAMES, "replies" as const].flatMap((name) => {
      const difference = (read.get(model)?.[name] ?? 0) - (api.get(model)?.[name] ?? 0);
      return difference === 0 ? [] : [`${name} ${difference}`];
    });
    return fields.length === 0 ? [] : [[model, fields.join(", ")] as const];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

/** Usage by model, each reply once. */
export function readSums(sessions: readonly Session[]): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const session of sessions) {
    for (const fact of factsOf(session)) add(sums, fact.model ?? "", fact);
  }
  return sums;
}

function add(
  into: Map<string, Sums>,
  model: string,
  counts: Record<UsageName, number | null>,
): void {
  const sums = into.get(model) ?? emptySums();
  for (const name of NAMES) sums[name] += counts[name] ?? 0;
  sums.replies += 1;
  into.set(model, sums);
}

function emptySums(): Sums {
  return { input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, total: 0, replies: 0 };
}

/** The further projects of the scenario with several projects. */
const OTHER_PROJECTS = ["/home/ada/clients/ledger", "/home/ada/projects/Meu Projeto é 日本"];

function projectDifference(truth: Truth, sessions: readonly Session[]): string[] | undefined {
  const known = new Set([truth.project, ...OTHER_PROJECTS]);
  const odd = sessions
    .map(({ project }) => project)
    .filter(({ path }) => path === undefined || !known.has(path))
    .map(({ path, hash, knownBy }) => `${path ?? hash ?? "?"} (${knownBy})`);
  return odd.length === 0 ? undefined : [...new Set(odd)];
}
