import type { Digest } from "../core/digest.ts";
import type { ToolFact } from "../core/tool-fact.ts";
import type { Coverage } from "./coverage.ts";
import type { LedgerFilter } from "./ledger.ts";
import { isModelMeant, isSessionMeant, isWithin } from "./ledger.ts";
import { shellCommands } from "../kernel/shell/commands.ts";
import type { TouchedFileRow } from "./touched-files.ts";
import { TouchedFiles } from "./touched-files.ts";

/** How often something was called, and what became of it. */
export interface CallCounts {
  calls: number;
  success: number;
  error: number;
  cancelled: number;
  /** Of the calls whose beginning and end are recorded; `null` when none is. */
  time: { calls: number; totalMs: number; longestMs: number } | null;
}

export interface ToolRow extends CallCounts {
  name: string;
  label: string;
  canonical: string;
  category: string;
  mcpServer: string | null;
  mcpTool: string | null;
}

export interface NamedCounts extends CallCounts {
  name: string;
}

/** What tools did. Most called first. */
export interface ToolsReport {
  tools: ToolRow[];
  /** The same calls by the label and by the category of their tool. */
  labels: NamedCounts[];
  categories: NamedCounts[];
  /** Calls to MCP servers, by server and tool. */
  mcp: (CallCounts & { server: string; tool: string })[];
  /** Commands inside the lines that were given to shells. */
  shell: { command: string; calls: number }[];
  files: TouchedFileRow[];
  totals: CallCounts;
  coverage: Coverage;
}

export interface ToolsBasis {
  digests: readonly Digest[];
  coverage: Coverage;
}

export function reportTools(basis: ToolsBasis, filter: LedgerFilter = {}): ToolsReport {
  const sums = new ToolSums();
  const seen = new Set<string>();
  // An import repeats the calls of the session that it was made from: those count there.
  const inOrder = basis.digests.toSorted(
    (a, b) => Number(a.summary.isImport) - Number(b.summary.isImport),
  );
  for (const digest of inOrder) {
    const isMeant = callFilter(digest, filter);
    for (const fact of digest.tools) {
      const id = `${fact.messageId}\n${fact.callId}`;
      if (seen.has(id)) continue;
      seen.add(id);
      if (isMeant(fact)) sums.add(fact, digest);
    }
  }
  return { ...sums.tell(), coverage: basis.coverage };
}

function callFilter(digest: Digest, filter: LedgerFilter): (fact: ToolFact) => boolean {
  if (!isSessionMeant(digest, filter)) return () => false;
  const { model } = filter;
  const models =
    model === undefined
      ? undefined
      : new Map(digest.usage.map((fact) => [fact.messageId, fact.model]));
  return ({ at, messageId }) =>
    isWithin(at ?? digest.session.startedAt, filter) &&
    (models === undefined || isModelMeant(models.get(messageId), model));
}

class ToolSums {
  readonly #tools = new Map<string, { fact: ToolFact; counts: CallCounts }>();
  readonly #labels = new Map<string, CallCounts>();
  readonly #categories = new Map<string, CallCounts>();
  readonly #mcp = new Map<string, { server: string; tool: string; counts: CallCounts }>();
  readonly #shell = new Map<string, number>();
  readonly #parsed = new Map<string, string[]>();
  readonly #files = new TouchedFiles();
  readonly #totals = noCalls();

  add(fact: ToolFact, { summary }: Digest): void {
    const { mcp } = fact;
    const tool = take(this.#tools, `${fact.name}\n${mcp?.server ?? ""}`, () => {
      return { fact, counts: noCalls() };
    });
    const counted = [tool.counts, this.#totals];
    counted.push(take(this.#labels, fact.label, noCalls));
    counted.push(take(this.#categories, fact.category, noCalls));
    if (mcp) {
      const one = () => ({ ...mcp, counts: noCalls() });
      counted.push(take(this.#mcp, `${mcp.server}\n${mcp.tool}`, one).counts);
    }
    for (const counts of counted) count(counts, fact);
    for (const command of this.#commandsOf(fact.shellLine)) {
      this.#shell.set(command, (this.#shell.get(command) ?? 0) + 1);
    }
    this.#files.add(fact, summary.project);
  }

  #commandsOf(line: string | undefined): readonly string[] {
    return line === undefined ? [] : take(this.#parsed, line, () => shellCommands(line));
  }

  tell(): Omit<ToolsReport, "coverage"> {
    const tools = [...this.#tools.values()].map(({ fact, counts }): ToolRow => {
      const { name, label, canonical, category, mcp } = fact;
      const server = { mcpServer: mcp?.server ?? null, mcpTool: mcp?.tool ?? null };
      return { name, label, canonical, category, ...server, ...counts };
    });
    const shell = [...this.#shell].map(([command, calls]) => ({ command, calls }));
    const mcp = [...this.#mcp.values()].map(({ counts, ...names }) => ({ ...names, ...counts }));
    return {
      tools: byCalls(tools, ({ name }) => name),
      labels: byCalls(named(this.#labels), ({ name }) => name),
      categories: byCalls(named(this.#categories), ({ name }) => name),
      mcp: byCalls(mcp, ({ server, tool }) => `${server} ${tool}`),
      shell: byCalls(shell, ({ command }) => command),
      files: this.#files.rows(),
      totals: this.#totals,
    };
  }
}

function take<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function noCalls(): CallCounts {
  return { calls: 0, success: 0, error: 0, cancelled: 0, time: null };
}

function count(counts: CallCounts, { outcome, durationMs }: ToolFact): void {
  counts.calls += 1;
  if (outcome !== undefined) counts[outcome] += 1;
  if (durationMs === undefined) return;
  counts.time ??= { calls: 0, totalMs: 0, longestMs: 0 };
  counts.time.calls += 1;
  counts.time.totalMs += durationMs;
  counts.time.longestMs = Math.max(counts.time.longestMs, durationMs);
}

function named(counts: ReadonlyMap<string, CallCounts>): NamedCounts[] {
  return [...counts].map(([name, sums]) => ({ name, ...sums }));
}

function byCalls<T extends { calls: number }>(rows: readonly T[], nameOf: (row: T) => string): T[] {
  return rows.toSorted((a, b) => b.calls - a.calls || (nameOf(a) < nameOf(b) ? -1 : 1));
}
