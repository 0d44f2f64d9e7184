import type { DoctorAnswer, ToolsReport, UsageReport } from "../../src/index.ts";
import { address, hrefOf, hrefWith } from "../address.ts";
import type { About } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { HeatMap } from "../charts/heat-map.tsx";
import { brief, counted, exact, exactMoney, money, share, timezone } from "../figures.ts";
import { PeriodChoice } from "../parts/period-choice.tsx";
import { PickAgent } from "../parts/agents.tsx";
import { Pick } from "../parts/pick.tsx";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import type { Span } from "../period.ts";
import { dayOf, isDay, spanOf } from "../period.ts";
import { OverTime } from "./over-time.tsx";
import { TopLists } from "./top-lists.tsx";

/** What a view is about: its period, and what it is narrowed to. */
export interface View extends Span {
  project?: string;
  model?: string;
  agent?: string;
}

/** The first page: how much, on what, when. */
export function Overview() {
  const { query } = address.value;
  const about = useAnswer<About>("/api/about");
  const now = new Date(about.value?.now ?? 0);
  const view: View = { ...spanOf(query, now, "30d"), ...narrowing(query) };
  const period = { ...view, timezone };
  const isKnown = about.value !== undefined;
  const models = useAnswer<UsageReport>(
    isKnown ? hrefOf("/api/usage", { ...period, by: "model" }) : undefined,
  );
  const error = about.error ?? models.error;
  if (error && !models.value) return <Failed error={error} />;
  if (!models.value) return <Waiting />;
  return (
    <div class="stack">
      <Head now={now} view={view} />
      <Content report={models.value} view={view} now={now} isWaiting={models.isWaiting} />
    </div>
  );
}

function narrowing(query: URLSearchParams): View {
  const project = query.get("project");
  const model = query.get("model");
  const agent = query.get("agent");
  return {
    ...(project ? { project } : {}),
    ...(model ? { model } : {}),
    ...(agent ? { agent } : {}),
  };
}

function Head({ now, view }: { now: Date; view: View }) {
  const { query } = address.value;
  const isOwn = isDay(query.get("since") ?? "") || isDay(query.get("until") ?? "");
  const all = useAnswer<UsageReport>("/api/usage?by=project");
  const models = useAnswer<UsageReport>("/api/usage?by=model");
  return (
    <div class="page-head">
      <h1>{headline(view, isOwn, now)}</h1>
      <div class="filters">
        <PeriodChoice usual="30d" />
        <PickAgent />
        <Pick label="Project" name="project" chosen={view.project ?? ""} options={named(all)} />
        <Pick label="Model" name="model" chosen={view.model ?? ""} options={named(models)} />
      </div>
    </div>
  );
}

function named({ value }: { value: UsageReport | undefined }): { value: string; label: string }[] {
  return (value?.rows ?? []).map(({ key, label }) => ({ value: key, label: label ?? key }));
}

function headline(view: View, isOwn: boolean, now: Date): string {
  if (!isOwn) return "Overview";
  const { since = "", until = dayOf(now) } = view;
  return since === until ? since : `${since} – ${until}`;
}

interface ContentProps {
  report: UsageReport;
  view: View;
  now: Date;
  isWaiting: boolean;
}

function Content({ report, view, now, isWaiting }: ContentProps) {
  const isNarrow = view.since !== undefined || view.project || view.model || view.agent;
  const everything = useAnswer<UsageReport>(hrefOf("/api/usage", { by: "day", timezone }));
  const tools = useAnswer<ToolsReport>(hrefOf("/api/tools", { ...view, timezone }));
  const list = useAnswer<{ sessions: unknown[] }>("/api/sessions?limit=1");
  if (!isNarrow && report.totals.requests === 0 && list.value && list.total === 0) return <Empty />;
  if (everything.value?.totals.requests === 0 && list.value && list.total === 0) return <Empty />;
  return (
    <div class={isWaiting ? "stack fade waiting" : "stack fade"}>
      <AtRisk />
      <Figures report={report} view={view} />
      <OverTime view={view} now={now} />
      <section class="card">
        <div class="card-head">
          <h2>The last year</h2>
          <span class="soft small">cost by day</span>
        </div>
        <Year view={view} now={now} />
      </section>
      <TopLists report={report} tools={tools.value} view={view} />
      <Notes report={report} />
    </div>
  );
}

function AtRisk() {
  const { value } = useAnswer<DoctorAnswer>("/api/doctor");
  const count = value?.atRisk.length ?? 0;
  if (count === 0) return null;
  return (
    <p class="risk">
      {counted(count, "session")} will soon be deleted by the program that wrote{" "}
      {count === 1 ? "it" : "them"}. <a href="/doctor">Which, and when</a>
    </p>
  );
}

function Year({ view, now }: { view: View; now: Date }) {
  const { since: _since, until: _until, ...narrow } = view;
  const days = useAnswer<UsageReport>(
    hrefOf("/api/usage", { ...narrow, period: "year", by: "day", timezone }),
  );
  const rows = days.value?.rows ?? [];
  return (
    <HeatMap
      title="Cost by day over the last year"
      today={dayOf(now)}
      values={new Map(rows.map(({ key, costMicroUsd }) => [key, costMicroUsd ?? 0]))}
      format={money}
      hrefOf={(day) => hrefWith({ period: undefined, since: day, until: day, step: undefined })}
    />
  );
}

/** What is not known is not shown as nothing. */
function knownPart(count: number | null, what: string): string {
  return count === null ? "" : ` · ${brief(count)} ${what}`;
}

function Figures({ report, view }: { report: UsageReport; view: View }) {
  const { totals, cacheShare, takenBack } = report;
  const { tokens } = totals;
  const toSessions = hrefOf("/sessions", { ...view });
  const parts = `${brief(tokens.fresh)} new${knownPart(tokens.cached, "cached")}`;
  return (
    <div class="figures">
      <Figure
        name="Cost"
        value={money(totals.costMicroUsd)}
        more={totals.unpricedRequests > 0 ? `${exact(totals.unpricedRequests)} without price` : ""}
        title={exactMoney(totals.costMicroUsd)}
        href={hrefOf("/sessions", { ...view, order: "cost" })}
      />
      <Figure
        name="Tokens"
        value={brief(tokens.total)}
        more={parts}
        title={exact(tokens.total)}
        href={hrefOf("/sessions", { ...view, order: "tokens" })}
      />
      <Figure
        name="From the cache"
        value={share(cacheShare)}
        more={`of ${brief(tokens.input)} prompt tokens`}
        title={tokens.cached === null ? "" : `${exact(tokens.cached)} of ${exact(tokens.input)}`}
      />
      <Figure name="Sessions" value={exact(totals.sessions)} href={toSessions} />
      <Figure
        name="Requests"
        value={exact(totals.requests)}
        more={takenBack.requests > 0 ? `${exact(takenBack.requests)} taken back` : ""}
        href={hrefOf("/tools", { ...view })}
      />
    </div>
  );
}

interface FigureProps {
  name: string;
  value: string;
  more?: string;
  title?: string;
  href?: string;
}

function Figure({ name, value, more = "", title, href }: FigureProps) {
  const inside = (
    <>
      <div class="name">{name}</div>
      <div class="value" title={title}>
        {value}
      </div>
      <div class="more">{more}</div>
    </>
  );
  if (href === undefined) return <div class="figure">{inside}</div>;
  return (
    <a class="figure" href={href}>
      {inside}
    </a>
  );
}

/** What the numbers rest on, and what they cannot show. */
function Notes({ report }: { report: UsageReport }) {
  const { coverage, notes, unpriced, prices } = report;
  const rejected =
    coverage.rejected > 0 ? ` · ${counted(coverage.rejected, "record")} rejected` : "";
  return (
    <section class="soft small">
      <p>
        {exact(coverage.read)} of {counted(coverage.files, "file")} read
        {rejected} · prices of {prices.date} · {report.period.timezone} ·{" "}
        <a href="/doctor">Doctor</a>
      </p>
      {unpriced.map(({ model, requests, why }) => (
        <p key={model}>
          {model ?? "unknown model"}: {counted(requests, "request")} without a price. {why}
        </p>
      ))}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </section>
  );
}
