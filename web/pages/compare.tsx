import type { ComponentChildren } from "preact";
import type { Explanation, Transcript, UsageReport } from "../../src/index.ts";
import { address, go, hrefOf, hrefWith } from "../address.ts";
import type { About } from "../answers.ts";
import type { AskError } from "../ask.ts";
import { useAnswer } from "../ask.ts";
import { colourOf } from "../colours.ts";
import { brief, change, duration, exact, money, share, timezone, when } from "../figures.ts";
import { AgentBadge } from "../parts/agents.tsx";
import { PeriodChoice } from "../parts/period-choice.tsx";
import { Failed, Skeleton } from "../parts/states.tsx";
import { spanOf } from "../period.ts";
import { safeText } from "../safe-text.ts";

/** One line of the comparison; a number is compared, a text only shown. */
interface Fact {
  name: string;
  value: number | string | null;
  format?: (value: number) => string;
}

interface Side {
  facts: Fact[] | undefined;
  error: AskError | undefined;
}

/** Two sessions, or two models in a period, side by side. */
export default function Compare() {
  const { query } = address.value;
  const sessions = query.get("sessions")?.split(",") ?? [];
  const [left = "", right = ""] = sessions;
  return (
    <>
      <div class="page-head">
        <h1>Compare</h1>
        {sessions.length === 0 && <PeriodChoice usual="90d" />}
      </div>
      {sessions.length > 0 ? <Sessions left={left} right={right} /> : <Models />}
    </>
  );
}

function Sessions({ left, right }: { left: string; right: string }) {
  const [a, b] = [useSession(left), useSession(right)];
  return (
    <Table left={a} right={b} heads={[<SessionName id={left} />, <SessionName id={right} />]} />
  );
}

function SessionName({ id }: { id: string }) {
  const path = `/api/sessions/${encodeURIComponent(id)}?limit=0`;
  const { value } = useAnswer<Transcript>(path);
  return (
    <>
      <a href={`/sessions/${encodeURIComponent(id)}`} dir="auto">
        {safeText(value?.session.title ?? id)}
      </a>{" "}
      {value && <AgentBadge source={value.session.source} />}
    </>
  );
}

function useSession(id: string): Side {
  const key = encodeURIComponent(id);
  const transcript = useAnswer<Transcript>(`/api/sessions/${key}?limit=0`);
  const explained = useAnswer<Explanation>(`/api/explain/${key}`);
  const error = transcript.error ?? explained.error;
  if (!transcript.value || !explained.value) return { facts: undefined, error };
  const { session } = transcript.value;
  const { totals } = explained.value;
  const tookMs = Date.parse(session.updatedAt ?? "") - Date.parse(session.startedAt ?? "");
  return {
    error,
    facts: [
      { name: "Project", value: session.project.name },
      { name: "Models", value: session.models.join(", ") },
      { name: "Began", value: when(session.startedAt) },
      { name: "Lasted", value: Number.isNaN(tookMs) ? null : tookMs, format: duration },
      { name: "Ended", value: session.status },
      { name: "Prompts", value: session.prompts },
      { name: "Requests", value: totals.requests },
      { name: "Tool calls", value: session.toolCalls.total },
      { name: "Failed calls", value: session.toolCalls.error },
      { name: "Tokens", value: totals.tokens.total, format: brief },
      { name: "From the cache", value: part(totals.tokens), format: share },
      { name: "Written by the model", value: totals.tokens.output, format: brief },
      { name: "Cost", value: totals.costMicroUsd, format: money },
      { name: "Cost per prompt", value: per(totals.costMicroUsd, session.prompts), format: money },
    ],
  };
}

function part({ cached, input }: UsageReport["totals"]["tokens"]): number | null {
  return cached === null || input === 0 ? null : cached / input;
}

function per(sum: number | null, count: number): number | null {
  return sum === null || count === 0 ? null : sum / count;
}

function Models() {
  const { query } = address.value;
  const about = useAnswer<About>("/api/about").value;
  const span = spanOf(query, new Date(about?.now ?? 0), "90d");
  const all = useAnswer<UsageReport>("/api/usage?by=model").value;
  const names = all?.rows.map(({ key }) => key) ?? [];
  const [first = "", second = ""] = query.get("models")?.split(",") ?? names.slice(0, 2);
  const [a, b] = [useModel(first, span), useModel(second, span)];
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
  if (all && names.length < 2) return <p class="blank">There is only one model to be compared.</p>;
  return <Table left={a} right={b} heads={[head(0, first), head(1, second)]} />;
}

function useModel(model: string, span: { since?: string; until?: string }): Side {
  const asked = model !== "" && hrefOf("/api/usage", { ...span, model, by: "model", timezone });
  const { value, error, isWaiting } = useAnswer<UsageReport>(asked || undefined);
  if (!value || isWaiting) return { facts: undefined, error };
  const { totals, cacheShare } = value;
  return {
    error,
    facts: [
      { name: "Sessions", value: totals.sessions },
      { name: "Requests", value: totals.requests },
      { name: "Tokens", value: totals.tokens.total, format: brief },
      {
        name: "Tokens per request",
        value: per(totals.tokens.total, totals.requests),
        format: brief,
      },
      { name: "From the cache", value: cacheShare, format: share },
      { name: "Written by the model", value: totals.tokens.output, format: brief },
      { name: "Cost", value: totals.costMicroUsd, format: money },
      { name: "Cost per request", value: per(totals.costMicroUsd, totals.requests), format: money },
      { name: "Cost per session", value: per(totals.costMicroUsd, totals.sessions), format: money },
    ],
  };
}

interface TableProps {
  left: Side;
  right: Side;
  heads: [ComponentChildren, ComponentChildren];
}

function Table({ left, right, heads }: TableProps) {
  const error = left.error ?? right.error;
  if (error) return <Failed error={error} />;
  if (!left.facts || !right.facts) return <Skeleton lines={10} />;
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
          {left.facts.map((fact, at) => (
            <tr key={fact.name}>
              <th scope="row">{fact.name}</th>
              <td class="number">{shown(fact)}</td>
              <td class="number">{shown(right.facts?.[at])}</td>
              <td class="number soft">{against(fact, right.facts?.[at])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function shown(fact: Fact | undefined): string {
  if (!fact || fact.value === null) return "–";
  if (typeof fact.value === "string") return safeText(fact.value) || "–";
  return (fact.format ?? exact)(fact.value);
}

/** Shares are of themselves already, and texts are no numbers. */
function against(left: Fact, right: Fact | undefined): string {
  if (typeof left.value !== "number" || typeof right?.value !== "number") return "";
  return left.format === share ? "" : change(right.value, left.value);
}
