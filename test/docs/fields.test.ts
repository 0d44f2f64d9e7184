import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Session } from "../../src/core/session/session.ts";
import { sources } from "../../src/sources/index.ts";
import type { Source } from "../../src/sources/source.ts";
import type { AgentId } from "../corpora/trees.ts";
import { committedTrees, hasCorpus } from "../corpora/trees.ts";
import { readTree } from "../corpora/read-tree.ts";

/** Recorded sessions of each agent that have prompts, answers, thoughts and calls. */
const TREES: Record<AgentId, readonly string[]> = {
  "gemini-cli": ["0.61.0/tools"],
  "claude-code": ["1.0.128/tools", "2.1.325/websearch"],
  codex: ["0.130.0/tools"],
  "qwen-code": ["0.24.4/tools", "0.24.4/thinking"],
};

/** The values that our readers take from the paths in the table. */
const FIELDS: Record<string, (session: Session) => (string | number | undefined)[]> = {
  "session id": ({ id }) => [id],
  directory: ({ project }) => [project.path],
  "message id": ({ replies }) => replies.map(({ messageId }) => messageId),
  time: ({ replies }) => replies.map(({ at }) => at),
  model: ({ replies }) => replies.map(({ model }) => model),
  prompt: ({ messages }) => messages.filter(({ isPrompt }) => isPrompt).map(({ typed }) => typed),
  answer: ({ messages }) =>
    messages.filter(({ author }) => author === "model").map(({ text }) => text || undefined),
  thought: ({ messages }) =>
    messages.flatMap(({ thoughts }) => thoughts.map(({ description }) => description)),
  "call id": ({ messages }) => messages.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)),
  tool: ({ messages }) => messages.flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name)),
  "prompt tokens": ({ replies }) => replies.map(({ counts }) => counts.input),
  "cached tokens": ({ replies }) => replies.map(({ counts }) => counts.cached),
  "written to the cache": ({ replies }) =>
    replies.map(({ counts }) => (counts.cacheWrite5m ?? 0) + (counts.cacheWrite1h ?? 0)),
  "answer tokens": ({ replies }) => replies.map(({ counts }) => counts.output),
  "thought tokens": ({ replies }) => replies.map(({ counts }) => counts.thoughts),
  "web searches": ({ replies }) => replies.map(({ counts }) => counts.webSearches),
  "all tokens": ({ replies }) => replies.map(({ counts }) => counts.total),
};

const page = readFileSync(join(import.meta.dirname, "../../docs/formats/fields.md"), "utf8");
const [head = "", , ...lines] = page.split("\n").filter((line) => line.startsWith("|"));
const cellsOf = (line: string): string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
const names = cellsOf(head).slice(1);

/** Returns every value at a path of a record. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [key, ...rest] = path;
  if (key === undefined) return [value];
  if (typeof value !== "object" || value === null) return [];
  const isList = key.endsWith("[]");
  const inner = (value as Record<string, unknown>)[isList ? key.slice(0, -2) : key];
  if (!isList) return inner === undefined ? [] : valuesAt(inner, rest);
  return Array.isArray(inner) ? inner.flatMap((item) => valuesAt(item, rest)) : [];
}

function sessionsOf(source: Source): Session[] {
  const wanted = TREES[source.id as AgentId];
  const trees = committedTrees(source.id as AgentId).filter(({ name }) => wanted.includes(name));
  expect(trees).toHaveLength(wanted.length);
  return trees
    .flatMap((tree) => readTree(source, tree, "full").sessions)
    .filter(({ kind }) => kind === "main");
}

/** Agents with committed real sessions; for the others no path can be checked. */
const recorded = sources.filter(({ id }) => hasCorpus(id));

test("the page has a column for each agent with recorded sessions", () => {
  expect(names).toEqual(recorded.map(({ name }) => name));
});

describe.each(recorded.map((source) => ({ source, name: source.name })))("$name", ({ source }) => {
  const column = names.indexOf(source.name) + 1;
  const sessions = sessionsOf(source);
  const files = sessions.flatMap((session) => session.files);
  const records = files.flatMap(({ path }) =>
    readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line) as unknown])),
  );

  test.each(
    lines.map(cellsOf).map((cells) => ({ field: cells[0] ?? "", cell: cells[column] ?? "" })),
  )("$field: $cell", ({ field, cell }) => {
    const reader = FIELDS[field];
    expect(reader, `a reader for "${field}"`).toBeDefined();
    const path = /^`([^`]+)`/.exec(cell)?.[1];
    // A cell without a path: the agent does not record the field, or not in a record.
    if (path === undefined || path.startsWith(".")) return;
    const values = records.flatMap((record) => valuesAt(record, path.split(".")));
    // A recorded thought may start with its subject.
    const isThere = (value: string | number): boolean =>
      values.some(
        (known) =>
          known === value || (field === "thought" && String(known).includes(String(value))),
      );
    const read = sessions
      .flatMap((session) => reader?.(session) ?? [])
      .filter((value) => value !== undefined);
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter((value) => !isThere(value))).toEqual([]);
  });
});
