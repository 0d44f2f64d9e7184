import type { Adoption, AdoptionCounts } from "../../src/index.ts";
import { address } from "../address.ts";
import type { About, Me } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { counted, exact, share } from "../figures.ts";
import { PeriodChoice } from "../parts/period-choice.tsx";
import { Failed, Skeleton, Waiting } from "../parts/states.tsx";
import { spanOf } from "../period.ts";
import { safeText } from "../safe-text.ts";
import { NumberHeads } from "../parts/number-heads.tsx";
import { OwnLooks, OwnMachines } from "./team-own.tsx";
import { OpenedSessions } from "./team-opened.tsx";
import { AuditorLook } from "./team-looks.tsx";
import { TeamPeople } from "./team-people.tsx";
import { TeamUsage } from "./team-usage.tsx";

/** What a team shares: sums for those who may see them, and everybody's own data. */
export default function Team() {
  const about = useAnswer<About>("/api/about");
  const isShared = about.value !== undefined && about.value.team !== null;
  const { value: me, error } = useAnswer<Me>(isShared ? "/api/me" : undefined);
  if (error) return <Failed error={error} isPage />;
  if (about.value && !isShared) return <NoTeam />;
  if (!about.value || !me) return <Waiting />;
  const may = (...roles: string[]): boolean => roles.some((role) => me.roles.includes(role));
  const hasSums = may("lead", "payer");
  const span = spanOf(address.value.query, new Date(about.value.now), "90d");
  return (
    <>
      <div class="page-head">
        <h1>{safeText(me.team)}</h1>
        {hasSums && (
          <div class="filters">
            <PeriodChoice usual="90d" />
          </div>
        )}
      </div>
      <div class="stack">
        {hasSums && <TeamUsage span={span} />}
        {may("lead", "payer", "admin") && <WhoSends />}
        {may("admin") && <TeamPeople />}
        {may("auditor") && <AuditorLook />}
        <OpenedSessions me={me} />
        <OwnMachines me={me} />
        <OwnLooks me={me} />
      </div>
    </>
  );
}

function NoTeam() {
  return (
    <section class="state">
      <h1>This store is not shared</h1>
      <p class="soft">These are your own sessions. To share a store with a team, use PostgreSQL:</p>
      <pre>pollux team init --store postgres://…</pre>
    </section>
  );
}

/** Adoption: how many people send. */
function WhoSends() {
  const { value, error } = useAnswer<Adoption>("/api/team/adoption");
  if (error && !value) return <Failed error={error} />;
  return (
    <section class="card">
      <div class="card-head">
        <h2>Who sends</h2>
        {value?.machines && (
          <span class="soft small">
            {counted(value.machines.active, "machine")}, {exact(value.machines.silent)} silent for a
            week, {exact(value.machines.ended)} to be enrolled again
          </span>
        )}
      </div>
      {value ? <AdoptionTable adoption={value} /> : <Skeleton />}
    </section>
  );
}

function AdoptionTable({ adoption }: { adoption: Adoption }) {
  const { all, teams, smallestGroup } = adoption;
  const rows = [...teams, { team: "everybody", takers: all }];
  return (
    <div class="table-wrap" tabIndex={0}>
      <table class="fits">
        <thead>
          <tr>
            <th scope="col">Team</th>
            <NumberHeads
              names={["People", "With a machine", "Sent within 30 days", "Within a week"]}
            />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ team, takers }) => (
            <tr key={team}>
              <td>{safeText(team)}</td>
              {takers ? (
                <AdoptionCells takers={takers} smallestGroup={smallestGroup} />
              ) : (
                <td class="soft" colSpan={4}>
                  withheld: it would reveal fewer than {exact(smallestGroup)} people
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface AdoptionCellsProps {
  takers: AdoptionCounts;
  smallestGroup: number;
}

function AdoptionCells({ takers, smallestGroup }: AdoptionCellsProps) {
  const { people, enrolled, month, week } = takers;
  return (
    <>
      <td class="number">{exact(people)}</td>
      {[enrolled, month, week].map((count, at) => (
        <td key={at} class="number">
          {count === null ? (
            <span class="soft">fewer than {exact(smallestGroup)}</span>
          ) : (
            <>
              {exact(count)}{" "}
              <span class="soft share">({share(people === 0 ? null : count / people)})</span>
            </>
          )}
        </td>
      ))}
    </>
  );
}
