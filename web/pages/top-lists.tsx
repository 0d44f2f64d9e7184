import type { ToolsReport, UsageReport } from "../../src/index.ts";
import { hrefOf } from "../address.ts";
import type { Asking } from "../ask.ts";
import { useAnswer } from "../ask.ts";
import type { Coloured } from "../colours.ts";
import { colourOf } from "../colours.ts";
import { brief, counted, exact, exactMoney, money, timezone } from "../figures.ts";
import { agents } from "../parts/agents.tsx";
import type { Rank, RanksProps } from "../parts/ranks.tsx";
import { Ranks } from "../parts/ranks.tsx";
import type { View } from "../period.ts";

const MOST = 8;

interface TopListsProps {
  /** By model. */
  models: Asking<UsageReport>;
  view: View;
}

/**
 * The largest agents, projects, models, tools, shell commands and MCP servers. The top of the page
 * is answered before them.
 */
export function TopLists({ models, view }: TopListsProps) {
  const asked = models.value && { ...view, timezone };
  const tools = useAnswer<ToolsReport>(asked && hrefOf("/api/tools", { ...asked, files: "0" }));
  const projects = useAnswer<UsageReport>(
    asked && hrefOf("/api/usage", { ...asked, by: "project", limit: String(MOST) }),
  );
  const byAgent = asked && agents.value.length > 1 ? { ...asked, by: "agent" } : undefined;
  const used = useAnswer<UsageReport>(byAgent && hrefOf("/api/usage", byAgent));
  const toTools = hrefOf("/tools", { ...view });
  const called = (kind: string, pick: (report: ToolsReport) => Called[]) => ({
    ranks: tools.value && callRanks(pick(tools.value), (name) => hrefOf("/uses", { [kind]: name })),
    isWaiting: tools.isWaiting,
  });
  return (
    <div class="grid grid-6">
      {(used.value?.rows.length ?? 0) > 1 && (
        <Ranks title="Agents" {...usageRanks(used, "agent", view)} />
      )}
      <Ranks title="Projects" {...usageRanks(projects, "project", view)} />
      <Ranks
        title="Models"
        note={<a href="/compare">Compare</a>}
        {...usageRanks(models, "model", view)}
      />
      <Ranks
        title="Tools"
        note={<a href={toTools}>All</a>}
        {...called("tool", ({ labels }) => labels.map((item) => ({ ...item, failed: item.error })))}
      />
      <Ranks
        title="Shell commands"
        {...called("command", ({ shell }) =>
          shell.map(({ command, calls }) => ({ name: command, calls, failed: 0 })),
        )}
      />
      <Ranks title="MCP servers" {...called("server", serversOf)} />
    </div>
  );
}

function usageRanks(
  { value, isWaiting }: Asking<UsageReport>,
  kind: Coloured,
  view: View,
): Pick<RanksProps, "ranks" | "isWaiting"> {
  const rows = value?.rows.slice(0, MOST);
  const most = Math.max(...(rows ?? []).map(({ costMicroUsd }) => costMicroUsd ?? 0), 1);
  const ranks = rows?.map(({ key, label, costMicroUsd, tokens, sessions }) => ({
    key,
    name: label ?? key,
    href: hrefOf("/sessions", { ...view, [kind]: key }),
    share: (costMicroUsd ?? 0) / most,
    value: money(costMicroUsd),
    more: brief(tokens.total),
    title: `${key} · ${exactMoney(costMicroUsd)} · ${counted(sessions, "session")}`,
    colour: colourOf(kind, key),
  }));
  return { ranks, isWaiting };
}

interface Called {
  name: string;
  calls: number;
  failed: number;
}

function callRanks(called: readonly Called[], hrefTo: (name: string) => string): Rank[] {
  const shown = called.slice(0, MOST);
  const most = Math.max(...shown.map(({ calls }) => calls), 1);
  return shown.map(({ name, calls, failed }) => ({
    key: name,
    name,
    href: hrefTo(name),
    share: calls / most,
    value: exact(calls),
    more: failed > 0 ? `${exact(failed)} failed` : "",
  }));
}

function serversOf(tools: ToolsReport): Called[] {
  const servers = new Map<string, Called>();
  for (const { server, calls, error } of tools.mcp) {
    const known = servers.get(server) ?? { name: server, calls: 0, failed: 0 };
    servers.set(server, { ...known, calls: known.calls + calls, failed: known.failed + error });
  }
  return [...servers.values()].toSorted((a, b) => b.calls - a.calls);
}
