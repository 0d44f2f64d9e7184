import { byCalls, byTouches } from "../core/rows/tool-fact.ts";
import type { StoredCoverage } from "../core/files/coverage.ts";
import type { LedgerFilter } from "../core/filter/filter.ts";
import { groupBy } from "../core/group.ts";
import type {
  CallCounts,
  ToolBucket,
  ToolBuckets,
  TouchedFileBucket,
} from "../core/rows/tool-fact.ts";
import type { Coverage } from "./coverage.ts";
import { coverageOf } from "./coverage.ts";

export type { CallCounts } from "../core/rows/tool-fact.ts";

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

/** A file that tools touched. Line counts are `null` where not recorded. */
export type TouchedFileRow = TouchedFileBucket;

export interface ToolsQuery extends LedgerFilter {
  /** Maximum number of files, most touched first. */
  files?: number;
}

/** Tool usage, most calls first. */
export interface ToolsReport {
  tools: ToolRow[];
  /** The same calls by tool label and by category. */
  labels: NamedCounts[];
  categories: NamedCounts[];
  /** Calls to MCP servers, by server and tool. */
  mcp: (CallCounts & { server: string; tool: string })[];
  /** Commands found in shell lines. */
  shell: { command: string; calls: number }[];
  files: TouchedFileRow[];
  totals: CallCounts;
  coverage: Coverage;
}

export function reportTools(buckets: ToolBuckets, coverage: StoredCoverage): ToolsReport {
  return { ...toolLists(buckets), coverage: coverageOf(coverage) };
}

export function toolLists({ tools, shell, files }: ToolBuckets): Omit<ToolsReport, "coverage"> {
  const named = tools.map(({ mcp, ...tool }): ToolRow => {
    return { ...tool, mcpServer: mcp?.server ?? null, mcpTool: mcp?.tool ?? null };
  });
  const mcp = [...groupBy(tools, ({ mcp: from }) => from && `${from.server}\n${from.tool}`)];
  return {
    tools: byCalls(named, ({ name }) => name),
    labels: summed(tools, ({ label }) => label),
    categories: summed(tools, ({ category }) => category),
    mcp: byCalls(
      mcp.flatMap(([, same]) => {
        const from = same[0]?.mcp;
        return from ? [{ server: from.server, tool: from.tool, ...sumCalls(same) }] : [];
      }),
      ({ server, tool }) => `${server} ${tool}`,
    ),
    shell: byCalls(shell, ({ command }) => command),
    files: byTouches(files),
    totals: sumCalls(tools),
  };
}

function summed(tools: readonly ToolBucket[], nameOf: (tool: ToolBucket) => string): NamedCounts[] {
  const rows = [...groupBy(tools, nameOf)].map(([name, same]) => ({ name, ...sumCalls(same) }));
  return byCalls(rows, ({ name }) => name);
}

function sumCalls(buckets: readonly CallCounts[]): CallCounts {
  const sums: CallCounts = { calls: 0, success: 0, error: 0, cancelled: 0, time: null };
  for (const { calls, success, error, cancelled, time } of buckets) {
    sums.calls += calls;
    sums.success += success;
    sums.error += error;
    sums.cancelled += cancelled;
    if (!time) continue;
    sums.time ??= { calls: 0, totalMs: 0, longestMs: 0 };
    sums.time.calls += time.calls;
    sums.time.totalMs += time.totalMs;
    sums.time.longestMs = Math.max(sums.time.longestMs, time.longestMs);
  }
  return sums;
}
