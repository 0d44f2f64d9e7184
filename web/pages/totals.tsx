import type { UsageReport } from "../../src/index.ts";
import { hrefOf } from "../address.ts";
import type { Asking } from "../ask.ts";
import { useAnswer } from "../ask.ts";
import {
  brief,
  change,
  counted,
  exact,
  exactMoney,
  money,
  periodName,
  share,
  timezone,
} from "../figures.ts";
import { Pending, Skeleton } from "../parts/states.tsx";
import { daysOf, spanBefore } from "../period.ts";
import type { View } from "../period.ts";

interface TotalsProps {
  models: Asking<UsageReport>;
  view: View;
  now: Date;
}

/** The sums of the period, each with the change from the previous period. */
export function Totals({ models, view, now }: TotalsProps) {
  const span = spanBefore(view, now);
  const request = span && hrefOf("/api/usage", { ...view, ...span, timezone, by: "model" });
  const before = useAnswer<UsageReport>(request);
  if (!models.value) return <Skeleton height={96} />;
  const former = before.isWaiting || !request ? undefined : before.value;
  return (
    <Pending isWaiting={models.isWaiting}>
      <Figures report={models.value} view={view} former={former} />
      {span && former?.totals.requests !== 0 && (
        <p class="soft small figures-note">
          Changes are against the{" "}
          {daysOf(span) === 1
            ? `day before: ${periodName(span.since)}.`
            : `${counted(daysOf(span), "day")} before: ${periodName(span.since)} – ${periodName(span.until)}.`}
        </p>
      )}
    </Pending>
  );
}

/** Unknown counts are left out, not shown as 0. */
function knownPart(count: number | null, what: string): string {
  return count === null ? "" : ` · ${brief(count)} ${what}`;
}

interface FiguresProps {
  report: UsageReport;
  former: UsageReport | undefined;
  view: View;
}

function Figures({ report, former, view }: FiguresProps) {
  const { totals, cacheShare, takenBack } = report;
  const { tokens } = totals;
  const parts = `${brief(tokens.fresh)} new${knownPart(tokens.cached, "cached")}`;
  return (
    <div class="figures">
      <Figure
        name="Cost"
        value={money(totals.costMicroUsd)}
        change={change(totals.costMicroUsd, former?.totals.costMicroUsd)}
        more={totals.unpricedRequests > 0 ? `${exact(totals.unpricedRequests)} without price` : ""}
        title={exactMoney(totals.costMicroUsd)}
        href={hrefOf("/sessions", { ...view, order: "cost" })}
      />
      <Figure
        name="Tokens"
        value={brief(tokens.total)}
        change={change(tokens.total, former?.totals.tokens.total)}
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
      <Figure
        name="Sessions"
        value={exact(totals.sessions)}
        change={change(totals.sessions, former?.totals.sessions)}
        more="with requests"
        href={hrefOf("/sessions", { ...view })}
      />
      <Figure
        name="Requests"
        value={exact(totals.requests)}
        change={change(totals.requests, former?.totals.requests)}
        more={takenBack.requests > 0 ? `${exact(takenBack.requests)} taken back` : ""}
        href={hrefOf("/tools", { ...view })}
      />
    </div>
  );
}

interface FigureProps {
  name: string;
  value: string;
  change?: string;
  more?: string;
  title?: string;
  href?: string;
}

function Figure({ name, value, change: changed = "", more = "", title, href }: FigureProps) {
  const inside = (
    <>
      <div class="name">{name}</div>
      <div class="value" title={title}>
        {value}
      </div>
      <div class="more">
        {changed !== "" && <span class="change">{changed}</span>}
        {more}
      </div>
    </>
  );
  if (href === undefined) return <div class="figure">{inside}</div>;
  return (
    <a class="figure" href={href}>
      {inside}
    </a>
  );
}
