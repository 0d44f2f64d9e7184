// @module-tag slow
import { rmSync } from "node:fs";
import { parquetReadObjects } from "hyparquet";
import { afterAll, describe, expect, test } from "vitest";
import { exports } from "../../src/exports/index.ts";
import type { Library, SessionSelector } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import { MIXED_AGENTS, tangledHome } from "../library/mixed-home.ts";
import type { WrittenFile } from "./written.ts";
import { parsed, written } from "./written.ts";

interface Tokens {
  total: number | null;
}

interface Trajectory {
  final_metrics: { total_prompt_tokens: number; total_completion_tokens: number };
  steps: { metrics?: { prompt_tokens: number; completion_tokens: number } }[];
  subagent_trajectories?: Trajectory[];
}

interface Traces {
  resourceSpans: {
    scopeSpans: { spans: { attributes: { key: string; value: { intValue?: string } }[] }[] }[];
  }[];
}

/** How to add up the tokens in each format; "none" for formats without tokens. */
const READERS: Readonly<
  Record<string, ((file: WrittenFile) => number | Promise<number>) | "none">
> = {
  markdown: headline,
  html: headline,
  json: ({ text }) => parsed<{ session: { tokens: Tokens } }>(text).session.tokens.total ?? 0,
  jsonl: ({ text }) => {
    const sessions = lines<{ type: string; tokens: Tokens }>(text);
    return sum(sessions.map(({ type, tokens }) => (type === "session" ? tokens.total : 0)));
  },
  csv: ({ name, text }) => (name.startsWith("calls") ? 0 : column(text, "total_tokens")),
  parquet: async ({ bytes }) => {
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    return sum(rows.map((row) => Number(row["total_tokens"] ?? 0)));
  },
  "events-jsonl": ({ text }) => {
    const events = lines<{ type: string; tokens: Tokens }>(text);
    return sum(events.map(({ type, tokens }) => (type === "usage" ? tokens.total : 0)));
  },
  atif: ({ text }) => trajectoryTokens(parsed<Trajectory>(text)),
  otel: ({ text }) => {
    const spans = parsed<Traces>(text)
      .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans);
    const counts = spans.flatMap(({ attributes }) => attributes);
    return sum(
      counts.map(({ key, value }) =>
        key === "llm.token_count.total" ? Number(value.intValue) : 0,
      ),
    );
  },
  vcon: ({ text }) => {
    const { analysis } = parsed<{ analysis: { type: string; body: string }[] }>(text);
    const usage = analysis.find(({ type }) => type === "usage");
    return parsed<{ tokens: Tokens }>(usage?.body ?? "").tokens.total ?? 0;
  },
  openai: "none",
  anthropic: "none",
  "agent-trace": "none",
};

function sum(numbers: readonly (number | null)[]): number {
  return numbers.reduce<number>((all, number) => all + (number ?? 0), 0);
}

function lines<T>(text: string): T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parsed<T>(line));
}

/** `… · 1,234 in all` at the head of a document. */
function headline({ text }: WrittenFile): number {
  return Number((/([\d,]+) in all/.exec(text)?.[1] ?? "0").replaceAll(",", ""));
}

function column(text: string, name: string): number {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n)/g)];
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of cells) {
    rows.at(-1)?.push(quoted ?? plain ?? "");
    if (end !== ",") rows.push([]);
  }
  const at = rows[0]?.indexOf(name) ?? -1;
  expect(at).toBeGreaterThan(-1);
  return sum(rows.slice(1).map((row) => Number(row[at] ?? 0)));
}

/** Tokens of a trajectory including its subagents. */
function trajectoryTokens(trajectory: Trajectory): number {
  const { final_metrics: final, subagent_trajectories: agents = [] } = trajectory;
  const own = final.total_prompt_tokens + final.total_completion_tokens;
  return own + sum(agents.map(trajectoryTokens));
}

const root = tangledHome();
const library: Library = open({ roots: [root], environment: { env: {}, homeDir: "/home/ada" } });
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function exportedTokens(to: string, which: SessionSelector): Promise<number[]> {
  const form = exports.find(({ name }) => name === to);
  const read = READERS[to];
  if (!form || !read || read === "none") throw new Error(`no reader for ${to}`);
  const sums: number[] = [];
  for (const table of form.tables ?? [undefined]) {
    const files = await written(library, which, {
      to,
      layout: form.subject === "session" ? "each" : "one",
      with: ["usage"],
      ...(table === undefined ? {} : { table }),
    });
    if (table === "calls") continue;
    sums.push(sum(await Promise.all(files.map(async (file) => read(file)))));
  }
  return sums;
}

interface Narrow {
  source?: string;
  model?: string;
  project?: string;
  sinceMs?: number;
  untilMs?: number;
}

/** For each agent: filters by model, by half of its time range, and by project. */
async function narrowFilters(): Promise<Narrow[]> {
  const filters: Narrow[] = [];
  for (const source of MIXED_AGENTS) {
    const { rows: models } = await library.usage({ source, by: ["model"] });
    const { rows: projects } = await library.usage({ source, by: ["project"] });
    const times: number[] = [];
    for await (const { timestamp } of library.calls({ source })) {
      if (timestamp !== null) times.push(Date.parse(timestamp));
    }
    const middle = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
    // The model with the least usage, so that the filter excludes most requests.
    const model = models.at(-1)?.key ?? "";
    const project = projects[0]?.key ?? "";
    filters.push(
      { source, model },
      { source, sinceMs: middle },
      { source, untilMs: middle },
      { source, project },
      { source, model: models[0]?.key ?? "", sinceMs: middle },
    );
  }
  return filters;
}

test("every export format is covered here", () => {
  expect(Object.keys(READERS).toSorted()).toEqual(exports.map(({ name }) => name).toSorted());
});

describe.each(Object.keys(READERS).filter((name) => READERS[name] !== "none"))("%s", (to) => {
  test.each(MIXED_AGENTS)("has the same tokens as `usage` for %s", async (source) => {
    const { totals } = await library.usage({ source });
    expect(totals.tokens.total).toBeGreaterThan(0);
    for (const sums of await exportedTokens(to, { filter: { source } })) {
      expect(sums).toBe(totals.tokens.total);
    }
  });

  test("has the same tokens as `usage` with filters by model, time and project", async () => {
    for (const filter of await narrowFilters()) {
      const { totals } = await library.usage(filter);
      expect(totals.requests, JSON.stringify(filter)).toBeGreaterThan(0);
      for (const sums of await exportedTokens(to, { filter })) {
        expect(sums, JSON.stringify(filter)).toBe(totals.tokens.total);
      }
    }
  });

  test("has the same tokens as `usage` for a session with its subagents", async () => {
    const { sessions } = await library.sessions({ kind: "subagent" });
    const parents = new Map(sessions.map(({ source, parentId }) => [source, parentId]));
    expect(parents.size).toBeGreaterThan(2);
    for (const id of parents.values()) {
      const session = id ?? "";
      const agents = sessions.flatMap((inner) => (inner.parentId === session ? [inner.id] : []));
      const { totals } = await library.usage({ session });
      for (const sums of await exportedTokens(to, { ids: [session, ...agents] })) {
        expect(sums).toBe(totals.tokens.total);
      }
    }
  });
});
