import type { DoctorAnswer, SessionList, UsageReport } from "../../src/index.ts";
import { address, hrefOf, hrefWith } from "../address.ts";
import type { About } from "../answers.ts";
import type { Asking } from "../ask.ts";
import { useAnswer, usageOfAllTime } from "../ask.ts";
import { HeatMap } from "../charts/heat-map.tsx";
import { counted, exact, money, timezone } from "../figures.ts";
import { DeletionNote } from "../parts/deletion.tsx";
import { PeriodChoice } from "../parts/period-choice.tsx";
import { PickAgent } from "../parts/agents.tsx";
import { Pick } from "../parts/pick.tsx";
import { Empty, Failed, Pending, Skeleton, Waiting } from "../parts/states.tsx";
import type { View } from "../period.ts";
import { addDays, dayOf, isDay, spanOf } from "../period.ts";
import { Budget } from "./budget.tsx";
import { OverTime } from "./over-time.tsx";
import { Totals } from "./totals.tsx";
import { TopLists } from "./top-lists.tsx";

/** More than the 53 weeks shown. */
const YEAR_DAYS = 378;

/** The first page: how much was used, for what, and when. */
export function Overview() {
  const { query } = address.value;
  const about = useAnswer<About>("/api/about");
  const list = useAnswer<SessionList>("/api/sessions?limit=1");
  if (about.error && !about.value) return <Failed error={about.error} isPage />;
  if (!about.value) return <Waiting />;
  if (list.value && list.total === 0) return <Empty />;
  const now = new Date(about.value.now);
  const view: View = { ...spanOf(query, now, "30d"), ...narrowing(query) };
  return (
    <div class="stack">
      <Head now={now} view={view} />
      <Content view={view} now={now} />
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
  const all = useAnswer<UsageReport>(usageOfAllTime("project"));
  const models = useAnswer<UsageReport>(usageOfAllTime("model"));
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

function Content({ view, now }: { view: View; now: Date }) {
  const models = useAnswer<UsageReport>(hrefOf("/api/usage", { ...view, timezone, by: "model" }));
  if (models.error && !models.value) return <Failed error={models.error} />;
  return (
    <div class="stack">
      <AtRisk />
      {models.value?.totals.requests === 0 && !models.isWaiting && view.since !== undefined && (
        <p class="blank">
          No requests in this period.{" "}
          <a href={hrefWith({ period: "all", since: undefined, until: undefined })}>All time</a>
        </p>
      )}
      <Totals models={models} view={view} now={now} />
      <Budget view={view} />
      <OverTime view={view} now={now} />
      <Year view={view} now={now} models={models} />
      <TopLists models={models} view={view} />
      {models.value && <Notes report={models.value} />}
    </div>
  );
}

function AtRisk() {
  // Only the counts are shown, and there may be very many sessions.
  const { value } = useAnswer<DoctorAnswer>("/api/doctor?limit=0");
  return value ? <DeletionNote deletion={value.deletion} /> : null;
}

interface YearProps {
  view: View;
  now: Date;
  models: Asking<UsageReport>;
}

/** The top of the page is answered before it. */
function Year({ view, now, models }: YearProps) {
  const { since: _since, until: _until, ...narrow } = view;
  const since = addDays(dayOf(now), -YEAR_DAYS);
  const request = { ...narrow, since, by: "day", timezone };
  const { value, isWaiting } = useAnswer<UsageReport>(
    models.value && hrefOf("/api/usage", request),
  );
  return (
    <section class="card">
      <div class="card-head">
        <h2>The last year</h2>
        <span class="soft small">cost by day</span>
      </div>
      {value ? (
        <Pending isWaiting={isWaiting}>
          <HeatMap
            title="Cost by day over the last year"
            today={dayOf(now)}
            values={new Map(value.rows.map(({ key, costMicroUsd }) => [key, costMicroUsd]))}
            format={(micro) => (micro === null ? "no price known" : money(micro))}
            hrefOf={(day) =>
              hrefWith({ period: undefined, since: day, until: day, step: undefined })
            }
          />
        </Pending>
      ) : (
        <Skeleton height={132} />
      )}
    </section>
  );
}

/** What the numbers are based on, and what they leave out. */
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
