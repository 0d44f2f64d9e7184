import type { ToolsReport, UsageReport, UsageRow } from "../../src/index.ts";
import { hrefOf } from "../address.ts";
import { useAnswer } from "../ask.ts";
import { brief, counted, exact, exactMoney, money, timezone } from "../figures.ts";
import type { Rank } from "../parts/ranks.tsx";
import { Ranks } from "../parts/ranks.tsx";
import type { View } from "./overview.tsx";

const MOST = 8;

interface TopListsProps {
  /** By model. */
  report: UsageReport;
  tools: ToolsReport | undefined;
  view: View;
}

/** The largest agents, projects, models, tools, shell commands and MCP servers. */
export function TopLists({ report, tools, view }: TopListsProps) {
  const query = { ...view, by: "project", limit: String(MOST), timezone };
  const projects = useAnswer<UsageReport>(hrefOf("/api/usage", query));
  const agents = useAnswer<UsageReport>(hrefOf("/api/usage", { ...view, by: "agent", timezone }));
  const toTools = hrefOf("/tools", { ...view });
  return (
    <div class="grid grid-6">
      {(agents.value?.rows.length ?? 0) > 1 && (
        <Ranks
          title="Agents"
          ranks={usageRanks(agents.value?.rows ?? [], (key) =>
            hrefOf("/sessions", { ...view, agent: key }),
          )}
        />
      )}
      <Ranks
        title="Projects"
        ranks={usageRanks(projects.value?.rows ?? [], (key) =>
          hrefOf("/sessions", { ...view, project: key }),
        )}
      />
      <Ranks
        title="Models"
        ranks={usageRanks(report.rows.slice(0, MOST), (key) =>
          hrefOf("/sessions", { ...view, model: key }),
        )}
      />
      <Ranks
        title="Tools"
        note={<a href={toTools}>All</a>}
        ranks={callRanks(
          tools?.labels.map((item) => ({ ...item, failed: item.error })),
          toTools,
        )}
      />
      <Ranks
        title="Shell commands"
        ranks={callRanks(
          tools?.shell.map(({ command, calls }) => ({ name: command, calls, failed: 0 })),
          toTools,
        )}
      />
      <Ranks title="MCP servers" ranks={callRanks(serversOf(tools), toTools)} />
    </div>
  );
}

function usageRanks(rows: readonly UsageRow[], href: (key: string) => string): Rank[] {
  const most = Math.max(...rows.map(({ costMicroUsd }) => costMicroUsd ?? 0), 1);
  return rows.map(({ key, label, costMicroUsd, tokens, sessions }) => ({
    key,
    name: label ?? key,
    href: href(key),
    share: (costMicroUsd ?? 0) / most,
    value: money(costMicroUsd),
    more: brief(tokens.total),
    title: `${key} · ${exactMoney(costMicroUsd)} · ${counted(sessions, "session")}`,
  }));
}

interface Called {
  name: string;
  calls: number;
  failed: number;
}

function callRanks(called: readonly Called[] = [], href: string): Rank[] {
  const shown = called.slice(0, MOST);
  const most = Math.max(...shown.map(({ calls }) => calls), 1);
  return shown.map(({ name, calls, failed }) => ({
    key: name,
    name,
    href,
    share: calls / most,
    value: exact(calls),
    more: failed > 0 ? `${exact(failed)} failed` : "",
  }));
}

function serversOf(tools: ToolsReport | undefined): Called[] {
  const servers = new Map<string, Called>();
  for (const { server, calls, error } of tools?.mcp ?? []) {
    const known = servers.get(server) ?? { name: server, calls: 0, failed: 0 };
    servers.set(server, { ...known, calls: known.calls + calls, failed: known.failed + error });
  }
  return [...servers.values()].toSorted((a, b) => b.calls - a.calls);
}
