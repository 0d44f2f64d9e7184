import type { ComponentChildren } from "preact";
import type { SessionSummary, Transcript, UsageReport } from "../../src/index.ts";
import { address, go, hrefOf, hrefWith } from "../address.ts";
import type { About, Comparison } from "../answers.ts";
import { useAnswer, usageOfAllTime } from "../ask.ts";
import { colourOf } from "../colours.ts";
import { brief, change, duration, exact, money, share, timezone, when } from "../figures.ts";
import { AgentBadge } from "../parts/agents.tsx";
import { PeriodChoice } from "../parts/period-choice.tsx";
import { Failed, Pending, Skeleton } from "../parts/states.tsx";
import { spanOf } from "../period.ts";
import { safeText } from "../safe-text.ts";

/** One row of the comparison; numbers are compared, texts only shown. */
interface Fact {
  name: string;
  values: readonly [Value, Value];
  format?: (value: number) => string;
}

type Value = number | string | null;
type Side = Comparison["sides"][0];

/** Two sessions, or two models in a period, side by side. */
export default function Compare() {
  const { query } = address.value;
  const sessions = query.get("sessions")?.split(",") ?? [];
  const [left = "", right = ""] = sessions;
  return (
    <>
      <div class="page-head">
        <h1>Compare</h1>
        {sessions.length === 0 && (
          <div class="filters">
            <PeriodChoice usual="90d" />
          </div>
        )}
      </div>
      {sessions.length > 0 ? <Sessions left={left} right={right} /> : <Models />}
    </>
  );
}

function useComparison(asked: Record<string, string | undefined>, isAsked: boolean) {
  return useAnswer<Comparison>(
    isAsked ? hrefOf("/api/compare", { ...asked, timezone }) : undefined,
  );
}

function Sessions({ left, right }: { left: string; right: string }) {
  const compared = useComparison({ what: "sessions", first: left, second: right }, true);
  const summaries = [useSummary(left), useSummary(right)] as const;
  const [a, b] = [summaries[0].value?.session, summaries[1].value?.session];
  const error = compared.error ?? summaries[0].error ?? summaries[1].error;
  if (error) return <Failed error={error} />;
  if (!compared.value || !a || !b) return <Skeleton lines={10} />;
  const [first, second] = compared.value.sides;
  const text = (of: (session: SessionSummary) => Value): [Value, Value] => [of(a), of(b)];
  const perPrompt = (side: Side, { prompts }: SessionSummary): number | null =>
    per(side.totals.costMicroUsd, prompts);
  const facts: Fact[] = [
    { name: "Project", values: text(({ project }) => project.name) },
    { name: "Models", values: text(({ models }) => models.join(", ")) },
    { name: "Began", values: text(({ startedAt }) => when(startedAt)) },
    { name: "Lasted", values: text(lengthOf), format: duration },
    { name: "Ended", values: text(({ status }) => status) },
    { name: "Prompts", values: text(({ prompts }) => prompts) },
    { name: "Tool calls", values: text(({ toolCalls }) => toolCalls.total) },
    { name: "Failed calls", values: text(({ toolCalls }) => toolCalls.error) },
    ...sumsOf(first, second),
    { name: "Cost per prompt", values: [perPrompt(first, a), perPrompt(second, b)], format: money },
  ];
  return <Table facts={facts} heads={[<SessionName session={a} />, <SessionName session={b} />]} />;
}

function useSummary(id: string) {
  return useAnswer<Transcript>(`/api/sessions/${encodeURIComponent(id)}?limit=0`);
}

function SessionName({ session: { id, title, own, source } }: { session: SessionSummary }) {
  return (
    <>
      <a href={`/sessions/${encodeURIComponent(id)}`} dir="auto">
        {safeText(own?.title ?? title ?? id)}
      </a>{" "}
      <AgentBadge source={source} />
    </>
  );
}

function lengthOf({ startedAt, updatedAt }: SessionSummary): number | null {
  const tookMs = Date.parse(updatedAt ?? "") - Date.parse(startedAt ?? "");
  return Number.isNaN(tookMs) ? null : tookMs;
}

/** Usage from the ledger. */
function sumsOf(first: Side, second: Side): Fact[] {
  const both = (of: (side: Side) => number | null): [Value, Value] => [of(first), of(second)];
  return [
    { name: "Requests", values: both(({ totals }) => totals.requests) },
    { name: "Tokens", values: both(({ totals }) => totals.tokens.total), format: brief },
    { name: "From the cache", values: both(({ cacheShare }) => cacheShare), format: share },
    {
      name: "Written by the model",
      values: both(({ totals }) => totals.tokens.output),
      format: brief,
    },
    { name: "Cost", values: both(({ totals }) => totals.costMicroUsd), format: money },
    {
      name: "Cost per request",
      values: both(({ totals }) => per(totals.costMicroUsd, totals.requests)),
      format: money,
    },
  ];
}

function per(sum: number | null, count: number): number | null {
  return sum === null || count === 0 ? null : sum / count;
}

function Models() {
  const { query } = address.value;
  const about = useAnswer<About>("/api/about").value;
  const span = spanOf(query, new Date(about?.now ?? 0), "90d");
  const all = useAnswer<UsageReport>(usageOfAllTime("model")).value;
  const names = all?.rows.map(({ key }) => key) ?? [];
  const [first = "", second = ""] = query.get("models")?.split(",") ?? names.slice(0, 2);
  const isAsked = about !== undefined && first !== "" && second !== "";
  const compared = useComparison({ what: "models", first, second, ...span }, isAsked);
  const { value, error, isWaiting } = compared;
  const choose = (at: number, name: string): void => {
    const next = at === 0 ? [name, second] : [first, name];
    go(hrefWith({ models: next.join(",") }), "replace");
  };
  const head = (at: number, chosen: string) => (
    <>
      <i class={`swatch s${colourOf("model", chosen)}`} />
      <select
        class="field"
        aria-label={at === 0 ? "First model" : "Second model"}
        value={chosen}
        onChange={(event) => choose(at, event.currentTarget.value)}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
  if (all && names.length < 2)
    return <p class="blank">There is only one model, so nothing to compare.</p>;
  if (error) return <Failed error={error} />;
  if (!value) return <Skeleton lines={10} />;
  const [a, b] = value.sides;
  const both = (of: (side: Side) => number | null): [Value, Value] => [of(a), of(b)];
  const facts: Fact[] = [
    { name: "Sessions", values: both(({ totals }) => totals.sessions) },
    ...sumsOf(a, b),
    {
      name: "Tokens per request",
      values: both(({ totals }) => per(totals.tokens.total, totals.requests)),
      format: brief,
    },
    {
      name: "Cost per session",
      values: both(({ totals }) => per(totals.costMicroUsd, totals.sessions)),
      format: money,
    },
  ];
  return (
    <Pending isWaiting={isWaiting}>
      <Table facts={facts} heads={[head(0, first), head(1, second)]} />
    </Pending>
  );
}

interface TableProps {
  facts: readonly Fact[];
  heads: [ComponentChildren, ComponentChildren];
}

function Table({ facts, heads }: TableProps) {
  return (
    <div class="table-wrap card" tabIndex={0}>
      <table class="compare">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden-label">What</span>
            </th>
            <th scope="col" class="number">
              {heads[0]}
            </th>
            <th scope="col" class="number">
              {heads[1]}
            </th>
            <th scope="col" class="number">
              Second against first
            </th>
          </tr>
        </thead>
        <tbody>
          {facts.map((fact) => (
            <tr key={fact.name}>
              <th scope="row">{fact.name}</th>
              <td class="number">{shown(fact, fact.values[0])}</td>
              <td class="number">{shown(fact, fact.values[1])}</td>
              <td class="number soft">{against(fact)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function shown({ format = exact }: Fact, value: Value): string {
  if (value === null) return "–";
  return typeof value === "string" ? safeText(value) || "–" : format(value);
}

/** No change for shares, which are relative already, and for texts. */
function against({ values: [left, right], format }: Fact): string {
  if (typeof left !== "number" || typeof right !== "number") return "";
  return format === share ? "" : change(right, left);
}
