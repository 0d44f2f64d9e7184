import { address, hrefOf, hrefWith, messageHref } from "../address.ts";
import type { About, Insights as InsightsAnswer } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { brief, counted, exact, money, share, timezone } from "../figures.ts";
import { PickAgent } from "../parts/agents.tsx";
import { PeriodChoice } from "../parts/period-choice.tsx";
import { Failed, Pending, Waiting } from "../parts/states.tsx";
import { spanOf } from "../period.ts";
import { safeText } from "../safe-text.ts";
import "../style/transcript.css";

/** Where the money and the work went, by documented rules. */
export default function Insights() {
  const { query } = address.value;
  const about = useAnswer<About>("/api/about").value;
  const span = spanOf(query, new Date(about?.now ?? 0), "30d");
  const narrow = { agent: query.get("agent"), project: query.get("project") };
  const request = hrefOf("/api/insights", { ...span, ...narrow, timezone });
  const { value, error, isWaiting } = useAnswer<InsightsAnswer>(about ? request : undefined);
  return (
    <>
      <div class="page-head">
        <h1>Insights</h1>
        <div class="filters">
          <PeriodChoice usual="30d" />
          <PickAgent />
        </div>
      </div>
      {error && !value && <Failed error={error} />}
      {!error && !value && <Waiting />}
      {value && (
        <Pending isWaiting={isWaiting}>
          {value.sessions.meant === 0 ? (
            <Nothing />
          ) : (
            <div class="stack">
              <Basis answer={value} />
              <Kinds answer={value} />
              <Findings answer={value} />
            </div>
          )}
        </Pending>
      )}
    </>
  );
}

function Nothing() {
  return (
    <p class="blank">
      No sessions in this period.{" "}
      <a href={hrefWith({ period: "all", since: undefined, until: undefined })}>All time</a>
    </p>
  );
}

/** The sessions and requests that the insights are based on. */
function Basis({ answer: { sessions, totals } }: { answer: InsightsAnswer }) {
  const isPart = sessions.read < sessions.meant;
  return (
    <p class="soft">
      {isPart
        ? `${exact(sessions.read)} of ${counted(sessions.meant, "session")}`
        : counted(sessions.read, "session")}
      , {counted(totals.requests, "request")}, {brief(totals.tokens)} tokens,{" "}
      {money(totals.costMicroUsd)}
      {totals.unpricedRequests > 0 && ` (${exact(totals.unpricedRequests)} without price)`}. Rules
      find this, never a model.
      {isPart && (
        <>
          {" "}
          The others were not read yet: <a href="/doctor">keep everything</a> to include them.
        </>
      )}
    </p>
  );
}

function Kinds({ answer: { kinds } }: { answer: InsightsAnswer }) {
  const most = Math.max(...kinds.map((kind) => kind.share ?? 0), 0.001);
  return (
    <section class="card">
      <div class="card-head">
        <h2>Kinds of work</h2>
        <span class="soft small">each turn is of one kind</span>
      </div>
      {kinds.length === 0 && <p class="blank">Nothing in this period.</p>}
      <ol class="ranks roomy">
        {kinds.map((kind) => (
          <li key={kind.kind}>
            <span class="rank">
              <span class="name">{kind.kind}</span>
              <span class="soft number">
                {kind.kind === "other" ? "outside turns" : counted(kind.turns, "turn")}
              </span>
              <span class="number">
                {share(kind.share)} · {money(kind.costMicroUsd)}
              </span>
            </span>
            <span class="bar s1" style={{ width: `${((kind.share ?? 0) / most) * 100}%` }} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Findings({ answer: { findings } }: { answer: InsightsAnswer }) {
  const found = findings.filter(({ count, undecided }) => count > 0 || undecided !== null);
  return (
    <>
      {found.map((finding) => (
        <FindingCard key={finding.id} finding={finding} />
      ))}
      {found.length < findings.length && (
        <p class="soft small">
          Not found:{" "}
          {findings
            .filter((finding) => !found.includes(finding))
            .map(({ title }) => title)
            .join(", ")}
          .
        </p>
      )}
    </>
  );
}

function FindingCard({ finding }: { finding: InsightsAnswer["findings"][number] }) {
  const { id, title, rule, count, spent, undecided, evidence, advice } = finding;
  return (
    <section class="card" id={id}>
      <div class="card-head">
        <h2>{title}</h2>
        <span class="soft small">
          {counted(count, "time")}
          {spent && ` · ${money(spent.costMicroUsd)} · ${share(finding.share)} of all`}
        </span>
      </div>
      <p>{advice}</p>
      <p class="soft small">
        {rule}
        {undecided && ` ${exact(undecided.count)} undecided: ${undecided.why}.`}
      </p>
      {evidence.length > 0 && (
        <details class="fold">
          <summary>Evidence: {counted(evidence.length, "place")}</summary>
          <ul class="evidence">
            {evidence.map((place, at) => (
              <li key={at}>
                <a href={messageHref(place)} dir="auto">
                  {safeText(place.what)}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
