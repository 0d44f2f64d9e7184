import { compareTexts } from "../core/lists.ts";
import type { Answer, Expected, TokenAnswer } from "./answer.ts";
import { isObject } from "../core/json.ts";

export interface Comparison {
  /** Fields that differ, with both values. */
  wrong: { field: string; wanted: unknown; got: unknown }[];
  /** Fields that the reader does not provide, which is not an error. */
  unanswered: string[];
}

/** Compares a reader's answer with what a case expects, field by field. */
export function compareAnswers(expected: Expected, answer: Answer): Comparison {
  const result: Comparison = { wrong: [], unanswered: [] };
  const { sessions, prompts, tokens, tools, ...whole } = expected;
  if (sessions) compareSessions(sessions, answer.sessions, result);
  if (prompts) {
    compareField("prompts", [bare(prompts), answer.prompts && bare(answer.prompts)], result);
  }
  if (tokens && !answer.tokens && answer.totals) {
    const totals = Object.entries(answer.totals) as [keyof TokenAnswer, number][];
    const wanted = totals.map(([name]) => [name, sumOf(tokens, name)]);
    compareMembers("totals", [Object.fromEntries(wanted) as object, answer.totals], result);
  } else compareTable("tokens", [tokens, answer.tokens], result);
  compareTable("tools", [tools, answer.tools], result);
  for (const [field, wanted] of Object.entries(whole)) {
    compareField(field, [wanted, answer[field as keyof typeof whole]], result);
  }
  return result;
}

function sumOf(tokens: NonNullable<Expected["tokens"]>, name: keyof TokenAnswer): number {
  return Object.values(tokens).reduce((sum, counts) => sum + (counts[name] ?? 0), 0);
}

/** Sorted and without white space, because agents record prompts differently. */
function bare(prompts: readonly string[]): string[] {
  return prompts.map((text) => text.replace(/\s+/g, "")).toSorted();
}

function compareSessions(
  wanted: NonNullable<Expected["sessions"]>,
  got: Answer["sessions"],
  result: Comparison,
): void {
  if (got === undefined) {
    result.unanswered.push("sessions");
    return;
  }
  for (const id of new Set([...wanted, ...got].map((session) => session.id))) {
    const field = `session ${id}`;
    const mine = wanted.find((session) => session.id === id);
    const theirs = got.find((session) => session.id === id);
    if (mine && theirs) compareMembers(field, [mine, theirs], result);
    else result.wrong.push({ field, wanted: mine ?? null, got: theirs ?? null });
  }
}

type Table = Readonly<Record<string, object>> | undefined;

/** Unexpected rows are as wrong as missing ones. */
function compareTable(name: string, [wanted, got]: [Table, Table], result: Comparison): void {
  if (wanted === undefined) return;
  if (got === undefined) {
    result.unanswered.push(name);
    return;
  }
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
    const field = `${name} of ${key}`;
    const [mine, theirs] = [wanted[key], got[key]];
    if (mine && theirs) compareMembers(field, [mine, theirs], result);
    else result.wrong.push({ field, wanted: mine ?? null, got: theirs ?? null });
  }
}

function compareMembers(name: string, [wanted, got]: [object, object], result: Comparison): void {
  const answers = new Map<string, unknown>(Object.entries(got));
  for (const [member, value] of Object.entries(wanted)) {
    compareField(`${name}: ${member}`, [value, answers.get(member)], result);
  }
}

function compareField(field: string, [wanted, got]: [unknown, unknown], result: Comparison): void {
  if (got === undefined) result.unanswered.push(field);
  else if (canonical(wanted) !== canonical(got)) result.wrong.push({ field, wanted, got });
}

/** The same text for equal values, whatever the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => compareTexts(a, b)))
      : part,
  );
}
